/** Control flow of class file 52: every shape that moves pcs. */
public class Flow implements Runnable {
	static int count;
	private final Object lock = new Object();
	private final String name;

	Flow(boolean loud, String name) {
		this(loud ? new String("loud").concat(name) : name);
	}

	Flow(String name) {
		this.name = name;
	}

	static long sum(int n, long start, double scale, int[] values) {
		long sum = start;

		for (int i = 0; i < n; i++) {
			if (values[i] < 0)
				continue;
			sum += (long) (values[i] * scale);
		}
		return sum;
	}

	static int dense(int key) {
		switch (key) {
		case -1:
			return 10;
		case 0:
		case 1:
			return 20;
		case 3:
			key += 1000;
			break;
		default:
			key--;
		}
		return key;
	}

	static String sparse(String word) {
		switch (word) {
		case "one":
			return "1";
		case "two":
			return "2";
		default:
			return word + '?';
		}
	}

	int guarded(Object key) throws java.io.IOException {
		int result = 0;

		try {
			synchronized (lock) {
				result = key.hashCode() % 7;
			}
		} catch (IllegalStateException | NullPointerException e) {
			result = -1;
		} finally {
			count++;
		}
		return result;
	}

	static Object uninitialized(boolean left) {
		return new Flow(left ? "left" : new StringBuilder().append(left).toString());
	}

	@Override
	public void run() {
		Runnable inner = () -> System.out.println(name);
		float[][] grid = new float[2][3];
		char[] letters = { 'a', '\n' };

		inner.run();
		grid[1][2] = letters.length;
		while (count > 0)
			count >>>= 1;
	}

	abstract static class Base {
		static final long LONG = 0x1234567890L;
		static final double DOUBLE = 1.5;
		static final float FLOAT = 0.25f;
		static final String TEXT = "tab\tquote\"\u00e9\0";
		protected transient volatile int field;

		abstract void work(String... words);

		native int outside();
	}
}
