package org.jweave.gradle;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a {@link TraceTestsTask} has found out of a java command: its folder has a file "words". */
final class Words {
	private final List<String> arguments = new ArrayList<>();
	private final Map<String, String> variables = new LinkedHashMap<>();

	Words(File folder) {
		try {
			for (String line : Files.readAllLines(new File(folder, "words").toPath(), StandardCharsets.UTF_8)) {
				int equals = line.indexOf('=');

				if (line.startsWith("A "))
					arguments.add(line.substring(2));
				else if (line.startsWith("E ") && equals > 0)
					variables.put(line.substring(2, equals), line.substring(equals + 1));
			}
		} catch (IOException e) {
			throw new UncheckedIOException(e);
		}
	}

	List<File> classPath() {
		List<File> files = new ArrayList<>();

		for (String name : arguments.get(arguments.indexOf("-cp") + 1).split(File.pathSeparator))
			if (!name.isEmpty())
				files.add(new File(name));
		return files;
	}

	/** Options of java, but the class path. */
	List<String> options() {
		List<String> options = new ArrayList<>();

		for (int i = 0; i < arguments.size() && arguments.get(i).startsWith("-"); i++)
			if (arguments.get(i).equals("-cp"))
				i++;
			else
				options.add(arguments.get(i));
		return options;
	}

	Map<String, String> variables() {
		return variables;
	}

	/** Is all that the class path names still there? The cache of woven copies is bounded. */
	static boolean whole(File folder) {
		try {
			for (File file : new Words(folder).classPath())
				if (file.getPath().contains("/jweave/run-") && !file.exists())
					return false;
			return true;
		} catch (UncheckedIOException e) {
			return false;
		}
	}
}
