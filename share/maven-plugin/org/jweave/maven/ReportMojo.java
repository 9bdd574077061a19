package org.jweave.maven;

import java.io.File;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.project.MavenProject;
import org.jweave.build.Traces;

/** jweave:report says where the time of a trace went, or of all traces of the latest tests. */
public final class ReportMojo extends JweaveMojo {
	/** The trace; by default the latest trace-*.prv in the project's folder, its build folder, or there in jweave (of tests). */
	File trace;

	@Override
	void go() throws MojoExecutionException, MojoFailureException {
		if (trace != null) { // one that is named is of no module, or of one
			if (project.equals(build.getProjects().get(0)))
				report(trace);
			return;
		}
		File latest = latest(project);
		boolean last = asked() == build.getProjects().size();
		if (latest != null) {
			List<File> all = ofOneRun(latest);
			String left = Traces.left(all, "-Djweave.trace=FILE");

			for (File it : Traces.shown(all))
				report(it);
			if (left != null)
				getLog().info(left);
		} else if (last && build.getProjects().stream().allMatch(other -> latest(other) == null)) {
			throw new MojoFailureException("jweave: no trace-*.prv in " + among(folders(build.getProjects().get(0))) +
				(build.getProjects().size() > 1 ? ", nor in any other module" : "") +
				" (a woven program leaves one where it runs; -Djweave.trace=FILE names another)");
		} else {
			getLog().info("jweave: no trace-*.prv in " + among(folders(project)));
		}
	}

	private void report(File of) throws MojoExecutionException, MojoFailureException {
		run(line -> getLog().info(line), "report", "--", of.getPath());
	}

	/** How many modules have been asked: only after the last of them no tests are left that may leave a trace. */
	private int asked() {
		final String key = "org.jweave.report";
		MavenProject top = build.getProjects().get(0); // the same for builds of modules at the same time, unlike the session

		synchronized (top) {
			if (top.getContextValue(key) == null)
				top.setContextValue(key, new AtomicInteger());
			return ((AtomicInteger) top.getContextValue(key)).incrementAndGet();
		}
	}

	/** TRACE and others of the same tests, which have begun when their java was made; a program's alone. */
	private static List<File> ofOneRun(File trace) {
		File java = TraceTestsMojo.java(trace.getParentFile());

		return java.isFile() ? Traces.since(java.lastModified(), trace) : Collections.singletonList(trace);
	}

	private static List<File> folders(MavenProject of) {
		File folder = new File(of.getBuild().getDirectory());

		return Arrays.asList(of.getBasedir(), folder, new File(folder, "jweave"));
	}

	private static String among(List<File> folders) {
		return folders.get(0) + ", " + folders.get(1) + " or " + folders.get(2);
	}

	private static File latest(MavenProject of) {
		return Traces.latest(folders(of));
	}
}
