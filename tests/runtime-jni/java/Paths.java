import java.io.BufferedReader;
import java.io.File;
import java.io.FileReader;
import java.util.concurrent.CountDownLatch;
import jweave.rt.Probe;

/** Every kind of probe, the same calls whichever way they go: natives, FFM. */
public class Paths {
	static void once(long id, Object o) {
		Probe.enter(id);
		Probe.object(o);
		Probe.value(id * 3);
		Probe.number(7);
		Probe.length("four");
		Probe.text(null);
		Probe.exit(id);
		Probe.enter(id);
		Probe.fail(id);
	}

	static boolean prepared() throws Exception {
		for (File f : new File(".").listFiles()) {
			if (!f.getName().endsWith(".jwr"))
				continue;
			BufferedReader in = new BufferedReader(new FileReader(new File(f, "meta")));
			for (String line; (line = in.readLine()) != null;)
				if (line.startsWith("probes\t"))
					return true;
			in.close();
		}
		return false;
	}

	/** Pairs on N threads, virtual ones if they are asked for. */
	static void busy(int n, final int pairs, boolean virtual) throws Exception {
		final CountDownLatch done = new CountDownLatch(n);
		for (int i = 0; i < n; i++) {
			final int me = i;
			Runnable work = new Runnable() {
				public void run() {
					for (int k = 0; k < pairs; k++) {
						Probe.enter(me);
						if (k % 1000 == 500)
							Thread.yield();
						Probe.exit(me);
					}
					done.countDown();
				}
			};
			if (virtual)
				Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work);
			else
				new Thread(work, "busy-" + i).start();
		}
		done.await();
	}

	public static void main(String[] args) throws Exception {
		Probe.enter(1);
		/* "ffm": until the recording says that it is ready; half a minute at most */
		for (int i = 0; args[0].equals("ffm") && !prepared(); i++) {
			if (i == 3000)
				throw new IllegalStateException("no FFM");
			Thread.sleep(10);
		}
		Probe.exit(1);
		for (int i = 0; i < Integer.parseInt(args[1]); i++)
			once(i, "object");
		busy(2, 30000, false);
		if (args.length > 2)
			busy(20, 3000, true);
		System.out.println(System.identityHashCode("object") + " " + String.class.getName().hashCode());
	}
}
