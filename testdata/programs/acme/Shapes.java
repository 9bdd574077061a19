package acme;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.Supplier;

/** Every shape that javac gives to code. */
public class Shapes {
	@Retention(RetentionPolicy.RUNTIME)
	@Target({ ElementType.TYPE, ElementType.METHOD, ElementType.PARAMETER, ElementType.CONSTRUCTOR, ElementType.FIELD })
	@interface Mark {
		String value() default "x";

		int[] numbers() default { 1, 2 };
	}

	@Retention(RetentionPolicy.RUNTIME)
	@Target({ ElementType.TYPE_USE, ElementType.TYPE_PARAMETER })
	@interface Typed {
		int value() default 0;
	}

	interface Greeter {
		String name();

		default String greet(String how) {
			Count.hit("acme.Shapes$Greeter.greet");
			return how + decorate(name()) + count();
		}

		private String decorate(String s) {
			Count.hit("acme.Shapes$Greeter.decorate");
			return "<" + s + ">";
		}

		static int count() {
			Count.hit("acme.Shapes$Greeter.count");
			return secret(3);
		}

		private static int secret(int x) {
			Count.hit("acme.Shapes$Greeter.secret");
			return x * 2;
		}
	}

	enum Op {
		PLUS("+") {
			int apply(int a, int b) {
				Count.hit("acme.Shapes$Op$1.apply");
				return a + b;
			}
		},
		TIMES("*") {
			int apply(int a, int b) {
				Count.hit("acme.Shapes$Op$2.apply");
				return a * b;
			}
		};

		static {
			Count.hit("acme.Shapes$Op.<clinit>");
		}

		final String sign;

		Op(String sign) {
			Count.hit("acme.Shapes$Op.<init>");
			this.sign = sign;
		}

		abstract int apply(int a, int b);

		static Op of(String sign) {
			Count.hit("acme.Shapes$Op.of");
			switch (sign) {
			case "+":
				return PLUS;
			case "*":
				return TIMES;
			default:
				throw new IllegalArgumentException(sign);
			}
		}
	}

	record Point(int x, @Mark("why") long y) {
		Point {
			Count.hit("acme.Shapes$Point.<init>");
			if (x < 0)
				throw new IllegalArgumentException("negative");
		}

		Point scale(int by) {
			Count.hit("acme.Shapes$Point.scale");
			return new Point(x * by, y * by);
		}
	}

	sealed interface Node permits Leaf, Pair {
	}

	record Leaf(int v) implements Node {
	}

	record Pair(Node l, Node r) implements Node {
	}

	static int total(Node n) {
		Count.hit("acme.Shapes.total");
		if (n instanceof Leaf l)
			return l.v();
		if (n instanceof Pair p)
			return total(p.l()) + total(p.r());
		return 0;
	}

	static abstract class Box<T extends Comparable<? super T>> implements Comparable<Box<T>> {
		Box() {
			Count.hit("acme.Shapes$Box.<init>");
		}

		abstract T get();

		public int compareTo(Box<T> o) {
			Count.hit("acme.Shapes$Box.compareTo");
			return get().compareTo(o.get());
		}
	}

	static class IntBox extends Box<Integer> {
		final int v;

		IntBox(int v) {
			Count.hit("acme.Shapes$IntBox.<init>");
			this.v = v;
		}

		Integer get() {
			Count.hit("acme.Shapes$IntBox.get");
			return v;
		}
	}

	class Inner {
		final int base;

		Inner(int base) {
			Count.hit("acme.Shapes$Inner.<init>");
			this.base = base;
		}

		int add(int n) {
			Count.hit("acme.Shapes$Inner.add");
			return base + n + offset;
		}
	}

	private final int offset;

	@Mark("made")
	Shapes(@Mark int offset) {
		Count.hit("acme.Shapes.<init>");
		this.offset = offset;
	}

	synchronized int locked(int n) {
		Count.hit("acme.Shapes.locked");
		synchronized (this) {
			return n + offset;
		}
	}

	static synchronized long staticLocked(long n, double d) {
		Count.hit("acme.Shapes.staticLocked");
		return n + (long) d;
	}

	@Mark
	static long wide(long a, double b, int c, @Typed(3) long... rest) {
		Count.hit("acme.Shapes.wide");
		long s = a + (long) b + c;
		for (long r : rest)
			s += r;
		return s;
	}

	static int tableSwitch(int n) {
		Count.hit("acme.Shapes.tableSwitch");
		switch (n) {
		case 0:
			return 10;
		case 1:
			return 11;
		case 2:
		case 3:
			return 12;
		default:
			return -1;
		}
	}

	static int lookupSwitch(int n) {
		Count.hit("acme.Shapes.lookupSwitch");
		return switch (n) {
		case -100000 -> 1;
		case 0 -> 2;
		case 77777 -> 3;
		default -> {
			int x = n;
			while (x > 10)
				x /= 3;
			yield x;
		}
		};
	}

	static String nestedTry(Object o) {
		Count.hit("acme.Shapes.nestedTry");
		StringBuilder b = new StringBuilder();
		for (int i = 0; i < 3; i++) {
			try {
				try {
					if (i == 1)
						throw new RuntimeException("one");
					b.append(o.toString().charAt(i));
				} finally {
					b.append('f');
				}
			} catch (IndexOutOfBoundsException | NullPointerException e) {
				b.append('c');
				continue;
			} catch (RuntimeException e) {
				b.append('r');
			}
			b.append('n');
		}
		return b.toString();
	}

	static <T extends @Typed Object & Comparable<T>> T max(List<? extends @Typed(1) T> list) {
		Count.hit("acme.Shapes.max");
		T best = null;
		for (T t : list)
			if (best == null || t.compareTo(best) > 0)
				best = t;
		return best;
	}

	/** Begins with a loop whose head is the method's first instruction. */
	static int loopAtEntry(int n) {
		do {
			loops++;
		} while (--n > 0);
		Count.hit("acme.Shapes.loopAtEntry");
		return n;
	}

	static int loops;
	static boolean flag;
	static final Supplier<String> STATIC = () -> {
		Count.hit("lambda");
		return "static lambda";
	};

	static {
		Count.hit("acme.Shapes.<clinit>");
		flag = true;
	}

	static int apply(IntBinaryOperator op, int a, int b) {
		Count.hit("acme.Shapes.apply");
		return op.applyAsInt(a, b);
	}

	static int plus(int a, int b) {
		Count.hit("acme.Shapes.plus");
		return a + b;
	}

	public static void main(String[] args) {
		Count.hit("acme.Shapes.main");
		Greeter g = () -> {
			Count.hit("lambda");
			return "world";
		};
		System.out.println(g.greet("hello "));
		Greeter anonymous = new Greeter() {
			public String name() {
				Count.hit("acme.Shapes$1.name");
				return "anonymous";
			}
		};
		System.out.println(anonymous.greet("hi "));
		System.out.println(Op.of("+").apply(3, 4) + Op.of("*").apply(3, 4));
		System.out.println(new Point(1, 2).scale(3));
		System.out.println(new Point(3, 6).equals(new Point(1, 2).scale(3)));
		try {
			new Point(-1, 0);
		} catch (IllegalArgumentException e) {
			System.out.println(e.getMessage());
		}
		System.out.println(total(new Pair(new Leaf(3), new Pair(new Leaf(4), new Leaf(5)))));
		IntBox[] boxes = { new IntBox(5), new IntBox(3) };
		System.out.println(boxes[0].compareTo(boxes[1]));
		Shapes s = new Shapes(100);
		Inner inner = s.new Inner(7);
		System.out.println(inner.add(1) + s.locked(2) + staticLocked(3, 4.5));
		System.out.println(wide(1, 2.5, 3, 4, 5, 6));
		for (int i = -1; i < 5; i++)
			System.out.println(tableSwitch(i) + " " + lookupSwitch(i * 77777));
		System.out.println(nestedTry("ab") + " " + nestedTry(null));
		System.out.println(max(Arrays.asList(3, 9, 4)));
		System.out.println(loopAtEntry(5));
		System.out.println(STATIC.get());
		System.out.println(apply((a, b) -> {
			Count.hit("lambda");
			return a - b;
		}, 10, 3) + apply(Shapes::plus, 10, 3));
		Function<Integer, Function<Integer, Integer>> curried = a -> {
			Count.hit("lambda");
			return b -> {
				Count.hit("lambda");
				return a + b + s.locked(1);
			};
		};
		System.out.println(curried.apply(1).apply(2));
		List<String> words = new ArrayList<>(Arrays.asList("pear", "fig", "apple"));
		words.sort(Comparator.comparing(w -> {
			Count.hit("lambda");
			return w.length();
		}));
		System.out.println(words);
		Count.report();
	}
}
