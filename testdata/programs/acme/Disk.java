package acme;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;

/** Waits for a disk, in four ways, as often as it is told. */
public final class Disk {
	private Disk() {
	}

	static void read(FileChannel c) throws IOException {
		c.read(ByteBuffer.allocate(100));
	}

	static void readAt(FileChannel c) throws IOException {
		c.read(ByteBuffer.allocate(100), 200);
	}

	static void readBytes(RandomAccessFile f) throws IOException {
		f.seek(0);
		f.readFully(new byte[100]);
	}

	static void force(FileChannel c) throws IOException {
		c.write(ByteBuffer.allocate(10), 0);
		c.force(false);
	}

	static void sync(RandomAccessFile f) throws IOException {
		f.write(1);
		f.getFD().sync();
	}

	public static void main(String[] args) throws IOException {
		File a = new File(args[0], "a"), b = new File(args[0], "b");

		try (FileChannel c = FileChannel.open(a.toPath(), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
				RandomAccessFile f = new RandomAccessFile(b, "rw")) {
			f.setLength(10000);
			c.write(ByteBuffer.allocate(10000));
			c.position(0);
			for (int i = Integer.parseInt(args[1]); i > 0; i--) {
				read(c);
				readAt(c);
				readBytes(f);
				force(c);
				sync(f);
			}
		}
		System.out.println("done");
	}
}
