package acme;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Kinds N: kinds of the program's own of what threads wait at: subclasses, whose methods call super or each other, also
 * through bridges. Each is waited at N times, and each wait is ended by somebody: "arrows TAG THREAD N", "calls THREAD N WHAT",
 * "wrote N BYTES" by main.
 */
public class Kinds {
	static int n;
	static volatile int begun; // waits, of the thread at hand

	static class Queue extends LinkedBlockingQueue<String> {
		@Override
		public boolean offer(String s) {
			return super.offer(s);
		}

		@Override
		public void put(String s) throws InterruptedException {
			super.put(s);
		}

		@Override
		public String take() throws InterruptedException {
			return super.take();
		}

		@Override
		public String poll(long time, TimeUnit unit) throws InterruptedException {
			return super.poll(time, unit);
		}
	}

	static class Mutex extends ReentrantLock {
		@Override
		public void lock() {
			enter();
		}

		private void enter() {
			super.lock();
		}

		@Override
		public boolean tryLock() {
			try {
				return tryLock(9, TimeUnit.SECONDS);
			} catch (InterruptedException e) {
				return false;
			}
		}

		@Override
		public void unlock() {
			leave();
		}

		private void leave() {
			super.unlock();
		}
	}

	static class Spin implements Lock {
		private final AtomicBoolean held = new AtomicBoolean();

		@Override
		public void lock() {
			while (!tryLock())
				pause();
		}

		/** Spins without a call that is traced: half a million of them would say no more than a hundred. */
		private void pause() {
			Thread.onSpinWait();
			for (int i = 0; i < 100_000 && held.get(); i++)
				;
		}

		@Override
		public void lockInterruptibly() {
			lock();
		}

		@Override
		public boolean tryLock() {
			return held.compareAndSet(false, true);
		}

		@Override
		public boolean tryLock(long time, TimeUnit unit) {
			return tryLock();
		}

		@Override
		public void unlock() {
			held.set(false);
		}

		@Override
		public Condition newCondition() {
			throw new UnsupportedOperationException();
		}
	}

	static class Permits extends Semaphore {
		Permits() {
			super(0);
		}

		@Override
		public void acquire() throws InterruptedException {
			acquire(1);
		}

		@Override
		public void release() {
			release(1);
		}
	}

	static class Latch extends CountDownLatch {
		Latch() {
			super(1);
		}

		@Override
		public void await() throws InterruptedException {
			await(9, TimeUnit.SECONDS);
		}
	}

	static class Meeting extends Phaser {
		Meeting() {
			super(2);
		}

		@Override
		public int arriveAndAwaitAdvance() {
			return awaitAdvance(arrive());
		}
	}

	static class Barrier extends CyclicBarrier {
		Barrier() {
			super(2);
		}

		@Override
		public int await() {
			try {
				return await(9, TimeUnit.SECONDS);
			} catch (Exception e) {
				throw new IllegalStateException(e);
			}
		}
	}

	static class Swap extends Exchanger<String> {
		@Override
		public String exchange(String s) throws InterruptedException {
			return super.exchange(s);
		}
	}

	static class Promise extends CompletableFuture<String> {
		@Override
		public boolean complete(String s) {
			return super.complete(s);
		}

		@Override
		public String get() throws InterruptedException, ExecutionException {
			return super.get();
		}
	}

	static class Nap implements Callable<String> {
		@Override
		public String call() {
			return nap();
		}
	}

	static class Job implements Runnable {
		@Override
		public void run() {
			nap();
		}
	}

	static class Chore extends Job {
		@Override
		public void run() {
			super.run();
		}
	}

	static class Pool extends ThreadPoolExecutor {
		static Thread thread;

		Pool() {
			super(1, 1, 1, TimeUnit.MINUTES, new LinkedTransferQueue<>(), r -> thread = new Thread(r, "pooled"));
		}

		/** Not by shutdown() alone, in which who calls it may have to wait for the worker's lock. */
		void end() throws InterruptedException {
			setKeepAliveTime(1, TimeUnit.MILLISECONDS);
			allowCoreThreadTimeOut(true);
			thread.join();
			shutdown();
		}

		@Override
		public void execute(Runnable r) {
			hand(r);
		}

		private void hand(Runnable r) {
			super.execute(r);
		}

		@Override
		public <T> Future<T> submit(Callable<T> c) {
			return pass(c);
		}

		private <T> Future<T> pass(Callable<T> c) {
			return super.submit(c);
		}
	}

	/** One thread that runs what it is given. */
	static class Worker extends AbstractExecutorService {
		private final BlockingQueue<Runnable> tasks = new LinkedTransferQueue<>(); // has no lock that who adds might wait for
		final Thread thread = new Thread(this::work, "worked");

		private void work() {
			try {
				while (true)
					tasks.take().run();
			} catch (InterruptedException e) {
				// told to stop
			}
		}

		@Override
		public void execute(Runnable r) {
			tasks.add(r);
		}

		@Override
		public void shutdown() {
			thread.interrupt();
		}

		@Override
		public List<Runnable> shutdownNow() {
			shutdown();
			return List.of();
		}

		@Override
		public boolean isShutdown() {
			return false;
		}

		@Override
		public boolean isTerminated() {
			return false;
		}

		@Override
		public boolean awaitTermination(long time, TimeUnit unit) {
			return true;
		}
	}

	static class Sleeper extends Thread {
		Sleeper() {
			super("sleeper");
		}

		@Override
		public void start() {
			begin();
		}

		private void begin() {
			super.start();
		}

		@Override
		public void interrupt() {
			wake();
		}

		private void wake() {
			super.interrupt();
		}

		@Override
		public void run() {
			try {
				Thread.sleep(9000);
			} catch (InterruptedException e) {
				// as it should
			}
		}
	}

	/** Passes on, one by one or as they come. */
	static class Passing extends FilterOutputStream {
		Passing(OutputStream out) {
			super(out);
		}

		@Override
		public void write(byte[] b) throws IOException {
			write(b, 0, b.length);
		}

		@Override
		public void write(byte[] b, int from, int n) throws IOException {
			out.write(b, from, n);
		}
	}

	/** Fails after the first half. */
	static class Failing extends Passing {
		Failing(OutputStream out) {
			super(out);
		}

		@Override
		public void write(byte[] b) throws IOException {
			write(b, 0, b.length / 2);
			throw new IOException("half of it");
		}
	}

	static void pass() throws IOException {
		OutputStream out = new Passing(new Passing(OutputStream.nullOutputStream()));
		for (int i = 0; i < n; i++) {
			out.write(7);
			out.write(new byte[100]);
			out.write(new byte[100], 10, 20);
		}
		out = new Failing(OutputStream.nullOutputStream());
		try {
			out.write(new byte[100]);
		} catch (IOException e) {
			System.out.println("wrote " + (3 * n + 1) + " " + (121 * n + 50));
		}
	}

	interface Step {
		void run() throws Exception;
	}

	static String nap() {
		try {
			Thread.sleep(5);
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
		return "slept";
	}

	/** Comes back when T is in its wait I, which it may spend spinning. */
	static void isWaiting(Thread t, int i, boolean spins) throws InterruptedException {
		while (begun <= i)
			Thread.sleep(1);
		while (!spins && t.getState() == Thread.State.RUNNABLE)
			Thread.sleep(1);
		Thread.sleep(10);
	}

	/** N times WAITS in a thread NAME, which is to do WHAT, and a while after each has begun, WAKES in this one. */
	static void play(int tag, String name, String what, Step waits, Step wakes) throws Exception {
		Thread t = new Thread(() -> {
			try {
				for (int i = 0; i < n; i++) {
					begun = i + 1;
					waits.run();
				}
			} catch (Exception e) {
				throw new IllegalStateException(e);
			}
		}, name);

		begun = 0;
		t.start();
		for (int i = 0; i < n; i++) {
			isWaiting(t, i, false);
			wakes.run();
		}
		t.join();
		System.out.println("arrows " + tag + " " + name + " " + n);
		System.out.println("calls " + name + " " + n + " " + what);
	}

	/** The same for a lock: the other one has it first. */
	static void hold(String name, String what, Lock lock, Step takes) throws Exception {
		Semaphore turn = new Semaphore(0), done = new Semaphore(0);
		Thread t = new Thread(() -> {
			try {
				for (int i = 0; i < n; i++) {
					turn.acquire();
					begun = i + 1;
					takes.run();
					lock.unlock();
					done.release();
				}
			} catch (Exception e) {
				throw new IllegalStateException(e);
			}
		}, name);

		begun = 0;
		t.start();
		for (int i = 0; i < n; i++) {
			lock.lock();
			turn.release();
			isWaiting(t, i, lock instanceof Spin);
			lock.unlock();
			done.acquire();
		}
		t.join();
		System.out.println("arrows 503 " + name + " " + n);
		System.out.println("calls " + name + " " + n + " " + what);
	}

	public static void main(String[] args) throws Exception {
		n = Integer.parseInt(args[0]);
		Queue queue = new Queue();
		BlockingQueue<String> face = queue;
		play(801, "take", "take", queue::take, () -> queue.put("a"));
		play(801, "own-take", "take", () -> queue.take(), () -> queue.put("a"));
		play(801, "face-take", "take", () -> face.take(), () -> face.put("b"));
		play(801, "face-poll", "take", () -> face.poll(9, TimeUnit.SECONDS), () -> face.offer("c"));
		Mutex mutex = new Mutex();
		hold("mutex", "lock", mutex, () -> mutex.lock());
		hold("try", "tryLock", mutex, () -> mutex.tryLock());
		Spin spin = new Spin();
		hold("spin", "lock", spin, () -> spin.lock());
		hold("interruptibly", "lock", spin, () -> spin.lockInterruptibly());
		Permits permits = new Permits();
		play(702, "permits", "Semaphore.acquire", () -> permits.acquire(), () -> permits.release());
		Latch[] latch = new Latch[n];
		int[] at = new int[2];
		for (int i = 0; i < n; i++)
			latch[i] = new Latch();
		play(703, "latch", "await", () -> latch[at[0]++].await(), () -> latch[at[1]++].countDown());
		Meeting meeting = new Meeting();
		play(708, "phaser", "Phaser.arriveAndAwaitAdvance", () -> meeting.arriveAndAwaitAdvance(), () -> meeting.arriveAndAwaitAdvance());
		Barrier barrier = new Barrier();
		play(705, "barrier", "CyclicBarrier.await", () -> barrier.await(), () -> barrier.await());
		Swap swap = new Swap();
		Exchanger<String> any = swap;
		play(706, "swap", "Exchanger.exchange", () -> any.exchange("a"), () -> swap.exchange("b"));
		Promise[] promise = new Promise[n];
		int[] to = new int[2];
		for (int i = 0; i < n; i++)
			promise[i] = new Promise();
		play(205, "promise", "get", () -> ((Future<String>) promise[to[0]++]).get(), () -> promise[to[1]++].complete("done"));

		Pool pool = new Pool();
		for (int i = 0; i < n; i++) {
			pool.execute(new Chore());
			pool.submit(new Nap()).get();
		}
		pool.end();
		System.out.println("arrows 201 pooled " + 2 * n);
		Worker worker = new Worker();
		worker.thread.start();
		for (int i = 0; i < n; i++) {
			worker.execute(new Chore());
			worker.submit(new Nap()).get();
		}
		worker.shutdown();
		worker.thread.join();
		System.out.println("arrows 201 worked " + 2 * n);
		System.out.println("arrows 202 main " + 2 * n);
		for (int i = 0; i < n; i++) {
			Sleeper sleeper = new Sleeper();
			sleeper.start();
			while (sleeper.getState() != Thread.State.TIMED_WAITING)
				Thread.sleep(1);
			sleeper.interrupt();
			sleeper.join();
		}
		pass();
		System.out.println("arrows 101 sleeper " + n);
		System.out.println("arrows 105 sleeper " + n);
	}
}
