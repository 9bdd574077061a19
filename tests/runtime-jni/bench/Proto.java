/** The natives of proto.c. */
public final class Proto {
	static {
		System.load(System.getProperty("proto"));
		open();
	}

	private static native void open();

	/** Of the function for FFM: 1 enter, 2 exit. */
	static native long address(int kind);

	public static native void enter(long id);

	public static native void exit(long id);
}
