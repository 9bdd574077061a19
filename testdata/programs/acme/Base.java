package acme;

import java.io.File;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Uses the JDK in many ways; of java.util.BitSet, which the JDK hardly needs, it says how often. */
public class Base {
	static void flips(int n) {
		BitSet bits = new BitSet(64);
		for (int i = 0; i < n; i++)
			bits.flip(i & 63);
	}

	public static void main(String[] args) throws Exception {
		flips(12345);
		Map<String, Integer> sums = new HashMap<>();
		for (int i = 0; i < 200; i++)
			sums.merge("k" + i % 7, i, Integer::sum);
		System.out.println(new java.util.TreeMap<>(sums));
		/* the second is of JDK 21 and later */
		ExecutorService pool = args.length > 0
				? (ExecutorService) Executors.class.getMethod(args[0]).invoke(null)
				: Executors.newFixedThreadPool(3);
		Future<?>[] all = new Future<?>[12];
		for (int i = 0; i < all.length; i++)
			all[i] = pool.submit((Callable<Void>) () -> {
				for (int k = 0; k < 5; k++) {
					flips(20);
					Thread.sleep(1);
					synchronized (sums) {
						sums.merge("tasks", 1, Integer::sum);
					}
				}
				return null;
			});
		for (Future<?> f : all)
			f.get();
		pool.shutdown();
		System.out.println(sums.get("tasks") + " " + String.format("%.3f", Math.PI));
		try {
			Integer.parseInt("no number");
		} catch (NumberFormatException e) {
			System.out.println(e.getMessage());
		}
		System.out.println(new File("nowhere").length());
		System.out.println("count java.util.BitSet.flip " + (12345 + 12 * 100));
	}
}
