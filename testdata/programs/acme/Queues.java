package acme;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TransferQueue;

/**
 * Hands over by a queue: two threads that put and two that take, N items each. In the first half those that take are slow
 * (the queue is full), in the second half the others. Then a pool of two workers has tasks with pauses between.
 */
public class Queues {
	static BlockingQueue<Integer> queue(String kind) {
		switch (kind) {
		case "array":
			return new ArrayBlockingQueue<>(2);
		case "transfer":
			return new LinkedTransferQueue<>();
		default:
			return new SynchronousQueue<>();
		}
	}

	static void put(BlockingQueue<Integer> q, int item) throws InterruptedException {
		if (q instanceof TransferQueue)
			((TransferQueue<Integer>) q).transfer(item);
		else
			q.put(item);
	}

	static void slowly() throws InterruptedException {
		Thread.sleep(0, 200000);
	}

	static void puts(BlockingQueue<Integer> q, int n) {
		try {
			for (int i = 0; i < n; i++) {
				if (i >= n / 2)
					slowly();
				put(q, i);
			}
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	static void takes(BlockingQueue<Integer> q, int n) {
		try {
			for (int i = 0; i < n; i++) {
				if (i < n / 2)
					slowly();
				q.take();
			}
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	static void task() {
		Count.hit("task");
	}

	public static void main(String[] args) throws Exception {
		final BlockingQueue<Integer> q = queue(args[0]);
		final int n = Integer.parseInt(args[1]);
		Thread[] all = new Thread[4];
		for (int i = 0; i < 4; i++) {
			final boolean gives = i < 2;
			all[i] = new Thread(() -> {
				if (gives)
					puts(q, n);
				else
					takes(q, n);
			}, (gives ? "P-" : "C-") + i % 2);
			all[i].start();
		}
		for (Thread t : all)
			t.join();
		ExecutorService pool = Executors.newFixedThreadPool(2);
		for (int i = 0; i < 10; i++) {
			pool.submit(Queues::task).get();
			Thread.sleep(2);
		}
		pool.shutdown();
		System.out.println("done");
	}
}
