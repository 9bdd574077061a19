import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/** Synchronized blocks and methods in every shape that javac gives them. */
public class OddMonitors {
    static final Object a = new Object(), b = new Object();
    static final List<String> said = new ArrayList<>();
    static int n;

    OddMonitors() {
        synchronized (this) {
            n++;
        }
    }

    OddMonitors(int x) {
        super();
        synchronized (x > 0 ? a : b) {
            if (x > 5)
                throw new IllegalArgumentException("" + x);
            n += x;
        }
    }

    static int returns(int x) {
        synchronized (a) {
            if (x < 0)
                return -1;
            synchronized (b) {
                switch (x) {
                case 0: return 0;
                case 1: break;
                default: return x * 2;
                }
            }
            return 7;
        }
    }

    static long wide(long x, double y) {
        synchronized (a) {
            long z = x * 3;
            double w = y / 2;
            synchronized (b) {
                z += (long) w;
            }
            return z;
        }
    }

    static void loops(int x) {
        synchronized (a) {
            do {
                n++;
                synchronized (b) {
                    for (;;) {
                        if (n++ % 3 == 0)
                            break;
                    }
                }
            } while (x-- > 0);
        }
        for (int i = 0; i < 3; i++)
            synchronized (b) {
                if (i == 1)
                    continue;
                n++;
            }
    }

    static void caught(int x) {
        try {
            synchronized (a) {
                try {
                    if (x == 0)
                        throw new IllegalStateException("in");
                    synchronized (b) {
                        if (x == 1)
                            throw new RuntimeException("deeper");
                    }
                } catch (IllegalStateException e) {
                    said.add(e.getMessage() + Thread.holdsLock(a));
                } finally {
                    said.add("finally " + Thread.holdsLock(a) + Thread.holdsLock(b));
                }
            }
        } catch (RuntimeException e) {
            said.add(e.getMessage() + Thread.holdsLock(a) + Thread.holdsLock(b));
        }
    }

    static void nothing(Object o) {
        try {
            synchronized (o) {
                n++;
            }
        } catch (NullPointerException e) {
            said.add("null");
        }
    }

    static synchronized int ofClass(int x) {
        if (x == 3)
            throw new IllegalStateException("three " + Thread.holdsLock(OddMonitors.class));
        return x + 1;
    }

    synchronized int ofThis(int x) {
        return x == 0 ? 0 : ofThis(x - 1) + (Thread.holdsLock(this) ? 1 : 100);
    }

    static int deep, depth;

    /* There is no room on the stack for anything, and then the monitors have to be given back. */
    static void overflow() {
        synchronized (a) {
            deep++;
            overflow();
        }
    }

    static synchronized void overflowOfClass() {
        deep++;
        synchronized (b) {
            overflowOfClass();
        }
    }

    static void tick() {
        n++;
    }

    /* The ranges of the monitor's handler begin, and javac's end, at calls. */
    static void ticks() {
        synchronized (a) {
            tick();
        }
        synchronized (b) {
            try {
                tick();
            } finally {
                tick();
            }
        }
    }

    static int hot(int x) {
        int sum = 0;
        for (int i = 0; i < x; i++) {
            sum += returns(i % 4 - 1) + (int) wide(i, i) + ofClass(i & 1);
            nothing(i % 100 == 0 ? null : b);
            ticks();
            IntSupplier s = () -> {
                synchronized (a) {
                    return said.size() & 1;
                }
            };
            sum += s.getAsInt();
            if (i % 100 == 0)
                caught(i / 100 % 3);
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        for (int i = -1; i < 4; i++)
            System.out.println(returns(i) + " " + wide(i, i * 9.5));
        loops(4);
        for (int i = 0; i < 3; i++)
            caught(i);
        nothing(null);
        nothing(a);
        new OddMonitors();
        new OddMonitors(2);
        try {
            new OddMonitors(6);
        } catch (IllegalArgumentException e) {
            System.out.println(e);
        }
        try {
            ofClass(3);
        } catch (IllegalStateException e) {
            System.out.println(e);
        }
        System.out.println(new OddMonitors().ofThis(10) + " " + n + " " + said);
        for (int i = 0; i < 3; i++) {
            try {
                overflow();
            } catch (StackOverflowError e) {
                depth += deep > 100 ? 1 : 0;
            }
            try {
                overflowOfClass();
            } catch (StackOverflowError e) {
                depth += deep > 200 ? 1 : 0;
            }
        }
        Thread other = new Thread(() -> {
            synchronized (a) {
                synchronized (b) {
                    n = ofClass(41);
                }
            }
        });
        other.start();
        other.join();
        System.out.println(depth + " " + n + " " + Thread.holdsLock(a) + Thread.holdsLock(b)
                + Thread.holdsLock(OddMonitors.class));
        said.clear();
        System.out.println(hot(args.length > 0 ? Integer.parseInt(args[0]) : 20000) + " " + said.size());
    }
}
