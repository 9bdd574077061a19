package acme;

import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.StampedLock;

/**
 * Threads that crowd around locks, permits, barriers and futures, and are told by what these guard
 * who let them go. Each prints lines "TYPE NUMBER THREAD K FROM": its call K (from 0) of that
 * operation ended by what FROM did; "-": by nobody. The argument: how often.
 */
public class Truth {
    interface Body {
        void run(int me, Random random) throws Exception;
    }

    private static final StringBuffer said = new StringBuffer();
    private static final int LOCK = 48101005, SYNC = 48101007, TASK = 48101002;
    private static String last;
    private static volatile String tripped;
    private static volatile boolean started;
    private static int stored;

    private static String me() {
        return Thread.currentThread().getName();
    }

    private static void say(int type, int number, int k, String from) {
        said.append(type + " " + number + " " + me() + " " + k + " " + (from == null ? "-" : from) + "\n");
    }

    /** A while: mostly some microseconds, now and then some hundreds. */
    private static void work(Random random) {
        long end = System.nanoTime() + random.nextInt(random.nextInt(10) == 0 ? 200_000 : 3_000);

        while (System.nanoTime() < end)
            continue;
    }

    private static void all(String name, int n, Body body) throws Exception {
        Thread[] threads = new Thread[n];

        last = null;
        started = false;
        for (int i = 0; i < n; i++) {
            int who = i;
            threads[i] = new Thread(() -> {
                while (!started)
                    continue;
                try {
                    body.run(who, new Random(who));
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }, name + "-" + i);
        }
        for (Thread t : threads)
            t.start();
        started = true;
        for (Thread t : threads)
            t.join();
    }

    private static void locks(String name, int times, Lock lock) throws Exception {
        all(name, 4, (i, random) -> {
            for (int k = 0; k < times; k++) {
                lock.lock();
                say(LOCK, 1, k, last);
                work(random);
                last = me();
                lock.unlock();
                work(random);
            }
        });
    }

    /** A buffer of two, whose lock is given back where a thread awaits as well. */
    private static void conditions(int times) throws Exception {
        Lock lock = new ReentrantLock();
        Condition full = lock.newCondition(), empty = lock.newCondition();

        all("buffer", 4, (i, random) -> {
            for (int k = 0; k < times; k++) {
                lock.lock();
                say(LOCK, 1, k, last);
                while (stored == (i < 2 ? 2 : 0)) {
                    last = me();
                    (i < 2 ? full : empty).await();
                }
                stored += i < 2 ? 1 : -1;
                work(random);
                (i < 2 ? empty : full).signal();
                last = me();
                lock.unlock();
                work(random);
            }
        });
    }

    private static void permits(int times) throws Exception {
        Semaphore permits = new Semaphore(0);

        permits.release();
        all("permit", 4, (i, random) -> {
            for (int k = 0; k < times; k++) {
                permits.acquire();
                say(SYNC, 1, k, last);
                work(random);
                last = me();
                permits.release();
                work(random);
            }
        });
    }

    private static void meetings(int times) throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(4, () -> tripped = me());
        Exchanger<String> exchanger = new Exchanger<>();

        all("barrier", 4, (i, random) -> {
            for (int k = 0; k < times; k++) {
                work(random);
                boolean itself = barrier.await() == 0;

                say(SYNC, 5, 2 * k, itself ? null : tripped);
                barrier.await(); /* nobody overtakes the others */
            }
        });
        all("exchange", 4, (i, random) -> {
            try {
                for (int k = 0; k < times; k++) {
                    say(SYNC, 6, k, exchanger.exchange(me(), 200, TimeUnit.MILLISECONDS));
                    work(random);
                }
            } catch (TimeoutException e) { /* it is the last one, and alone */
            }
        });
    }

    private static void futures(int times) throws Exception {
        for (int round = 0; round < times; round++) {
            CompletableFuture<String> future = new CompletableFuture<>();
            int first = 1 + round % 2;

            all("future" + round, 3, (i, random) -> {
                work(random);
                if (i == 0)
                    say(TASK, 3, 0, future.get());
                else if (i == first)
                    future.complete(me());
            });
        }
    }

    public static void main(String[] args) throws Exception {
        int times = Integer.parseInt(args[0]);
        StampedLock stamped = new StampedLock();

        locks("lock", times, new ReentrantLock());
        locks("fair", times, new ReentrantLock(true));
        locks("stamped", times, stamped.asWriteLock());
        conditions(times);
        permits(times);
        meetings(times);
        futures(times / 4);
        System.out.print(said);
    }
}
