package jweave.rt;

/**
 * What probes by number call where the runtime is left to the class path: whose numbers they are, only
 * a class of the archive's own can know. The weaver gives each archive its copy.
 */
public final class Numbered {
	/** See Probe. */
	private static final long IDS = 0x6a77656176653130L;

	private Numbered() {
	}

	/** enter */
	public static void Code(int number) {
		Probe.enter(IDS + number);
	}

	/** exit */
	public static void StackMapTable(int number) {
		Probe.exit(IDS + number);
	}

	/** fail */
	public static void LineNumberTable(int number) {
		Probe.fail(IDS + number);
	}
}
