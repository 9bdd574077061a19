package acme;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lambda expressions that pools run, one expression for very many tasks. What happened is printed as it was seen from
 * inside: "ran FROM TO N" of tasks that surely have their arrows, "may FROM TO N" of those that may have; a pair of
 * threads that is not named has none.
 */
public class Bodies {
    private static final Map<String, Integer> ran = new TreeMap<>();

    static synchronized void count(String how, String from) {
        ran.merge(how + " " + from + " " + Thread.currentThread().getName(), 1, Integer::sum);
    }

    static String me() {
        return Thread.currentThread().getName();
    }

    static void sleep(int ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A body that has ended before submit() returned has no arrow: it waits for whoever opens the gate after that. */
    static void pass(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static ThreadFactory named(String name) {
        AtomicInteger n = new AtomicInteger();

        return r -> new Thread(r, name + "-" + n.getAndIncrement());
    }

    interface Body {
        void go() throws Exception;
    }

    static void all(String name, int threads, Body body) throws Exception {
        List<Thread> list = new ArrayList<>();

        for (int i = 0; i < threads; i++) {
            Thread t = new Thread(() -> {
                try {
                    body.go();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }, name + "-" + i);

            t.start();
            list.add(t);
        }
        for (Thread t : list)
            t.join();
    }

    static void close(ExecutorService pool) throws InterruptedException {
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
    }

    /** Three threads hand over tasks of one expression to a pool of four. */
    static void many(String how, String name, int n, int ms) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4, named(name + "-pool"));

        all(name + "-sub", 3, () -> {
            String from = me();
            CountDownLatch gate = new CountDownLatch(1);
            List<Future<?>> futures = new ArrayList<>();

            for (int i = 0; i < n; i++)
                futures.add(pool.submit(() -> {
                    count(how, from);
                    if (ms == 0)
                        return;
                    pass(gate);
                    sleep(ms);
                }));
            gate.countDown();
            for (Future<?> f : futures)
                f.get();
        });
        close(pool);
    }


    /** A task that hands over another one, of the same expression, and calls it, too. */
    static void inside(ExecutorService outer, ExecutorService inner, int left) throws Exception {
        String from = me();
        CountDownLatch gate = new CountDownLatch(1);
        Callable<Integer> job = () -> {
            pass(gate);
            sleep(20);
            count("ran", from);
            if (left > 0)
                inside(outer, inner, left - 1);
            return 42;
        };

        Future<Integer> f = (left % 2 == 0 ? outer : inner).submit(job);

        gate.countDown();
        f.get();
    }

    /** What a full pool makes its caller run has no arrow. */
    static void callerRuns() throws Exception {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES, new ArrayBlockingQueue<>(1),
                named("caller-pool"), new ThreadPoolExecutor.CallerRunsPolicy());

        all("caller-sub", 1, () -> {
            String from = me();

            for (int i = 0; i < 12; i++) {
                CountDownLatch gate = new CountDownLatch(1);

                pool.submit(() -> {
                    if (me().equals(from))
                        return;
                    count("ran", from);
                    pass(gate);
                    sleep(2);
                });
                gate.countDown();
            }
        });
        close(pool);
    }

    static void cancelled() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1, named("cancel-pool"));
        CountDownLatch go = new CountDownLatch(1);

        all("cancel-sub", 1, () -> {
            String from = me();
            List<Future<?>> futures = new ArrayList<>();

            for (int i = 0; i < 10; i++)
                futures.add(pool.submit(() -> {
                    pass(go);
                    count("ran", from);
                    return 1;
                }));
            for (int i = 1; i < 10; i += 2)
                futures.get(i).cancel(true);
            go.countDown();
            for (int i = 0; i < 10; i += 2)
                futures.get(i).get();
        });
        close(pool);
    }

    static void failing() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2, named("fail-pool"));

        all("fail-sub", 2, () -> {
            String from = me();

            for (int i = 0; i < 6; i++) {
                int number = i;
                CountDownLatch gate = new CountDownLatch(1);
                Future<Integer> f = pool.submit(() -> {
                    pass(gate);
                    sleep(20);
                    count("ran", from);
                    if (number % 2 == 0)
                        throw new IllegalStateException("as it should");
                    return number;
                });
                gate.countDown();
                try {
                    f.get();
                } catch (ExecutionException e) {
                    if (number % 2 != 0)
                        throw e;
                }
            }
        });
        close(pool);
    }

    static void later() throws Exception {
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(2, named("later-pool"));

        all("later-sub", 1, () -> {
            String from = me();
            CountDownLatch gate = new CountDownLatch(1);
            List<Future<?>> futures = new ArrayList<>();

            for (int i = 0; i < 6; i++)
                futures.add(pool.schedule(() -> {
                    count("ran", from);
                    pass(gate);
                }, 40 - 5 * i, TimeUnit.MILLISECONDS));
            gate.countDown();
            for (Future<?> f : futures)
                f.get();
        });
        close(pool);
    }

    static void completed() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3, named("done-pool"));
        CompletionService<Integer> service = new ExecutorCompletionService<>(pool);

        all("done-sub", 1, () -> {
            String from = me();
            CountDownLatch gate = new CountDownLatch(1);

            for (int i = 0; i < 9; i++)
                service.submit(() -> {
                    count("ran", from);
                    pass(gate);
                    return 1;
                });
            gate.countDown();
            for (int i = 0; i < 9; i++)
                service.take().get();
        });
        close(pool);
    }

    static void timed() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1, named("timed-pool"));

        all("timed-sub", 1, () -> {
            String from = me();
            CountDownLatch gate = new CountDownLatch(1);
            Future<?> f = pool.submit(() -> {
                count("ran", from);
                pass(gate);
                sleep(60);
            });

            gate.countDown();
            for (int i = 0; i < 3; i++)
                try {
                    f.get(5, TimeUnit.MILLISECONDS);
                } catch (TimeoutException e) {
                    /* comes again */
                }
            f.get(1, TimeUnit.MINUTES);
        });
        close(pool);
    }

    /** Nothing says which task these are, or for whom they run. */
    static void untold() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3, named("untold-pool"));
        List<Callable<Integer>> list = new ArrayList<>();

        for (int i = 0; i < 9; i++)
            list.add(() -> {
                sleep(1);
                return 1;
            });
        all("untold-sub", 1, () -> {
            pool.invokeAll(list);
            ForkJoinPool.commonPool().submit(() -> sleep(2)).get();
            for (int i = 0; i < 4; i++)
                pool.execute(() -> sleep(1));
        });
        close(pool);
    }

    static void virtual() throws Exception {
        ExecutorService pool;

        try {
            pool = (ExecutorService) Executors.class.getMethod("newThreadPerTaskExecutor", ThreadFactory.class)
                    .invoke(null, named("per-task"));
        } catch (NoSuchMethodException e) {
            return; /* older than 21 */
        }
        all("per-sub", 1, () -> {
            String from = me();
            CountDownLatch gate = new CountDownLatch(1);
            List<Future<?>> futures = new ArrayList<>();

            for (int i = 0; i < 5; i++)
                futures.add(pool.submit(() -> {
                    count("ran", from);
                    pass(gate);
                    return 1;
                }));
            gate.countDown();
            for (Future<?> f : futures)
                f.get();
        });
        close(pool);
    }

    public static void main(String[] args) throws Exception {
        many("ran", "slow", 40, 2);
        many("may", "fast", 400, 0);
        ExecutorService outer = Executors.newFixedThreadPool(1, named("in-outer"));
        ExecutorService inner = Executors.newFixedThreadPool(1, named("in-inner"));
        all("in-sub", 1, () -> inside(outer, inner, 1));
        close(outer);
        close(inner);
        callerRuns();
        cancelled();
        failing();
        later();
        completed();
        timed();
        untold();
        virtual();
        ran.forEach((pair, n) -> System.out.println(pair + " " + n));
    }
}
