package acme;

import java.util.concurrent.atomic.AtomicLong;

/** Small methods that are called all the time, and others that are not: for recording within a budget. */
public class Hot {
	static final int THREADS = 3, ROUNDS = 100, STEPS = 20000, DEPTH = 20;
	static final AtomicLong sum = new AtomicLong();

	static int tiny(int x) {
		return x * 31 + (x >>> 3);
	}

	/** Now and then by an exception. */
	static int odd(int x) {
		if (x % 500 == 0)
			throw new IllegalStateException();
		return tiny(x);
	}

	static int dive(int depth) {
		return depth == 0 ? 0 : tiny(depth) + dive(depth - 1);
	}

	/** Recorded whatever happens: it is called seldom, and lasts. */
	static int round(int n) {
		int all = 0;
		for (int i = 1; i <= STEPS; i++) {
			try {
				all += odd(n + i);
			} catch (IllegalStateException e) {
				all--;
			}
			if (i % 100 == 0)
				all += dive(DEPTH);
		}
		return all;
	}

	static void work() {
		int all = 0;
		for (int n = 0; n < ROUNDS; n++)
			all += round(n);
		sum.addAndGet(all);
	}

	public static void main(String[] args) throws Exception {
		Thread[] threads = new Thread[THREADS];
		for (int i = 0; i < THREADS; i++) {
			threads[i] = new Thread(Hot::work, "hot-" + i);
			threads[i].start();
		}
		for (Thread t : threads)
			t.join();
		System.out.println(sum.get());
	}
}
