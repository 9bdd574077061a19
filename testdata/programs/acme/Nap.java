package acme;

/** Naps for 3 s, says how long that was as seen from inside and from outside, and is killed. */
public class Nap {
	static long inside;

	static void nap(long millis) throws InterruptedException {
		long begin = System.nanoTime();
		Thread.sleep(millis);
		inside = System.nanoTime() - begin;
	}

	static void doze(long millis) throws InterruptedException {
		Thread.sleep(millis);
	}

	public static void main(String[] args) throws Exception {
		doze(1); // probes and sleep are linked
		long begin = System.nanoTime();
		nap(3000);
		long outside = System.nanoTime() - begin;
		System.out.println("nap " + inside + " " + outside);
		System.out.flush();
		new ProcessBuilder("sh", "-c", "kill -9 " + ProcessHandle.current().pid()).start();
		Thread.sleep(60000);
	}
}
