package acme;

import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;

/**
 * LU factorisation of a diagonally dominant matrix, rows dealt out to threads in turn: each thread makes
 * 4,097 calls (run, and four in each of 1,024 steps), however many threads there are. Arguments: threads,
 * columns (1,024: the matrix; more are right-hand sides: more work in the same calls; fewer, less), and in
 * how many equal parts each row is subtracted (more work that stays in the caches). Prints a checksum, and
 * with -Dcpu what the threads took.
 */
public class Lu implements Runnable {
	static final int STEPS = 1024;
	static double[][] a;
	static CountDownLatch[] ready;
	static int threads, columns, parts;
	static long[] cpu;
	final int me;
	double[] factors;

	Lu(int me) {
		this.me = me;
		factors = new double[STEPS];
	}

	void await(int k) {
		try {
			ready[k].await();
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	int first(int k) {
		int i = k + 1 - (k + 1) % threads + me;
		return i <= k ? i + threads : i;
	}

	void scale(int k) {
		double pivot = a[k][Math.min(k, columns - 1)];
		for (int i = first(k); i < STEPS; i += threads)
			factors[i] = a[i][Math.min(k, columns - 1)] / pivot;
	}

	void eliminate(int k) {
		double[] from = a[k];
		for (int i = first(k); i < STEPS; i += threads) {
			double[] row = a[i];
			double f = factors[i] / parts;
			for (int part = 0; part < parts; part++)
				for (int j = Math.min(k, columns - 1); j < columns; j++)
					row[j] -= f * from[j];
		}
	}

	void publish(int k) {
		if (k + 1 < STEPS && (k + 1) % threads == me)
			ready[k + 1].countDown();
	}

	public void run() {
		for (int k = 0; k < STEPS; k++) {
			await(k);
			scale(k);
			eliminate(k);
			publish(k);
		}
		if (cpu != null)
			cpu[me] = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
	}

	static void fill() {
		a = new double[STEPS][columns];
		ready = new CountDownLatch[STEPS];
		for (int i = 0; i < STEPS; i++) {
			ready[i] = new CountDownLatch(i == 0 ? 0 : 1);
			for (int j = 0; j < columns; j++)
				a[i][j] = i == j ? 2 * STEPS : (i * 31 + j * 17) % 101 / 101.0 + 1;
		}
	}

	public static void main(String[] args) throws Exception {
		threads = Integer.parseInt(args[0]);
		columns = args.length > 1 ? Integer.parseInt(args[1]) : STEPS;
		parts = args.length > 2 ? Integer.parseInt(args[2]) : 1;
		cpu = System.getProperty("cpu") == null ? null : new long[threads];
		fill();
		Thread[] all = new Thread[threads];
		for (int i = 0; i < threads; i++) {
			all[i] = new Thread(new Lu(i), "lu-" + i);
			all[i].start();
		}
		long sum = 0;
		for (int i = 0; i < threads; i++) {
			all[i].join();
			sum += cpu == null ? 0 : cpu[i];
		}
		double check = 0;
		for (int i = 0; i < Math.min(STEPS, columns); i++)
			check += a[i][i] / STEPS;
		System.out.printf("checksum %.6f%n", check);
		if (cpu != null)
			System.out.println("cpu " + sum);
	}
}
