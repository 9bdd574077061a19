package acme;

import java.util.concurrent.ArrayBlockingQueue;

/** Runs whose slowest call and whose critical path are known: what takes the time sleeps MS in each step. */
public class Ways {
	static final Object lock = new Object();

	static void pause(long ms) {
		try {
			Thread.sleep(ms);
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	static void join(Thread... all) throws InterruptedException {
		for (Thread t : all)
			t.join();
	}

	static Thread start(String name, Runnable what) {
		Thread t = new Thread(what, name);
		t.start();
		return t;
	}

	/* Two stages with a queue between them: the first one takes MS for each item, the second one 5. */
	static void first(long ms) {
		pause(ms);
	}

	static void second() {
		pause(5);
	}

	static void stages(long ms) throws InterruptedException {
		ArrayBlockingQueue<Integer> queue = new ArrayBlockingQueue<>(2);
		int items = 8;
		Thread a = start("first", () -> {
			for (int i = 0; i < items; i++) {
				first(ms);
				put(queue, i);
			}
		});
		Thread b = start("second", () -> {
			for (int i = 0; i < items; i++) {
				take(queue);
				second();
			}
		});

		join(a, b);
	}

	static void put(ArrayBlockingQueue<Integer> queue, int item) {
		try {
			queue.put(item);
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	static int take(ArrayBlockingQueue<Integer> queue) {
		try {
			return queue.take();
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	/* Four threads need one lock for MS, three times each. */
	static void hold(long ms) {
		synchronized (lock) {
			pause(ms);
		}
	}

	static void convoy(long ms) throws InterruptedException {
		Thread[] all = new Thread[4];

		for (int t = 0; t < all.length; t++)
			all[t] = start("convoy-" + t, () -> {
				for (int i = 0; i < 3; i++)
					hold(ms);
			});
		join(all);
	}

	/* Four parts of 20 ms, and a fifth one of MS. */
	static void part() {
		pause(20);
	}

	static void straggler(long ms) {
		pause(ms);
	}

	static void fork(long ms) throws InterruptedException {
		Thread[] all = new Thread[5];

		for (int t = 0; t < all.length; t++) {
			boolean late = t == 2;
			all[t] = start("part-" + t, () -> {
				if (late)
					straggler(ms);
				else
					part();
			});
		}
		join(all);
	}

	/* A thousand calls, one of which takes MS. */
	static void step(int i, long ms) {
		if (i == 617)
			pause(ms);
	}

	static void delayed(long ms) {
		for (int i = 0; i < 1000; i++)
			step(i, ms);
	}

	/* Somebody has the lock for MS that a request needs. */
	static void request() {
		synchronized (lock) {
			part();
		}
	}

	static void holder(long ms) throws InterruptedException {
		Thread t = start("holder", () -> hold(ms));

		pause(20);
		request();
		t.join();
	}

	public static void main(String[] args) throws InterruptedException {
		long ms = Long.parseLong(args[1]);

		switch (args[0]) {
		case "stages":
			stages(ms);
			break;
		case "convoy":
			convoy(ms);
			break;
		case "fork":
			fork(ms);
			break;
		case "delayed":
			delayed(ms);
			break;
		default:
			holder(ms);
		}
		System.out.println("done");
	}
}
