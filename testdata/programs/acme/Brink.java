package acme;

import java.io.FileInputStream;

/**
 * The first woven call is made some frames above the end of the stack; then more, where there is
 * plenty. Strings are not concatenated before that: the JDK would make the classes for it there, and
 * lose them to the overflow.
 */
public class Brink {
	static int at, failed, sum;
	static Throwable why;

	/** To the end of the stack; on the way back, the call. */
	static int dive() {
		int above;
		try {
			above = dive() + 1;
		} catch (StackOverflowError e) {
			return 0;
		}
		if (above == at) {
			try {
				Work.first();
			} catch (Throwable e) {
				why = e;
			}
		}
		return above;
	}

	static void line(String name, int n) {
		System.out.print(name);
		System.out.print(' ');
		System.out.println(n);
	}

	public static void main(String[] args) throws Exception {
		at = Integer.parseInt(args[0]);
		int calls = new Work().calls;
		System.out.flush();
		dive();
		for (int i = 0; i < 1000; i++) {
			try {
				sum += Work.later(i);
			} catch (Throwable e) {
				failed++;
			}
		}
		/* nothing of the JDK was lost either */
		new FileInputStream("/dev/null").close();
		line("sum", sum);
		line("failed", failed);
		System.out.println(why == null ? "fine" : why.toString());
		System.err.print("first ");
		System.err.println(Work.calls - 1000 - calls);
	}

	static class Work {
		static int calls;

		static void first() {
			calls++;
		}

		static int later(int i) {
			calls++;
			return i % 7;
		}
	}
}
