import java.util.HashMap;
import java.util.Map;

/** Reads a table before it can do anything: half of the start is there. */
public class Start {
	static final Map<Integer, Integer> TABLE = Table.load();

	static class Table {
		static Map<Integer, Integer> load() {
			Map<Integer, Integer> table = new HashMap<>();

			for (int i = 0; i < 200_000; i++)
				table.put(i, i * 31);
			return table;
		}
	}

	public static void main(String[] args) {
		System.loadLibrary("net"); // one that every JDK has, in place of your own
		System.out.println(TABLE.get(1));
	}
}
