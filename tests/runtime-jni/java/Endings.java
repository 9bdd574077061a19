import jweave.rt.Probe;
import java.io.RandomAccessFile;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Logs N numbered pairs in a frame of its own, then ends in the way that the first argument names. */
public class Endings {
	static final int DAEMONS = 3;

	static void pairs(int n) {
		for (int i = 0; i < n; i++) {
			Probe.enter(1000 + i);
			Probe.exit(1000 + i);
		}
	}

	static void ready() throws Exception {
		System.out.println("ready");
		System.out.flush();
		Thread.sleep(60000);
	}

	/** Threads that log to the last, each counting in its place of a mapped file what it has logged. */
	static void daemons() throws Exception {
		MappedByteBuffer counts;
		try (RandomAccessFile f = new RandomAccessFile("counts", "rw")) {
			counts = f.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, 8 * DAEMONS);
		}
		counts.order(ByteOrder.LITTLE_ENDIAN);
		for (int d = 0; d < DAEMONS; d++) {
			int place = 8 * d;
			Thread t = new Thread("chatty-" + d) {
				public void run() {
					for (long i = 1;; i++) {
						Probe.enter(7);
						counts.putLong(place, i);
						Probe.exit(7);
						if (i % 64 == 0)
							LockSupport.parkNanos(50000);
					}
				}
			};
			t.setDaemon(true);
			t.start();
		}
		Thread.sleep(300);
	}

	static void eat() {
		List<long[]> all = new ArrayList<long[]>();
		for (;;)
			all.add(new long[1 << 20]);
	}

	static void segv() throws Exception {
		java.lang.reflect.Field f = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
		f.setAccessible(true);
		((sun.misc.Unsafe) f.get(null)).putAddress(8, 1);
	}

	public static void main(String[] args) throws Exception {
		String how = args[0];
		Probe.enter(1);
		pairs(Integer.parseInt(args[1]));
		if (args.length > 2)
			daemons();
		if (how.equals("exit"))
			System.exit(3);
		if (how.equals("halt"))
			Runtime.getRuntime().halt(4);
		if (how.equals("uncaught"))
			throw new IllegalStateException("uncaught on purpose");
		if (how.equals("signal"))
			ready();
		if (how.equals("oom"))
			eat();
		if (how.equals("segv"))
			segv();
		if (how.equals("hook"))
			Runtime.getRuntime().addShutdownHook(new Thread("hook") {
				public void run() {
					Probe.enter(8);
					Probe.exit(8);
				}
			});
		Probe.exit(1);
	}
}
