package org.jweave.maven;

import java.io.File;
import java.util.Arrays;
import java.util.List;

import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.project.MavenProject;

/** jweave:report says where the time of a trace went. */
public final class ReportMojo extends JweaveMojo {
	/** The trace; by default the latest trace-*.prv in the project's folder, its build folder, or there in jweave (of tests). */
	File trace;

	@Override
	void go() throws MojoExecutionException, MojoFailureException {
		boolean first = project.equals(build.getProjects().get(0));
		File it = trace != null ? trace : latest(project);

		if (trace != null && !first) // one that is named is of no module, or of one
			return;
		if (it != null)
			run(line -> getLog().info(line), "report", it.getPath());
		else if (build.getProjects().stream().allMatch(other -> latest(other) == null))
			throw new MojoFailureException("jweave: no trace-*.prv in " + among(folders(project)) +
				(build.getProjects().size() > 1 ? ", nor in any other module" : "") +
				" (a woven program leaves one where it runs; -Djweave.trace=FILE names another)");
		else
			getLog().info("jweave: no trace-*.prv in " + among(folders(project)));
	}

	private static List<File> folders(MavenProject of) {
		File folder = new File(of.getBuild().getDirectory());

		return Arrays.asList(of.getBasedir(), folder, new File(folder, "jweave"));
	}

	private static String among(List<File> folders) {
		return folders.get(0) + ", " + folders.get(1) + " or " + folders.get(2);
	}

	private static File latest(MavenProject of) {
		File latest = null;

		for (File folder : folders(of)) {
			File[] traces = folder.listFiles((dir, name) -> name.startsWith("trace-") && name.endsWith(".prv"));

			for (File file : traces != null ? traces : new File[0])
				if (latest == null || file.lastModified() > latest.lastModified())
					latest = file;
		}
		return latest;
	}
}
