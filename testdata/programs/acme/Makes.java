package acme;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Objects and arrays in every way that code makes them. It says of each class how many: "count made:CLASS N",
 * and how many elements all its arrays have: "count elements:CLASS N".
 */
public class Makes {
	static class Base {
		final Object part;

		Base(Object part) {
			this.part = part;
		}
	}

	/** Makes something before super(), and fails after it when asked to. */
	static class Derived extends Base {
		Derived(int x) {
			super(x > 1 ? array("java.lang.Object[]", x, new Object[x]) : made("java.lang.Object", new Object()));
			if (x == 3)
				throw made("java.lang.IllegalStateException", new IllegalStateException("asked to"));
		}
	}

	class Inner {
		final int[] numbers = array("int[]", 3, new int[3]);
	}

	static final byte[] BYTES = array("byte[]", 100, new byte[100]);

	static <T> T made(String name, T x) {
		Count.hit("made:" + name);
		return x;
	}

	static <T> T array(String name, int n, T x) {
		Count.hit("made:" + name);
		for (int i = 0; i < n; i++)
			Count.hit("elements:" + name);
		return x;
	}

	static int derived() {
		int failed = 0;
		for (int x = 0; x < 5; x++) {
			try {
				Count.hit("made:acme.Makes$Derived"); /* by new; its constructor may fail */
				new Derived(x);
			} catch (IllegalStateException e) {
				failed++;
			}
		}
		return failed;
	}

	static long arrays(int n) {
		boolean[] z = array("boolean[]", n, new boolean[n]);
		char[] c = array("char[]", n, new char[n]);
		short[] s = array("short[]", n, new short[n]);
		float[] f = array("float[]", n, new float[n]);
		double[] d = array("double[]", n, new double[n]);
		long[] j = array("long[]", n, new long[n]);
		String[] t = array("java.lang.String[]", n, new String[n]);
		int[][] m = array("int[][]", n, new int[n][2]); /* the outer one */
		String[][][] u = array("java.lang.String[][][]", 2, new String[2][][]);
		return z.length + c.length + s.length + f.length + d.length + j.length + t.length + m.length + u.length;
	}

	static int negative(int n) {
		try {
			return new int[n].length; /* makes none */
		} catch (NegativeArraySizeException e) {
			return -1;
		}
	}

	static int loop(int n) {
		int sum = 0;
		for (int i = 0; i < n; i++) {
			int[] pair = i % 2 == 0 ? array("int[]", 2, new int[2]) : array("int[]", 1, new int[] { i });
			sum += pair.length;
			sum += made("java.lang.StringBuilder", new StringBuilder()).append(i).length();
		}
		return sum;
	}

	static int threads() throws InterruptedException {
		List<Thread> all = made("java.util.ArrayList", new ArrayList<>());
		for (int i = 0; i < 4; i++)
			all.add(made("java.lang.Thread", new Thread(() -> loop(50))));
		for (Thread t : all)
			t.start();
		for (Thread t : all)
			t.join();
		return all.size();
	}

	public static void main(String[] args) throws Exception {
		Supplier<Base> lambda = () -> made("acme.Makes$Base", new Base(null));
		Supplier<Object> reference = Object::new; /* no code of ours makes it */

		System.out.println(derived() + " " + arrays(7) + " " + negative(-1) + " " + loop(1000) + " " + threads());
		System.out.println(made("acme.Makes", new Makes()).new Inner().numbers.length);
		Count.hit("made:acme.Makes$Inner");
		System.out.println((lambda.get().part == null) + " " + (reference.get() != null) + " " + BYTES.length);
		Count.report();
	}
}
