package acme;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Threads that wait for each other in every way there is, and know how often. Each prints lines
 * "arrows TAG PREFIX N": so many arrows of that tag (0: of any) end at threads whose names begin so,
 * "perhaps TAG PREFIX N": up to so many more, as the threads come, and "calls LABEL PREFIX N": so many
 * operations of that label. With an argument "virtual" the threads are virtual ones.
 */
public class Meet {
    interface Body {
        void run() throws Exception;
    }

    static boolean virtual;

    static Thread thread(String name, Body body) throws Exception {
        Runnable r = () -> {
            try {
                body.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        };

        if (!virtual)
            return new Thread(r, name);
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        Class<?> type = Class.forName("java.lang.Thread$Builder");

        type.getMethod("name", String.class).invoke(builder, name);
        return (Thread) type.getMethod("unstarted", Runnable.class).invoke(builder, r);
    }

    static void expect(int tag, String prefix, int n) {
        System.out.println("arrows " + tag + " " + prefix + " " + n);
    }

    /** Up to so many more, as the threads come. */
    static void perhaps(int tag, String prefix, int n) {
        System.out.println("perhaps " + tag + " " + prefix + " " + n);
    }

    static void calls(String label, String prefix, int n) {
        System.out.println("calls " + label + " " + prefix + " " + n);
    }

    static void all(Thread... threads) throws Exception {
        for (Thread t : threads)
            t.start();
        for (Thread t : threads)
            t.join();
        for (Thread t : threads)
            expect(101, t.getName(), 1);
    }

    /** Until it waits. */
    static void untilWaits(Thread t) {
        while (t.getState() != Thread.State.WAITING && t.getState() != Thread.State.TIMED_WAITING)
            ;
    }

    // ---- wait and notify ----

    static void pingPong(int rounds) throws Exception {
        Object lock = new Object();
        int[] turn = new int[1];
        AtomicInteger waits = new AtomicInteger();
        Thread[] two = new Thread[2];

        for (int i = 0; i < 2; i++) {
            int me = i;

            two[i] = thread("pp-" + i, () -> {
                for (int k = 0; k < rounds; k++) {
                    synchronized (lock) {
                        while (turn[0] != me) {
                            waits.incrementAndGet();
                            lock.wait();
                        }
                        turn[0] = 1 - me;
                        lock.notify();
                    }
                }
            });
        }
        all(two);
        expect(302, "pp-", waits.get());
        calls("Object.wait", "pp-", waits.get());
        calls("Object.notify", "pp-", 2 * rounds);
    }

    static void notifyAllOfThem() throws Exception {
        Object lock = new Object();
        Thread[] three = new Thread[3];
        boolean[] go = new boolean[1];

        for (int i = 0; i < 3; i++) {
            three[i] = thread("all-" + i, () -> {
                synchronized (lock) {
                    while (!go[0])
                        lock.wait();
                }
            });
            three[i].start();
        }
        for (Thread t : three)
            untilWaits(t);
        synchronized (lock) {
            go[0] = true;
            lock.notifyAll();
        }
        for (Thread t : three)
            t.join();
        expect(303, "all-", 3);
        expect(302, "all-", 0);
        expect(101, "all-", 3);
    }

    // ---- park, conditions, locks ----

    static void parks(int rounds) throws Exception {
        AtomicInteger parks = new AtomicInteger();
        Thread[] two = new Thread[2];
        AtomicInteger turn = new AtomicInteger();

        for (int i = 0; i < 2; i++) {
            int me = i;

            two[i] = thread("park-" + i, () -> {
                for (int k = 0; k < rounds; k++) {
                    while (turn.get() != me) {
                        parks.incrementAndGet();
                        LockSupport.park();
                    }
                    turn.set(1 - me);
                    LockSupport.unpark(two[1 - me]);
                }
            });
        }
        all(two);
        expect(402, "park-", parks.get());
        calls("LockSupport.park", "park-", parks.get());
        calls("LockSupport.unpark", "park-", 2 * rounds);
    }

    static void conditions(int rounds) throws Exception {
        ReentrantLock lock = new ReentrantLock();
        Condition changed = lock.newCondition();
        int[] turn = new int[1];
        AtomicInteger waits = new AtomicInteger();
        Thread[] two = new Thread[2];

        for (int i = 0; i < 2; i++) {
            int me = i;

            two[i] = thread("cond-" + i, () -> {
                for (int k = 0; k < rounds; k++) {
                    lock.lock();
                    try {
                        while (turn[0] != me) {
                            waits.incrementAndGet();
                            changed.await();
                        }
                        turn[0] = 1 - me;
                        changed.signal();
                    } finally {
                        lock.unlock();
                    }
                }
            });
        }
        all(two);
        expect(602, "cond-", waits.get());
        perhaps(503, "cond-", 2 * rounds);
        calls("Condition.await", "cond-", waits.get());
        calls("lock", "cond-", 2 * rounds);
        calls("unlock", "cond-", 2 * rounds);
    }

    static void locks(int rounds) throws Exception {
        ReentrantLock lock = new ReentrantLock();

        for (int i = 0; i < rounds; i++) {
            Thread t = thread("lock-" + i, () -> {
                lock.lock();
                lock.unlock();
            });

            lock.lock();
            t.start();
            untilWaits(t);
            lock.unlock();
            t.join();
        }
        expect(503, "lock-", rounds);
        expect(102, "lock-", 0);
    }

    // ---- synchronizers ----

    static void latches() throws Exception {
        CountDownLatch latch = new CountDownLatch(3);
        Thread[] two = new Thread[2];

        for (int i = 0; i < 2; i++) {
            two[i] = thread("latch-" + i, () -> latch.await());
            two[i].start();
        }
        for (Thread t : two)
            untilWaits(t);
        all(thread("count-0", () -> latch.countDown()), thread("count-1", () -> latch.countDown()));
        latch.countDown();
        for (Thread t : two)
            t.join();
        latch.await();
        expect(703, "latch-", 2);
        expect(703, "main", 0);
    }

    static void barriers(int rounds) throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(4);
        Thread[] four = new Thread[4];

        for (int i = 0; i < 4; i++)
            four[i] = thread("bar-" + i, () -> {
                for (int k = 0; k < rounds; k++)
                    barrier.await();
            });
        all(four);
        expect(705, "bar-", 3 * rounds);
        calls("CyclicBarrier.await", "bar-", 4 * rounds);
    }

    /** One after the other: of two that arrive within a microsecond nobody knows who was the last. */
    static void phasers(int rounds) throws Exception {
        Phaser phaser = new Phaser(3);
        Thread[] three = new Thread[3];
        AtomicInteger turn = new AtomicInteger();

        for (int i = 0; i < 3; i++) {
            int me = i;

            three[i] = thread("phase-" + i, () -> {
                for (int k = 0; k < rounds; k++) {
                    while (turn.get() != 3 * k + me
                            || me > 0 && three[me - 1].getState() != Thread.State.WAITING)
                        Thread.yield();
                    turn.incrementAndGet();
                    phaser.arriveAndAwaitAdvance();
                }
            });
        }
        all(three);
        expect(708, "phase-", 2 * rounds);
    }

    static void semaphores(int rounds) throws Exception {
        Semaphore permits = new Semaphore(0);
        AtomicInteger got = new AtomicInteger();
        Thread t = thread("sem-0", () -> {
            for (int k = 0; k < rounds; k++) {
                permits.acquire();
                got.incrementAndGet();
            }
        });

        t.start();
        for (int k = 0; k < rounds; k++) {
            while (got.get() != k)
                ;
            untilWaits(t);
            permits.release();
        }
        t.join();
        expect(702, "sem-", rounds);
    }

    static void exchangers(int rounds) throws Exception {
        Exchanger<Object> exchanger = new Exchanger<>();
        Thread[] two = new Thread[2];

        for (int i = 0; i < 2; i++)
            two[i] = thread("exch-" + i, () -> {
                for (int k = 0; k < rounds; k++)
                    exchanger.exchange("x");
            });
        all(two);
        expect(706, "exch-", rounds);
    }

    // ---- queues and tasks ----

    static void queues(int rounds) throws Exception {
        BlockingQueue<Object> queue = new LinkedBlockingQueue<>();
        AtomicInteger taken = new AtomicInteger();
        Thread t = thread("take-0", () -> {
            for (int k = 0; k < rounds; k++) {
                queue.take();
                taken.incrementAndGet();
            }
        });

        t.start();
        for (int k = 0; k < rounds; k++) {
            while (taken.get() != k)
                ;
            untilWaits(t);
            queue.put("x");
        }
        t.join();
        expect(801, "take-", rounds);
    }

    static class Work implements Callable<Integer> {
        @Override
        public Integer call() throws Exception {
            Thread.sleep(20);
            return 1;
        }
    }

    static void futures(int rounds) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1, r -> new Thread(r, "pool-0"));

        Thread t = thread("get-0", () -> {
            for (int k = 0; k < rounds; k++) {
                Future<Integer> f = pool.submit(new Work());

                f.get();
            }
        });

        t.start();
        t.join();
        pool.shutdown();
        pool.awaitTermination(10, TimeUnit.SECONDS);
        expect(101, "pool-", 1);
        expect(201, "pool-", rounds);
        expect(202, "get-", rounds);
    }

    static void completions() throws Exception {
        CompletableFuture<Integer> f = new CompletableFuture<>();
        Thread t = thread("done-0", () -> f.get());

        t.start();
        untilWaits(t);
        f.complete(1);
        t.join();
        expect(205, "done-", 1);
    }

    // ---- what is interrupted, and what times out ----

    static void interrupted() throws Exception {
        Object lock = new Object();
        Thread idle = thread("idle-0", () -> LockSupport.park());
        Body[] bodies = { () -> Thread.sleep(60000), () -> {
            synchronized (lock) {
                lock.wait();
            }
        }, () -> idle.join(), () -> new LinkedBlockingQueue<Object>().take() };

        idle.start();
        for (int i = 0; i < bodies.length; i++) {
            Body body = bodies[i];
            Thread t = thread("int-" + i, () -> {
                try {
                    body.run();
                } catch (InterruptedException e) {
                    return;
                }
            });

            t.start();
            untilWaits(t);
            t.interrupt();
            t.join();
        }
        untilWaits(idle);
        idle.interrupt();
        idle.join();
        expect(105, "int-", bodies.length);
        expect(105, "idle-", 1);
        expect(402, "idle-", 0);
    }

    static class Sleeper extends Thread {
        Sleeper() {
            super("sleep-0");
        }

        @Override
        public void run() {
            try {
                sleep(30);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    static void timeouts() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        Condition never = lock.newCondition();
        Object monitor = new Object();
        Thread main = Thread.currentThread();
        Thread t = thread("time-0", () -> {
            synchronized (monitor) {
                monitor.wait(20);
            }
            LockSupport.parkNanos(20000000);
            main.join(20);
            new LinkedBlockingQueue<Object>().poll(20, TimeUnit.MILLISECONDS);
            new Semaphore(0).tryAcquire(20, TimeUnit.MILLISECONDS);
            new CountDownLatch(1).await(20, TimeUnit.MILLISECONDS);
            lock.lock();
            never.await(20, TimeUnit.MILLISECONDS);
            lock.unlock();
            Thread.yield();
        });

        all(t, new Sleeper());
        expect(0, "time-", 1);
        expect(0, "sleep-", 1);
        calls("Thread.sleep", "sleep-", 1);
        calls("Thread.yield", "time-", 1);
        calls("Thread.yield", "sleep-", 0);
    }

    // ---- threads that start threads ----

    static void pi() throws Exception {
        for (int n = 1; n <= 8; n *= 2) {
            List<Thread> team = new ArrayList<>();

            for (int i = 0; i < n; i++)
                team.add(thread("pi-" + n + "-" + i, () -> {
                    double sum = 0;

                    for (int k = 0; k < 1000; k++)
                        sum += 1 / (k + 0.5);
                    if (sum < 0)
                        System.out.println(sum);
                }));
            for (Thread t : team)
                t.start();
            for (Thread t : team)
                t.join();
        }
        expect(101, "pi-", 15);
    }

    public static void main(String[] args) throws Exception {
        virtual = args.length > 1 && args[1].equals("virtual");
        int rounds = Integer.parseInt(args[0]);

        pingPong(rounds);
        notifyAllOfThem();
        parks(rounds);
        conditions(rounds);
        locks(5);
        latches();
        barriers(rounds);
        phasers(rounds);
        semaphores(rounds);
        exchangers(rounds);
        queues(rounds);
        if (!virtual)
            futures(3);
        completions();
        interrupted();
        timeouts();
        pi();
    }
}
