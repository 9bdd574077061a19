package acme;

import java.lang.reflect.Method;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.*;
import java.util.stream.IntStream;

/**
 * Threads that park inside the JDK, and who lets them go on, where no call of the JDK is traced: W-NAME waits, K-NAME sees that
 * it does, lets MS pass and lets it go on. "freed NAME N": N arrows from K-NAME to W-NAME, and none else to W-NAME; "freed NAME 0":
 * nobody does. "pool NAME N": the tasks of W-NAME are run by K-NAME, a worker: N arrows from K-NAME to W-NAME, and only from W-NAME
 * to K-NAME.
 */
public class Freed {
	interface Act {
		void go(int k) throws Exception;
	}

	static final long MS = 2;

	static Thread make(String name, Act a) {
		return new Thread(() -> {
			try {
				a.go(0);
			} catch (Exception e) {
				throw new IllegalStateException(e);
			}
		}, name);
	}

	static void until(Thread t) {
		for (Thread.State s = t.getState(); s != Thread.State.WAITING && s != Thread.State.TIMED_WAITING; s = t.getState())
			Thread.onSpinWait();
		long end = System.nanoTime() + MS * 1000000;
		while (System.nanoTime() < end)
			Thread.onSpinWait();
	}

	static void freed(String name, int arrows, int rounds, Act wait, Act free) throws Exception {
		AtomicInteger got = new AtomicInteger();
		Thread w = make("W-" + name, z -> {
			for (int k = 0; k < rounds; k++) {
				wait.go(k);
				got.incrementAndGet();
			}
		});
		Thread f = make("K-" + name, z -> {
			for (int k = 0; k < rounds; k++) {
				while (got.get() != k)
					Thread.onSpinWait();
				until(w);
				free.go(k);
			}
		});
		w.start();
		f.start();
		w.join();
		f.join();
		System.out.println("freed " + name + " " + arrows);
	}

	/** K-NAME owns it until W-NAME, which is started then, waits for it. */
	static void owned(String name, int rounds, Act own, Act give, Act want) throws Exception {
		AtomicInteger owned = new AtomicInteger(), had = new AtomicInteger();
		Thread w = make("W-" + name, z -> {
			for (int k = 0; k < rounds; k++) {
				while (owned.get() == k)
					Thread.onSpinWait();
				want.go(k);
				had.incrementAndGet();
			}
		});
		Thread f = make("K-" + name, z -> {
			for (int k = 0; k < rounds; k++) {
				own.go(k);
				owned.incrementAndGet();
				until(w);
				give.go(k);
				while (had.get() == k)
					Thread.onSpinWait();
			}
		});
		w.start();
		f.start();
		w.join();
		f.join();
		System.out.println("freed " + name + " " + rounds);
	}

	interface Wait {
		void in(ExecutorService pool, Runnable task) throws Exception;
	}

	static void pool(String name, int rounds, ExecutorService pool, Wait wait) throws Exception {
		Thread[] w = new Thread[1];
		w[0] = make("W-" + name, z -> {
			for (int k = 0; k < rounds; k++)
				wait.in(pool, () -> until(w[0]));
		});
		w[0].start();
		w[0].join();
		System.out.println("pool " + name + " " + rounds);
		pool.shutdown();
		pool.awaitTermination(5, TimeUnit.SECONDS);
	}

	static ExecutorService one(String name) {
		return Executors.newFixedThreadPool(1, r -> new Thread(r, "K-" + name));
	}

	static ForkJoinPool forks(String name) {
		return new ForkJoinPool(1, p -> {
			ForkJoinWorkerThread t = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(p);
			t.setName("K-" + name);
			return t;
		}, null, false);
	}

	static void locks(int n) throws Exception {
		StampedLock s = new StampedLock();
		long[] stamp = new long[1];
		Act write = k -> stamp[0] = s.writeLock(), unwrite = k -> s.unlockWrite(stamp[0]);
		owned("stampedWW", n, write, unwrite, k -> s.unlockWrite(s.writeLock()));
		owned("stampedWR", n, write, unwrite, k -> s.unlockRead(s.readLock()));
		owned("stampedWT", n, write, unwrite, k -> s.unlockWrite(s.tryWriteLock(5, TimeUnit.SECONDS)));
		owned("stampedRW", n, k -> stamp[0] = s.readLock(), k -> s.unlockRead(stamp[0]), k -> s.unlockWrite(s.writeLock()));
		for (boolean fair : new boolean[] { false, true }) {
			ReentrantLock l = new ReentrantLock(fair);
			owned("lock" + fair, n, k -> l.lock(), k -> l.unlock(), k -> {
				l.lock();
				l.unlock();
			});
			ReentrantReadWriteLock rw = new ReentrantReadWriteLock(fair);
			owned("readers" + fair, n, k -> rw.writeLock().lock(), k -> rw.writeLock().unlock(), k -> {
				rw.readLock().lock();
				rw.readLock().unlock();
			});
		}
		Exchanger<Object> e = new Exchanger<>();
		freed("exchanger", n, n, k -> e.exchange(k), k -> e.exchange(k));
		Phaser p = new Phaser(2);
		freed("phaser", n, n, k -> p.arriveAndAwaitAdvance(), k -> p.arriveAndAwaitAdvance());
		CyclicBarrier b = new CyclicBarrier(2);
		freed("barrier", n, n, k -> b.await(), k -> b.await());
		Semaphore m = new Semaphore(0);
		freed("semaphore", n, n, k -> m.acquire(), k -> m.release());
	}

	static void queues(int n) throws Exception {
		ArrayBlockingQueue<Object> a = new ArrayBlockingQueue<>(1);
		a.put(0);
		freed("full", n, n, k -> a.put(k), k -> a.take());
		SynchronousQueue<Object> s = new SynchronousQueue<>();
		freed("synchronousPut", n, n, k -> s.put(k), k -> s.take());
		LinkedTransferQueue<Object> t = new LinkedTransferQueue<>();
		freed("transfer", n, n, k -> t.transfer(k), k -> t.take());
		freed("transferTake", n, n, k -> t.take(), k -> t.put(k));
	}

	@SuppressWarnings("unchecked")
	static void futures(int n) throws Exception {
		CompletableFuture<Integer>[] f = new CompletableFuture[n], g = new CompletableFuture[n];
		for (int k = 0; k < n; k++)
			f[k] = new CompletableFuture<>();
		freed("chain", n, n, k -> f[k].thenApply(x -> x + 1).thenCompose(x -> CompletableFuture.completedFuture(x * 2)).handle((x, e) -> x).join(),
				k -> f[k].complete(k));
		for (int k = 0; k < n; k++) {
			f[k] = new CompletableFuture<>();
			g[k] = new CompletableFuture<>();
		}
		freed("allOf", n, n, k -> CompletableFuture.allOf(f[k], g[k]).get(), k -> {
			f[k].complete(1);
			g[k].complete(2);
		});
		for (int k = 0; k < n; k++)
			f[k] = new CompletableFuture<>();
		freed("anyOf", n, n, k -> CompletableFuture.anyOf(f[k], new CompletableFuture<Integer>()).get(5, TimeUnit.SECONDS), k -> f[k].complete(1));
		freed("interrupt", 0, n, k -> {
			LockSupport.park();
			Thread.interrupted();
		}, k -> interrupt("W-interrupt"));
		freed("expire", 0, n, k -> LockSupport.parkNanos(20000000), k -> { });
	}

	static void interrupt(String name) {
		Thread[] all = new Thread[200];
		for (int i = Thread.enumerate(all); i-- > 0;)
			if (all[i].getName().equals(name))
				all[i].interrupt();
	}

	static void pools(int n) throws Exception {
		pool("submit", n, one("submit"), (x, task) -> x.submit(task).get());
		pool("execute", n, one("execute"), (x, task) -> {
			CountDownLatch done = new CountDownLatch(1);
			x.execute(() -> {
				task.run();
				done.countDown();
			});
			done.await();
		});
		pool("supply", n, one("supply"), (x, task) -> CompletableFuture.supplyAsync(() -> {
			task.run();
			return 1;
		}, x).thenApply(v -> v + 1).join());
		pool("fork", n, forks("fork"), (x, task) -> x.submit(task).get());
		pool("stream", n, forks("stream"), (x, task) -> x.submit(() -> IntStream.range(0, 1).parallel().forEach(i -> task.run())).get());
		ScheduledThreadPoolExecutor s = new ScheduledThreadPoolExecutor(1, r -> new Thread(r, "K-schedule"));
		pool("schedule", n, s, (x, task) -> ((ScheduledExecutorService) x).schedule(task, 1, TimeUnit.MILLISECONDS).get());
	}

	/** Needs 25 and --enable-preview. */
	static void scopes(int n) throws Exception {
		Class<?> type = Class.forName("java.util.concurrent.StructuredTaskScope");
		Method open = type.getMethod("open"), fork = type.getMethod("fork", Runnable.class), join = type.getMethod("join"), close = type.getMethod("close");
		Thread w = make("W-scope", z -> {
			Thread me = Thread.currentThread();
			for (int k = 0; k < n; k++) {
				Object scope = open.invoke(null);
				Runnable task = () -> until(me);
				fork.invoke(scope, task);
				join.invoke(scope);
				close.invoke(scope);
			}
		});
		w.start();
		w.join();
		System.out.println("scope " + n);
	}

	/** "late NAME NS": a worker that has waited for its first task, for NS at least, before it called anything traced. */
	static void late() throws Exception {
		Thread[] worker = new Thread[1];
		ThreadPoolExecutor x = new ThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(), r -> worker[0] = new Thread(r, "K-late"));
		x.prestartAllCoreThreads();
		until(worker[0]);
		x.submit(() -> worker[0].getName()).get();
		x.shutdown();
		System.out.println("late K-late " + MS * 1000000);
	}

	static Thread virtual(String name, Act a) throws Exception {
		Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
		Class<?> type = Class.forName("java.lang.Thread$Builder");
		builder = type.getMethod("name", String.class).invoke(builder, name);
		return (Thread) type.getMethod("start", Runnable.class).invoke(builder, (Runnable) () -> {
			try {
				a.go(0);
			} catch (Exception e) {
				throw new IllegalStateException(e);
			}
		});
	}

	/** "virtual NAME N NS": a virtual thread that has waited N times, for NS at least in all. */
	static void virtuals(int n) throws Exception {
		virtual("V-sleep", z -> {
			for (int k = 0; k < n; k++)
				Thread.sleep(10);
		}).join();
		System.out.println("virtual V-sleep " + n + " " + n * 10000000);
		Semaphore s = new Semaphore(0);
		Thread v = virtual("V-semaphore", z -> {
			for (int k = 0; k < n; k++)
				s.acquire();
		});
		for (int k = 0; k < n; k++) {
			until(v);
			s.release();
			while (s.availablePermits() > 0)
				Thread.onSpinWait();
		}
		v.join();
		System.out.println("virtual V-semaphore " + n + " " + n * MS * 1000000);
	}

	public static void main(String[] args) throws Exception {
		int n = Integer.parseInt(args[0]);

		locks(n);
		queues(n);
		futures(n);
		pools(n);
		late();
		if (args.length > 1) {
			scopes(n);
			virtuals(n);
		}
	}
}
