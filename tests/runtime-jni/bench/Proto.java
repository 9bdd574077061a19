/** The natives of proto.c. */
public final class Proto {
	static {
		System.load(System.getProperty("proto"));
		open();
	}

	private static native void open();

	public static native void enter(long id);

	public static native void exit(long id);
}
