import jweave.rt.Probe;
import java.io.File;

/**
 * Four threads log numbered calls, T * 100000000 + I, for as long as there is no file "0", and at least N;
 * then each says how many it made. A thread "early" makes one call before, one call is open in main.
 */
public class Ring {
	public static void main(String[] args) throws Exception {
		final int least = Integer.parseInt(args[0]);
		final int[] made = new int[5];
		final int[] progress = { 0 };
		Thread early = new Thread("early") {
			public void run() {
				Probe.enter(7);
				Probe.exit(7);
			}
		};
		early.start();
		early.join();
		Probe.enter(1);
		Thread[] threads = new Thread[4];
		for (int t = 1; t <= 4; t++) {
			final int id = t;
			threads[t - 1] = new Thread("number " + t) {
				public void run() {
					int i = 0;
					for (; i < least || !new File("0").exists(); i++) {
						Probe.enter(id * 100000000L + i);
						Probe.exit(id * 100000000L + i);
						if (i == least)
							synchronized (progress) {
								progress[0]++;
							}
						if (i >= least && i % 100 == 0)
							try {
								Thread.sleep(1);
							} catch (InterruptedException e) {
								return;
							}
					}
					made[id] = i;
				}
			};
			threads[t - 1].start();
		}
		for (;; Thread.sleep(5))
			synchronized (progress) {
				if (progress[0] == 4)
					break;
			}
		System.out.println("ready");
		System.out.flush();
		for (Thread t : threads)
			t.join();
		for (int t = 1; t <= 4; t++)
			System.out.println("made " + t + " " + made[t]);
		Probe.exit(1);
	}
}
