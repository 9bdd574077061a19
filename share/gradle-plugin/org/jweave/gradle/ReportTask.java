package org.jweave.gradle;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import org.gradle.api.GradleException;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.provider.ListProperty;
import org.gradle.api.provider.Property;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.TaskAction;
import org.gradle.work.DisableCachingByDefault;
import org.jweave.build.Traces;

/** Says where the time of a trace went: of the latest in the project's folder, of all of the latest tests, or of one that is named. */
@DisableCachingByDefault(because = "says something, and makes nothing")
public abstract class ReportTask extends JweaveTask {
	/** The trace, if not the latest. */
	@Internal
	public abstract Property<String> getTrace();

	/** Where each task of tests has a folder with its traces. */
	@Internal
	public abstract DirectoryProperty getTests();

	/** Where other modules have traces, if all of them are asked; empty: this one alone is. */
	@Internal
	public abstract ListProperty<File> getOthers();

	@TaskAction
	void go() {
		File project = getFolder().get().getAsFile(), tests = getTests().get().getAsFile();
		List<File> folders = inside(tests);

		folders.add(project);
		if (getTrace().isPresent()) {
			report(getTrace().get());
			return;
		}
		File latest = Traces.latest(folders);
		if (latest != null) {
			boolean ofTests = !latest.getParentFile().equals(project); // then the task has emptied its folder before
			List<File> all = ofTests ? Traces.since(0, latest) : Collections.singletonList(latest);
			String left = Traces.left(all, "-Pjweave.trace=FILE");

			for (File it : Traces.shown(all))
				report(it.getPath());
			if (left != null)
				getLogger().lifecycle(left);
			return;
		}
		String where = "jweave: no trace-*.prv in " + project + ", or in or below " + tests;
		List<File> others = new ArrayList<>();
		for (File other : getOthers().get())
			others.addAll(inside(other));
		if (Traces.latest(others) == null)
			throw new GradleException(where + (others.isEmpty() ? "" : ", nor in any other module") +
				" (a woven program leaves one where it runs; -Pjweave.trace=FILE names another)");
		getLogger().lifecycle(where);
	}

	private void report(String trace) {
		run(getLogger()::quiet, Arrays.asList("report", "--", trace));
	}

	/** FOLDER, and the folders in it: each task of tests has one. */
	private static List<File> inside(File folder) {
		List<File> all = new ArrayList<>(Arrays.asList(folder));
		File[] inside = folder.listFiles(File::isDirectory);

		if (inside != null)
			all.addAll(Arrays.asList(inside));
		return all;
	}
}
