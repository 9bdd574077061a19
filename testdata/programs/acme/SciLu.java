package acme;

import java.util.Random;

/**
 * LU factorisation as SciMark has it, in many threads: each factors matrices of its own, which fit a cache.
 * Four calls for each column, so 1,024 columns and run() are 4,097 calls a thread: 8 matrices of 128, or 4 of
 * 256. main factors 8,192 columns first, as long as it takes until all is compiled: where 64 threads keep two
 * processors busy, compilers get their turn by chance. Arguments: threads, columns of a matrix, matrices, how
 * many parts each row is subtracted in (more work in the same calls). Prints a checksum.
 */
public class SciLu implements Runnable {
	static final int WARM = 8;
	static int n, matrices, parts;
	final double[][] given, a;
	final int[] pivots;
	double check;

	SciLu(int seed) {
		Random random = new Random(seed);

		given = new double[n][n];
		a = new double[n][n];
		pivots = new int[n];
		for (double[] row : given)
			for (int j = 0; j < n; j++)
				row[j] = random.nextDouble();
	}

	int pivot(int j) {
		int best = j;

		for (int i = j + 1; i < n; i++)
			if (Math.abs(a[i][j]) > Math.abs(a[best][j]))
				best = i;
		pivots[j] = best;
		return best;
	}

	void swap(int j, int with) {
		double[] row = a[j];

		a[j] = a[with];
		a[with] = row;
	}

	void scale(int j) {
		double r = 1 / a[j][j];

		for (int i = j + 1; i < n; i++)
			a[i][j] *= r;
	}

	void update(int j) {
		double[] from = a[j];

		for (int i = j + 1; i < n; i++) {
			double[] row = a[i];
			double f = row[j] / parts;
			for (int part = 0; part < parts; part++)
				for (int k = j + 1; k < from.length; k++)
					row[k] -= f * from[k];
		}
	}

	public void run() {
		for (int m = 0; m < matrices; m++) {
			for (int i = 0; i < n; i++)
				System.arraycopy(given[i], 0, a[i], 0, n);
			for (int j = 0; j < n; j++) {
				swap(j, pivot(j));
				scale(j);
				update(j);
			}
		}
		for (int i = 0; i < n; i++)
			check += a[i][i];
	}

	public static void main(String[] args) throws Exception {
		Thread[] threads = new Thread[Integer.parseInt(args[0])];
		SciLu[] all = new SciLu[threads.length];
		double check = 0;

		n = Integer.parseInt(args[1]);
		matrices = Integer.parseInt(args[2]);
		parts = Integer.parseInt(args[3]);
		for (int i = 0; i < WARM; i++)
			new SciLu(0).run();
		for (int i = 0; i < all.length; i++) {
			all[i] = new SciLu(i);
			threads[i] = new Thread(all[i], "lu-" + i);
		}
		for (Thread thread : threads)
			thread.start();
		for (int i = 0; i < all.length; i++) {
			threads[i].join();
			check += all[i].check;
		}
		System.out.printf("checksum %.6f%n", check);
	}
}
