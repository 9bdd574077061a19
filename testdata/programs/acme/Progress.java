package acme;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A counter that survives the process, whichever way it ends: eight bytes of a mapped file. The
 * rules of the tests exclude this class.
 */
public final class Progress {
	private final MappedByteBuffer map;

	public Progress(String file) throws IOException {
		try (FileChannel c = FileChannel.open(Path.of(file), StandardOpenOption.CREATE,
						      StandardOpenOption.READ, StandardOpenOption.WRITE)) {
			map = c.map(FileChannel.MapMode.READ_WRITE, 0, 8);
			map.order(ByteOrder.LITTLE_ENDIAN);
		}
	}

	public void set(long n) {
		map.putLong(0, n);
	}
}
