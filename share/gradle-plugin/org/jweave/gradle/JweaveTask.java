package org.jweave.gradle;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

import org.gradle.api.DefaultTask;
import org.gradle.api.GradleException;
import org.gradle.api.file.ConfigurableFileCollection;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.tasks.InputFiles;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.PathSensitive;
import org.gradle.api.tasks.PathSensitivity;
import org.gradle.work.DisableCachingByDefault;
import org.jweave.build.Command;
import org.jweave.build.Program;

/** A task that runs jweave. It knows nothing of the project when it runs, so the configuration can be cached. */
@DisableCachingByDefault(because = "says something, and makes nothing")
public abstract class JweaveTask extends DefaultTask {
	/** The program, or the jar that holds it. */
	@InputFiles
	@PathSensitive(PathSensitivity.NONE)
	public abstract ConfigurableFileCollection getProgram();

	/** Where jweave is started: what it says of files is as seen from there. */
	@Internal
	public abstract DirectoryProperty getFolder();

	final File program() {
		if (getProgram().isEmpty())
			throw new GradleException("jweave: no program comes with this plugin for " + System.getProperty("os.name") + " on " +
				System.getProperty("os.arch") + "; jweave { program = file(PATH) } names one of your own");
		File file = getProgram().getSingleFile();

		if (!file.getName().endsWith(".jar")) {
			if (!file.canExecute())
				throw new GradleException("jweave: " + file + " is no program that can be run");
			return file;
		}
		try {
			return Program.unpack(file);
		} catch (IOException e) {
			throw new GradleException("jweave: its program cannot be unpacked: " + e.getMessage(), e);
		}
	}

	/** Runs jweave. Lines of its standard output go to SAID. What it complains about is the failure's message. */
	final void run(Consumer<String> said, List<String> words) {
		run(said, null, words);
	}

	/** The same with the variable JWEAVE, if it is one: "off" for what leaves no trace. */
	final void run(Consumer<String> said, String tracing, List<String> words) {
		List<String> command = new ArrayList<>();

		if (tracing != null)
			command.addAll(Arrays.asList("env", "JWEAVE=" + tracing));
		command.addAll(Arrays.asList(program().getPath(), "--color=never"));
		command.addAll(words);
		getLogger().debug("{}", command);
		try {
			Command.run(getFolder().get().getAsFile(), command, said, getLogger()::lifecycle);
		} catch (Command.Failure e) {
			throw new GradleException(e.getMessage());
		} catch (IOException e) {
			throw new GradleException("jweave cannot be run: " + e.getMessage(), e);
		} catch (InterruptedException e) {
			Thread.currentThread().interrupt();
			throw new GradleException("interrupted", e);
		}
	}

	/** What is in FOLDER goes, FOLDER stays. */
	static void empty(Path folder) {
		try {
			Files.createDirectories(folder);
			List<Path> all = new ArrayList<>();

			try (java.util.stream.Stream<Path> walk = Files.walk(folder)) {
				walk.forEach(all::add);
			}
			for (int i = all.size(); --i > 0;)
				Files.delete(all.get(i));
		} catch (IOException e) {
			throw new GradleException("jweave: " + folder + " cannot be emptied: " + e.getMessage(), e);
		}
	}
}
