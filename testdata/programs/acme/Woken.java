package acme;

import java.util.concurrent.Semaphore;

/**
 * A thread whose calls are traced waits for permits, which another one gives that calls nothing traced. Two
 * more let each other go on; of neither is anything traced.
 */
public final class Woken {
	private static final Semaphore permits = new Semaphore(0);

	private Woken() {
	}

	static void await() throws InterruptedException {
		permits.acquire();
	}

	/** Gives a permit once the main thread waits, each time. */
	static final class Giver extends Thread {
		private final int n;
		private final Thread to;

		Giver(int n, Thread to) {
			super("giver");
			this.n = n;
			this.to = to;
		}

		@Override
		public void run() {
			for (int i = 0; i < n; i++) {
				while (permits.availablePermits() > 0 || !permits.hasQueuedThreads() || to.getState() != State.WAITING)
					Thread.onSpinWait();
				permits.release();
			}
		}
	}

	/** Its last turn is the other's. */
	static final class Stranger extends Thread {
		private final int n;
		private final Semaphore mine, others;

		Stranger(String name, int n, Semaphore mine, Semaphore others) {
			super(name);
			this.n = n;
			this.mine = mine;
			this.others = others;
		}

		@Override
		public void run() {
			for (int i = 0; i < n; i++) {
				mine.acquireUninterruptibly();
				others.release();
			}
		}
	}

	public static void main(String[] args) throws Exception {
		int n = Integer.parseInt(args[0]);
		Semaphore one = new Semaphore(1), other = new Semaphore(0);
		Thread[] threads = { new Giver(n, Thread.currentThread()), new Stranger("stranger-1", n, one, other),
			new Stranger("stranger-2", n, other, one) };

		for (Thread t : threads)
			t.start();
		for (int i = 0; i < n; i++)
			await();
		for (Thread t : threads)
			t.join();
		System.out.println("done");
	}
}
