package org.jweave.gradle;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.gradle.api.GradleException;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.provider.ListProperty;
import org.gradle.api.provider.Property;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.TaskAction;
import org.gradle.work.DisableCachingByDefault;

/** Says where the time of a trace went: of the latest in the project's folder, of traced tests, or of one that is named. */
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
		String trace = getTrace().isPresent() ? getTrace().get() : latest(folders);
		if (trace != null) {
			run(getLogger()::quiet, Arrays.asList("report", "--", trace));
			return;
		}
		String where = "jweave: no trace-*.prv in " + project + ", or in or below " + tests;
		List<File> others = new ArrayList<>();
		for (File other : getOthers().get())
			others.addAll(inside(other));
		if (latest(others) == null)
			throw new GradleException(where + (others.isEmpty() ? "" : ", nor in any other module") +
				" (a woven program leaves one where it runs; -Pjweave.trace=FILE names another)");
		getLogger().lifecycle(where);
	}

	/** FOLDER, and the folders in it: each task of tests has one. */
	private static List<File> inside(File folder) {
		List<File> all = new ArrayList<>(Arrays.asList(folder));
		File[] inside = folder.listFiles(File::isDirectory);

		if (inside != null)
			all.addAll(Arrays.asList(inside));
		return all;
	}

	/** The latest trace in FOLDERS; null: there is none. */
	private static String latest(List<File> folders) {
		File latest = null;

		for (File folder : folders)
			for (File file : traces(folder))
				if (latest == null || file.lastModified() > latest.lastModified())
					latest = file;
		return latest != null ? latest.getPath() : null;
	}

	static File[] traces(File folder) {
		File[] traces = folder.listFiles((dir, name) -> name.startsWith("trace-") && name.endsWith(".prv"));

		return traces != null ? traces : new File[0];
	}
}
