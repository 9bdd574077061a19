package traps;

/** Hot methods with monitors, which HotSpot compiles only when every exception finds the lock given back. */
public class Monitors {
    static final Object lock = new Object();
    static int n;

    static int block(int i) {
        synchronized (lock) {
            n += i;
            synchronized (Monitors.class) {
                if (i < 0)
                    throw new IllegalArgumentException();
                return n ^ i;
            }
        }
    }

    static synchronized int method(int i) {
        for (int k = 0; k < 3; k++)
            n += k * i;
        return n;
    }

    public static void main(String[] args) {
        int s = 0;
        for (int i = 0; i < 60000; i++)
            s += block(i) + method(i);
        System.out.println("sum " + s);
    }
}
