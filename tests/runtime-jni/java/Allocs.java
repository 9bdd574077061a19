import jweave.rt.Probe;

/**
 * Allocates, in a method: N objects of a class, in main and in a thread "other", and arrays. Another thread
 * that never runs a method allocates as well. Two classes have one hashCode() of their names.
 */
public class Allocs {
	static class Thing {
		long a, b, c;
	}

	static class AaAlike {
	}

	static class BBAlike {
	}

	static Object[] kept;

	static void things(int n) {
		Object[] all = new Object[n];
		for (int i = 0; i < n; i++)
			all[i] = new Thing();
		kept = all;
	}

	public static void main(String[] args) throws Exception {
		final int n = Integer.parseInt(args[0]);
		/* the interval that was in force when this thread began runs out first: half a MB, on average */
		Probe.enter(3);
		for (int i = 0; i < 500; i++)
			kept = new Object[16384];
		Probe.exit(3);
		Probe.enter(1);
		things(n);
		for (int i = 0; i < 10; i++)
			kept[i] = new int[1000][];
		for (int i = 0; i < 10; i++)
			kept[i] = i < 3 ? new AaAlike() : new BBAlike();
		Probe.exit(1);
		Thread other = new Thread("other") {
			public void run() {
				Probe.enter(2);
				things(n / 2);
				Probe.exit(2);
			}
		};
		other.start();
		other.join();
		Thread stranger = new Thread("stranger") {
			public void run() {
				things(n);
			}
		};
		stranger.start();
		stranger.join();
		System.out.println("done");
	}
}
