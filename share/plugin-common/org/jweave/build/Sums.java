package org.jweave.build;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What an output was made of: a file of lines "SUM PATH" beside it, in the build folder. The first line is of what has no
 * path: the program and its arguments. As long as all sums are as they were, weaving again would give the same bytes.
 * Contents count and not times, so a checkout or a restored cache weaves nothing anew.
 */
public final class Sums {
	private Sums() {
	}

	static String hex(byte[] bytes) {
		StringBuilder out = new StringBuilder();

		for (byte b : bytes)
			out.append(String.format("%02x", b & 0xff));
		return out.toString();
	}

	/** Of a file, or of all files in a folder, by name. */
	public static String sum(Path path) throws IOException {
		MessageDigest digest = Program.sha256();
		List<Path> files;

		try (Stream<Path> walk = Files.walk(path)) {
			files = walk.filter(Files::isRegularFile).sorted().collect(Collectors.toList());
		}
		byte[] piece = new byte[1 << 16];
		for (Path file : files) {
			if (!file.equals(path))
				digest.update((path.relativize(file) + "\0" + Files.size(file) + "\0").getBytes(StandardCharsets.UTF_8));
			try (InputStream in = Files.newInputStream(file)) {
				for (int n; (n = in.read(piece)) > 0;)
					digest.update(piece, 0, n);
			}
		}
		return hex(digest.digest());
	}

	/** Was OUTPUT made of what is there now, by WHO? */
	public static boolean same(File stamp, File output, String who) {
		try {
			List<String> lines = Files.readAllLines(stamp.toPath(), StandardCharsets.UTF_8);

			if (!output.exists() || lines.size() < 2 || !lines.get(0).equals(who))
				return false;
			for (String line : lines.subList(1, lines.size())) {
				int space = line.indexOf(' ');

				if (space < 0 || !sum(new File(line.substring(space + 1)).toPath()).equals(line.substring(0, space)))
					return false;
			}
			return true;
		} catch (IOException | java.io.UncheckedIOException e) {
			return false; // what is not there cannot be compared
		}
	}

	/** Keeps that OUTPUT, which is one of PATHS, was made of PATHS by WHO. */
	public static void keep(File stamp, List<Path> paths, String who) throws IOException {
		List<String> lines = new ArrayList<>();

		lines.add(who);
		for (Path path : paths)
			lines.add(sum(path) + " " + path);
		Files.write(stamp.toPath(), lines, StandardCharsets.UTF_8);
	}
}
