package acme;

import java.util.concurrent.CountDownLatch;

/**
 * Virtual threads come back from Object.wait(), each in a method of its own, and run on for MS milliseconds: nobody else has the
 * monitor when the time is over (expires), or they are interrupted (breaks); somebody has it (notified: to notify; taken: when the
 * time is over, for so long). Before that 80 others wait, as the first one does, all for objects of their own.
 */
public class Again {
	static void lone() {
		Object o = new Object();
		synchronized (o) {
			await(o, 1);
		}
	}

	static void await(Object o, int ms) {
		try {
			o.wait(ms);
		} catch (InterruptedException e) {
			// its monitor is there
		}
	}

	static void runOn(int ms) {
		long end = System.nanoTime() + ms * 1000000L;
		while (System.nanoTime() < end)
			Thread.onSpinWait();
	}

	static void expires(Object o, int ms) {
		synchronized (o) {
			await(o, 2);
		}
		runOn(ms);
	}

	static void breaks(Object o, int ms) {
		synchronized (o) {
			await(o, 0);
		}
		runOn(ms);
	}

	static void notified(Object o, int ms) {
		synchronized (o) {
			await(o, 0);
		}
		runOn(ms);
	}

	static void taken(Object o, int ms, CountDownLatch waits) {
		synchronized (o) {
			waits.countDown();
			await(o, 20);
		}
		runOn(ms);
	}

	static Thread start(String name, Runnable body) throws Exception {
		Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
		Class<?> type = Class.forName("java.lang.Thread$Builder");
		type.getMethod("name", String.class).invoke(builder, name);
		return (Thread) type.getMethod("start", Runnable.class).invoke(builder, body);
	}

	static void waits(Thread t) throws InterruptedException {
		while (t.getState() != Thread.State.WAITING)
			Thread.sleep(1);
	}

	public static void main(String[] args) throws Exception {
		int ms = Integer.parseInt(args[0]);
		Object o = new Object();

		Thread[] many = new Thread[80];
		for (int i = 0; i < many.length; i++)
			many[i] = start("lone", Again::lone);
		for (Thread t : many)
			t.join();

		start("expires", () -> expires(o, ms)).join();
		Thread t = start("breaks", () -> breaks(o, ms));
		waits(t);
		t.interrupt();
		t.join();
		t = start("notified", () -> notified(o, ms));
		waits(t);
		synchronized (o) {
			o.notify();
		}
		t.join();
		CountDownLatch waits = new CountDownLatch(1);
		t = start("taken", () -> taken(o, ms, waits));
		waits.await();
		synchronized (o) {
			Thread.sleep(ms);
		}
		t.join();
		System.out.println("done");
	}
}
