package acme;

/** Argument "hot": a million calls of next to nothing; else a few of something. */
public class Dear {
	static long sum;

	static void tiny(long n) {
		sum += n;
	}

	static void small(long n) {
		sum ^= n;
	}

	static void work(long n) {
		for (long i = 0; i < n; i++)
			sum = sum * 31 + i;
	}

	public static void main(String[] args) {
		for (long i = 0; args.length > 0 && i < 1000000; i++) {
			tiny(i);
			if (i % 4 == 0)
				small(i);
		}
		for (long i = 0; i < 50; i++)
			work(200000);
		System.out.println("sum " + sum);
	}
}
