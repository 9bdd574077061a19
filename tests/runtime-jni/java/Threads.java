import jweave.rt.Probe;
import java.util.concurrent.CountDownLatch;

/** Threads: many short ones, many alive at once, renamed ones, ones that log at their very end. */
public class Threads {
	static void pair(long id) {
		Probe.enter(id);
		Probe.exit(id);
	}

	static void shortLived(int n) throws Exception {
		pair(0); /* so that the recording is older than the first of them */
		for (int i = 0; i < n; i++) {
			final int me = i;
			Thread t = new Thread("short-" + i) {
				public void run() {
					pair(me);
				}
			};
			t.start();
			t.join();
		}
	}

	static void alive(int n) throws Exception {
		final CountDownLatch up = new CountDownLatch(n), go = new CountDownLatch(1);
		Thread[] all = new Thread[n];
		for (int i = 0; i < n; i++) {
			final int me = i;
			all[i] = new Thread(null, new Runnable() {
				public void run() {
					pair(me);
					up.countDown();
					try {
						go.await();
					} catch (InterruptedException e) {
						return;
					}
					pair(me);
				}
			}, "alive-" + i, 128 * 1024);
			all[i].start();
		}
		up.await();
		go.countDown();
		for (Thread t : all)
			t.join();
	}

	static void renamed() throws Exception {
		Thread t = new Thread("before") {
			public void run() {
				pair(1);
				setName("after");
			}
		};
		t.start();
		t.join();
		Thread odd = new Thread("tab\there \u00e9\ud83d\ude00 \u0000 \\") {
			public void run() {
				pair(2);
			}
		};
		odd.start();
		odd.join();
		pair(3);
		Thread.currentThread().setName("main at the end");
	}

	/** A worker of a pool, whose tasks name it and fill windows. */
	static void pool() throws Exception {
		java.util.concurrent.ExecutorService pool = java.util.concurrent.Executors.newFixedThreadPool(1);
		for (int task = 1; task <= 2; task++) {
			final String name = "task [" + task + "]";
			final boolean first = task == 1;
			pool.submit(new Runnable() {
				public void run() {
					if (first)
						pair(4); /* under its first name */
					Thread.currentThread().setName(name);
					for (int window = 0; window < 5; window++) { /* not at once: names are looked at now and then */
						for (int k = 0; k < 2100; k++)
							pair(5);
						java.util.concurrent.locks.LockSupport.parkNanos(20000000);
					}
					Thread.currentThread().setName("(idle)");
				}
			}).get();
		}
		pool.shutdown();
		pool.awaitTermination(1, java.util.concurrent.TimeUnit.MINUTES);
	}

	static void busy(int threads, final int pairs) throws Exception {
		Thread[] all = new Thread[threads];
		for (int i = 0; i < threads; i++) {
			all[i] = new Thread("busy-" + i) {
				public void run() {
					for (int k = 0; k < pairs; k++)
						pair(k);
				}
			};
			all[i].start();
		}
		for (Thread t : all)
			t.join();
	}

	/** On 21 and later, through reflection: this file is compiled for 8. */
	static void virtual(int n) throws Exception {
		java.lang.reflect.Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
		final CountDownLatch done = new CountDownLatch(n);
		for (int i = 0; i < n; i++)
			start.invoke(null, new Runnable() {
				public void run() {
					Probe.enter(5);
					Thread.yield();
					try {
						Thread.sleep(1);
					} catch (InterruptedException e) {
						/* goes on */
					}
					Probe.exit(5);
					done.countDown();
				}
			});
		done.await();
		pair(6);
	}

	/** On 21 and later: all alive at once, each with a name. */
	static void named(int n) throws Exception {
		final CountDownLatch up = new CountDownLatch(n);
		Thread[] all = new Thread[n];
		Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
		Class<?> type = Class.forName("java.lang.Thread$Builder");
		for (int i = 0; i < n; i++) {
			type.getMethod("name", String.class).invoke(builder, "named-" + i);
			all[i] = (Thread) type.getMethod("start", Runnable.class).invoke(builder, new Runnable() {
				public void run() {
					Probe.enter(7);
					up.countDown();
					try {
						up.await();
					} catch (InterruptedException e) {
						return;
					}
					Probe.exit(7);
				}
			});
		}
		for (Thread t : all)
			t.join();
	}

	static void nap(boolean sleeps) {
		Probe.enter(9);
		Thread.yield(); /* no wait */
		if (sleeps) {
			try {
				Thread.sleep(5);
			} catch (InterruptedException e) {
				return;
			}
		} else {
			java.util.concurrent.locks.LockSupport.parkNanos(5000000);
		}
		Probe.exit(9);
	}

	/* Half of them sleep, the others park with a time limit. */
	static void nappers(int n) throws Exception {
		java.lang.reflect.Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
		for (int i = 0; i < n; i++) {
			final boolean sleeps = i % 2 == 0;
			((Thread) start.invoke(null, new Runnable() {
				public void run() {
					nap(sleeps);
				}
			})).join();
		}
	}

	/* The VM calls what initializes a class: a virtual thread that waits there cannot leave its carrier. */
	static class Initialized {
		static {
			for (int i = 0; i < 20; i++)
				nap(i >= 10); /* who has slept does not park the next time: so says the JDK */
		}

		static void run() {
		}
	}

	/* Naps as those of nappers(), of a virtual thread that is pinned. */
	static void pinned() throws Exception {
		java.lang.reflect.Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
		((Thread) start.invoke(null, new Runnable() {
			public void run() {
				Initialized.run();
			}
		})).join();
	}

	/** A byte to and fro, N times: each waits where the other one has not written yet. Then a wait for a lock. */
	static void talk(java.net.Socket s, int n, boolean asks) throws Exception {
		Probe.enter(11);
		for (int i = 0; i < n; i++) {
			if (asks) {
				Thread.sleep(5);
				s.getOutputStream().write(i);
			}
			if (s.getInputStream().read() < 0)
				throw new IllegalStateException();
			if (!asks)
				s.getOutputStream().write(i);
		}
		java.util.concurrent.locks.LockSupport.parkNanos(5000000);
		Probe.exit(11);
		s.close();
	}

	/** On 21 and later: two virtual threads, of which one has accepted a connection from the other. */
	static void talkers(final int n) throws Exception {
		java.lang.reflect.Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
		pair(10); /* so that the recording is older than the connection */
		java.net.ServerSocket server = new java.net.ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress());
		java.net.Socket[] ends = { new java.net.Socket(server.getInetAddress(), server.getLocalPort()), server.accept() };
		Thread[] all = new Thread[2];
		for (int i = 0; i < 2; i++) {
			final java.net.Socket s = ends[i];
			final boolean asks = i == 0;
			all[i] = (Thread) start.invoke(null, new Runnable() {
				public void run() {
					try {
						talk(s, n, asks);
					} catch (Exception e) {
						e.printStackTrace();
					}
				}
			});
		}
		for (Thread t : all)
			t.join();
		server.close();
	}

	static void queue(int n) throws Exception {
		java.lang.reflect.Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
		for (int i = 0; i < n; i++) {
			((Thread) start.invoke(null, new Runnable() {
				public void run() {
					pair(8);
				}
			})).join();
			/* the end of a virtual thread is told after join() returns */
			Thread.sleep(1);
		}
	}

	static void spin(long millis) {
		java.lang.management.ThreadMXBean times = java.lang.management.ManagementFactory.getThreadMXBean();
		long until = times.getCurrentThreadCpuTime() + millis * 1000000;

		while (times.getCurrentThreadCpuTime() < until)
			;
	}

	/** A main that has worked for long when recording begins. */
	static void late() {
		spin(1000);
		pair(1);
		spin(200);
		pair(2);
	}

	public static void main(String[] args) throws Exception {
		int n = args.length > 1 ? Integer.parseInt(args[1]) : 0;
		if (args[0].equals("short"))
			shortLived(n);
		if (args[0].equals("alive"))
			alive(n);
		if (args[0].equals("renamed"))
			renamed();
		if (args[0].equals("pool"))
			pool();
		if (args[0].equals("busy"))
			busy(n, Integer.parseInt(args[2]));
		if (args[0].equals("virtual"))
			virtual(n);
		if (args[0].equals("named"))
			named(n);
		if (args[0].equals("queue"))
			queue(n);
		if (args[0].equals("nappers"))
			nappers(n);
		if (args[0].equals("pinned"))
			pinned();
		if (args[0].equals("talkers"))
			talkers(n);
		if (args[0].equals("late"))
			late();
		if (args[0].equals("hello")) {
			pair(1);
			System.out.println("hello");
		}
	}
}
