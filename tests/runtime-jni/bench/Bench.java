import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.concurrent.CyclicBarrier;
import jweave.rt.Probe;

/**
 * Nanoseconds of thread CPU time per call, medians of interleaved rounds. Probes stand where the weaver
 * puts them. "pairs THREADS CALLS ROUNDS": a tiny body plain, with the prototype's probes and with the
 * real ones. "off CALLS ROUNDS": bodies of about 10, 30 and 300 bytes of code, plain and woven, for
 * a JVM that runs with JWEAVE=off.
 */
public class Bench {
	static final long ID = 0x123456789a0001L; /* what the prototype is handed */
	static final int NUMBER = 1; /* what woven code pushes: the probes are named after attributes */
	static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();
	static volatile int sink;

	static int tinyPlain(int x) {
		int r = x * 31 + 7;
		return r;
	}

	static int tinyProto(int x) {
		Proto.enter(ID);
		try {
			int r = x * 31 + 7;
			Proto.exit(ID);
			return r;
		} catch (Throwable e) {
			Proto.exit(ID);
			throw e;
		}
	}

	static int tinyFfm(int x) {
		ProtoFfm.enter(ID);
		try {
			int r = x * 31 + 7;
			ProtoFfm.exit(ID);
			return r;
		} catch (Throwable e) {
			ProtoFfm.exit(ID);
			throw e;
		}
	}

	static int tinyReal(int x) {
		Probe.Code(NUMBER);
		try {
			int r = x * 31 + 7;
			Probe.StackMapTable(NUMBER);
			return r;
		} catch (Throwable e) {
			Probe.LineNumberTable(NUMBER);
			throw e;
		}
	}

	static int plain10(int x, int y) {
		int r = x * 31 + y;
		return r;
	}

	static int woven10(int x, int y) {
		Probe.Code(NUMBER);
		try {
			int r = x * 31 + y;
			Probe.StackMapTable(NUMBER);
			return r;
		} catch (Throwable e) {
			Probe.LineNumberTable(NUMBER);
			throw e;
		}
	}

	static int plain30(int x, int y) {
		int r = x * 31 + y;
		r ^= r >>> 7;
		r += (x ^ y) * 17;
		if (r == 0)
			r = y;
		return r;
	}

	static int woven30(int x, int y) {
		Probe.Code(NUMBER);
		try {
			int r = x * 31 + y;
			r ^= r >>> 7;
			r += (x ^ y) * 17;
			if (r == 0)
				r = y;
			Probe.StackMapTable(NUMBER);
			return r;
		} catch (Throwable e) {
			Probe.LineNumberTable(NUMBER);
			throw e;
		}
	}

	static int plain300(int x, int y) {
		int r = x;
		r = (r ^ r >>> 3) * 101 + (y ^ 7);
		r = (r ^ r >>> 4) * 102 + (y ^ 8);
		r = (r ^ r >>> 5) * 103 + (y ^ 9);
		r = (r ^ r >>> 6) * 104 + (y ^ 10);
		r = (r ^ r >>> 7) * 105 + (y ^ 11);
		r = (r ^ r >>> 3) * 106 + (y ^ 12);
		r = (r ^ r >>> 4) * 107 + (y ^ 13);
		r = (r ^ r >>> 5) * 108 + (y ^ 14);
		r = (r ^ r >>> 6) * 109 + (y ^ 15);
		r = (r ^ r >>> 7) * 110 + (y ^ 16);
		r = (r ^ r >>> 3) * 111 + (y ^ 17);
		r = (r ^ r >>> 4) * 112 + (y ^ 18);
		r = (r ^ r >>> 5) * 113 + (y ^ 19);
		r = (r ^ r >>> 6) * 114 + (y ^ 20);
		r = (r ^ r >>> 7) * 115 + (y ^ 21);
		r = (r ^ r >>> 3) * 116 + (y ^ 22);
		r = (r ^ r >>> 4) * 117 + (y ^ 23);
		r = (r ^ r >>> 5) * 118 + (y ^ 24);
		r = (r ^ r >>> 6) * 119 + (y ^ 25);
		r = (r ^ r >>> 7) * 120 + (y ^ 26);
		return r;
	}

	static int woven300(int x, int y) {
		Probe.Code(NUMBER);
		try {
			int r = x;
			r = (r ^ r >>> 3) * 101 + (y ^ 7);
			r = (r ^ r >>> 4) * 102 + (y ^ 8);
			r = (r ^ r >>> 5) * 103 + (y ^ 9);
			r = (r ^ r >>> 6) * 104 + (y ^ 10);
			r = (r ^ r >>> 7) * 105 + (y ^ 11);
			r = (r ^ r >>> 3) * 106 + (y ^ 12);
			r = (r ^ r >>> 4) * 107 + (y ^ 13);
			r = (r ^ r >>> 5) * 108 + (y ^ 14);
			r = (r ^ r >>> 6) * 109 + (y ^ 15);
			r = (r ^ r >>> 7) * 110 + (y ^ 16);
			r = (r ^ r >>> 3) * 111 + (y ^ 17);
			r = (r ^ r >>> 4) * 112 + (y ^ 18);
			r = (r ^ r >>> 5) * 113 + (y ^ 19);
			r = (r ^ r >>> 6) * 114 + (y ^ 20);
			r = (r ^ r >>> 7) * 115 + (y ^ 21);
			r = (r ^ r >>> 3) * 116 + (y ^ 22);
			r = (r ^ r >>> 4) * 117 + (y ^ 23);
			r = (r ^ r >>> 5) * 118 + (y ^ 24);
			r = (r ^ r >>> 6) * 119 + (y ^ 25);
			r = (r ^ r >>> 7) * 120 + (y ^ 26);
			Probe.StackMapTable(NUMBER);
			return r;
		} catch (Throwable e) {
			Probe.LineNumberTable(NUMBER);
			throw e;
		}
	}

	static int loopTinyPlain(int n) {
		int s = 1;
		for (int i = 0; i < n; i++)
			s = tinyPlain(s);
		return s;
	}

	static int loopTinyProto(int n) {
		int s = 1;
		for (int i = 0; i < n; i++)
			s = tinyProto(s);
		return s;
	}

	static int loopTinyFfm(int n) {
		int s = 1;
		for (int i = 0; i < n; i++)
			s = tinyFfm(s);
		return s;
	}

	static int loopTinyReal(int n) {
		int s = 1;
		for (int i = 0; i < n; i++)
			s = tinyReal(s);
		return s;
	}

	static int loopPlain10(int n) {
		int s = 1;
		for (int i = 0; i < n; i++)
			s = plain10(s, i);
		return s;
	}

	static int loopWoven10(int n) {
		int s = 1;
		for (int i = 0; i < n; i++)
			s = woven10(s, i);
		return s;
	}

	static int loopPlain30(int n) {
		int s = 1;
		for (int i = 0; i < n; i++)
			s = plain30(s, i);
		return s;
	}

	static int loopWoven30(int n) {
		int s = 1;
		for (int i = 0; i < n; i++)
			s = woven30(s, i);
		return s;
	}

	static int loopPlain300(int n) {
		int s = 1;
		for (int i = 0; i < n; i++)
			s = plain300(s, i);
		return s;
	}

	static int loopWoven300(int n) {
		int s = 1;
		for (int i = 0; i < n; i++)
			s = woven300(s, i);
		return s;
	}

	static int call(String what, int n) {
		switch (what) {
		case "TinyPlain":
			return loopTinyPlain(n);
		case "TinyProto":
			return loopTinyProto(n);
		case "TinyFfm":
			return loopTinyFfm(n);
		case "TinyReal":
			return loopTinyReal(n);
		case "Plain10":
			return loopPlain10(n);
		case "Woven10":
			return loopWoven10(n);
		case "Plain30":
			return loopPlain30(n);
		case "Woven30":
			return loopWoven30(n);
		case "Plain300":
			return loopPlain300(n);
		case "Woven300":
			return loopWoven300(n);
		default:
			throw new IllegalArgumentException(what);
		}
	}

	/** One round of one loop in this thread: nanoseconds a call. */
	static double once(String what, int calls) {
		long before = CPU.getCurrentThreadCpuTime();
		sink += call(what, calls);
		return (CPU.getCurrentThreadCpuTime() - before) / (double) calls;
	}

	static double median(double[] all) {
		double[] sorted = all.clone();
		Arrays.sort(sorted);
		return sorted[sorted.length / 2];
	}

	/** All loops in turn, ROUNDS times after warming up; prints NAME MEDIAN of every loop. */
	static void measure(final String[] what, int threads, final int calls, final int rounds) throws Exception {
		final double[][][] got = new double[threads][what.length][rounds];
		final CyclicBarrier barrier = new CyclicBarrier(threads);
		Thread[] all = new Thread[threads];
		for (int t = 0; t < threads; t++) {
			final int me = t;
			all[t] = new Thread("bench-" + t) {
				public void run() {
					try {
						for (int k = 0; k < 40; k++)
							for (String w : what)
								once(w, calls / 40);
						for (int r = 0; r < rounds; r++)
							for (int w = 0; w < what.length; w++) {
								barrier.await();
								got[me][w][r] = once(what[w], calls);
							}
					} catch (Exception e) {
						throw new RuntimeException(e);
					}
				}
			};
			all[t].start();
		}
		for (Thread t : all)
			t.join();
		for (int w = 0; w < what.length; w++) {
			double sum = 0;
			for (int t = 0; t < threads; t++)
				sum += median(got[t][w]);
			System.out.println(what[w] + " " + sum / threads);
		}
	}

	public static void main(String[] args) throws Exception {
		if (args[0].equals("pairs"))
			measure(new String[] { "TinyPlain", "TinyProto", "TinyReal" }, Integer.parseInt(args[1]),
					Integer.parseInt(args[2]), Integer.parseInt(args[3]));
		else if (args[0].equals("ffm")) {
			measure(new String[] { "TinyReal" }, 1, Integer.parseInt(args[2]), 1);
			Thread.sleep(1500); /* for the thread that prepares it */
			measure(new String[] { "TinyPlain", "TinyFfm", "TinyReal" }, Integer.parseInt(args[1]),
					Integer.parseInt(args[2]), Integer.parseInt(args[3]));
		} else
			measure(new String[] { "Plain10", "Woven10", "Plain30", "Woven30", "Plain300", "Woven300" }, 1,
					Integer.parseInt(args[1]), Integer.parseInt(args[2]));
	}
}
