import java.util.concurrent.atomic.LongAdder;

/** Calls THREADS CALLS SEED: so many threads, each of which makes so many calls, some of which an exception ends. */
public class Calls {
	static final LongAdder failures = new LongAdder();

	static int mix(int a) { return (a ^ a >>> 7) * 31; }
	static int check(int a) {
		if (a % 101 == 0) throw new IllegalArgumentException();
		return a;
	}
	static int order(int a) {
		int sum = mix(a);
		for (int i = 0; i < 4; i++) sum = sum * 31 + i;
		try {
			return check(sum);
		} catch (IllegalArgumentException e) {
			failures.increment();
			return 0;
		}
	}
	static void work(int calls, int seed) {
		int sum = seed;
		for (int i = 0; i < calls; i += 3) sum = order(sum + i);
		System.out.println(sum);
	}
	public static void main(String[] a) throws InterruptedException {
		Thread[] threads = new Thread[Integer.parseInt(a[0])];
		for (int t = 0; t < threads.length; t++) {
			int seed = t;
			threads[t] = new Thread(() -> work(Integer.parseInt(a[1]), Integer.parseInt(a[2]) + seed), "worker-" + t);
			threads[t].start();
		}
		for (Thread t : threads) t.join();
		System.gc();
	}
}
