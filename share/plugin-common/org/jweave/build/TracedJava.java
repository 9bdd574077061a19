package org.jweave.build;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A JDK whose java starts programs by `jweave run`, for tools that take a java, and look for its JDK around it:
 *
 * <pre>
 *   FOLDER/bin/java      a script
 *   FOLDER/bin/...       links to the other programs of the JDK
 *   FOLDER/...           links to its other folders and files
 * </pre>
 */
public final class TracedJava {
	private TracedJava() {
	}

	/** Makes it in FOLDER, of the JDK in HOME; COMMAND is jweave's, up to the java command. Returns the script. */
	public static File make(File folder, File home, List<String> command) throws IOException {
		Path bin = folder.toPath().resolve("bin"), java = bin.resolve("java");
		String script = command.stream().map(TracedJava::quoted).collect(Collectors.joining(" ", "#!/bin/sh\nexec ", " -- ")) +
			quoted(home + "/bin/java") + " \"$@\"\n";

		Files.createDirectories(bin);
		links(home.toPath(), folder.toPath(), "bin");
		links(home.toPath().resolve("bin"), bin, "java");
		Path made = Files.createTempFile(bin, "java", "");

		try { // builds at the same time find the script whole
			Files.write(made, script.getBytes(StandardCharsets.UTF_8));
			if (!made.toFile().setExecutable(true, true))
				throw new IOException(made + " cannot be made executable");
			Files.move(made, java, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
		} finally {
			Files.deleteIfExists(made);
		}
		return java.toFile();
	}

	/** Links in TO to all that is in FROM, but what is called EXCEPT, in place of the links that were there. */
	private static void links(Path from, Path to, String except) throws IOException {
		List<Path> old, all;

		try (Stream<Path> there = Files.list(to)) {
			old = there.filter(Files::isSymbolicLink).collect(Collectors.toList());
		}
		for (Path link : old)
			Files.delete(link);
		try (Stream<Path> there = Files.list(from)) {
			all = there.filter(it -> !it.getFileName().toString().equals(except)).collect(Collectors.toList());
		}
		for (Path it : all)
			Files.createSymbolicLink(to.resolve(it.getFileName()), it);
	}

	private static String quoted(String word) {
		return "'" + word.replace("'", "'\\''") + "'";
	}
}
