package jweave.rt.boot1;

/**
 * The one class of the runtime in the boot loader, where every copy of Probe can find it. Its bytes
 * are carried inside the library, which defines it when it is loaded first and binds its native.
 * The package names the version of the binary interface: it is frozen, a change makes boot2.
 */
public final class Anchor {
	private Anchor() {
	}

	/**
	 * Binds the natives of PROBE (enter0, exit0, fail0: long to void) and sets its static int
	 * field "bound" to 1 (recording) or 2 (not); reads its static String field "place" (the
	 * archive it came from, or null).
	 */
	public static native void register(Class<?> probe);
}
