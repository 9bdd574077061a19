import jweave.rt.Probe;

/** Called by threads that native code attaches (attach.c). */
public class Attach {
	static native void run(int threads, int times);

	static void pair(long id) {
		Probe.enter(id);
		Probe.exit(id);
	}

	public static void main(String[] args) {
		System.load(args[0]);
		pair(999999);
		run(Integer.parseInt(args[1]), Integer.parseInt(args[2]));
	}
}
