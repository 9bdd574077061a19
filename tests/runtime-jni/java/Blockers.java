import java.util.concurrent.locks.LockSupport;
import jweave.rt.Probe;

/** Threads park for objects of several classes, one each. Says which: their identity, what the name of their class hashes to, that name. */
class Blockers {
	static class Größe {
	}

	public static void main(String[] args) throws InterruptedException {
		Runnable lambda = () -> {
		};
		Object[] all = { new Object(), new StringBuilder(), new int[1], new Blockers[0][], new Größe(), lambda, new Object() };

		for (Object o : all) {
			Thread parks = new Thread(() -> {
				Probe.enter(1);
				LockSupport.parkNanos(o, 1000000);
				Probe.exit(1);
			}, "parks");
			parks.start();
			parks.join();
		}
		for (Object o : all)
			System.out.println(System.identityHashCode(o) + " " + o.getClass().getName().hashCode() + " " + (o == lambda ? "lambda" : o.getClass().getTypeName()));
	}
}
