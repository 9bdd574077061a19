import jweave.rt.Probe;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Logs N pairs of call 5 in each of two threads, says "ready", does what the first argument names, logs again. */
public class Hazards {
	static void calls(final int n) throws Exception {
		Thread[] threads = new Thread[2];
		for (int t = 0; t < 2; t++) {
			threads[t] = new Thread("caller " + t) {
				public void run() {
					for (int i = 0; i < n; i++) {
						Probe.enter(5);
						Probe.exit(5);
					}
				}
			};
			threads[t].start();
		}
		for (Thread t : threads)
			t.join();
	}

	static int run(String... command) throws Exception {
		return new ProcessBuilder(command).inheritIO().start().waitFor();
	}

	static native int fork(int status);

	/** Opens files until there are no more, and closes them. */
	static void eatFiles() {
		List<FileInputStream> all = new ArrayList<FileInputStream>();
		try {
			for (int i = 0; i < 100000; i++)
				all.add(new FileInputStream("/dev/null"));
		} catch (IOException e) {
			System.out.println("no more files");
		}
		try {
			calls(1000);
			for (FileInputStream f : all)
				f.close();
		} catch (Exception e) {
			System.out.println(e);
		}
	}

	public static void main(String[] args) throws Exception {
		int n = Integer.parseInt(args[1]);
		Probe.enter(1);
		calls(n);
		System.out.println("ready");
		System.out.flush();
		if (args[0].equals("wait"))
			for (int i = 0; i < 1000 && !new File("go").exists(); i++)
				Thread.sleep(5);
		if (args[0].equals("files"))
			eatFiles();
		if (args[0].equals("child"))
			System.out.println("child " + run(args[2], "-cp", System.getProperty("java.class.path"), "Hazards", "none", "" + n)
					+ " " + run("sh", "-c", "exit 7"));
		if (args[0].equals("fork")) {
			System.load(args[2]);
			System.out.println("fork " + fork(9));
		}
		calls(n);
		System.out.println("done");
		Probe.exit(1);
		System.exit(6);
	}
}
