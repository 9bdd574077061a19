package load;

/** What is traced: every method of this class. Each program knows how many of its calls there are. */
public class Work {
	/** The shape of MooBench: a recursion at whose end something takes BUSY nanoseconds, or nothing. */
	static long moo(int depth, long busy) {
		if (depth > 1)
			return moo(depth - 1, busy);
		if (busy == 0)
			return depth;
		long end = System.nanoTime() + busy, now;
		do
			now = System.nanoTime();
		while (now < end);
		return now;
	}

	static int fib(int n) {
		return n < 2 ? n : fib(n - 1) + fib(n - 2);
	}

	/** Sums "(1+2*(3+4))" and the like: a few methods that call each other. CALLS counts them. */
	static final class Parser {
		private final String text;
		private int at;
		long calls;

		Parser(String text) {
			this.text = text;
			calls++;
		}

		long sum() {
			calls++;
			long v = product();
			while (at < text.length() && text.charAt(at) == '+') {
				at++;
				v += product();
			}
			return v;
		}

		long product() {
			calls++;
			long v = atom();
			while (at < text.length() && text.charAt(at) == '*') {
				at++;
				v *= atom();
			}
			return v;
		}

		long atom() {
			calls++;
			if (text.charAt(at) != '(')
				return number();
			at++;
			long v = sum();
			at++;
			return v;
		}

		long number() {
			calls++;
			long v = 0;
			while (at < text.length() && digit(text.charAt(at)))
				v = v * 10 + text.charAt(at++) - '0';
			return v;
		}

		boolean digit(char c) {
			calls++;
			return c >= '0' && c <= '9';
		}
	}

	private static final RuntimeException FAILURE = new RuntimeException("a tenth of the calls", null, false, false) {
	};

	/** Every tenth call ends by an exception. */
	static int risky(int n) {
		if (n % 10 == 0)
			throw FAILURE;
		return n;
	}
}
