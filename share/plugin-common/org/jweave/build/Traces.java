package org.jweave.build;

import java.io.File;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Traces that programs and tests have left in folders, and how they are reported. */
public final class Traces {
	/** Tests may have any number of JVMs: more reports than that, one after the other, nobody reads. */
	private static final int MOST = 4;

	private Traces() {
	}

	/** The latest trace in FOLDERS; null: there is none. */
	public static File latest(List<File> folders) {
		File latest = null;

		for (File folder : folders)
			for (File file : in(folder))
				if (latest == null || file.lastModified() > latest.lastModified())
					latest = file;
		return latest;
	}

	/** TRACE and, of the traces beside it, those that are not older than SINCE, a time as of files; the latest first. */
	public static List<File> since(long since, File trace) {
		List<File> all = new ArrayList<>();

		for (File file : in(trace.getParentFile()))
			if (file.equals(trace) || file.lastModified() >= since)
				all.add(file);
		all.sort(Comparator.comparing(File::lastModified).reversed().thenComparing(File::getName));
		return all;
	}

	/** Those of TRACES, of one run, that are reported. */
	public static List<File> shown(List<File> traces) {
		return traces.subList(0, Math.min(traces.size(), MOST));
	}

	/** A line about those that are not; OTHER is how one is named. Null: all are. */
	public static String left(List<File> traces, String other) {
		return traces.size() <= MOST ? null : "jweave: these are the latest " + MOST + " of " + traces.size() +
			" traces of the tests in " + traces.get(0).getParent() + "; " + other + " names another one";
	}

	private static File[] in(File folder) {
		File[] traces = folder.listFiles((dir, name) -> name.startsWith("trace-") && name.endsWith(".prv"));

		return traces != null ? traces : new File[0];
	}
}
