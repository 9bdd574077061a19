import jweave.rt.Probe;
import java.io.File;

/**
 * Main and a worker go through phases together: in phase K each makes N calls of method 1000 + K (the
 * worker 2000 + K), then main waits for the file "K". Method 1 is open in main all the time, method 100 + K
 * from phase K to the beginning of the next.
 */
public class Phases {
	static void calls(long id, int n) {
		for (int i = 0; i < n; i++) {
			Probe.enter(id);
			Probe.exit(id);
		}
	}

	static void run(final long id, final int n, String name) throws Exception {
		Thread t = new Thread(name) {
			public void run() {
				calls(id, n);
			}
		};
		t.start();
		t.join();
	}

	public static void main(String[] args) throws Exception {
		int phases = Integer.parseInt(args[0]), n = Integer.parseInt(args[1]);
		Probe.enter(1);
		for (int k = 0; k < phases; k++) {
			if (k > 0)
				Probe.exit(100 + k - 1);
			Probe.enter(100 + k);
			calls(1000 + k, n);
			run(2000 + k, n, "worker " + k);
			System.out.println(k == 0 ? "ready" : "phase " + k);
			System.out.flush();
			while (!new File("" + k).exists())
				Thread.sleep(5);
		}
		System.out.println("phase " + phases);
		Probe.exit(100 + phases - 1);
		Probe.exit(1);
	}
}
