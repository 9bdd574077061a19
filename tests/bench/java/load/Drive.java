package load;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Drive PROGRAM N: runs it; prints "calls C" (the true number) and "ns T", CPU time of its threads a call in the second half. */
public class Drive {
	private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
	private static final String TEXT = "(1+2*(3+4*55)+6)*78+(9*(10+11)+12)*(13+14)";
	private static long blackhole;

	interface Part {
		/** Does K things, and returns the number of traced calls. */
		long run(long k) throws Exception;
	}

	static long moo(long k, long busy) {
		for (long i = 0; i < k; i++)
			blackhole += Work.moo(10, busy);
		return 10 * k;
	}

	static long fib(long k) {
		for (long i = 0; i < k; i++)
			blackhole += Work.fib(20);
		return 21891 * k;
	}

	static long parse(long k) {
		long calls = 0;
		for (long i = 0; i < k; i++) {
			Work.Parser p = new Work.Parser(TEXT);
			blackhole += p.sum();
			calls += p.calls;
		}
		return calls;
	}

	static long risky(long k) {
		for (int i = 0; i < k; i++)
			try {
				blackhole += Work.risky(i);
			} catch (RuntimeException e) {
				blackhole--;
			}
		return k;
	}

	private static long calls, ns, timed;

	/** N things by one of the threads, the time of the second half apart. */
	private static void one(Part part, long n) {
		try {
			long all = part.run(n - n / 2), before = THREADS.getCurrentThreadCpuTime(), half = part.run(n / 2);
			long took = THREADS.getCurrentThreadCpuTime() - before;
			synchronized (Drive.class) {
				calls += all + half;
				timed += half;
				ns += took;
			}
		} catch (Exception e) {
			throw new IllegalStateException(e);
		}
	}

	public static void main(String[] args) throws Exception {
		long n = Long.parseLong(args[1]);
		switch (args[0]) {
		case "moo": one(k -> moo(k, 0), n); break;
		case "busy": one(k -> moo(k, 1000), n); break;
		case "fib": one(Drive::fib, n); break;
		case "parse": one(Drive::parse, n); break;
		case "threads":
			Thread[] threads = new Thread[4];
			for (int i = 0; i < threads.length; i++) {
				threads[i] = new Thread(() -> one(Drive::risky, n / 4));
				threads[i].start();
			}
			for (Thread t : threads)
				t.join();
			break;
		default: throw new IllegalArgumentException(args[0]);
		}
		System.out.println("calls " + calls);
		System.out.println("ns " + (timed == 0 ? 0 : (double) ns / timed));
	}
}
