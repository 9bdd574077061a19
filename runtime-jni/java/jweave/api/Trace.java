package jweave.api;

/**
 * What a program may tell its own trace: regions ({@link Region}), events of its own, pauses.
 *
 * Programs compile against jweave-rt.jar and run with it, woven or not. Where tracing is off (JWEAVE=off),
 * or there is no runtime (these classes alone were packed into the program), every method does nothing.
 * None of them ever throws, whatever becomes of the recording.
 */
public final class Trace {
	/** Event types of programs are 1 to this; above are Extrae's and jweave's own. */
	public static final int MAX_TYPE = 39999999;

	/** Set by the library when it binds this class: 1 recording, 2 not; 0 before. */
	private static int bound;
	/** As in Probe, for the library: this class has no method map. */
	private static String place;

	/** Has this class looked for a recording? One that begins later finds this class (trace_api.c). */
	private static volatile boolean asked;

	private Trace() {
	}

	/** Is there a recording, paused or not? */
	public static boolean isOn() {
		return on();
	}

	/** A region begins in this thread: the same as Region.of(name).begin(). */
	public static void begin(String name) {
		Region.of(name).begin();
	}

	/** It ends. Regions nest; one that is not open is left out of the trace, and counted. */
	public static void end(String name) {
		Region.of(name).end();
	}

	/**
	 * An event of this thread, now: VALUE of TYPE, as Paraver shows it (0 usually means that something has
	 * ended). Types from 1 to MAX_TYPE, values from 0 to 2^53; anything else is left out.
	 */
	public static void event(int type, long value) {
		if (on() && isType(type) && value >= 0 && value <= 1L << 53)
			event0(type, value);
	}

	/** What TYPE is called. The first label stays. */
	public static void label(int type, String label) {
		if (label != null && isType(type) && on())
			label0(type, -1, label);
	}

	/** What VALUE (0 to 2^31 - 1) of TYPE is called. The first label stays. */
	public static void label(int type, long value, String label) {
		if (label != null && isType(type) && value >= 0 && value <= Integer.MAX_VALUE && on())
			label0(type, value, label);
	}

	/** Pauses recording, of all threads, until resume(). */
	public static void pause() {
		if (on())
			pause0(true);
	}

	/** Goes on with it; also where JWEAVE_START=paused, or jweave ctl, had paused it. */
	public static void resume() {
		if (on())
			pause0(false);
	}

	/** What this thread has logged is in the file of the recording when this returns. */
	public static void flush() {
		if (on())
			flush0();
	}

	private static boolean isType(int type) {
		return type > 0 && type <= MAX_TYPE;
	}

	static boolean on() {
		return bound == 1 || bound == 0 && !asked && ask();
	}

	/** The id of a region; 0: not known. */
	static long region(String name) {
		return region0(name);
	}

	static void enter(long id) {
		enter0(id);
	}

	static void exit(long id) {
		exit0(id);
	}

	/**
	 * Once, and by the first method rather than by the initialiser: the library, when it looks for
	 * this class in the middle of that, must not have to wait for it. A runtime may well come later,
	 * with the first woven method: it has nothing to ask then.
	 */
	private static synchronized boolean ask() {
		try {
			if (!asked && !isOff() && start())
				Class.forName("jweave.rt.boot1.Anchor", true, null).getMethod("register", Class.class)
						.invoke(null, Trace.class);
			if (bound == 1)
				region0(null);
		} catch (UnsatisfiedLinkError e) {
			bound = 2; /* an older library knows nothing of this class */
		} catch (Throwable e) {
			/* no runtime, or none yet: one that is just beginning finds this class */
		} finally {
			asked = true;
		}
		return bound == 1;
	}

	private static boolean isOff() {
		int on = flag(System.getProperty("jweave"));
		return (on < 0 ? flag(System.getenv("JWEAVE")) : on) == 0;
	}

	/** As in Probe, which need not be there. */
	private static int flag(String word) {
		String[] words = { "0", "1", "off", "on", "false", "true", "no", "yes" };
		for (int i = 0; i < words.length; i++) {
			if (words[i].equalsIgnoreCase(word))
				return i % 2;
		}
		return -1;
	}

	/** False: a runtime was found, and does not work; it has said so. */
	private static boolean start() {
		try {
			return jweave.rt.Probe.isOn();
		} catch (NoClassDefFoundError e) {
			return true; /* it may be there all the same, with woven code */
		}
	}

	private static native void enter0(long id);

	private static native void exit0(long id);

	private static native void fail0(long id);

	private static native long region0(String name);

	private static native void event0(int type, long value);

	private static native void label0(int type, long value, String label);

	private static native void pause0(boolean pause);

	private static native void flush0();
}
