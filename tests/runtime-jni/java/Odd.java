import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import jweave.rt.Probe;

/** Parks in odd surroundings: threads that go, classes that are unloaded, stacks that are full, natives that others bind, too. */
public class Odd {
	public static class Blocker {
		/** Of a loader of its own, which goes with the class. */
		static Object of(Class<?> type) throws Exception {
			byte[] bytes = new byte[10000];
			int n = 0;
			try (InputStream in = Odd.class.getResourceAsStream("Odd$Blocker.class")) {
				for (int k; (k = in.read(bytes, n, bytes.length - n)) > 0;)
					n += k;
			}
			final int size = n;
			return new ClassLoader(null) {
				Class<?> define() {
					return defineClass("Odd$Blocker", bytes, 0, size);
				}
			}.define().getConstructor().newInstance();
		}
	}

	static boolean gone(WeakReference<?> ref) throws Exception {
		for (int i = 0; ref.get() != null && i < 50; i++) {
			System.gc();
			Thread.sleep(20);
		}
		return ref.get() == null;
	}

	static void park(Object blocker, int times) {
		Thread me = Thread.currentThread();
		Probe.enter(1);
		for (int i = 0; i < times; i++) {
			LockSupport.unpark(me);
			LockSupport.park(blocker);
		}
		Probe.exit(1);
	}

	static List<WeakReference<Thread>> threads(int n) throws Exception {
		List<WeakReference<Thread>> refs = new ArrayList<>();
		for (int i = 0; i < n; i++) {
			Thread t = new Thread(() -> park(new Object(), 3));
			t.start();
			t.join();
			refs.add(new WeakReference<>(t));
		}
		return refs;
	}

	static WeakReference<?> unload() throws Exception {
		Object blocker = Blocker.of(Blocker.class);
		Thread t = new Thread(() -> park(blocker, 100));
		t.start();
		t.join();
		park(blocker, 100); /* main goes on, without a reference of its own */
		return new WeakReference<>(blocker.getClass().getClassLoader());
	}

	static int depth, deepest;

	static void deep(Thread me) {
		deepest = Math.max(deepest, ++depth);
		try {
			LockSupport.unpark(me);
			LockSupport.park(me);
			deep(me);
		} finally {
			depth--;
		}
	}

	static boolean overflows() {
		try {
			deep(Thread.currentThread());
			return false;
		} catch (StackOverflowError e) {
			return depth == 0 && deepest > 100;
		}
	}

	static native void bind();

	/** How often the native that bind() bound was called. */
	static native int called();

	static void others(String library, boolean first) {
		if (!first)
			park(library, 1);
		System.load(library);
		bind();
		park(library, 1);
		int before = called();
		park(library, 10);
		System.out.println("theirs " + (called() - before));
	}

	public static void main(String[] args) throws Exception {
		if (args[0].equals("others")) {
			others(args[1], args[2].equals("first"));
			return;
		}
		park(args, 1);
		List<WeakReference<Thread>> refs = threads(500);
		int left = 0;
		for (WeakReference<Thread> ref : refs)
			left += gone(ref) ? 0 : 1;
		System.out.println("threads left " + left);
		System.out.println("unloaded " + gone(unload()));
		boolean[] over = new boolean[2];
		over[0] = overflows();
		Thread t = new Thread(null, () -> over[1] = overflows(), "small", 300000);
		t.start();
		t.join();
		System.out.println("overflow " + over[0] + " " + over[1]);
		AtomicInteger woken = new AtomicInteger();
		Thread waits = new Thread(() -> {
			Probe.enter(2);
			do // it may return for no reason: up to JDK 11 a permit of a thread that has ended may be left
				LockSupport.park();
			while (!Thread.currentThread().isInterrupted());
			woken.set(Thread.interrupted() ? 1 : 2);
			Probe.exit(2);
		}, "interrupted");
		waits.start();
		while (waits.getState() != Thread.State.WAITING)
			Thread.yield();
		waits.interrupt();
		waits.join();
		System.out.println("woken " + woken.get());
	}
}
