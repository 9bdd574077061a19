package acme;

/** Recursion to a known depth, and to the end of the stack. */
public class Deep {
	static int down(int n) {
		Count.hit("acme.Deep.down");
		return n == 0 ? 0 : down(n - 1) + 1;
	}

	static int even(int n) {
		Count.hit("acme.Deep.even");
		return n == 0 ? 1 : odd(n - 1);
	}

	static int odd(int n) {
		Count.hit("acme.Deep.odd");
		return n == 0 ? 0 : even(n - 1);
	}

	/** How deep is chance; that it ends, and what comes after it, is not. */
	static int forever(int n) {
		return forever(n + 1) + 1;
	}

	static String overflow() {
		Count.hit("acme.Deep.overflow");
		try {
			return "returned " + forever(0);
		} catch (StackOverflowError e) {
			return "overflow";
		}
	}

	/** The error passes through finally clauses on its way. */
	static int foreverFinally(int n) {
		try {
			return foreverFinally(n + 1) + 1;
		} finally {
			touched = n;
		}
	}

	static volatile int touched;

	static String overflowFinally() {
		Count.hit("acme.Deep.overflowFinally");
		try {
			return "returned " + foreverFinally(0);
		} catch (StackOverflowError e) {
			return "overflow";
		}
	}

	static int after(int n) {
		Count.hit("acme.Deep.after");
		return n + 1;
	}

	public static void main(String[] args) throws Exception {
		Count.hit("acme.Deep.main");
		int depth = args.length > 0 ? Integer.parseInt(args[0]) : 10000;
		Thread t = new Thread(null, () -> {
			System.out.println(down(depth));
			System.out.println(even(depth));
		}, "deep", 256L << 20);
		t.start();
		t.join();
		for (int i = 0; i < 3; i++) {
			System.out.println(overflow() + " " + after(i));
			System.out.println(overflowFinally() + " " + after(i));
			try {
				foreverFinally(0);
			} catch (StackOverflowError e) {
				touched = after(i);
			}
		}
		Thread small = new Thread(null, () -> System.out.println(overflow()), "small", 160 << 10);
		small.start();
		small.join();
		Count.report();
	}
}
