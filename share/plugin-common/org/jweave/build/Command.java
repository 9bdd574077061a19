package org.jweave.build;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Runs the program jweave for a build. */
public final class Command {
	/** It did not succeed; the message is what it complained about. */
	public static final class Failure extends Exception {
		private static final long serialVersionUID = 1;

		Failure(String message) {
			super(message);
		}
	}

	private Command() {
	}

	/** Runs WORDS in FOLDER. Lines of its standard output go to SAID, those of standard error, if it succeeds, to NOTED. */
	public static void run(File folder, List<String> words, Consumer<String> said, Consumer<String> noted)
		throws IOException, InterruptedException, Failure {
		File errors = File.createTempFile("jweave", ".err");

		try {
			int status = run(folder, words, errors, said);
			List<String> lines = lines(errors);

			if (status != 0)
				throw new Failure(lines.isEmpty() ? "jweave ended with status " + status : String.join("\n", lines));
			lines.forEach(noted);
		} finally {
			errors.delete();
		}
	}

	private static int run(File folder, List<String> words, File errors, Consumer<String> said)
		throws IOException, InterruptedException {
		Process process = new ProcessBuilder(words).directory(folder).redirectError(errors).start();

		try {
			process.getOutputStream().close();
			try (BufferedReader out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
				for (String line; (line = out.readLine()) != null;)
					said.accept(line);
			}
			return process.waitFor();
		} finally {
			process.destroy(); // where the build was interrupted
		}
	}

	private static List<String> lines(File file) throws IOException {
		List<String> lines = new ArrayList<>();

		for (String line : new String(Files.readAllBytes(file.toPath()), StandardCharsets.UTF_8).split("\n"))
			if (!line.isEmpty())
				lines.add(line);
		return lines;
	}
}
