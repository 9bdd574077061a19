package jweave.rt.test;

import java.io.FileWriter;
import java.io.IOException;
import java.util.Arrays;

/**
 * Stands in for the runtime: keeps a stack of ids for each thread and counts what does not nest.
 *
 * <p>With -Djweave.test.report=FILE it writes at the end: "enter N exit N fail N inferred N wrong N
 * open N". Inferred: frames that ended without an event, below one that did (an exception inside
 * super(...)). Wrong: an exit or fail of a method that was not entered.
 */
public class Probe {
    private static final class Frames {
        long[] ids = new long[64];
        int depth;
        long enter, exit, fail, inferred, wrong;

        void push(long id) {
            if (depth == ids.length)
                ids = Arrays.copyOf(ids, 2 * depth);
            ids[depth++] = id;
        }

        void pop(long id) {
            int at = depth - 1;
            while (at >= 0 && ids[at] != id)
                at--;
            if (at < 0) {
                wrong++;
                return;
            }
            inferred += depth - 1 - at;
            depth = at;
        }
    }

    private static final java.util.Vector<Frames> all = new java.util.Vector<>();
    private static final ThreadLocal<Frames> frames = ThreadLocal.withInitial(() -> {
        Frames f = new Frames();
        all.add(f);
        return f;
    });

    static {
        String report = System.getProperty("jweave.test.report");
        if (report != null)
            Runtime.getRuntime().addShutdownHook(new Thread(() -> write(report)));
    }

    private static void write(String report) {
        long enter = 0, exit = 0, fail = 0, inferred = 0, wrong = 0, open = 0;
        for (Frames f : all) {
            enter += f.enter;
            exit += f.exit;
            fail += f.fail;
            inferred += f.inferred;
            wrong += f.wrong;
            open += f.depth;
        }
        try (FileWriter w = new FileWriter(report)) {
            w.write("enter " + enter + " exit " + exit + " fail " + fail + " inferred " + inferred
                    + " wrong " + wrong + " open " + open + "\n");
        } catch (IOException e) {
            System.err.println(e);
        }
    }

    public static void enter(long id) {
        Frames f = frames.get();
        f.enter++;
        f.push(id);
    }

    public static void exit(long id) {
        Frames f = frames.get();
        f.exit++;
        f.pop(id);
    }

    public static void fail(long id) {
        Frames f = frames.get();
        f.fail++;
        f.pop(id);
    }

    /** What was captured: one text each, while somebody has asked for them. */
    private static java.util.List<String> captured;

    public static void capture(java.util.List<String> into) {
        captured = into;
    }

    private static void add(Object what) {
        if (captured != null)
            captured.add(String.valueOf(what));
    }

    /** No text of it while nobody has asked: javac, woven, captures millions. */
    private static void add(String what, Object o) {
        if (captured != null)
            captured.add(what + " " + System.identityHashCode(o));
    }

    private static void exception(Object e, String what) {
        if (e != null && !(e instanceof Throwable))
            throw new Error(what + " is no exception");
    }

    public static void thrown(Object e) {
        exception(e, "thrown");
    }

    public static void caught(Object e) {
        exception(e, "caught");
    }

    public static void passed(Object e) {
        exception(e, "passed");
    }

    public static void created(long id) {
        if (id == 0)
            throw new Error("no place makes it");
    }

    public static void object(Object o) {
        add("object", o);
    }

    public static void value(long v) {
        if (captured != null)
            add("value " + v);
    }

    public static void number(Object o) {
        add("number", o);
    }

    public static void length(Object o) {
        add("length", o);
    }

    public static int room(Object o) {
        return o instanceof java.nio.Buffer ? ((java.nio.Buffer) o).remaining() : -1;
    }

    public static void filled(Object o, int room) {
        if (captured == null)
            return;
        if (o instanceof java.net.DatagramPacket)
            add("packet " + ((java.net.DatagramPacket) o).getLength() + " of " + room);
        else
            add("filled " + (room - ((java.nio.Buffer) o).remaining()) + " of " + room);
    }

    public static void type(Object o) {
        add("type", o);
    }

    public static void handed(Object o) {
        task(o);
    }

    public static void runs(long body) {
        add("runs");
    }

    public static void ran(long body) {
        add("ran");
    }

    public static void task(Object o) {
        add("task", o);
    }

    public static void text(Object o) {
        add("text", o);
    }
}
