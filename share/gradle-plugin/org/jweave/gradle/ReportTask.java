package org.jweave.gradle;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.gradle.api.GradleException;
import org.gradle.api.file.DirectoryProperty;
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

	@TaskAction
	void go() {
		String trace = getTrace().isPresent() ? getTrace().get() : latest();

		run(getLogger()::quiet, Arrays.asList("report", "--", trace));
	}

	private String latest() {
		File project = getFolder().get().getAsFile(), tests = getTests().get().getAsFile(), latest = null;
		List<File> folders = new ArrayList<>(Arrays.asList(project, tests));
		File[] inside = tests.listFiles(File::isDirectory);

		if (inside != null)
			folders.addAll(Arrays.asList(inside));
		for (File folder : folders)
			for (File file : traces(folder))
				if (latest == null || file.lastModified() > latest.lastModified())
					latest = file;
		if (latest == null)
			throw new GradleException("jweave: no trace-*.prv in " + project + " or " + tests +
				" (a woven program leaves one where it runs; -Pjweave.trace=FILE names another)");
		return latest.getPath();
	}

	static File[] traces(File folder) {
		File[] traces = folder.listFiles((dir, name) -> name.startsWith("trace-") && name.endsWith(".prv"));

		return traces != null ? traces : new File[0];
	}
}
