package acme;

/** One thread has a lock for MS milliseconds, three want it: two in a synchronized method, one in a block. */
public class Holder {
	static synchronized void guarded(int ms) throws InterruptedException {
		Thread.sleep(ms);
	}

	static void hold(int ms) throws InterruptedException {
		guarded(ms);
	}

	static void block() {
		synchronized (Holder.class) {
			Thread.yield();
		}
	}

	static void want(boolean method) throws InterruptedException {
		if (method)
			guarded(0);
		else
			block();
	}

	interface Body {
		void run() throws InterruptedException;
	}

	static Thread start(String name, Body body) {
		Thread t = new Thread(() -> {
			try {
				body.run();
			} catch (InterruptedException e) {
				throw new IllegalStateException(e);
			}
		}, name);
		t.start();
		return t;
	}

	/** Does no thread stay that is not the program's or the VM's? System.exit() would wait for it. */
	static boolean isAlone() throws InterruptedException {
		for (int i = 0; i < 100; i++) {
			if (Thread.getAllStackTraces().keySet().stream().noneMatch(t -> t.getName().equals("jweave")))
				return true;
			Thread.sleep(20);
		}
		return false;
	}

	public static void main(String[] args) throws InterruptedException {
		int ms = Integer.parseInt(args[0]);
		Thread[] all = new Thread[4];

		all[0] = start("owner", () -> hold(ms));
		while (all[0].getState() != Thread.State.TIMED_WAITING)
			Thread.sleep(1);
		for (int i = 1; i < all.length; i++) {
			boolean method = i < 3;
			all[i] = start("wanter " + i, () -> want(method));
		}
		for (Thread t : all)
			t.join();
		System.out.println(isAlone() ? "done" : "another thread stays");
	}
}
