import jweave.rt.Probe;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

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

	/** Waits that fail before they begin: one without the monitor, one for less than nothing. */
	static void failing() throws Exception {
		final Object lock = new Object();
		Probe.enter(1);
		try {
			lock.wait(1);
		} catch (IllegalMonitorStateException e) {
			System.out.println("no monitor");
		}
		synchronized (lock) {
			try {
				lock.wait(-1);
			} catch (IllegalArgumentException e) {
				System.out.println("no time");
			}
		}
		Probe.exit(1);
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

	static class Late {
		static int value = late();

		static int late() {
			nap(200);
			return 1;
		}
	}

	static void nap(long ms) {
		try {
			Thread.sleep(ms);
		} catch (InterruptedException e) {
			throw new RuntimeException(e);
		}
	}

	/** Blocks for a class that another thread initializes, and for an array that one has. */
	static void arrays() throws Exception {
		final int[] array = new int[1];
		Thread initializes = new Thread() {
			public void run() {
				Late.value++;
			}
		};
		Thread holds = new Thread() {
			public void run() {
				synchronized (array) {
					nap(200);
				}
			}
		};
		Probe.enter(6);
		initializes.start();
		nap(50);
		Late.value++;
		holds.start();
		nap(50);
		synchronized (array) {
			array[0]++;
		}
		initializes.join();
		holds.join();
		Probe.exit(6);
	}

	static volatile boolean begun;

	static class Needed {
		static int value = needed();

		static int needed() {
			begun = true;
			nap(500);
			return 1;
		}
	}

	/** Runs until another thread initializes a class, and waits for that. */
	static void needs() throws Exception {
		Thread initializes = new Thread() {
			public void run() {
				Needed.value++;
			}
		};
		Probe.enter(7);
		initializes.start();
		while (!begun)
			initializes.isAlive();
		Needed.value++;
		initializes.join();
		Probe.exit(7);
	}

	/** Until T is in STATE; half a minute at most. */
	static void await(Thread t, Thread.State state) throws Exception {
		for (int i = 0; t.getState() != state; i++) {
			if (i == 15000)
				throw new IllegalStateException(t.getName() + " is " + t.getState() + ", not " + state);
			Thread.sleep(2);
		}
	}

	static void tell(String what, Object o) {
		System.out.println(what + " " + System.identityHashCode(o) + " " + o.getClass().getName().hashCode());
	}

	/**
	 * Nothing by chance: this thread lets go of a monitor only when the other one blocks on it, and
	 * notifies only when it waits.
	 */
	static void exact(final int rounds) throws Exception {
		final Object lock = new Object(), bell = new Object(), never = new Object();
		final Thread idle = new Thread();
		final AtomicInteger rung = new AtomicInteger();
		final CountDownLatch[] go = new CountDownLatch[rounds];
		for (int i = 0; i < rounds; i++)
			go[i] = new CountDownLatch(1);
		Thread t = new Thread("exact") {
			public void run() {
				try {
					Probe.enter(6);
					for (int i = 0; i < rounds; i++) {
						go[i].await();
						synchronized (lock) {
							Probe.enter(7);
							Probe.exit(7);
						}
						synchronized (bell) {
							bell.wait();
						}
						rung.incrementAndGet();
						synchronized (never) {
							never.wait(3);
						}
					}
					synchronized (idle) {
						idle.wait(3);
					}
					Probe.exit(6);
				} catch (InterruptedException e) {
					throw new IllegalStateException(e);
				}
			}
		};
		t.start();
		for (int i = 0; i < rounds; i++) {
			synchronized (lock) {
				go[i].countDown();
				await(t, Thread.State.BLOCKED);
			}
			await(t, Thread.State.WAITING);
			/* got only once the other one has let go of it by waiting */
			synchronized (bell) {
				bell.notify();
			}
			while (rung.get() <= i)
				Thread.sleep(1);
		}
		t.join();
		tell("lock", lock);
		tell("bell", bell);
		tell("never", never);
		System.out.println("idle " + idle.getId());
	}

	public static void main(String[] args) throws Exception {
		int n = args.length > 1 ? Integer.parseInt(args[1]) : 0;
		if (args[0].equals("gc"))
			gc(n);
		if (args[0].equals("monitors"))
			monitors(n, Integer.parseInt(args[2]));
		if (args[0].equals("exact"))
			exact(n);
		if (args[0].equals("failing"))
			failing();
		if (args[0].equals("strangers"))
			strangers();
		if (args[0].equals("arrays"))
			arrays();
		if (args[0].equals("needs"))
			needs();
	}
}
