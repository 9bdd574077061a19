/** What class file 69 added: statements before super(), patterns in switch. */
public class Prologue extends Thread {
	private final int size;

	Prologue(Object key) {
		int n;

		if (key instanceof String s && !s.isEmpty())
			n = s.length();
		else
			n = 1;
		size = n;
		super("prologue " + n);
	}

	static int measure(Object key) {
		return switch (key) {
		case null -> 0;
		case Integer i when i > 10 -> i;
		case String s -> s.length();
		default -> -1;
		};
	}
}
