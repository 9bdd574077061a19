package acme;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Has threads of the JDK do what they are there for, each half a second after it began to wait. */
public final class Idle {
	private static final int MS = 500;

	private Idle() {
	}

	private static void later(Runnable what) {
		Thread t = new Thread(() -> {
			try {
				Thread.sleep(MS);
			} catch (InterruptedException e) {
				return;
			}
			what.run();
		}, "later");

		t.setDaemon(true);
		t.start();
	}

	static void watch(Path folder) throws Exception {
		try (WatchService service = FileSystems.getDefault().newWatchService()) {
			folder.register(service, StandardWatchEventKinds.ENTRY_CREATE);
			later(() -> {
				try {
					Files.createFile(folder.resolve("file"));
				} catch (java.io.IOException e) {
					e.printStackTrace();
				}
			});
			service.take();
		}
	}

	static void process() throws Exception {
		new ProcessBuilder("sleep", "0.5").start().waitFor();
	}

	static void references() throws Exception {
		ReferenceQueue<Object> queue = new ReferenceQueue<>();
		WeakReference<Object> reference = new WeakReference<>(new Object(), queue);

		System.gc();
		Thread.sleep(MS);
		System.gc();
		if (queue.remove() != reference)
			throw new IllegalStateException();
	}

	/** From JDK 24 on a virtual thread that is blocked gives its carrier back. */
	static void monitor() throws Exception {
		Object monitor = new Object();
		Thread virtual;

		synchronized (monitor) {
			virtual = (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, (Runnable) () -> {
				synchronized (monitor) {
					monitor.notifyAll();
				}
			});
			Thread.sleep(MS);
		}
		virtual.join();
	}

	/** A worker wakes 2,000 times, and calls nothing that is traced, before it lets this thread go on. */
	static void schedule() throws Exception {
		CountDownLatch latch = new CountDownLatch(2000);
		ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(1);

		scheduler.scheduleAtFixedRate(latch::countDown, 0, 400, TimeUnit.MICROSECONDS);
		latch.await();
		scheduler.shutdownNow();
	}

	public static void main(String[] args) throws Exception {
		schedule();
		watch(Path.of(args[0]));
		process();
		references();
		if (Runtime.version().feature() >= 24)
			monitor();
		System.out.println("done");
	}
}
