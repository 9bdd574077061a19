import java.io.File;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.CyclicBarrier;

/** Payloads in loaders that know nothing of each other: one after the other, at once, or collected. */
public class Loaders {
	static Method payload(String jar) throws Exception {
		ClassLoader loader = new URLClassLoader(new URL[] { new File(jar).toURI().toURL() }, null);
		return loader.loadClass("Payload").getMethod("run", int.class, int.class);
	}

	static Thread start(final String jar, final int id, final CyclicBarrier barrier) throws Exception {
		final Method run = payload(jar);
		Thread t = new Thread("loader-" + id) {
			public void run() {
				try {
					if (barrier != null)
						barrier.await();
					run.invoke(null, id, 1000);
				} catch (Exception e) {
					e.printStackTrace();
				}
			}
		};
		t.start();
		return t;
	}

	public static void main(String[] args) throws Exception {
		CyclicBarrier barrier = args[0].equals("race") ? new CyclicBarrier(args.length - 1) : null;
		Thread[] all = new Thread[args.length];
		for (int i = 1; i < args.length; i++) {
			all[i] = start(args[i], i, barrier);
			if (barrier == null)
				all[i].join();
			for (int k = 0; k < 5 && args[0].equals("collect"); k++) {
				all[i] = null;
				System.gc();
				Thread.sleep(20);
			}
		}
		for (Thread t : all)
			if (t != null)
				t.join();
		System.out.println("done");
	}
}
