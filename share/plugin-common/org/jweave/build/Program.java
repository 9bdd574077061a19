package org.jweave.build;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Locale;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The program jweave: where it is. It comes in a jar with a classifier for each machine, and is unpacked once into a
 * folder that only its user can write.
 *
 * <pre>
 *   ~/.cache/jweave/program/SHA-256/jweave     (XDG_CACHE_HOME, if set, is ~/.cache)
 * </pre>
 *
 * The folder has the name of what it holds, so versions do not meet. What is there is compared with the jar before it is
 * run; a new file gets its name when it is complete, so that builds and threads at the same time do no harm.
 */
public final class Program {
	private static final Set<PosixFilePermission> MINE = PosixFilePermissions.fromString("rwx------");

	private Program() {
	}

	/** The classifier for this machine, as os-maven-plugin says it; null: there is no program for it. */
	public static String classifier() {
		String machine = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);

		if (!System.getProperty("os.name", "").equals("Linux"))
			return null;
		if (machine.equals("amd64") || machine.equals("x86_64"))
			return "linux-x86_64";
		return machine.equals("aarch64") ? "linux-aarch_64" : null;
	}

	/** Unpacks the program of JAR, unless it is there. */
	public static File unpack(File jar) throws IOException {
		byte[] bytes = read(jar);
		String sum = Sums.hex(sha256().digest(bytes));
		Path folder = cache().resolve(sum);
		Path file = folder.resolve("jweave");

		UserPrincipal me = me();
		own(cache().getParent(), me);
		own(cache(), me);
		own(folder, me);
		if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || !Sums.sum(file).equals(sum)) {
			Path fresh = Files.createTempFile(folder, "new", "",
				PosixFilePermissions.asFileAttribute(MINE));

			try {
				Files.write(fresh, bytes);
				Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
			} finally {
				Files.deleteIfExists(fresh);
			}
		}
		return file.toFile();
	}

	static MessageDigest sha256() {
		try {
			return MessageDigest.getInstance("SHA-256");
		} catch (NoSuchAlgorithmException e) {
			throw new IllegalStateException(e); // every Java has it
		}
	}

	private static Path cache() {
		String base = System.getenv("XDG_CACHE_HOME");

		return (base != null && base.startsWith("/") ? new File(base) : new File(System.getProperty("user.home"), ".cache"))
			.toPath().resolve("jweave").resolve("program");
	}

	/** Who runs this: a user of a container may have no name, so a file of theirs tells. */
	private static UserPrincipal me() throws IOException {
		Path file = Files.createTempFile("jweave", "");

		try {
			return Files.getOwner(file);
		} finally {
			Files.delete(file);
		}
	}

	/** FOLDER is there and nobody else can write into it: code is run from there. */
	private static void own(Path folder, UserPrincipal me) throws IOException {
		Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(MINE));
		Set<PosixFilePermission> now = Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS);
		UserPrincipal owner = Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS);

		if (now.contains(PosixFilePermission.GROUP_WRITE) || now.contains(PosixFilePermission.OTHERS_WRITE))
			throw new IOException(folder + " can be written by others, and programs are run from it: chmod go-w");
		if (!owner.equals(me))
			throw new IOException(folder + " is " + owner.getName() + "'s, and programs are run from it");
	}

	private static byte[] read(File jar) throws IOException {
		try (ZipFile zip = new ZipFile(jar)) {
			ZipEntry entry = zip.getEntry("jweave");

			if (entry == null)
				throw new IOException(jar + " has no entry 'jweave'");
			ByteArrayOutputStream out = new ByteArrayOutputStream();

			try (InputStream in = zip.getInputStream(entry)) {
				byte[] piece = new byte[1 << 16];

				for (int n; (n = in.read(piece)) > 0;)
					out.write(piece, 0, n);
			}
			return out.toByteArray();
		}
	}
}
