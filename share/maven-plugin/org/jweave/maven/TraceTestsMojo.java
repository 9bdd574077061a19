package org.jweave.maven;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.apache.maven.model.Plugin;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.codehaus.plexus.util.xml.Xpp3Dom;
import org.jweave.build.TracedJava;

/**
 * jweave:trace-tests has the tests that follow (Surefire, Failsafe) started by a java that traces them: the property `jvm`,
 * which these plugins read, names it. What is woven for them is in jweave's cache, so the classes and archives that the
 * build makes are as without it.
 */
public final class TraceTestsMojo extends JweaveMojo {
	/** The rules file; null: jweave.json if it is there, else what `jweave run` chooses. */
	File rules;
	/** Built-in rules, too. */
	String[] presets;
	/** More options of `jweave run`. */
	String[] arguments;
	File folder;

	@Override
	void go() throws MojoExecutionException, MojoFailureException {
		File own = new File(folder, "jweave");
		List<String> command = new ArrayList<>(Arrays.asList(program().getPath(), "run", "--color=never"));
		File named = rules(rules), chosen = named != null ? named : new File(project.getBasedir(), "jweave.json");

		if (named != null || chosen.isFile()) {
			run(line -> getLog().info(line), "check", "--", chosen.getPath());
			command.addAll(Arrays.asList("-r", chosen.getPath()));
		}
		for (String preset : presets != null ? presets : new String[0])
			command.add("--preset=" + preset);
		command.add("--output=" + own + "/trace-tests-%p");
		List<String> said = Arrays.asList(arguments != null ? arguments : new String[0]);
		if (!said.contains("-v") && !said.contains("--verbose"))
			command.add("--quiet"); // what to do next is said here, and not by each JVM, as for another command
		command.addAll(said);
		try {
			project.getProperties().setProperty("jvm",
				TracedJava.make(jdk(own), new File(System.getProperty("java.home")), command).getPath());
		} catch (IOException e) {
			throw new MojoExecutionException("jweave: no java that traces can be made: " + e.getMessage(), e);
		}
		getLog().info("jweave: tests are traced, to " + own + "; the goal jweave:report says where their time went");
		for (String plugin : new String[] {"surefire", "failsafe"})
			warn("maven-" + plugin + "-plugin");
	}

	private static File jdk(File own) {
		return new File(own, "jdk");
	}

	/** The java that leaves traces in the folder OWN: each run of this goal makes it anew. */
	static File java(File own) {
		return new File(jdk(own), "bin/java");
	}

	/** Who says by hand which java starts tests is not overruled. */
	private void warn(String plugin) {
		Plugin it = project.getPlugin("org.apache.maven.plugins:" + plugin);
		Object said = it != null ? it.getConfiguration() : null;

		if (said instanceof Xpp3Dom && ((Xpp3Dom) said).getChild("jvm") != null)
			getLog().warn("jweave: " + plugin + " has a <jvm> of its own, and its tests are not traced");
	}
}
