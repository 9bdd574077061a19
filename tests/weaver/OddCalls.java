import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Calls inside catch, finally, synchronized and constructors, and callees that throw. */
public class OddCalls {
    static final List<String> log = new ArrayList<>();

    static int fail(String what) {
        throw new IllegalStateException(what);
    }

    static int pass(int x) {
        return x + 1;
    }

    static int caught(int n) {
        long wide = n * 3L;
        double other = 0.5;
        String text = "t" + n;
        Object[][] arrays = { { text }, { null, n } };
        Object element = arrays[1][1];
        try {
            wide += pass(n);
            fail(text);
            return -1;
        } catch (IllegalStateException e) {
            log.add(e.getMessage() + wide + other + element);
            return arrays.length;
        } finally {
            log.add("finally " + text);
        }
    }

    static void rethrown(String[] names) throws Exception {
        for (String name : names) {
            Object lock = name;
            synchronized (lock) {
                try {
                    pass(name.length());
                    synchronized (OddCalls.class) {
                        fail(name);
                    }
                } catch (RuntimeException e) {
                    log.add(Thread.holdsLock(lock) + " " + Thread.holdsLock(OddCalls.class));
                    if (name.length() > 2)
                        throw new Exception(name, e);
                }
            }
            log.add("after " + Thread.holdsLock(lock));
        }
    }

    static synchronized void locked() {
        fail("locked");
    }

    static int nested(int depth) {
        try {
            try {
                return depth == 0 ? fail("deep") : nested(depth - 1);
            } finally {
                log.add("out " + depth);
            }
        } catch (IllegalStateException e) {
            if (depth < 2)
                throw e;
            return depth;
        }
    }

    static class Base {
        final Object value;

        Base(Object value) {
            this.value = value;
            if ("bad".equals(value))
                OddCalls.fail("bad base");
        }
    }

    static class Derived extends Base {
        final int number;

        Derived(boolean flag, int n) {
            super(flag ? String.valueOf(pass(n)) : n > 5 ? Integer.valueOf(fail("argument")) : "bad".concat(""));
            int x;
            try {
                x = fail("body");
            } catch (IllegalStateException e) {
                x = n;
            }
            number = x;
        }

        Derived(int n) {
            this(n > 0, pass(n));
        }
    }

    static class Inherits extends Derived {
        Inherits() {
            super(4);
        }

        @Override
        public String toString() {
            return super.toString().startsWith("OddCalls$Inherits@") + " " + number;
        }
    }

    static Object fresh(int n) {
        Object seen = null;
        try {
            seen = new StringBuilder(n > 3 ? null + "x" : String.valueOf(pass(n)));
            return new ArrayList<>(n > 2 ? fail("size") : 7).size() + seen.toString();
        } catch (IllegalStateException e) {
            return e.getMessage() + " " + seen;
        }
    }

    static int loop(int n) {
        int sum = 0;
        byte small = 1;
        char letter = 'a';
        boolean flag = n > 3;
        float f = 1f;
        for (int i = 0; i < n; i++) {
            try {
                int[] data = new int[i];
                String[] words = new String[] { "a", null };
                String word = words[i % 2];
                sum += pass(i) + data.length;
                if (flag & i % 3 == 0)
                    word.length();
            } catch (NullPointerException e) {
                sum += small + letter + (int) f;
                continue;
            } finally {
                sum++;
            }
            sum--;
        }
        return sum;
    }

    static void run(String name, Callable<?> what) {
        try {
            log.add(name + " " + what.call());
        } catch (Throwable t) {
            StackTraceElement top = t.getStackTrace()[0];
            log.add(name + " threw " + t + " at " + top.getMethodName() + ":" + top.getLineNumber()
                    + (t.getCause() == null ? "" : " for " + t.getCause()));
        }
    }

    public static void main(String[] args) throws Exception {
        run("caught", () -> caught(3));
        run("rethrown", () -> {
            rethrown(new String[] { "a", "bb", "ccc", "d" });
            return 0;
        });
        run("free", () -> Thread.holdsLock(OddCalls.class));
        run("locked", () -> {
            locked();
            return 0;
        });
        run("free", () -> Thread.holdsLock(OddCalls.class));
        run("nested", () -> nested(4));
        run("flag", () -> new Derived(true, 1).value);
        run("argument", () -> new Derived(false, 9).value);
        run("bad", () -> new Derived(false, 2).number);
        run("this", () -> new Derived(2).number);
        run("inherits", () -> new Inherits());
        for (int i = 0; i < 5; i++) {
            int n = i;
            run("fresh", () -> fresh(n));
        }
        run("loop", () -> loop(20));
        run("clone", () -> new int[] { 1, 2 }.clone().length);
        run("reflect", () -> OddCalls.class.getDeclaredMethod("pass", int.class).invoke(null, 4));
        for (int i = 0; i < 30000; i++)
            loop(i % 7);
        log.forEach(System.out::println);
    }
}
