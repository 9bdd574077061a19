import jweave.api.Region;
import jweave.api.Trace;

/**
 * A simulation that tells its trace what it is doing: a region for each part, the number of the step and
 * what is left of the error as events. Three threads, STEPS steps each; main is not traced while it waits.
 */
public class Steps {
	static final int STEP = 1000, ERROR = 1001, PHASE = 1002;
	static final Region MOVE = Region.of("move"), EXCHANGE = Region.of("exchange");

	static double[] field(int n) {
		double[] f = new double[n];
		for (int i = 0; i < n; i++)
			f[i] = i % 7;
		return f;
	}

	/** One step; what is left of the error, in millionths. */
	static long step(double[] f) {
		double error = 0;
		try (Region r = MOVE.begin()) {
			for (int i = 1; i + 1 < f.length; i++) {
				double mean = (f[i - 1] + f[i] + f[i + 1]) / 3;
				error += Math.abs(mean - f[i]);
				f[i] = mean;
			}
		}
		try (Region r = EXCHANGE.begin()) {
			f[0] = f[f.length - 2];
			f[f.length - 1] = f[1];
		}
		return (long) (error * 1e6 / f.length);
	}

	static void simulate(int steps) {
		Trace.event(PHASE, 1);
		double[] f = field(10000);
		Trace.event(PHASE, 2);
		for (int i = 1; i <= steps; i++) {
			Trace.event(STEP, i);
			Trace.event(ERROR, step(f));
		}
		Trace.event(PHASE, 0);
	}

	public static void main(String[] args) throws Exception {
		final int steps = args.length > 0 ? Integer.parseInt(args[0]) : 50;
		Trace.label(STEP, "step");
		Trace.label(ERROR, "error (millionths)");
		Trace.label(PHASE, "phase");
		Trace.label(PHASE, 1, "set up");
		Trace.label(PHASE, 2, "iterate");
		Thread[] threads = new Thread[3];
		Trace.begin("all");
		for (int i = 0; i < threads.length; i++) {
			threads[i] = new Thread("solver " + i) {
				public void run() {
					simulate(steps);
				}
			};
			threads[i].start();
		}
		for (Thread t : threads)
			t.join();
		Trace.end("all");
		System.out.println(threads.length * steps + " steps");
	}
}
