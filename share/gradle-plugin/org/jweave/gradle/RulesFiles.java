package org.jweave.gradle;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A rules file, and the files that it includes: what has to be the same for a woven copy to be up to date. Only the key
 * "include" is looked for; whether the rules are right is said when they are used.
 */
final class RulesFiles {
	private static final Pattern INCLUDE = Pattern.compile("\"include\"\\s*:\\s*\\[([^\\]]*)\\]");
	private static final Pattern NAME = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");

	private RulesFiles() {
	}

	static Collection<File> of(File rules) {
		Set<File> files = new LinkedHashSet<>();

		add(files, rules);
		return files;
	}

	private static void add(Set<File> files, File rules) {
		if (!files.add(rules) || !rules.isFile())
			return;
		try {
			Matcher list = INCLUDE.matcher(new String(Files.readAllBytes(rules.toPath()), StandardCharsets.UTF_8));

			while (list.find())
				for (Matcher name = NAME.matcher(list.group(1)); name.find();)
					if (!name.group(1).startsWith("preset:"))
						add(files, rules.toPath().resolveSibling(name.group(1).replaceAll("\\\\(.)", "$1")).normalize().toFile());
		} catch (IOException | java.nio.file.InvalidPathException e) {
			return; // it is said when the rules are used
		}
	}
}
