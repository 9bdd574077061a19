package acme;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.Supplier;

/**
 * Two threads that take turns, by whatever there is to wait by: W-NAME waits, K-NAME sees that it does, lets MS pass and
 * wakes it. "pong TAG NAME N": so many arrows of that tag from K-NAME to W-NAME, no other but those of their starts, and so
 * many waits of MS at least. "task NAME N M": N arrows 201 from G-NAME to P-NAME, which runs tasks, and M arrows 202 back.
 * "held TAG NAME N": so many from H-NAME, which holds a lock, to L-NAME, which gets it.
 */
@SuppressWarnings("unchecked")
public class Pong {
    interface Act { void go(int k) throws Exception; }

    static final long MS = 3;
    /** Who hands over has to wait for it already, on a busy machine, too. */
    static final long TASK = 25;

    static Thread make(String name, Act a) throws Exception {
        Runnable r = () -> { try { a.go(0); } catch (Exception e) { e.printStackTrace(); } };
        return new Thread(r, name);
    }

    /** A waiter and a waker; ROUNDS arrows of TAG (0: none of any). */
    static void pong(String name, int tag, int rounds, Act wait, Act wake) throws Exception {
        AtomicInteger got = new AtomicInteger();
        Thread w = make("W-" + name, z -> {
            for (int k = 0; k < rounds; k++) {
                wait.go(k);
                got.incrementAndGet();
            }
        });
        Thread waker = make("K-" + name, z -> {
            for (int k = 0; k < rounds; k++) {
                while (got.get() != k)
                    ;
                while (!Count.waits(w))
                    ;
                long until = System.nanoTime() + MS * 1000000;
                while (System.nanoTime() < until)
                    ;
                wake.go(k);
            }
        });
        w.start();
        waker.start();
        w.join();
        waker.join();
        System.out.println("pong " + tag + " " + name + " " + rounds);
    }

    static volatile Object shared;

    static void monitors(int n) throws Exception {
        Object m = new Object();
        pong("notify", 302, n, k -> { synchronized (m) { m.wait(); } }, k -> { synchronized (m) { m.notify(); } });
        pong("notifyAll", 303, n, k -> { synchronized (m) { m.wait(); } }, k -> { synchronized (m) { m.notifyAll(); } });
        pong("waitL", 302, n, k -> { synchronized (m) { m.wait(5000); } }, k -> { synchronized (m) { m.notify(); } });
        pong("waitLI", 303, n, k -> { synchronized (m) { m.wait(5000, 7); } }, k -> { synchronized (m) { m.notifyAll(); } });
        pong("waitOnClass", 302, n, k -> { synchronized (Pong.class) { Pong.class.wait(); } }, k -> { synchronized (Pong.class) { Pong.class.notify(); } });
        int[] array = new int[3];
        pong("waitOnArray", 302, n, k -> { synchronized (array) { array.wait(); } }, k -> { synchronized (array) { array.notify(); } });
    }

    static void parks(int n) throws Exception {
        Thread[] w = new Thread[1];
        Act un = k -> LockSupport.unpark(w[0]);
        Act me = k -> { };
        pong("park", 402, n, k -> { w[0] = Thread.currentThread(); LockSupport.park(); }, un);
        pong("parkB", 402, n, k -> { w[0] = Thread.currentThread(); LockSupport.park(w); }, un);
        pong("parkN", 402, n, k -> { w[0] = Thread.currentThread(); LockSupport.parkNanos(5000000000L); }, un);
        pong("parkBN", 402, n, k -> { w[0] = Thread.currentThread(); LockSupport.parkNanos(w, 5000000000L); }, un);
        pong("parkU", 402, n, k -> { w[0] = Thread.currentThread(); LockSupport.parkUntil(System.currentTimeMillis() + 5000); }, un);
        pong("parkBU", 402, n, k -> { w[0] = Thread.currentThread(); LockSupport.parkUntil(w, System.currentTimeMillis() + 5000); }, un);
    }

    static void conditions(int n) throws Exception {
        ReentrantLock lock = new ReentrantLock();
        ReentrantReadWriteLock rw = new ReentrantReadWriteLock(true);
        for (Lock l : new Lock[] { lock, rw.writeLock() }) {
            String s = l == lock ? "" : "RW";
            Condition c = l.newCondition();
            Act signal = k -> { l.lock(); try { c.signal(); } finally { l.unlock(); } };
            Act all = k -> { l.lock(); try { c.signalAll(); } finally { l.unlock(); } };
            pong("await" + s, 602, n, k -> { l.lock(); try { c.await(); } finally { l.unlock(); } }, signal);
            pong("awaitAll" + s, 603, n, k -> { l.lock(); try { c.await(); } finally { l.unlock(); } }, all);
            pong("awaitUn" + s, 602, n, k -> { l.lock(); try { c.awaitUninterruptibly(); } finally { l.unlock(); } }, signal);
            pong("awaitNs" + s, 602, n, k -> { l.lock(); try { c.awaitNanos(5000000000L); } finally { l.unlock(); } }, signal);
            pong("awaitT" + s, 602, n, k -> { l.lock(); try { c.await(5, TimeUnit.SECONDS); } finally { l.unlock(); } }, signal);
            pong("awaitD" + s, 603, n, k -> { l.lock(); try { c.awaitUntil(new Date(System.currentTimeMillis() + 5000)); } finally { l.unlock(); } }, all);
        }
    }

    static void synchronizers(int n) throws Exception {
        CountDownLatch[] l = new CountDownLatch[n];
        for (int i = 0; i < n; i++) l[i] = new CountDownLatch(1);
        pong("latch", 703, n, k -> l[k].await(), k -> l[k].countDown());
        CountDownLatch[] l2 = new CountDownLatch[n];
        for (int i = 0; i < n; i++) l2[i] = new CountDownLatch(2);
        pong("latchT", 703, n, k -> l2[k].await(5, TimeUnit.SECONDS), k -> { l2[k].countDown(); l2[k].countDown(); });
        CyclicBarrier b = new CyclicBarrier(2);
        pong("barrier", 705, n, k -> b.await(), k -> b.await());
        CyclicBarrier b2 = new CyclicBarrier(2, () -> { shared = "x"; });
        pong("barrierT", 705, n, k -> b2.await(5, TimeUnit.SECONDS), k -> b2.await(5, TimeUnit.SECONDS));
        Semaphore s = new Semaphore(0);
        pong("sem", 702, n, k -> s.acquire(), k -> s.release());
        Semaphore sf = new Semaphore(0, true);
        pong("semFair", 702, n, k -> sf.acquireUninterruptibly(), k -> sf.release());
        Semaphore s3 = new Semaphore(0);
        pong("sem3", 702, n, k -> s3.acquire(3), k -> s3.release(3));
        Semaphore s4 = new Semaphore(0);
        pong("semT", 702, n, k -> s4.tryAcquire(5, TimeUnit.SECONDS), k -> s4.release());
        Semaphore s5 = new Semaphore(0);
        pong("semT2", 702, n, k -> s5.tryAcquire(2, 5, TimeUnit.SECONDS), k -> s5.release(2));
        Semaphore s6 = new Semaphore(0); /* two releases of one let go an acquire of two: the second */
        pong("semTwo", 702, n, k -> s6.acquire(2), k -> { s6.release(); Thread.sleep(3); s6.release(); });
        Exchanger<Object> e = new Exchanger<>();
        pong("exch", 706, n, k -> e.exchange(k), k -> e.exchange(k));
        Exchanger<Object> e2 = new Exchanger<>();
        pong("exchT", 706, n, k -> e2.exchange(null, 5, TimeUnit.SECONDS), k -> e2.exchange(k, 5, TimeUnit.SECONDS));
        Phaser p = new Phaser(2);
        pong("phaser", 708, n, k -> p.arriveAndAwaitAdvance(), k -> p.arriveAndAwaitAdvance());
        Phaser p1 = new Phaser(1);
        pong("phaserW", 707, n, k -> p1.awaitAdvance(k), k -> p1.arrive());
        Phaser p2 = new Phaser(1);
        pong("phaserI", 707, n, k -> p2.awaitAdvanceInterruptibly(k), k -> p2.arrive());
        Phaser p3 = new Phaser(1);
        pong("phaserT", 707, n, k -> p3.awaitAdvanceInterruptibly(k, 5, TimeUnit.SECONDS), k -> p3.arrive());
        Phaser p4 = new Phaser(n + 1);
        pong("phaserD", 707, 1, k -> p4.awaitAdvance(0), k -> { for (int i = 0; i <= n; i++) p4.arriveAndDeregister(); });
        Phaser p5 = new Phaser(2);
        pong("phaserA", 707, n, k -> p5.awaitAdvance(p5.arrive()), k -> p5.arrive());
    }

    static class Late implements Delayed {
        final long at;
        Late(long ms) { at = System.nanoTime() + ms * 1000000; }
        public long getDelay(TimeUnit u) { return u.convert(at - System.nanoTime(), TimeUnit.NANOSECONDS); }
        public int compareTo(Delayed o) { return Long.compare(at, ((Late) o).at); }
    }

    static void queues(int n) throws Exception {
        List<BlockingQueue<Object>> all = List.of(new ArrayBlockingQueue<>(2), new LinkedBlockingQueue<>(), new LinkedBlockingDeque<>(),
            new SynchronousQueue<>(), new SynchronousQueue<>(true), new LinkedTransferQueue<>(), new PriorityBlockingQueue<>());
        int i = 0;
        for (BlockingQueue<Object> q : all) {
            String s = q.getClass().getSimpleName() + i++;
            pong("put" + s, 801, n, k -> q.take(), k -> q.put(k));
            pong("offer" + s, 801, n, k -> q.take(), k -> q.offer(k));
            pong("add" + s, 801, n, k -> q.poll(5, TimeUnit.SECONDS), k -> q.add(k));
            pong("offerT" + s, 801, n, k -> q.poll(5, TimeUnit.SECONDS), k -> q.offer(k, 5, TimeUnit.SECONDS));
        }
        LinkedBlockingDeque<Object> d = new LinkedBlockingDeque<>();
        pong("dequeF", 801, n, k -> d.takeFirst(), k -> d.putFirst(k));
        pong("dequeL", 801, n, k -> d.takeLast(), k -> d.putLast(k));
        pong("dequeP", 801, n, k -> d.pollFirst(5, TimeUnit.SECONDS), k -> d.offerLast(k));
        pong("dequeA", 801, n, k -> d.pollLast(5, TimeUnit.SECONDS), k -> d.addFirst(k));
        pong("dequePush", 801, n, k -> d.take(), k -> d.push(k));
        LinkedTransferQueue<Object> t = new LinkedTransferQueue<>();
        pong("transfer", 801, n, k -> t.take(), k -> t.transfer(k));
        pong("tryTransfer", 801, n, k -> t.take(), k -> t.tryTransfer(k));
        pong("tryTransferT", 801, n, k -> t.take(), k -> t.tryTransfer(k, 5, TimeUnit.SECONDS));
        DelayQueue<Late> dq = new DelayQueue<>();
        pong("delay0", 801, n, k -> dq.take(), k -> dq.put(new Late(0)));
        pong("delay9", 801, n, k -> dq.take(), k -> { dq.put(new Late(9)); Thread.sleep(12); });
    }

    static class Ask implements Callable<Integer> {
        public Integer call() throws Exception { Thread.sleep(TASK); return 1; }
    }
    static class Job implements Runnable {
        public void run() { try { Thread.sleep(TASK); } catch (InterruptedException e) { throw new IllegalStateException(e); } }
    }
    static class Answer implements Supplier<Integer> {
        public Integer get() { try { Thread.sleep(TASK); } catch (InterruptedException e) { throw new IllegalStateException(e); } return 7; }
    }
    static class Part extends RecursiveTask<Integer> {
        protected Integer compute() { try { Thread.sleep(TASK); } catch (InterruptedException e) { throw new IllegalStateException(e); } return 3; }
    }

    interface Get { Object of(ExecutorService x) throws Exception; }

    /** Tasks in thread P-NAME, waited for in thread G-NAME. */
    static void task(String name, int submits, int gets, int rounds, Get get) throws Exception {
        ExecutorService x = Executors.newFixedThreadPool(1, r -> new Thread(r, "P-" + name));
        Thread g = make("G-" + name, z -> { for (int k = 0; k < rounds; k++) get.of(x); });
        g.start();
        g.join();
        x.shutdown();
        x.awaitTermination(5, TimeUnit.SECONDS);
        System.out.println("task " + name + " " + submits * rounds + " " + gets * rounds);
    }

    static void tasks(int n) throws Exception {
        task("submitC", 1, 1, n, x -> x.submit(new Ask()).get());
        task("submitCT", 1, 1, n, x -> x.submit(new Ask()).get(5, TimeUnit.SECONDS));
        task("submitR", 1, 1, n, x -> x.submit(new Job()).get());
        task("submitRV", 1, 1, n, x -> x.submit(new Job(), "v").get());
        task("futureTask", 1, 1, n, x -> { FutureTask<Integer> f = new FutureTask<>(new Ask()); x.execute(f); return f.get(); });
        task("futureTaskR", 1, 1, n, x -> { FutureTask<Integer> f = new FutureTask<>(new Job(), 1); x.submit(f); return f.get(); });
        task("futureSub", 1, 1, n, x -> { FutureTask<Integer> f = new FutureTask<Integer>(new Ask()) { protected void done() { shared = this; } }; x.execute(f); return f.get(); });
        task("supply", 1, 1, n, x -> CompletableFuture.supplyAsync(new Answer(), x).get());
        task("supplyJ", 1, 1, n, x -> CompletableFuture.supplyAsync(new Answer(), x).join());
        task("runA", 1, 1, n, x -> CompletableFuture.runAsync(new Job(), x).get(5, TimeUnit.SECONDS));
        task("invokeAll", 0, 0, n, x -> x.invokeAll(List.of(new Ask())));
        task("ecs", 1, 0, n, x -> { ExecutorCompletionService<Integer> e = new ExecutorCompletionService<>(x); e.submit(new Ask()); return e.take().get(); });
        FutureTask<Integer>[] fs = new FutureTask[n];
        for (int k = 0; k < n; k++) {
            FutureTask<Integer> f = fs[k] = new FutureTask<>(new Ask());
            Thread t = new Thread(f, "P-threadFT");
            Thread g = make("G-threadFT", z -> f.get());
            t.start(); g.start(); g.join(); t.join();
        }
        System.out.println("task threadFT 0 " + n);
        CompletableFuture<Object>[] cs = new CompletableFuture[n];
        for (int k = 0; k < n; k++) cs[k] = new CompletableFuture<>();
        pong("complete", 205, n, k -> cs[k].get(), k -> cs[k].complete(1));
        CompletableFuture<Object>[] ds = new CompletableFuture[n];
        for (int k = 0; k < n; k++) ds[k] = new CompletableFuture<>();
        pong("completeX", 205, n, k -> { try { ds[k].join(); } catch (CompletionException e) { shared = e; } }, k -> ds[k].completeExceptionally(new Exception()));
        CompletableFuture<Object>[] es = new CompletableFuture[n];
        for (int k = 0; k < n; k++) es[k] = new CompletableFuture<>();
        pong("cancel", 207, n, k -> { try { es[k].get(); } catch (CancellationException e) { shared = e; } }, k -> es[k].cancel(true));
        FutureTask<Object>[] gs = new FutureTask[n];
        for (int k = 0; k < n; k++) gs[k] = new FutureTask<>(() -> null);
        pong("cancelFT", 207, n, k -> { try { gs[k].get(); } catch (CancellationException e) { shared = e; } }, k -> gs[k].cancel(true));
        ForkJoinPool fj = new ForkJoinPool(1, pool -> {
            ForkJoinWorkerThread t = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
            t.setName("P-fork");
            return t;
        }, null, false);
        for (int k = 0; k < n; k++) {
            for (Act way : new Act[] { z -> fj.submit(new Part()).get(), z -> { Part p = new Part(); fj.execute(p); p.join(); } }) {
                Thread g = make("G-fork", way);
                g.start(); g.join();
            }
        }
        System.out.println("task fork " + 2 * n + " " + 2 * n);
    }

    static void locks(int n) throws Exception {
        ReentrantLock[] ls = { new ReentrantLock(), new ReentrantLock(true) };
        for (Lock l : new Lock[] { ls[0], ls[1], new ReentrantReadWriteLock().writeLock() }) {
            String s = l == ls[0] ? "" : l == ls[1] ? "Fair" : "RW";
            held("lock" + s, 503, n, l, () -> { l.lock(); l.unlock(); });
            held("lockI" + s, 503, n, l, () -> { l.lockInterruptibly(); l.unlock(); });
            held("tryT" + s, 503, n, l, () -> { if (!l.tryLock(5, TimeUnit.SECONDS)) throw new Exception(); l.unlock(); });
        }
    }

    static void readers(int n) throws Exception {
        ReadWriteLock rw = new ReentrantReadWriteLock();
        ReentrantReadWriteLock fair = new ReentrantReadWriteLock(true);

        held("rwWR", 503, n, rw.writeLock(), () -> { rw.readLock().lock(); rw.readLock().unlock(); });
        held("rwRW", 503, n, rw.readLock(), () -> { rw.writeLock().lock(); rw.writeLock().unlock(); });
        held("fairWR", 503, n, fair.writeLock(), () -> { fair.readLock().lock(); fair.readLock().unlock(); });
        held("fairRW", 503, n, fair.readLock(), () -> { fair.writeLock().lock(); fair.writeLock().unlock(); });
        held("fairWW", 503, n, fair.writeLock(), () -> { fair.writeLock().lock(); fair.writeLock().unlock(); });
    }

    interface Do { void it() throws Exception; }

    /** H-NAME holds it, L-NAME comes, waits and has it. */
    static void held(String name, int tag, int rounds, Lock l, Do d) throws Exception {
        for (int k = 0; k < rounds; k++) {
            AtomicBoolean has = new AtomicBoolean();
            Thread[] t = new Thread[2];
            t[1] = make("L-" + name, z -> { while (!has.get()) ; d.it(); });
            t[0] = make("H-" + name, z -> {
                l.lock();
                has.set(true);
                long until = System.nanoTime() + MS * 1000000;
                while (System.nanoTime() < until) ;
                while (t[1].getState() == Thread.State.NEW) ;
                while (t[1].isAlive() && !Count.waits(t[1])) ;
                while (System.nanoTime() < until + MS * 1000000) ;
                l.unlock();
            });
            t[1].start(); t[0].start(); t[0].join(); t[1].join();
        }
        System.out.println("held " + tag + " " + name + " " + rounds);
    }

    public static void main(String[] a) throws Exception {
        int n = Integer.parseInt(a[0]);

        monitors(n);
        parks(n);
        conditions(n);
        synchronizers(n);
        queues(n);
        tasks(n);
        locks(n);
        readers(n);
    }
}
