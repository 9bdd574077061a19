import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What it costs to trace calls that nobody waits in: locks, queues and synchronized blocks that one thread alone uses.
 * Nanoseconds of thread CPU time per call, medians of interleaved rounds: as it is (Plain), with so many events of the
 * prototype as are recorded, which is the floor (Floor), and woven by jweave (Woven). CALLS ROUNDS.
 */
public class Uncontended {
	static final long ID = 0x123456789a0001L;
	static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();
	static final ReentrantLock lock = new ReentrantLock();
	static final BlockingQueue<Object> queue = new ArrayBlockingQueue<>(16);
	static final Object monitor = new Object();
	static int count;

	static final class Plain {
		static void lock(int n) {
			for (int i = 0; i < n; i++) {
				lock.lock();
				count++;
				lock.unlock();
			}
		}

		static void queue(int n) throws InterruptedException {
			for (int i = 0; i < n; i++) {
				queue.put(monitor);
				queue.take();
			}
		}

		static void block(int n) {
			for (int i = 0; i < n; i++)
				synchronized (monitor) {
					count++;
				}
		}
	}

	/** The same code, that jweave weaves. */
	static final class Woven {
		static void lock(int n) {
			for (int i = 0; i < n; i++) {
				lock.lock();
				count++;
				lock.unlock();
			}
		}

		static void queue(int n) throws InterruptedException {
			for (int i = 0; i < n; i++) {
				queue.put(monitor);
				queue.take();
			}
		}

		static void block(int n) {
			for (int i = 0; i < n; i++)
				synchronized (monitor) {
					count++;
				}
		}
	}

	/** Two events before each call, one after it; at the end of a block, three before it. */
	static final class Floor {
		static void lock(int n) {
			for (int i = 0; i < n; i++) {
				Proto.enter(ID);
				Proto.enter(ID);
				lock.lock();
				Proto.exit(ID);
				count++;
				Proto.enter(ID);
				Proto.enter(ID);
				lock.unlock();
				Proto.exit(ID);
			}
		}

		static void queue(int n) throws InterruptedException {
			for (int i = 0; i < n; i++) {
				Proto.enter(ID);
				Proto.enter(ID);
				queue.put(monitor);
				Proto.exit(ID);
				Proto.enter(ID);
				Proto.enter(ID);
				queue.take();
				Proto.exit(ID);
			}
		}

		static void block(int n) {
			for (int i = 0; i < n; i++) {
				Proto.enter(ID);
				Proto.enter(ID);
				synchronized (monitor) {
					Proto.exit(ID);
					count++;
					Proto.enter(ID);
					Proto.enter(ID);
					Proto.exit(ID);
				}
			}
		}
	}

	static void run(String what, int n) throws InterruptedException {
		switch (what) {
		case "LockPlain": Plain.lock(n); break;
		case "LockFloor": Floor.lock(n); break;
		case "LockWoven": Woven.lock(n); break;
		case "QueuePlain": Plain.queue(n); break;
		case "QueueFloor": Floor.queue(n); break;
		case "QueueWoven": Woven.queue(n); break;
		case "BlockPlain": Plain.block(n); break;
		case "BlockFloor": Floor.block(n); break;
		case "BlockWoven": Woven.block(n); break;
		default: throw new IllegalArgumentException(what);
		}
	}

	static double once(String what, int calls) throws InterruptedException {
		long before = CPU.getCurrentThreadCpuTime();
		run(what, calls);
		return (CPU.getCurrentThreadCpuTime() - before) / (double) calls;
	}

	public static void main(String[] args) throws Exception {
		int calls = Integer.parseInt(args[0]), rounds = Integer.parseInt(args[1]);
		for (String of : new String[] { "Lock", "Queue", "Block" }) {
			String[] ways = { of + "Plain", of + "Floor", of + "Woven" };
			double[][] got = new double[ways.length][rounds];
			for (int k = 0; k < 40; k++)
				for (String way : ways)
					once(way, calls / 40);
			for (int r = 0; r < rounds; r++)
				for (int w = 0; w < ways.length; w++)
					got[w][r] = once(ways[w], calls);
			for (int w = 0; w < ways.length; w++) {
				Arrays.sort(got[w]);
				System.out.println(ways[w] + " " + got[w][rounds / 2]);
			}
		}
	}
}
