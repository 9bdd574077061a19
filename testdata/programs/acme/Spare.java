package acme;

/**
 * Calls that rules may spare: many, deep, short, failing, on several threads (virtual ones, too, with
 * the argument "virtual"). Prints "count THREAD METHOD N" of what each thread calls.
 */
public class Spare {
	static volatile long sink;

	static void tick(int i) {
		sink += i;
	}

	/** Calls itself, N deep. */
	static int dive(int n) {
		return n == 0 ? 0 : 1 + dive(n - 1);
	}

	/** Depth by two methods in turn. */
	static int ping(int n) {
		return n == 0 ? 0 : pong(n - 1);
	}

	static int pong(int n) {
		return n == 0 ? 0 : ping(n - 1);
	}

	/** Every third one throws. */
	static void throwing(int i) {
		if (i % 3 == 0)
			throw new IllegalStateException("third");
		tick(i);
	}

	/** Takes MS milliseconds, with INNER calls inside. */
	static void lasting(int ms, int inner) {
		long end = System.nanoTime() + ms * 1000000L;
		for (int i = 0; i < inner; i++)
			tick(i);
		while (System.nanoTime() < end)
			sink++;
	}

	static String named(String text, int i) {
		return text + i;
	}

	static class Base {
		Base(int i) {
			if (i % 2 == 0)
				throw new IllegalArgumentException("even");
		}
	}

	/** An exception inside super(...) ends the constructor without an exit. */
	static class Made extends Base {
		Made(int i) {
			super(i);
			tick(i);
		}
	}

	static void work() {
		for (int i = 0; i < 1000; i++)
			tick(i);
		for (int i = 0; i < 100; i++) {
			try {
				throwing(i);
			} catch (IllegalStateException e) {
				sink++;
			}
		}
		for (int i = 0; i < 10; i++)
			dive(20);
		for (int i = 0; i < 5; i++)
			ping(9);
		for (int i = 0; i < 40; i++) {
			try {
				new Made(i);
			} catch (IllegalArgumentException e) {
				sink++;
			}
		}
		for (int i = 0; i < 10; i++)
			named("text", i);
		for (int i = 0; i < 30; i++)
			lasting(0, 2);
		lasting(0, 9000);
		lasting(5, 0);
		lasting(5, 3);
	}

	static void sleepy() {
		for (int i = 0; i < 20; i++)
			step(i);
	}

	/** A virtual thread may go on elsewhere. */
	static void step(int i) {
		tick(i);
		try {
			Thread.sleep(1);
		} catch (InterruptedException e) {
			throw new Error(e);
		}
		tick(i);
	}

	static Thread virtual(Runnable r) throws Exception {
		return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, r);
	}

	public static void main(String[] args) throws Exception {
		boolean virtual = args.length > 0 && args[0].equals("virtual");
		Thread[] all = new Thread[4];
		for (int i = 0; i < all.length; i++) {
			Runnable job = virtual ? Spare::sleepy : Spare::work;
			if (virtual) {
				all[i] = virtual(job);
			} else {
				all[i] = new Thread(job, "worker-" + i);
				all[i].start();
			}
		}
		for (Thread t : all)
			t.join();
		if (!virtual)
			work();
		System.out.println("done");
	}
}
