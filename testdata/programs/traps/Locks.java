package traps;

/** A synchronized method is entered once its lock is taken, and left before the lock is given back. */
public class Locks {
    static Thread waiting;
    final Object other = new Object();

    static synchronized void holdClass() throws InterruptedException {
        contend(new Thread(Locks::wantClass, "class"));
    }

    static synchronized void wantClass() {
        spin();
    }

    synchronized void hold() throws InterruptedException {
        contend(new Thread(this::want, "instance"));
    }

    synchronized void want() {
        spin();
    }

    /** Left by an exception: the exit comes while the lock is still held. */
    synchronized void holdAndThrow() throws InterruptedException {
        contend(new Thread(this::want, "thrown"));
        throw new IllegalStateException();
    }

    /** Starts T and stays until it waits for the lock that the caller holds. */
    static void contend(Thread t) throws InterruptedException {
        waiting = t;
        t.start();
        while (t.getState() != Thread.State.BLOCKED)
            Thread.sleep(1);
    }

    static int spin() {
        int n = 0;
        for (int i = 0; i < 100; i++)
            n += i;
        return n;
    }

    public static void main(String[] args) throws InterruptedException {
        holdClass();
        waiting.join();
        Locks locks = new Locks();
        locks.hold();
        waiting.join();
        try {
            locks.holdAndThrow();
        } catch (IllegalStateException e) {
            System.out.println("thrown");
        }
        waiting.join();
    }
}
