import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import jweave.rt.Probe;

/**
 * What a wait takes, in a program that has called a traced method on each thread and calls none any more: two threads that
 * pass an item to and fro (synchronous, transfer, array), a lock that nobody else wants (lock), a park that need not wait
 * (permit). KIND ROUNDS: prints picoseconds a round, the median of five.
 */
public class Handover {
	interface Rounds {
		void play(int n) throws Exception;
	}

	static BlockingQueue<Object> queue(String kind) {
		switch (kind) {
		case "synchronous":
			return new SynchronousQueue<>();
		case "transfer":
			return new LinkedTransferQueue<>();
		default:
			return new ArrayBlockingQueue<>(1);
		}
	}

	static void sendBack(BlockingQueue<Object> from, BlockingQueue<Object> to, int n) {
		Probe.enter(2);
		Probe.exit(2);
		try {
			for (int i = 0; i < n; i++)
				to.put(from.take());
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	static void pass(String kind, int n) throws Exception {
		BlockingQueue<Object> there = queue(kind), back = queue(kind);
		Thread other = new Thread(() -> sendBack(there, back, n), "other");
		other.start();
		for (int i = 0; i < n; i++) {
			there.put(kind);
			back.take();
		}
		other.join();
	}

	static int count;

	static void lock(int n) {
		ReentrantLock lock = new ReentrantLock();
		for (int i = 0; i < n; i++) {
			lock.lock();
			count++;
			lock.unlock();
		}
	}

	static void permit(int n) {
		Thread me = Thread.currentThread();
		for (int i = 0; i < n; i++) {
			LockSupport.unpark(me);
			LockSupport.park(me);
		}
	}

	public static void main(String[] args) throws Exception {
		String kind = args[0];
		int n = Integer.parseInt(args[1]);
		Rounds rounds = kind.equals("lock") ? Handover::lock : kind.equals("permit") ? Handover::permit : k -> pass(kind, k);
		long[] ps = new long[5];
		Probe.enter(1);
		Probe.exit(1);
		rounds.play(n);
		for (int i = 0; i < ps.length; i++) {
			long begin = System.nanoTime();
			rounds.play(n);
			ps[i] = (System.nanoTime() - begin) * 1000 / n;
		}
		java.util.Arrays.sort(ps);
		System.out.println(ps[ps.length / 2]);
	}
}
