import jweave.rt.Probe;
import java.util.ArrayList;
import java.util.List;

/** Logs N numbered pairs in a frame of its own, then ends in the way that the first argument names. */
public class Endings {
	static void pairs(int n) {
		for (int i = 0; i < n; i++) {
			Probe.enter(1000 + i);
			Probe.exit(1000 + i);
		}
	}

	static void ready() throws Exception {
		System.out.println("ready");
		System.out.flush();
		Thread.sleep(60000);
	}

	static void daemon() throws Exception {
		Thread t = new Thread("chatty") {
			public void run() {
				for (int i = 0;; i++) {
					Probe.enter(7);
					Probe.exit(7);
				}
			}
		};
		t.setDaemon(true);
		t.start();
		Thread.sleep(200);
	}

	static void eat() {
		List<long[]> all = new ArrayList<long[]>();
		for (;;)
			all.add(new long[1 << 20]);
	}

	static void segv() throws Exception {
		java.lang.reflect.Field f = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
		f.setAccessible(true);
		((sun.misc.Unsafe) f.get(null)).putAddress(8, 1);
	}

	public static void main(String[] args) throws Exception {
		String how = args[0];
		Probe.enter(1);
		pairs(Integer.parseInt(args[1]));
		if (how.equals("exit"))
			System.exit(3);
		if (how.equals("halt"))
			Runtime.getRuntime().halt(4);
		if (how.equals("uncaught"))
			throw new IllegalStateException("uncaught on purpose");
		if (how.equals("signal"))
			ready();
		if (how.equals("oom"))
			eat();
		if (how.equals("segv"))
			segv();
		if (how.equals("daemon"))
			daemon();
		if (how.equals("hook"))
			Runtime.getRuntime().addShutdownHook(new Thread("hook") {
				public void run() {
					Probe.enter(8);
					Probe.exit(8);
				}
			});
		Probe.exit(1);
	}
}
