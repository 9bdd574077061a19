package acme;

import java.lang.management.ManagementFactory;

/**
 * Exceptions, as JRastro's authors measured them: 45,000 times a method throws and its caller catches.
 * Four events for each, two more for main's loop. Argument: how many; prints what was caught, and with
 * -Dcpu what that took.
 */
public class Rastro {
	static class Miss extends Exception {
		final int at;

		Miss(int at) {
			this.at = at;
		}
	}

	static int risky(int i) throws Miss {
		if (i % 3 != 7)
			throw new Miss(i);
		return i;
	}

	static int guarded(int i) {
		try {
			return risky(i);
		} catch (Miss e) {
			return e.at % 10;
		}
	}

	static long all(int n) {
		long sum = 0;
		for (int i = 0; i < n; i++)
			sum += guarded(i);
		return sum;
	}

	public static void main(String[] args) {
		int n = args.length > 0 ? Integer.parseInt(args[0]) : 45000;
		guarded(0); /* so that what starts tracing is not measured here */
		long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
		long sum = all(n);
		long took = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
		System.out.println("caught " + sum);
		if (System.getProperty("cpu") != null)
			System.out.println("cpu " + took);
	}
}
