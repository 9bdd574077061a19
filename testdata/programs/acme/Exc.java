package acme;

/** Exceptions, in every way that a method can meet one. */
public class Exc {
	/** Without a stack trace, so that the output does not depend on line numbers. */
	static class Boom extends RuntimeException {
		Boom(String m) {
			super(m, null, false, false);
			Count.hit("acme.Exc$Boom.<init>");
		}
	}

	static class Base {
		Base(int x) {
			Count.hit("acme.Exc$Base.<init>");
			if (x == 2)
				throw new Boom("in Base");
		}
	}

	/** x = 1: thrown before super(); 2: inside it; 3: after it; else not at all. */
	static class Derived extends Base {
		Derived(int x) {
			super(before(Count.hit("acme.Exc$Derived.<init>", x)));
			if (x == 3)
				throw new Boom("after super");
		}

		static int before(int x) {
			Count.hit("acme.Exc$Derived.before");
			if (x == 1)
				throw new Boom("before super");
			return x;
		}
	}

	/** this(...) that throws, and branches before it. */
	static class Chain extends Base {
		Chain(int x) {
			super(Count.hit("acme.Exc$Chain.<init>", x));
		}

		Chain(boolean two) {
			this(two ? Count.hit("acme.Exc$Chain.<init>", 2) : Count.hit("acme.Exc$Chain.<init>", 5));
		}
	}

	static class BadInit {
		static {
			Count.hit("acme.Exc$BadInit.<clinit>");
			fail();
		}

		static void fail() {
			Count.hit("acme.Exc$BadInit.fail");
			throw new Boom("in a static initialiser");
		}

		static void use() {
			Count.hit("acme.Exc$BadInit.use");
		}
	}

	static class GoodInit {
		static final int X;

		static {
			Count.hit("acme.Exc$GoodInit.<clinit>");
			X = leaf(7);
		}
	}

	static int leaf(int x) {
		Count.hit("acme.Exc.leaf");
		return x + 1;
	}

	static int thrower(int x) {
		Count.hit("acme.Exc.thrower");
		if (x > 0)
			throw new Boom("thrower " + x);
		return x;
	}

	static int catcher(int x) {
		Count.hit("acme.Exc.catcher");
		try {
			return thrower(x);
		} catch (Boom b) {
			return -leaf(x);
		}
	}

	static int rethrower(int x) {
		Count.hit("acme.Exc.rethrower");
		try {
			return thrower(x);
		} catch (Boom b) {
			leaf(1);
			throw b;
		}
	}

	static int finallyThrough(int x) {
		Count.hit("acme.Exc.finallyThrough");
		try {
			return rethrower(x);
		} finally {
			leaf(2);
		}
	}

	@SuppressWarnings("finally")
	static int finallyReturns(int x) {
		Count.hit("acme.Exc.finallyReturns");
		try {
			return thrower(x);
		} finally {
			return leaf(3);
		}
	}

	static int finallyThrows(int x) {
		Count.hit("acme.Exc.finallyThrows");
		try {
			return thrower(x);
		} finally {
			thrower(x + 100);
		}
	}

	static int implicit(int[] a, int i, Object o, int d) {
		Count.hit("acme.Exc.implicit");
		String s = (String) o;
		return a[i] / d + s.length();
	}

	static void resources(int x) throws Exception {
		Count.hit("acme.Exc.resources");
		class Closer implements AutoCloseable {
			Closer() {
				Count.hit("acme.Exc$1Closer.<init>");
			}

			public void close() {
				Count.hit("acme.Exc$1Closer.close");
				if (x == 2)
					throw new Boom("close");
			}
		}
		try (Closer a = new Closer(); Closer b = new Closer()) {
			thrower(x);
		}
	}

	static synchronized int locked(int x) {
		Count.hit("acme.Exc.locked");
		synchronized (Exc.class) {
			return thrower(x);
		}
	}

	static int far(int depth) {
		Count.hit("acme.Exc.far");
		if (depth == 0)
			return thrower(9);
		return far(depth - 1) + 1;
	}

	interface Act {
		Object run() throws Throwable;
	}

	static void attempt(String name, Act act) {
		Count.hit("acme.Exc.attempt");
		String result;
		try {
			result = String.valueOf(act.run());
		} catch (Throwable t) {
			result = t.getClass().getName() + ": " + (t instanceof Boom ? t.getMessage() : "");
			if (t.getCause() != null)
				result += " by " + t.getCause().getClass().getName();
		}
		System.out.println(name + " = " + result);
	}

	public static void main(String[] args) {
		Count.hit("acme.Exc.main");
		int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 3;
		for (int round = 0; round < rounds; round++) {
			for (int i = 0; i < 3; i++) {
				int x = i;
				attempt("catcher", () -> catcher(x));
				attempt("rethrower", () -> rethrower(x));
				attempt("finallyThrough", () -> finallyThrough(x));
				attempt("finallyReturns", () -> finallyReturns(x));
				attempt("finallyThrows", () -> finallyThrows(x));
				attempt("resources", () -> {
					resources(x);
					return "";
				});
				attempt("locked", () -> locked(x));
			}
			for (int i = 0; i < 4; i++) {
				int x = i;
				attempt("derived", () -> new Derived(x) == null);
			}
			attempt("chain", () -> new Chain(true) == null);
			attempt("chain", () -> new Chain(false) == null);
			attempt("far", () -> far(50));
			attempt("null", () -> implicit(null, 0, "", 1));
			attempt("bounds", () -> implicit(new int[1], 1, "", 1));
			attempt("cast", () -> implicit(new int[1], 0, 1, 1));
			attempt("divide", () -> implicit(new int[1], 0, "", 0));
			attempt("null string", () -> implicit(new int[1], 0, null, 1));
			attempt("static initialiser", () -> {
				BadInit.use();
				return 0;
			});
			attempt("good initialiser", () -> GoodInit.X);
		}
		Count.report();
	}
}
