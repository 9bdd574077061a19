import jweave.rt.Probe;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits inside the JDK, one after another, nothing by chance: the thread "waits" parks in each round until main, which
 * has seen it wait, unparks it; then parks for a while in vain, is interrupted, sleeps, and is interrupted in its sleep.
 */
public class Taps {
	static volatile int gone, seen;
	static final Object blocker = new Object();

	static void waits(int rounds) {
		Probe.enter(1);
		for (int i = 1; i <= rounds; i++) {
			while (gone < i)
				LockSupport.park(blocker);
			seen = i;
		}
		LockSupport.parkNanos(1000000);
		while (!Thread.currentThread().isInterrupted())
			LockSupport.park();
		System.out.println("interrupted " + Thread.interrupted());
		try {
			Thread.sleep(1);
			gone++;
			Thread.sleep(60000);
		} catch (InterruptedException e) {
			System.out.println("woken " + (Thread.currentThread().isInterrupted() ? "with the flag" : e.getMessage()));
		}
		Probe.exit(1);
	}

	static void until(Thread t, Thread.State state) throws Exception {
		for (int i = 0; t.getState() != state && i < 100000; i++)
			Thread.yield();
	}

	/** Eight threads that park at the same place, for the first time at once, and again. */
	static void together() throws Exception {
		Thread[] all = new Thread[8];
		java.util.concurrent.atomic.AtomicInteger here = new java.util.concurrent.atomic.AtomicInteger();
		for (int i = 0; i < all.length; i++) {
			all[i] = new Thread(() -> {
				Probe.enter(1);
				here.incrementAndGet();
				while (here.get() < all.length)
					Thread.yield();
				for (int k = 0; k < 20; k++)
					LockSupport.parkNanos(10000);
				Probe.exit(1);
			}, "together " + i);
			all[i].start();
		}
		for (Thread t : all)
			t.join();
	}

	/** Parks that return at once, and between two halves of them one that takes a while. */
	static void storm(int parks) throws Exception {
		final Thread me = Thread.currentThread();
		Thread t = new Thread(() -> {
			Probe.enter(3);
			try {
				until(me, Thread.State.WAITING);
				Thread.sleep(100);
			} catch (Exception e) {
				throw new IllegalStateException(e);
			}
			gone = 1;
			LockSupport.unpark(me);
			Probe.exit(3);
		}, "unparks");
		Probe.enter(2);
		for (int i = 0; i < parks; i++) {
			if (i == parks / 2)
				t.start();
			while (i == parks / 2 && gone == 0)
				LockSupport.park(blocker);
			LockSupport.unpark(me);
			LockSupport.park(me);
		}
		t.join();
		Probe.exit(2);
	}

	/** By reflection: 17 has none. */
	static Thread startVirtual(Runnable body, String name) throws Exception {
		Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
		Class<?> of = Class.forName("java.lang.Thread$Builder");
		of.getMethod("name", String.class).invoke(builder, name);
		return (Thread) of.getMethod("start", Runnable.class).invoke(builder, body);
	}

	/** Eight threads, maybe virtual ones, that wait for short, each {@code parks} times; then one that stays. */
	static void shortly(int parks, boolean virtual) throws Exception {
		java.util.concurrent.atomic.AtomicLong waited = new java.util.concurrent.atomic.AtomicLong();
		Thread[] all = new Thread[8];
		for (int i = 0; i < all.length; i++) {
			Runnable body = () -> {
				long ns = 0;
				Probe.enter(1);
				for (int k = 0; k < parks; k++) {
					long before = System.nanoTime();
					LockSupport.parkNanos(1000);
					ns += System.nanoTime() - before;
				}
				Probe.exit(1);
				waited.addAndGet(ns);
			};
			if (virtual) {
				all[i] = startVirtual(body, "short " + i);
			} else {
				all[i] = new Thread(body, "short " + i);
				all[i].start();
			}
		}
		for (Thread t : all)
			t.join();
		Thread stays = new Thread(() -> {
			Probe.enter(1);
			for (;;)
				LockSupport.park(waited);
		}, "stays");
		stays.setDaemon(true);
		stays.start();
		until(stays, Thread.State.WAITING);
		System.out.println(waited.get());
	}

	static void gives(BlockingQueue<String> queue) throws Exception {
		if (queue instanceof LinkedTransferQueue)
			((LinkedTransferQueue<String>) queue).tryTransfer("b", 5, TimeUnit.MILLISECONDS);
		else
			queue.offer("b", 5, TimeUnit.MILLISECONDS);
	}

	static void takes(BlockingQueue<String> queue) throws Exception {
		Probe.enter(2); // at the same depth, for the same object it would be where it was before
		queue.clear();
		queue.poll(5, TimeUnit.MILLISECONDS);
		Probe.exit(2);
	}

	/** In vain, all of it: of each kind of queue one that is full, or from which nobody takes, and then is empty. */
	static void queues() throws Exception {
		Probe.enter(1);
		for (BlockingQueue<String> queue : Arrays.<BlockingQueue<String>>asList(new ArrayBlockingQueue<>(1), new LinkedBlockingQueue<>(1),
				new LinkedBlockingDeque<>(1), new SynchronousQueue<>(), new LinkedTransferQueue<>())) {
			queue.offer("a");
			gives(queue);
			takes(queue);
		}
		Probe.exit(1);
	}

	/* at two lines by turns, for the same, as deep in its calls, in less time than a place is kept */
	static void turns(int rounds) throws Exception {
		Probe.enter(1);
		for (int i = 0; i < rounds; i++) {
			LockSupport.parkNanos(Taps.class, 100000);
			LockSupport.parkNanos(Taps.class, 100000);
		}
		for (int i = 0; i < rounds; i++) {
			Thread.sleep(1);
			Thread.sleep(1);
		}
		Probe.exit(1);
	}

	public static void main(String[] args) throws Exception {
		if (args[0].equals("turns")) {
			turns(Integer.parseInt(args[1]));
			return;
		}
		if (args[0].equals("queues")) {
			queues();
			return;
		}
		if (args[0].equals("shortly")) {
			shortly(Integer.parseInt(args[1]), args.length > 2);
			return;
		}
		if (args[0].equals("reads")) {
			Probe.enter(1);
			System.out.println(new ProcessBuilder("sleep", "0.2").start().getInputStream().read());
			Probe.exit(1);
			return;
		}
		if (args[0].equals("together")) {
			together();
			return;
		}
		if (args.length > 1) {
			storm(Integer.parseInt(args[1]));
			return;
		}
		final int rounds = Integer.parseInt(args[0]);
		Probe.enter(2);
		Thread t = new Thread(() -> waits(rounds), "waits");
		t.start();
		for (int i = 1; i <= rounds; i++) {
			while (seen < i - 1)
				Thread.yield();
			until(t, Thread.State.WAITING);
			gone = i;
			LockSupport.unpark(t);
		}
		while (seen < rounds)
			Thread.yield();
		until(t, Thread.State.WAITING);
		t.interrupt();
		while (gone == rounds)
			Thread.yield();
		until(t, Thread.State.TIMED_WAITING);
		t.interrupt();
		t.join();
		/* this one never logs: nothing is told of it */
		Thread stranger = new Thread(() -> LockSupport.parkNanos(1000000), "stranger");
		stranger.start();
		stranger.join();
		System.out.println("blocker " + System.identityHashCode(blocker) + " " + Object.class.getName().hashCode());
		System.out.println("thread " + t.getId());
		Probe.exit(2);
	}
}
