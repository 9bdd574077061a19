import java.lang.StackWalker.Option;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Code that looks at its callers, and messages that the VM makes out of the bytecode. */
public class OddCallers {
    static String line(StackTraceElement e) {
        if (e.getClassName().matches(".*\\$\\$Lambda.*|jdk.internal.reflect.*|java.lang.invoke.*"))
            return "";
        return " " + e.getClassName() + "." + e.getMethodName() + ":" + e.getLineNumber();
    }

    static void show(String what, StackTraceElement[] trace) {
        StringBuilder text = new StringBuilder(what);
        for (StackTraceElement e : trace)
            text.append(line(e));
        System.out.println(text);
    }

    static int depth(int n) {
        return n == 0 ? Thread.currentThread().getStackTrace().length + new Throwable().getStackTrace().length : depth(n - 1);
    }

    static class Asked {
        private static int hidden = 3;
        volatile int counter;

        static Class<?> caller() {
            return StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE).getCallerClass();
        }

        Class<?> callerOfCaller() {
            return StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE)
                    .walk(s -> s.skip(1).findFirst()).get().getDeclaringClass();
        }

        private String secret(int n) {
            return "secret " + (n + hidden);
        }

        static AtomicIntegerFieldUpdater<Asked> updater() {
            return AtomicIntegerFieldUpdater.newUpdater(Asked.class, "counter");
        }
    }

    static class Base {
        final StackTraceElement[] made;
        final Class<?> caller;

        Base() {
            made = new Throwable().getStackTrace();
            caller = Asked.caller();
        }
    }

    static class Derived extends Base {
        static final StackTraceElement[] INITIALISED = new Throwable().getStackTrace();

        Derived(Object ignored) {
            super();
        }

        Derived() {
            this(Asked.caller());
        }
    }

    interface Asking {
        default Class<?> who() {
            return Asked.caller();
        }

        static Class<?> whoStatic() {
            return Asked.caller();
        }
    }

    static String hiddenFrames() {
        Callable<List<String>> walk = () -> StackWalker.getInstance(Option.SHOW_HIDDEN_FRAMES)
                .walk(s -> s.map(f -> f.getClassName().replaceAll("\\$\\$Lambda.*", "\\$\\$Lambda") + "." + f.getMethodName()).toList());
        try {
            return walk.call().toString();
        } catch (Exception e) {
            return e.toString();
        }
    }

    static void log() {
        Logger logger = Logger.getLogger("odd");
        logger.setUseParentHandlers(false);
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord r) {
                System.out.println("logged by " + r.getSourceClassName() + "." + r.getSourceMethodName());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        logger.info("x");
        Runnable inside = () -> logger.warning("y");
        inside.run();
        logger.removeHandler(handler); // else it is closed beside the report of the probes
    }

    int[] numbers;
    OddCallers next;
    static OddCallers nobody;

    OddCallers next() {
        return next;
    }

    static void nulls(int i) {
        OddCallers here = new OddCallers();
        String text = i > 100 ? "x" : null;
        Object lock = text;
        switch (i) {
            case 0 -> text.length();
            case 1 -> here.next.next.next = here;
            case 2 -> here.next().next();
            case 3 -> here.numbers[i] = 5;
            case 4 -> System.out.println(nobody.numbers.length + here.numbers[0]);
            case 5 -> {
                synchronized (lock) {
                    here.next();
                }
            }
            case 6 -> throw (RuntimeException) lock;
            case 7 -> System.out.println((int) (Integer) lock);
            case 8 -> System.out.println(((Object) here) instanceof String ? 1 : ((String) (Object) here).length());
            case 9 -> System.out.println(new int[2][-1].length);
            case 10 -> System.out.println(new int[i][0][i].length);
            default -> System.out.println(i / (i - 11));
        }
    }

    static Supplier<Class<?>> lambda() {
        return () -> Asked.caller();
    }

    public static void main(String[] args) throws Throwable {
        show("here", new Throwable().getStackTrace());
        System.out.println("depth " + depth(0) + " " + depth(7));
        System.out.println("caller " + Asked.caller() + " " + new Asked().callerOfCaller() + " " + lambda().get());
        System.out.println("caller " + new Asking() {}.who() + " " + Asking.whoStatic());
        show("made", new Derived().made);
        System.out.println("made by " + new Derived().caller);
        show("initialised", Derived.INITIALISED);
        System.out.println("hidden " + hiddenFrames());
        System.out.println(Class.forName("OddCallers$Asked").getSimpleName() + " " + MethodHandles.lookup().lookupClass());
        Method secret = Asked.class.getDeclaredMethod("secret", int.class);
        System.out.println(secret.invoke(new Asked(), 4));
        System.out.println(MethodHandles.lookup().findVirtual(Asked.class, "secret", MethodType.methodType(String.class, int.class))
                .invoke(new Asked(), 5));
        Constructor<Derived> c = Derived.class.getDeclaredConstructor();
        show("reflected", c.newInstance().made);
        Asked asked = new Asked();
        System.out.println("updated " + Asked.updater().incrementAndGet(asked));
        log();
        for (int i = 0; i < 12; i++)
            try {
                nulls(i);
            } catch (RuntimeException e) {
                System.out.println(e.getMessage());
                show("from", e.getStackTrace());
            }
        Thread t = new Thread(() -> show("thread", Thread.currentThread().getStackTrace()));
        t.start();
        t.join();
    }
}
