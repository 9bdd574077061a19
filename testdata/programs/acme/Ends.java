package acme;

import java.lang.reflect.Field;

/**
 * Every way for a process to end, with frames open. Arguments: how, how many steps first, the file
 * of the progress counter. The counter is N when step N has returned.
 */
public class Ends {
	static long sum;

	static void step(long n) {
		sum += inner(n);
	}

	static long inner(long n) {
		return n * n % 7;
	}

	static void open(String how, int depth) throws Exception {
		if (depth > 0) {
			open(how, depth - 1);
			return;
		}
		end(how);
	}

	static void end(String how) throws Exception {
		switch (how) {
		case "return":
			return;
		case "exit":
			System.exit(7);
			break;
		case "uncaught":
			throw new IllegalStateException("nobody catches this");
		case "halt":
			Runtime.getRuntime().halt(9);
			break;
		case "segv":
			segv();
			break;
		case "oom":
			long[][] all = new long[1 << 20][];
			for (int i = 0; i < all.length; i++)
				all[i] = new long[1 << 20];
			break;
		case "wait":
			System.out.println("ready");
			System.out.flush();
			for (;;)
				Thread.sleep(1000);
		case "spin":
			System.out.println("ready");
			System.out.flush();
			for (long n = steps + 1;; n++) {
				step(n);
				progress.set(n);
				if (n % 100 == 0)
					Thread.sleep(1);
			}
		default:
			throw new IllegalArgumentException(how);
		}
	}

	static void segv() throws Exception {
		Class<?> unsafe = Class.forName("sun.misc.Unsafe");
		Field f = unsafe.getDeclaredField("theUnsafe");
		f.setAccessible(true);
		unsafe.getMethod("putAddress", long.class, long.class).invoke(f.get(null), 8L, 1L);
	}

	static Progress progress;
	static long steps;

	public static void main(String[] args) throws Exception {
		steps = Long.parseLong(args[1]);
		progress = new Progress(args[2]);
		if (args.length > 3) {
			// a daemon that never stops: the process ends without it
			Thread d = new Thread(() -> {
				for (long n = 0;; n++) {
					inner(n);
					if (n % 100 == 0)
						Thread.yield();
				}
			}, "endless");
			d.setDaemon(true);
			d.start();
			Thread.sleep(50);
		}
		for (long n = 1; n <= steps; n++) {
			step(n);
			progress.set(n);
		}
		open(args[0], 5);
		System.out.println("sum " + sum);
	}
}
