package acme;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.StandardOpenOption;

/** Waits for the lock of a file that another process has for some time: FILE MS ARCHIVE, the archive with what that one runs. */
public final class Locked {
	private Locked() {
	}

	static FileChannel open(String file) throws IOException {
		return FileChannel.open(new File(file).toPath(), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
	}

	static boolean tries(FileChannel c) throws IOException {
		FileLock lock = c.tryLock();
		return lock != null;
	}

	static void locks(FileChannel c, boolean shared) throws IOException {
		c.lock(0, 10, shared).release();
	}

	/** The other process: until its input ends. */
	static void holds(FileChannel c) throws IOException {
		FileLock lock = c.lock();
		System.out.println("held");
		while (System.in.read() >= 0)
			continue;
		lock.release();
	}

	static void meets(String[] args, FileChannel c, boolean shared) throws Exception {
		String java = System.getProperty("java.home") + "/bin/java";
		Process other = new ProcessBuilder(java, "-cp", args[2], "acme.Locked", args[0]).redirectError(ProcessBuilder.Redirect.INHERIT).start();
		if (other.getInputStream().read() != 'h' || tries(c))
			System.out.println("the other one has no lock");
		new Thread(() -> {
			try {
				Thread.sleep(Integer.parseInt(args[1]));
				other.getOutputStream().close();
			} catch (IOException | InterruptedException e) {
				throw new IllegalStateException(e);
			}
		}).start();
		locks(c, shared);
		other.waitFor();
	}

	public static void main(String[] args) throws Exception {
		try (FileChannel c = open(args[0])) {
			if (args.length == 1) {
				holds(c);
				return;
			}
			meets(args, c, false);
			meets(args, c, true);
		}
		System.out.println("done");
	}
}
