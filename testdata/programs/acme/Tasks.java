package acme;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/**
 * Tasks of every kind that are handed to other threads and waited for: "arrows TAG PREFIX N" as Meet prints them.
 * Classes of the program know which task they are; of lambda expressions the FutureTask does that runs them.
 */
public class Tasks {
    static void work() {
        try {
            Thread.sleep(15);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static class Job implements Runnable {
        @Override
        public void run() {
            work();
        }
    }

    static class Question implements Callable<Integer> {
        @Override
        public Integer call() {
            work();
            return 42;
        }
    }

    static class Answer implements Supplier<Integer> {
        @Override
        public Integer get() {
            work();
            return 42;
        }
    }

    /** Its run() is the JDK's, unless it says so. */
    static class Promise extends FutureTask<Integer> {
        Promise() {
            super(() -> {
                work();
                return 42;
            });
        }

        @Override
        public void run() {
            super.run();
        }
    }

    interface Way {
        Future<?> go(ExecutorService pool) throws Exception;
    }

    static void expect(int tag, String prefix, int n) {
        System.out.println("arrows " + tag + " " + prefix + " " + n);
    }

    /** N tasks, one after the other, in a thread NAME-0; each is waited for by a thread wait-NAME. */
    static void each(String name, int n, boolean known, Way way) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1, r -> new Thread(r, name + "-0"));
        Thread waiter = new Thread(() -> {
            try {
                for (int i = 0; i < n; i++)
                    way.go(pool).get();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }, "wait-" + name);

        waiter.start();
        waiter.join();
        pool.shutdown();
        /* of a thread, the arrow is that of its start */
        expect(201, name + "-", known && !name.equals("thread") ? n : 0);
        /* a future that is done inside its own run() lets go who waits before that has ended */
        if (!name.equals("promise"))
            expect(202, "wait-" + name, known ? n : 0);
    }

    static void hold(CountDownLatch go) {
        try {
            go.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The same object, twice at a time: which of them runs first nobody knows, unless one runs at a time. */
    static void same(int n) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2, r -> new Thread(r, "same-0"));
        CountDownLatch go = new CountDownLatch(1);
        List<Future<?>> all = new ArrayList<>();
        Job job = new Job() {
            @Override
            public void run() {
                try {
                    go.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        };

        for (int i = 0; i < 2; i++)
            pool.execute(() -> hold(go));
        for (int i = 0; i < n; i++)
            all.add(pool.submit(job));
        go.countDown();
        for (Future<?> f : all)
            f.get();
        pool.shutdown();
        expect(201, "same-", 0);
    }

    public static void main(String[] args) throws Exception {
        int n = Integer.parseInt(args[0]);
        Job one = new Job();

        each("job", n, true, pool -> pool.submit(new Job()));
        each("call", n, true, pool -> pool.submit(new Question()));
        each("inner", n, true, pool -> pool.submit(new Runnable() {
            @Override
            public void run() {
                work();
            }
        }));
        each("supply", n, true, pool -> CompletableFuture.supplyAsync(new Answer(), pool));
        each("promise", n, true, pool -> {
            Promise p = new Promise();

            pool.execute(p);
            return p;
        });
        each("future", n, true, pool -> {
            FutureTask<Integer> f = new FutureTask<>(new Question());

            pool.execute(f);
            return f;
        });
        each("result", n, true, pool -> {
            FutureTask<Integer> f = new FutureTask<>(new Job(), 42);

            pool.submit(f);
            return f;
        });
        each("thread", n, true, pool -> {
            FutureTask<Integer> f = new FutureTask<>(new Question());

            new Thread(f, "thread-0").start();
            return f;
        });
        each("made", n, true, pool -> {
            FutureTask<Integer> f = new FutureTask<>(() -> {
                work();
                return 42;
            });

            pool.execute(f);
            return f;
        });
        each("lambda", n, true, pool -> pool.submit(() -> work()));
        each("captures", n, true, pool -> {
            int[] x = { 0 };

            return pool.submit(() -> {
                work();
                x[0]++;
            });
        });
        each("refers", n, true, pool -> pool.submit(Tasks::work));
        /* run() knows that it is `one`, but that was not what was handed over */
        each("bound", n, false, pool -> pool.submit(one::run));
        same(3);
    }
}
