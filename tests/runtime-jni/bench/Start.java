import jweave.rt.Probe;

/** Hello World as the weaver leaves it. */
public class Start {
	public static void main(String[] args) {
		Probe.enter(1);
		try {
			System.out.println("Hello World");
			Probe.exit(1);
		} catch (Throwable e) {
			Probe.fail(1);
			throw e;
		}
	}
}
