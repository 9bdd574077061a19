package org.jweave.maven;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

import org.apache.maven.execution.MavenSession;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.project.MavenProject;
import org.eclipse.aether.RepositorySystem;
import org.eclipse.aether.RepositorySystemSession;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.resolution.ArtifactRequest;
import org.eclipse.aether.resolution.ArtifactResolutionException;
import org.jweave.build.Command;
import org.jweave.build.Program;

/** What the goals have in common: the project, and how jweave is found and run. Maven fills the fields (plugin.xml.in). */
abstract class JweaveMojo extends AbstractMojo {
	MavenProject project;
	/** A jweave to run in place of the one that comes with this plugin. */
	File program;
	/** The project has nothing to do with jweave today. */
	boolean skip;
	/** What Maven was told, and all projects of it. */
	MavenSession build;
	private String version;
	private RepositorySystem repositories;
	private RepositorySystemSession session;
	private List<RemoteRepository> remotes;

	abstract void go() throws MojoExecutionException, MojoFailureException;

	@Override
	public final void execute() throws MojoExecutionException, MojoFailureException {
		if (skip)
			getLog().info("jweave: skipped (jweave.skip)");
		else
			go();
	}

	/** The rules file: that of the command line, whatever the POM says; else CONFIGURED. */
	final File rules(File configured) {
		String said = build.getUserProperties().getProperty("jweave.rules");

		return said == null || said.isEmpty() ? configured : project.getBasedir().toPath().resolve(said).toFile();
	}

	final File program() throws MojoExecutionException {
		if (program != null) {
			if (!program.canExecute())
				throw new MojoExecutionException("jweave.program: " + program + " is no program that can be run");
			return program;
		}
		String classifier = Program.classifier();
		if (classifier == null)
			throw new MojoExecutionException("jweave: no program comes with this plugin for " +
				System.getProperty("os.name") + " on " + System.getProperty("os.arch") +
				"; -Djweave.program=PATH names one of your own");
		try {
			ArtifactRequest request = new ArtifactRequest(
				new DefaultArtifact("org.jweave", "jweave", classifier, "jar", version), remotes, null);

			return Program.unpack(repositories.resolveArtifact(session, request).getArtifact().getFile());
		} catch (ArtifactResolutionException e) {
			throw new MojoExecutionException("jweave: its program is in no repository (-Djweave.program=PATH names one " +
				"that is here): " + e.getMessage(), e);
		} catch (IOException e) {
			throw new MojoExecutionException("jweave: its program cannot be unpacked: " + e.getMessage(), e);
		}
	}

	/** Runs jweave. Lines of its standard output go to SAID. What it complains about is the failure's message. */
	final void run(Consumer<String> said, String... words) throws MojoExecutionException, MojoFailureException {
		List<String> command = new ArrayList<>(Arrays.asList(program().getPath(), "--color=never"));

		command.addAll(Arrays.asList(words));
		getLog().debug(String.join(" ", command));
		try {
			Command.run(project.getBasedir(), command, said, getLog()::info);
		} catch (Command.Failure e) {
			throw new MojoFailureException(e.getMessage());
		} catch (IOException e) {
			throw new MojoExecutionException("jweave cannot be run: " + e.getMessage(), e);
		} catch (InterruptedException e) {
			Thread.currentThread().interrupt();
			throw new MojoExecutionException("interrupted", e);
		}
	}
}
