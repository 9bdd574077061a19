package acme;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What is taught with traces: pi by itself and in teams of 1, 2, 4 and 8 threads ("pi"), fork and join ("fork DEPTH"), and
 * producers and consumers ("queue PRODUCERS CONSUMERS ITEMS BUFFER"). Prints "arrows TAG PREFIX N" and
 * "calls LABEL PREFIX N" as Meet does.
 */
public class Flow {
    static double pi(int n, int of, int steps) {
        double sum = 0;

        for (int i = n; i < steps; i += of) {
            double x = (i + 0.5) / steps;

            sum += 4 / (1 + x * x);
        }
        return sum / steps;
    }

    static void teams() throws InterruptedException {
        for (int n : new int[] { 0, 1, 2, 4, 8 }) { /* 0: by itself */
            List<Thread> team = new ArrayList<>();
            double[] parts = new double[Math.max(n, 1)];

            for (int i = 0; i < n; i++) {
                int me = i;

                team.add(new Thread(() -> parts[me] = pi(me, n, 200000), "pi-" + n + "-" + i));
            }
            if (n == 0)
                parts[0] = pi(0, 1, 200000);
            for (Thread t : team)
                t.start();
            for (Thread t : team)
                t.join();
            double sum = 0;
            for (double part : parts)
                sum += part;
            System.out.println(Math.abs(sum - Math.PI) < 1e-6 ? "pi" : "not pi: " + sum);
        }
        System.out.println("arrows 101 pi- 15");
        System.out.println("arrows 102 main 15");
    }

    static final AtomicInteger stolen = new AtomicInteger(), all = new AtomicInteger();

    static class Part extends RecursiveTask<Integer> {
        final int depth;
        final Thread forker;

        Part(int depth, Thread forker) {
            this.depth = depth;
            this.forker = forker;
        }

        @Override
        protected Integer compute() {
            all.incrementAndGet();
            if (forker != null && forker != Thread.currentThread())
                stolen.incrementAndGet();
            if (depth == 0) {
                long until = System.nanoTime() + 50000;

                while (System.nanoTime() < until)
                    Thread.onSpinWait();
                return 1;
            }
            Part left = new Part(depth - 1, Thread.currentThread());
            Part right = new Part(depth - 1, Thread.currentThread());

            left.fork();
            right.fork();
            return right.join() + left.join();
        }
    }

    static void fork(int depth) {
        ForkJoinPool pool = new ForkJoinPool(3);
        int leaves = pool.invoke(new Part(depth, null));
        int forks = 2 * (leaves - 1);

        pool.shutdown();
        System.out.println(leaves + " leaves, " + all.get() + " tasks");
        System.out.println("arrows 204 ForkJoinPool " + stolen.get());
        System.out.println("arrows 202 main 1");
        System.out.println("calls fork ForkJoinPool " + forks);
        System.out.println("calls get ForkJoinPool " + forks);
        System.out.println("calls run ForkJoinPool " + all.get());
    }

    static void queue(int producers, int consumers, int items, int buffer) throws InterruptedException {
        BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(buffer);
        int share = producers * items / consumers;
        List<Thread> threads = new ArrayList<>();

        for (int i = 0; i < producers; i++)
            threads.add(new Thread(() -> {
                try {
                    for (int k = 0; k < items; k++)
                        queue.put(k);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }, "put-" + i));
        for (int i = 0; i < consumers; i++)
            threads.add(new Thread(() -> {
                try {
                    for (int k = 0; k < share; k++)
                        queue.take();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }, "take-" + i));
        for (Thread t : threads)
            t.start();
        for (Thread t : threads)
            t.join();
        System.out.println(queue.size() + " left");
        System.out.println("calls put put- " + producers * items);
        System.out.println("calls take take- " + producers * items);
        System.out.println("arrows 101 put- " + producers);
        System.out.println("arrows 101 take- " + consumers);
        System.out.println("arrows 102 main " + (producers + consumers));
    }

    public static void main(String[] args) throws InterruptedException {
        switch (args[0]) {
        case "pi":
            teams();
            break;
        case "fork":
            fork(Integer.parseInt(args[1]));
            break;
        default:
            queue(Integer.parseInt(args[1]), Integer.parseInt(args[2]), Integer.parseInt(args[3]),
                    Integer.parseInt(args[4]));
            break;
        }
    }
}
