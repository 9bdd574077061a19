package org.jweave.maven;

import java.io.File;

import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;

/** jweave:report says where the time of a trace went. */
public final class ReportMojo extends JweaveMojo {
	/** The trace; by default the latest trace-*.prv in the project's folder, its build folder, or there in jweave (of tests). */
	File trace;
	File folder;

	@Override
	void go() throws MojoExecutionException, MojoFailureException {
		File it = trace != null ? trace : latest(project.getBasedir(), folder, new File(folder, "jweave"));

		if (it == null)
			throw new MojoFailureException("jweave: no trace-*.prv in " + project.getBasedir() + " or " + folder +
				" (a woven program leaves one where it runs; -Djweave.trace=FILE names another)");
		run(line -> getLog().info(line), "report", it.getPath());
	}

	private static File latest(File... folders) {
		File latest = null;

		for (File folder : folders) {
			File[] traces = folder.listFiles((dir, name) -> name.startsWith("trace-") && name.endsWith(".prv"));

			for (File file : traces != null ? traces : new File[0])
				if (latest == null || file.lastModified() > latest.lastModified())
					latest = file;
		}
		return latest;
	}
}
