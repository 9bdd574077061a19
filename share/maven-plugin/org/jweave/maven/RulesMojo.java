package org.jweave.maven;

import java.io.File;

import org.apache.maven.artifact.Artifact;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;

/** A goal that asks rules about what the project has made. */
abstract class RulesMojo extends JweaveMojo {
	/** The rules file, if the command line names none. */
	File rules;
	/** What is woven: an archive, or a folder of classes. By default the project's archive if it is made, else its classes. */
	File input;
	File classes;

	/** The input; null, and said: there is none. */
	final File input() throws MojoFailureException {
		File in = made();

		if (in == null) {
			getLog().info("jweave: " + project.getArtifactId() + " has no classes");
			return null;
		}
		if (!in.exists())
			throw new MojoFailureException("jweave: there is no " + in + " to weave");
		if (!rules().isFile())
			throw new MojoFailureException("jweave: there is no rules file " + rules() +
				" (`jweave init` writes one to start with; -Djweave.rules=FILE, or <rules>, names another)");
		return in;
	}

	final File rules() {
		return rules(rules);
	}

	/** What there is to weave; null: nothing. */
	final File made() {
		Artifact own = project.getArtifact();

		if (input != null)
			return input;
		if (own != null && own.getFile() != null && own.getFile().isFile())
			return own.getFile();
		return classes.isDirectory() ? classes : null;
	}

	@Override
	abstract void go() throws MojoExecutionException, MojoFailureException;
}
