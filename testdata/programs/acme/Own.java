package acme;

import java.util.ArrayList;
import java.util.List;

/**
 * Threads that are blocked for monitors, and know how often and by whom: "arrows TAG PREFIX N" as Meet prints them,
 * "from TAG PREFIX NAME": all of these come from the thread NAME, and "blocked PREFIX N": so many contended enters.
 */
public class Own {
    static final Object lock = new Object();

    static class Mine {
        synchronized void hold(Thread next) throws Exception {
            begin(next);
        }

        static synchronized void holdClass(Thread next) throws Exception {
            begin(next);
        }

        synchronized void touch() {
        }

        static synchronized void touchClass() {
        }
    }

    /** Starts NEXT, and comes back when it has been blocked for 20 ms, as its record says: that begins a moment later. */
    static void begin(Thread next) throws Exception {
        next.start();
        while (next.getState() != Thread.State.BLOCKED)
            Thread.sleep(1);
        Thread.sleep(30);
    }

    static void expect(int tag, String prefix, int n, String from) {
        System.out.println("arrows " + tag + " " + prefix + " " + n);
        if (from != null)
            System.out.println("from " + tag + " " + prefix + " " + from);
    }

    static void blocked(String prefix, int n) {
        System.out.println("blocked " + prefix + " " + n);
    }

    static void touch() {
        synchronized (lock) {
            Thread.onSpinWait();
        }
    }

    static void blocks(int n) throws Exception {
        for (int i = 0; i < n; i++) {
            Thread next = new Thread(Own::touch, "blk-" + i);

            synchronized (lock) {
                synchronized (lock) {
                    begin(next);
                }
            }
            next.join();
        }
        expect(305, "blk-", n, "main");
        blocked("blk-", n);
    }

    static void thrown(int n) throws Exception {
        for (int i = 0; i < n; i++) {
            Thread next = new Thread(Own::touch, "thr-" + i);

            try {
                synchronized (lock) {
                    begin(next);
                    throw new IllegalStateException();
                }
            } catch (IllegalStateException e) {
                next.join();
            }
        }
        expect(305, "thr-", n, "main");
        blocked("thr-", n);
    }

    static void methods(int n) throws Exception {
        Mine mine = new Mine();

        for (int i = 0; i < n; i++) {
            Thread next = new Thread(() -> mine.touch(), "met-" + i);
            Thread other = new Thread(() -> Mine.touchClass(), "cls-" + i);

            mine.hold(next);
            next.join();
            Mine.holdClass(other);
            other.join();
        }
        expect(306, "met-", n, "main");
        expect(306, "cls-", n, "main");
        blocked("met-", n);
        blocked("cls-", n);
    }

    static void waits(int n) throws Exception {
        for (int i = 0; i < n; i++) {
            Thread next = new Thread(Own::touch, "wai-" + i);

            synchronized (lock) {
                begin(next);
                lock.wait(50);
            }
            next.join();
        }
        expect(301, "wai-", n, "main");
        blocked("wai-", n);
    }

    /** Each of them has it from another one: the one that had it before. */
    static void chain(int n) throws Exception {
        List<Thread> all = new ArrayList<>();

        for (int i = 0; i < n; i++)
            all.add(new Thread(Own::touch, "cha-" + i));
        synchronized (lock) {
            for (Thread t : all)
                begin(t);
        }
        for (Thread t : all)
            t.join();
        expect(305, "cha-", n, null);
        blocked("cha-", n);
    }

    /** What other code holds, nobody saw. */
    static void unseen(int n) throws Exception {
        for (int i = 0; i < n; i++) {
            Thread next = new Thread(Own::touch, "uns-" + i);

            Unseen.hold(lock, next);
            next.join();
        }
        expect(305, "uns-", 0, null);
        expect(306, "uns-", 0, null);
        blocked("uns-", n);
    }

    /** It is not woven. */
    static class Unseen {
        static void hold(Object lock, Thread next) throws Exception {
            synchronized (lock) {
                begin(next);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int n = Integer.parseInt(args[0]);

        blocks(n);
        thrown(2);
        methods(n);
        waits(2);
        chain(n);
        unseen(2);
    }
}
