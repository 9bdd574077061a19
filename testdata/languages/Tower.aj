// What ajc writes: advice as methods, closures for proceed, members of other types, cflow stacks, softened exceptions.
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

public class Tower {
    int n;

    Tower(int n) {
        this.n = n;
    }

    int half() {
        if (n % 2 != 0)
            throw new IllegalStateException("odd " + n);
        return n / 2;
    }

    static long fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    void reads() throws IOException {
        throw new IOException("softened");
    }

    synchronized List<String> work(String... words) {
        List<String> list = new ArrayList<>();
        for (String w : words)
            list.add(w + new Tower(w.length() * 2).half());
        return list;
    }

    public static void main(String[] args) {
        Tower t = new Tower(7);
        System.out.println(t.half() + " " + fib(10) + " " + t.work("a", "bcd"));
        System.out.println(((Named) t).name() + " " + t.extra + " " + Watch.entered + " " + Watch.outer);
        try {
            t.reads();
        } catch (RuntimeException e) {
            System.out.println(e.getClass().getSimpleName() + " " + e.getCause());
        } catch (IOException e) {
            System.out.println("not softened");
        }
        System.out.println(Watch.hidden(t) + " " + PerThis.aspectOf(t).seen);
    }
}

interface Named {
    String name();
}

aspect Watch {
    static int entered, outer;
    declare parents : Tower implements Named;
    declare soft : IOException : execution(void Tower.reads());
    int Tower.extra = 42;

    public String Tower.name() {
        return "named " + n;
    }

    private int Tower.secret() {
        return n * 100;
    }

    static int hidden(Tower t) {
        return t.secret();
    }

    int around(Tower t) : execution(int Tower.half()) && this(t) {
        try {
            return proceed(t);
        } catch (IllegalStateException e) {
            Runnable later = new Runnable() {
                public void run() {
                    t.n++;
                }
            };
            later.run();
            return -proceed(t);
        } finally {
            entered++;
        }
    }

    after() returning(Object o) : call(* Tower.work(..)) {
        entered += 1000;
    }

    after() throwing(Exception e) : execution(* Tower.*(..)) {
        entered += 100000;
    }

    before() : execution(static long Tower.fib(int)) && !cflowbelow(execution(static long Tower.fib(int))) {
        outer++;
    }

    void around() : within(Tower) && call(boolean List.add(..)) && if (false) {
        proceed();
    }
}

aspect PerThis perthis(execution(* Tower.work(..))) {
    int seen;

    before() : execution(* Tower.*(..)) {
        seen++;
    }
}
