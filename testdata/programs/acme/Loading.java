package acme;

/** One thread has a class loaded, which takes MS milliseconds; two want the same class of the same loader, and wait for its lock. */
public class Loading {
	static class Slow extends ClassLoader {
		private int ms;

		Slow(int ms) {
			super(null);
			this.ms = ms;
		}

		@Override
		protected Class<?> findClass(String name) throws ClassNotFoundException {
			int sleep = ms;
			ms = 0;
			try {
				Thread.sleep(sleep);
			} catch (InterruptedException e) {
				throw new IllegalStateException(e);
			}
			throw new ClassNotFoundException(name);
		}
	}

	static void load(ClassLoader loader) {
		try {
			loader.loadClass("no.Such");
			throw new IllegalStateException();
		} catch (ClassNotFoundException e) {
			// there is none
		}
	}

	public static void main(String[] args) throws InterruptedException {
		Slow loader = new Slow(Integer.parseInt(args[0]));
		Thread[] all = new Thread[3];

		for (int i = 0; i < all.length; i++) {
			all[i] = new Thread(() -> load(loader), i == 0 ? "owner" : "wanter " + i);
			all[i].start();
			while (i == 0 && all[0].getState() != Thread.State.TIMED_WAITING)
				Thread.sleep(1);
		}
		for (Thread t : all)
			t.join();
		System.out.println("done");
	}
}
