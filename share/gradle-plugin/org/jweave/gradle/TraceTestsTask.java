package org.jweave.gradle;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.gradle.api.GradleException;
import org.gradle.api.file.ConfigurableFileCollection;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.provider.ListProperty;
import org.gradle.api.provider.Property;
import org.gradle.api.tasks.Classpath;
import org.gradle.api.tasks.Input;
import org.gradle.api.tasks.InputFiles;
import org.gradle.api.tasks.Optional;
import org.gradle.api.tasks.OutputDirectory;
import org.gradle.api.tasks.PathSensitive;
import org.gradle.api.tasks.PathSensitivity;
import org.gradle.api.tasks.TaskAction;
import org.gradle.work.DisableCachingByDefault;

/**
 * What is on the class path of tests, woven: copies are in the cache of `jweave run`, and nothing that the build makes
 * changes. It asks `jweave run` to start a java that only writes what it is told into the output:
 *
 * <pre>
 *   A WORD          an argument of java
 *   E NAME=VALUE    a variable that jweave has set
 * </pre>
 */
@DisableCachingByDefault(because = "names files of this machine")
public abstract class TraceTestsTask extends JweaveTask {
	/** The class that Gradle starts: `jweave run` knows that it is no part of the application. */
	private static final String MAIN = "worker.org.gradle.process.internal.worker.GradleWorkerMain";

	@Classpath
	public abstract ConfigurableFileCollection getClassPath();

	/** The rules file; empty: what `jweave run` chooses. */
	@InputFiles
	@PathSensitive(PathSensitivity.RELATIVE)
	public abstract ConfigurableFileCollection getRulesFiles();

	@Input
	@Optional
	public abstract Property<String> getRules();

	@Input
	public abstract ListProperty<String> getPresets();

	@Input
	public abstract ListProperty<String> getArguments();

	/** The JDK that runs the tests. */
	@Input
	@Optional
	public abstract Property<String> getJavaHome();

	/** The folder for the traces, below the one of this task. */
	@Input
	public abstract Property<String> getTraces();

	@OutputDirectory
	public abstract DirectoryProperty getOutput();

	@TaskAction
	void go() throws IOException {
		Path output = getOutput().get().getAsFile().toPath(), words = output.resolve("words");
		Path java = output.resolve("jdk/bin/java");

		empty(output);
		Files.createDirectories(java.getParent());
		Path release = new File(getJavaHome().getOrElse(System.getProperty("java.home")), "release").toPath();
		if (Files.isReadable(release)) // which options java knows depends on what is in it
			Files.copy(release, output.resolve("jdk/release"));
		Files.write(java, ("#!/bin/sh\n{\n\tenv | sed -n '/^JWEAVE_RUN=/d; s/^JWEAVE_/E &/p; s/^LD_PRELOAD=/E &/p'\n" + // all words, each in quotes, where they are too long
			"\tcase $1 in\n\t@*) sed 's/^\"/A /; s/\"$//; s/\\\\\\(.\\)/\\1/g' \"${1#@}\" ;;\n\t*) printf 'A %s\\n' \"$@\" ;;\n\tesac\n} >'" +
			words.toString().replace("'", "'\\''") + "'\n").getBytes(StandardCharsets.UTF_8));
		if (!java.toFile().setExecutable(true, true))
			throw new GradleException("jweave: " + java + " cannot be made executable");
		Files.createDirectories(new File(getTraces().get()).toPath());

		List<String> command = new ArrayList<>(Arrays.asList("run"));
		if (getRules().isPresent())
			command.addAll(Arrays.asList("-r", getRules().get()));
		for (String preset : getPresets().get())
			command.add("--preset=" + preset);
		command.add("--output=" + getTraces().get() + "/trace-%p");
		command.addAll(getArguments().get());
		command.addAll(Arrays.asList("--", java.toString(), "-cp", getClassPath().getAsPath(), MAIN));
		run(getLogger()::lifecycle, "off", command);
		if (!Files.isRegularFile(words))
			throw new GradleException("jweave: " + java + " was not started");
	}
}
