package acme;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Exceptions in every way that they are thrown, thrown again and caught. It says of each what it does:
 * "count KIND:CLASS N", where KIND is thrown, again or caught.
 */
public class Throws {
	static class Boom extends RuntimeException {
		Boom(String m) {
			super(m);
		}
	}

	static class Checked extends Exception {
		Checked(String m, Throwable cause) {
			super(m, cause);
		}
	}

	/** The next two have one hashCode() of their names. */
	static class AaAlike extends RuntimeException {
	}

	static class BBAlike extends RuntimeException {
	}

	static class Closing implements AutoCloseable {
		@Override
		public void close() {
			Math.abs(1);
		}
	}

	static class Base {
		Base(int x) {
			if (x == 2)
				throw boom("in Base");
		}
	}

	static class Derived extends Base {
		Derived(int x) {
			super(check(x));
			try {
				if (x == 3)
					throw boom("after super");
			} catch (IllegalStateException e) {
				throw new AssertionError(e);
			}
		}

		static int check(int x) {
			if (x == 1)
				throw boom("before super");
			return x;
		}
	}

	static class BadInit {
		static int value = fail();

		static int fail() {
			throw boom("in a static initialiser");
		}
	}

	static class OwnInit {
		static String said;

		static {
			try {
				throw boom("inside a static initialiser");
			} catch (Boom e) {
				caught(e);
				said = e.getMessage();
			}
		}
	}

	static Boom boom(String m) {
		thrown("acme.Throws$Boom");
		return new Boom(m);
	}

	static void thrown(String name) {
		Count.hit("thrown:" + name);
	}

	static void again(Throwable e) {
		Count.hit("again:" + e.getClass().getName());
	}

	static void caught(Throwable e) {
		Count.hit("caught:" + e.getClass().getName());
	}

	static int deep(int n) {
		if (n == 0)
			throw boom("deep");
		return deep(n - 1) + 1;
	}

	static int throughFinally(int n) {
		int x = 0;
		try {
			x = deep(n);
		} finally {
			x += harmless(n);
		}
		return x;
	}

	/** A finally that throws and catches another one on its way. */
	static int busyFinally() {
		try {
			return deep(2);
		} finally {
			try {
				throw boom("inside finally");
			} catch (Boom e) {
				caught(e);
			}
		}
	}

	/** A finally that lets it be forgotten. */
	@SuppressWarnings("finally")
	static int forgets() {
		try {
			return deep(1);
		} finally {
			return harmless(3);
		}
	}

	/** Another one in its place. */
	static void replaces() {
		try {
			deep(1);
		} finally {
			if (harmless(1) == 2)
				throw boom("in its place");
		}
	}

	static int harmless(int n) {
		return n + 1;
	}

	static void rethrows() {
		try {
			deep(3);
		} catch (Boom e) {
			caught(e);
			again(e);
			throw e;
		}
	}

	static void wraps() throws Checked {
		try {
			rethrows();
		} catch (Boom e) {
			caught(e);
			thrown("acme.Throws$Checked");
			throw new Checked("wrapped", e);
		}
	}

	static synchronized int locked() {
		synchronized (Throws.class) {
			return deep(1);
		}
	}

	static int resources() {
		try (Closing a = new Closing(); Closing b = new Closing()) {
			return deep(1);
		}
	}

	/** What the VM and the JDK throw; seen first where it passes, or is caught. */
	static void theirs() {
		Object nothing = null;
		int[] none = {};

		try {
			thrown("java.lang.NullPointerException");
			nothing.hashCode();
		} catch (NullPointerException e) {
			caught(e);
		}
		try {
			thrown("java.lang.ArrayIndexOutOfBoundsException");
			none[harmless(0)] = 1;
		} catch (IllegalStateException | ArrayIndexOutOfBoundsException e) {
			caught(e);
		}
		try {
			parse("x1");
		} catch (NumberFormatException e) {
			caught(e);
		}
		try {
			thrown("java.lang.NullPointerException");
			throw (RuntimeException) nothing;
		} catch (NullPointerException e) {
			caught(e);
		}
	}

	static int parse(String s) {
		thrown("java.lang.NumberFormatException");
		return Integer.parseInt(s);
	}

	static void expect(Runnable body) {
		try {
			body.run();
			System.out.println("nothing");
		} catch (Boom e) {
			caught(e);
			System.out.println(e.getMessage());
		}
	}

	static void constructors() {
		for (int x = 0; x <= 3; x++) {
			try {
				new Derived(x);
			} catch (Boom e) {
				caught(e);
				System.out.println(e.getMessage());
			}
		}
		try {
			System.out.println(BadInit.value);
		} catch (ExceptionInInitializerError e) {
			thrown(e.getClass().getName()); /* by the VM */
			caught(e);
		}
		System.out.println(OwnInit.said);
	}

	/** As deep as the catches nest; and the same one thrown again from the innermost. */
	static void nested(int n) {
		Boom outer = null;

		try {
			deep(1);
		} catch (Boom e) {
			caught(e);
			outer = e;
		}
		if (n > 0)
			nested(n - 1);
		try {
			again(outer);
			throw outer;
		} catch (RuntimeException e) {
			caught(e);
		}
	}

	static void pool() throws InterruptedException {
		ExecutorService pool = Executors.newFixedThreadPool(2);
		List<Future<Integer>> all = new ArrayList<>();

		for (int i = 0; i < 10; i++)
			all.add(pool.submit(() -> deep(2)));
		for (Future<Integer> f : all) {
			try {
				thrown("java.util.concurrent.ExecutionException");
				f.get();
			} catch (ExecutionException e) {
				caught(e);
			}
		}
		pool.shutdown();
	}

	static void uncaught() throws InterruptedException {
		Thread t = new Thread(() -> deep(4), "doomed");
		t.setUncaughtExceptionHandler((thread, e) -> System.out.println(thread.getName() + ": " + e.getMessage()));
		t.start();
		t.join();
	}

	static void alike() {
		for (int i = 0; i < 5; i++) {
			try {
				if (i < 2) {
					thrown("acme.Throws$AaAlike");
					throw new AaAlike();
				}
				thrown("acme.Throws$BBAlike");
				throw new BBAlike();
			} catch (RuntimeException e) {
				caught(e);
			}
		}
	}

	static void storm(int n) {
		for (int i = 0; i < n; i++) {
			try {
				throughFinally(2);
			} catch (Boom e) {
				caught(e);
			}
		}
	}

	public static void main(String[] args) throws Exception {
		expect(() -> throughFinally(5));
		expect(Throws::busyFinally);
		System.out.println(forgets());
		expect(Throws::replaces);
		expect(Throws::rethrows);
		try {
			wraps();
		} catch (Checked e) {
			caught(e);
		}
		expect(Throws::locked);
		expect(() -> {
			/* javac's catch and throw around the body */
			Count.hit("again:acme.Throws$Boom", 2);
			Count.hit("again:acme.Throws$Boom", 2);
			Count.hit("caught:acme.Throws$Boom", 2);
			Count.hit("caught:acme.Throws$Boom", 2);
			resources();
		});
		theirs();
		constructors();
		nested(20);
		pool();
		uncaught();
		alike();
		storm(args.length > 0 ? Integer.parseInt(args[0]) : 0);
		Count.report();
		if (args.length > 1)
			deep(3);
	}
}
