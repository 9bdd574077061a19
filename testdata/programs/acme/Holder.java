package acme;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One thread has a monitor for MS milliseconds, three want it: two in a synchronized method, one in a block. With an argument
 * "virtual" it is a ReentrantLock, and virtual threads want it: one of these has it, or with "carriers" a thread of the system.
 * With "convoy" five threads have a monitor for so long, one after another. With "deadlock" two of them wait for each other for so long,
 * and the program ends; with "monitors" two threads do, with
 * "virtual-monitors" two virtual ones, with "half-virtual-monitors" one of each kind. With "again" a virtual thread is interrupted while it waits, and cannot have
 * its monitor back for MS milliseconds. With "joined" a virtual thread sleeps so long, which another virtual one joins, and then
 * one of the system. With "ends" two threads join each other, and the program ends.
 */
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

	static final ReentrantLock LOCK = new ReentrantLock();

	static void locked(int ms) throws InterruptedException {
		LOCK.lock();
		try {
			if (ms > 0)
				Thread.sleep(ms);
		} finally {
			LOCK.unlock();
		}
	}

	interface Body {
		void run() throws InterruptedException;
	}

	static Runnable of(Body body) {
		return () -> {
			try {
				body.run();
			} catch (InterruptedException e) {
				throw new IllegalStateException(e);
			}
		};
	}

	static Thread start(String name, Body body) {
		Thread t = new Thread(of(body), name);
		t.start();
		return t;
	}

	static Thread startVirtual(String name, Body body) throws Exception {
		Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
		Class<?> type = Class.forName("java.lang.Thread$Builder");
		type.getMethod("name", String.class).invoke(builder, name);
		return (Thread) type.getMethod("start", Runnable.class).invoke(builder, of(body));
	}

	static void locks(int ms, boolean virtual) throws Exception {
		Body hold = () -> locked(ms), want = () -> locked(0);
		Thread owner = virtual ? startVirtual("owner", hold) : start("owner", hold);
		while (owner.getState() != Thread.State.TIMED_WAITING)
			Thread.sleep(1);
		for (Thread t : new Thread[] { startVirtual("wanter 1", want), startVirtual("wanter 2", want), owner })
			t.join();
	}

	static void both(ReentrantLock first, ReentrantLock then, CountDownLatch met) throws InterruptedException {
		first.lock();
		met.countDown();
		met.await();
		then.lock();
	}

	static void deadlock(int ms) throws Exception {
		ReentrantLock one = new ReentrantLock(), other = new ReentrantLock();
		CountDownLatch met = new CountDownLatch(2);
		startVirtual("left", () -> both(one, other, met));
		startVirtual("right", () -> both(other, one, met));
		met.await();
		Thread.sleep(ms);
		System.out.println("done");
		System.exit(0);
	}

	static void bothEntered(Object first, Object then, CountDownLatch met) throws InterruptedException {
		synchronized (first) {
			met.countDown();
			met.await();
			synchronized (then) {
				met.countDown();
			}
		}
	}

	static void monitors(int ms, boolean virtual, boolean half) throws Exception {
		Object one = new Object(), other = new Object();
		CountDownLatch met = new CountDownLatch(2);
		Body left = () -> bothEntered(one, other, met), right = () -> bothEntered(other, one, met);
		for (boolean first : new boolean[] { true, false }) {
			if (virtual && !(half && first))
				startVirtual(first ? "left" : "right", first ? left : right);
			else
				start(first ? "left" : "right", first ? left : right);
		}
		met.await();
		Thread.sleep(ms);
		System.out.println("done");
		System.exit(0);
	}

	static void ends(int ms) throws Exception {
		Thread[] both = new Thread[2];
		CountDownLatch go = new CountDownLatch(1);
		for (int i = 0; i < both.length; i++) {
			int other = 1 - i;
			both[i] = start(i == 0 ? "left" : "right", () -> {
				go.await();
				both[other].join();
			});
		}
		go.countDown();
		Thread.sleep(ms);
		System.out.println("done");
		System.exit(0);
	}

	static void joined(int ms) throws Exception {
		CountDownLatch go = new CountDownLatch(1);
		Thread sleeper = startVirtual("sleeper", () -> {
			go.await();
			Thread.sleep(ms);
		});
		Thread first = startVirtual("joiner 1", () -> sleeper.join());
		while (first.getState() != Thread.State.WAITING)
			Thread.sleep(1);
		Thread then = start("joiner 2", () -> sleeper.join());
		while (then.getState() != Thread.State.WAITING)
			Thread.sleep(1);
		go.countDown();
		for (Thread t : new Thread[] { first, then })
			t.join();
	}

	static void waits(Object monitor) {
		synchronized (monitor) {
			try {
				monitor.wait();
			} catch (InterruptedException e) {
				Thread.currentThread().interrupt();
			}
		}
	}

	static void again(int ms) throws Exception {
		Object monitor = new Object();
		Thread waiter = startVirtual("waiter", () -> waits(monitor));
		while (waiter.getState() != Thread.State.WAITING)
			Thread.sleep(1);
		Thread owner = start("owner", () -> {
			synchronized (monitor) {
				waiter.interrupt();
				Thread.sleep(ms);
			}
		});
		for (Thread t : new Thread[] { waiter, owner })
			t.join();
	}

	static void convoy(int ms) throws InterruptedException {
		Thread[] all = new Thread[5];
		for (int i = 0; i < all.length; i++)
			all[i] = start("turn " + i, () -> guarded(ms));
		for (Thread t : all)
			t.join();
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

	public static void main(String[] args) throws Exception {
		int ms = Integer.parseInt(args[0]);
		Thread[] all = new Thread[4];

		if (args.length > 1 && args[1].equals("deadlock"))
			deadlock(ms);
		if (args.length > 1 && args[1].endsWith("monitors"))
			monitors(ms, !args[1].startsWith("m"), args[1].startsWith("half"));
		if (args.length > 1 && args[1].equals("again")) {
			again(ms);
			System.out.println("done");
			return;
		}
		if (args.length > 1 && args[1].equals("ends"))
			ends(ms);
		if (args.length > 1 && args[1].equals("joined")) {
			joined(ms);
			System.out.println("done");
			return;
		}
		if (args.length > 1 && args[1].equals("convoy")) {
			convoy(ms);
			System.out.println("done");
			return;
		}
		if (args.length > 1) {
			locks(ms, args[1].equals("virtual"));
			System.out.println("done");
			return;
		}

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
