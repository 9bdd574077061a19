import jweave.rt.Probe;

/** Runs in loaders of its own, with a renamed Probe beside it (loaders.t). */
public class Payload {
	public static void run(int id, int n) {
		for (int i = 0; i < n; i++) {
			Probe.enter(id);
			Probe.exit(id);
		}
	}
}
