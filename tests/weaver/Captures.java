import java.net.DatagramPacket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Methods that write down what they were called with, return and throw, in the words of the test's
 * Probe: what it captured at the calls, or at the begins, must be the same list.
 */
public class Captures {
    static final List<String> truth = new ArrayList<>();
    static boolean calls; // are captured: only they tell what they fill
    static final StringBuilder out = new StringBuilder();

    static void is(Object... values) {
        for (Object v : values) {
            if (v instanceof Number && !(v instanceof Boxed))
                truth.add("value " + ((Number) v).longValue());
            else if (v instanceof Character)
                truth.add("value " + (int) (Character) v);
            else if (v instanceof Boolean)
                truth.add("value " + ((Boolean) v ? 1 : 0));
            else
                truth.add("object " + System.identityHashCode(v));
        }
    }

    /** A number that is an object all the same, and whose methods nobody may call. */
    static class Boxed extends Number {
        @Override
        public int intValue() {
            throw new AssertionError("user code");
        }

        @Override
        public long longValue() {
            throw new AssertionError("user code");
        }

        @Override
        public float floatValue() {
            throw new AssertionError("user code");
        }

        @Override
        public double doubleValue() {
            throw new AssertionError("user code");
        }

        @Override
        public int hashCode() {
            throw new AssertionError("user code");
        }

        @Override
        public boolean equals(Object o) {
            throw new AssertionError("user code");
        }

        @Override
        public String toString() {
            throw new AssertionError("user code");
        }
    }

    interface Face {
        Object face(int a, Object b);
    }

    /** All that is woven is called on this class or from it. */
    static class Callee implements Face {
        final Object mark = new Object();

        static void nothing() {
        }

        void self() {
            is(this);
        }

        static byte numbers(byte a, short b, char c, int d, boolean e, long f, float g, double h) {
            is(a, b, c, d, e, f, g, h, a);
            return a;
        }

        long wide(long a, Object b, double c, String[] d) {
            is(this, a, b, c, d, a);
            return a;
        }

        @Override
        public Object face(int a, Object b) {
            is(this, a, b, b);
            return b;
        }

        static double many(Object a, long b, Object c, double d, Object e, int[][] f, char g, Object h) {
            is(a, b, c, d, e, f, g, h, d);
            return d;
        }

        private float hidden(float a) {
            is(this, a, a);
            return a;
        }

        float callHidden(float a) {
            is(this, a);
            float f = hidden(a);
            is(f);
            return f;
        }

        void failing(Object a, RuntimeException e) {
            is(this, a, e, e);
            throw e;
        }

        /** Fills both with N bytes, where there is room in B. */
        int fill(ByteBuffer b, int n, DatagramPacket p) {
            int room = b.remaining();
            is(this, b, n, p);
            if (n > room)
                filling(n);
            b.position(b.position() + n);
            p.setLength(n);
            if (calls) {
                truth.add("filled " + n + " of " + room);
                truth.add("packet " + n + " of -1");
            }
            is(n);
            return n;
        }

        void filling(int n) {
            is(this, n);
            RuntimeException e = new IllegalStateException("no room for " + n);
            is(e, e);
            throw e;
        }

        static Object failing(RuntimeException e, int a) {
            is(e, a, e);
            throw e;
        }
    }

    /** Constructors: their `this` is nobody's while they are called. */
    static class Made extends Base {
        Made(Object a, long b, String c) {
            super(told(c, a, b, c), b, a);
        }

        static Object told(Object result, Object... values) {
            is(values);
            return result;
        }
    }

    static class Base {
        final Object kept;

        Base(Object c, long b, Object a) {
            is(c, b, a);
            kept = a;
        }
    }

    static void failed(Runnable what) {
        try {
            what.run();
        } catch (RuntimeException e) {
            out.append(e.getMessage()).append('\n');
        } finally {
            out.append("finally\n");
        }
    }

    static Object loop(Callee c, int n) {
        Object last = null;
        for (int i = 0; i < n; i++) {
            String text = "s" + i;
            try {
                last = c.face(i, text);
                if (i % 3 == 0)
                    c.failing(text, new IllegalStateException(text));
                c.wide(i, last, i / 2.0, new String[i % 4]);
            } catch (IllegalStateException e) {
                out.append(e.getMessage()).append(' ').append(last).append(' ').append(i).append('\n');
                c.self();
            } finally {
                synchronized (c) {
                    Callee.nothing();
                }
            }
        }
        return last;
    }

    /** Each call fills what is left of the same buffer, one as the argument of another; at last there is no room. */
    static void fill(Callee c) {
        ByteBuffer b = ByteBuffer.allocate(10);
        DatagramPacket p = new DatagramPacket(new byte[10], 10);

        b.put((byte) 1);
        try {
            out.append(c.fill(b, c.fill(b, 3, p), p)).append(c.fill(b, 0, p)).append('\n');
            for (int i = 1; i < 5; i++)
                c.fill(b, i, p);
        } catch (IllegalStateException e) {
            out.append(e.getMessage()).append(b).append(p.getLength()).append('\n');
        }
    }

    /** The arguments of a call that is an argument. */
    static double nested(final Callee c, boolean flag) {
        return Callee.many(c.face(1, c.mark), flag ? c.wide(7, null, 1, null) : 3, flag ? null : c,
                Callee.many(null, 2, c, -2.9, "x", null, 'y', c), String.valueOf(c.callHidden(1.5f)), new int[1][], flag ? 'a' : 'b',
                c.face(2, null));
    }

    static void go() {
        final Callee c = new Callee();
        Face face = c;
        Callee.nothing();
        c.self();
        Callee.numbers((byte) -1, (short) 300, '\uffff', Integer.MIN_VALUE, true, Long.MAX_VALUE, Float.NaN, 1e300);
        Callee.numbers((byte) 127, (short) -300, 'a', 7, false, -1L, -0.5f, Double.NEGATIVE_INFINITY);
        c.wide(Long.MIN_VALUE, new Boxed(), 2.75, new String[] { null });
        out.append(face.face(3, new Boxed()) == null).append('\n');
        out.append(nested(c, true)).append(nested(c, false)).append('\n');
        out.append(loop(c, 10)).append('\n');
        fill(c);
        failed(new Runnable() { // a lambda is nothing for old class files
            @Override
            public void run() {
                c.failing(c, new IllegalArgumentException("one"));
            }
        });
        failed(new Runnable() {
            @Override
            public void run() {
                Callee.failing(new IllegalArgumentException("two"), 2);
            }
        });
        Object made = new Object();
        out.append(new Made(made, 5L, "z").kept == made).append('\n');
        out.append(CapturesWide.go(c)).append('\n');
        for (int i = 0; i < 3000; i++)
            loop(c, 3);
        for (int i = 0; i < 3000; i++)
            fill(c);
    }

    public static void main(String[] args) throws Exception {
        List<String> captured = new ArrayList<>();
        boolean woven = true;
        calls = args.length > 0 && args[0].equals("calls");
        try {
            Class.forName("jweave.rt.test.Probe").getMethod("capture", List.class).invoke(null, captured);
        } catch (ClassNotFoundException e) {
            woven = false;
        }
        go();
        System.out.print(out.substring(0, 200));
        System.out.println(out.toString().hashCode());
        for (int i = 0; woven && i < Math.max(truth.size(), captured.size()); i++) {
            String want = i < truth.size() ? truth.get(i) : "nothing", got = i < captured.size() ? captured.get(i) : "nothing";
            if (!want.equals(got)) {
                System.out.println(i + ": captured " + got + ", and it was " + want);
                break;
            }
        }
    }
}
