package acme;

import java.util.concurrent.*;
import java.util.concurrent.locks.*;

/**
 * Waits of every kind that are interrupted, by a subclass of Thread that overrides what it can, and waits whose time is
 * over: "pong 105 NAME 1" as Pong prints them, "pong 0 NAME 1" where nothing leads to W-NAME but its start.
 */
public class Stop {
    interface Act { void go() throws Exception; }
    static class T extends Thread {
        final Act a;
        T(Act a, String n) { super(n); this.a = a; }
        @Override public synchronized void start() { super.start(); }
        @Override public void run() { try { a.go(); } catch (InterruptedException | BrokenBarrierException | TimeoutException e) { return; } catch (Exception e) { e.printStackTrace(); } }
        void nap(long ms) throws InterruptedException { sleep(ms); }
        @Override public void interrupt() { super.interrupt(); }
    }
    static void spin(long ms) { long u = System.nanoTime() + ms * 1000000; while (System.nanoTime() < u) ; }
    static void intr(String name, Act a) throws Exception {
        T t = new T(a, "W-" + name);
        Thread k = new Thread(() -> { while (t.getState() != Thread.State.WAITING && t.getState() != Thread.State.TIMED_WAITING) ; spin(3); t.interrupt(); }, "K-" + name);
        t.start(); k.start(); t.join(); k.join();
        System.out.println("pong 105 " + name + " 1");
    }
    static void timed(String name, Act a) throws Exception {
        Thread t = new T(a, "W-" + name); Thread k = new Thread(() -> { }, "K-" + name);
        t.start(); k.start(); t.join(); k.join();
        System.out.println("pong 0 " + name + " 1");
    }
    public static void main(String[] z) throws Exception {
        Object m = new Object(); ReentrantLock l = new ReentrantLock(); Condition c = l.newCondition(); ReentrantLock held = new ReentrantLock(); held.lock();
        Thread idle = new Thread(() -> { try { Thread.sleep(100000); } catch (InterruptedException e) { } }, "idle"); idle.setDaemon(true); idle.start();
        TimeUnit s = TimeUnit.SECONDS, ms = TimeUnit.MILLISECONDS;
        intr("sleep", () -> Thread.sleep(9000));
        intr("sleep2", () -> Thread.sleep(9000, 5));
        intr("unit", () -> s.sleep(9));
        intr("nap", () -> ((T) Thread.currentThread()).nap(9000));
        intr("wait", () -> { synchronized (m) { m.wait(); } });
        intr("waitT", () -> { synchronized (m) { m.wait(9000); } });
        intr("join", () -> idle.join());
        intr("joinT", () -> idle.join(9000));
        intr("unitJoin", () -> s.timedJoin(idle, 9));
        intr("unitWait", () -> { synchronized (m) { s.timedWait(m, 9); } });
        intr("await", () -> { l.lock(); try { c.await(); } finally { l.unlock(); } });
        intr("awaitN", () -> { l.lock(); try { c.awaitNanos(9000000000L); } finally { l.unlock(); } });
        intr("latch", () -> new CountDownLatch(1).await());
        intr("latchT", () -> new CountDownLatch(1).await(9, s));
        intr("sem", () -> new Semaphore(0).acquire());
        intr("semT", () -> new Semaphore(0).tryAcquire(9, s));
        intr("bar", () -> new CyclicBarrier(2).await());
        intr("barT", () -> new CyclicBarrier(2).await(9, s));
        intr("exch", () -> new Exchanger<Object>().exchange(1));
        intr("exchT", () -> new Exchanger<Object>().exchange(1, 9, s));
        intr("phaser", () -> new Phaser(1).awaitAdvanceInterruptibly(0));
        intr("take", () -> new LinkedBlockingQueue<Object>().take());
        intr("poll", () -> new ArrayBlockingQueue<Object>(1).poll(9, s));
        intr("put", () -> new SynchronousQueue<Object>().put(1));
        intr("offer", () -> new SynchronousQueue<Object>().offer(1, 9, s));
        intr("transfer", () -> new LinkedTransferQueue<Object>().transfer(1));
        intr("get", () -> new CompletableFuture<Object>().get());
        intr("getT", () -> new CompletableFuture<Object>().get(9, s));
        intr("getF", () -> new FutureTask<Object>(() -> 1).get());
        intr("lockI", () -> held.lockInterruptibly());
        intr("tryLockT", () -> held.tryLock(9, s));
        intr("park", () -> LockSupport.park());
        intr("parkN", () -> LockSupport.parkNanos(9000000000L));
        timed("tsleep", () -> Thread.sleep(5));
        timed("tunit", () -> ms.sleep(5));
        timed("twait", () -> { synchronized (m) { m.wait(5); } });
        timed("tjoin", () -> idle.join(5));
        timed("tawait", () -> { l.lock(); try { c.await(5, ms); } finally { l.unlock(); } });
        timed("tlatch", () -> new CountDownLatch(1).await(5, ms));
        timed("tsem", () -> new Semaphore(0).tryAcquire(5, ms));
        timed("tbar", () -> new CyclicBarrier(2).await(5, ms));
        timed("texch", () -> new Exchanger<Object>().exchange(1, 5, ms));
        timed("tphaser", () -> new Phaser(1).awaitAdvanceInterruptibly(0, 5, ms));
        timed("tpoll", () -> new LinkedBlockingQueue<Object>().poll(5, ms));
        timed("toffer", () -> new SynchronousQueue<Object>().offer(1, 5, ms));
        timed("tget", () -> new CompletableFuture<Object>().get(5, ms));
        timed("tlock", () -> held.tryLock(5, ms));
        timed("tpark", () -> LockSupport.parkNanos(5000000));
    }
}
