import jweave.rt.Probe;
import java.util.concurrent.CountDownLatch;

/** What the VM itself tells: pauses of the garbage collector, monitors. */
public class Events {
	static void gc(int times) {
		Probe.enter(1);
		for (int i = 0; i < times; i++)
			System.gc();
		Probe.exit(1);
	}

	/** Threads that fight for one monitor, and wait for each other on another. */
	static void monitors(int threads, final int rounds) throws Exception {
		final Object lock = new Object(), bell = new Object();
		final int[] turn = { 0 };
		final CountDownLatch ready = new CountDownLatch(threads);
		final int n = threads;
		Thread[] all = new Thread[threads];
		for (int i = 0; i < threads; i++) {
			final int me = i;
			all[i] = new Thread("fights-" + i) {
				public void run() {
					Probe.enter(2);
					ready.countDown();
					try {
						ready.await();
						for (int k = 0; k < rounds; k++) {
							synchronized (lock) {
								Probe.enter(3);
								Thread.sleep(1);
								Probe.exit(3);
							}
						}
						for (int k = 0; k < rounds; k++) {
							synchronized (bell) {
								Probe.enter(4);
								while (turn[0] % n != me)
									bell.wait();
								turn[0]++;
								bell.notifyAll();
								Probe.exit(4);
							}
						}
					} catch (InterruptedException e) {
						throw new IllegalStateException(e);
					}
					Probe.exit(2);
				}
			};
			all[i].start();
		}
		for (Thread t : all)
			t.join();
	}

	/** Blocks without ever having logged: no row. */
	static void strangers() throws Exception {
		final Object lock = new Object();
		Thread t = new Thread("stranger") {
			public void run() {
				synchronized (lock) {
					lock.notifyAll();
				}
			}
		};
		Probe.enter(5);
		synchronized (lock) {
			t.start();
			Thread.sleep(50);
			lock.wait(1000);
		}
		t.join();
		Probe.exit(5);
	}

	public static void main(String[] args) throws Exception {
		int n = args.length > 1 ? Integer.parseInt(args[1]) : 0;
		if (args[0].equals("gc"))
			gc(n);
		if (args[0].equals("monitors"))
			monitors(n, Integer.parseInt(args[2]));
		if (args[0].equals("strangers"))
			strangers();
	}
}
