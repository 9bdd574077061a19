package traps;

import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;

/**
 * One thread holds the lock of a class loader that is asked for one resource at a time, and calls a woven class of it;
 * the other, which has begun to initialise what traces, must not wait for that lock.
 * Arguments: the jar with Loaded, the name of its class Probe. Not woven.
 */
public class Deadlock {
    /** Loads classes in parallel, and finds one resource at a time. */
    static class Locked extends URLClassLoader {
        static {
            registerAsParallelCapable();
        }

        Locked(URL jar) {
            super(new URL[] {jar}, null);
        }

        @Override
        public synchronized URL getResource(String name) {
            return super.getResource(name);
        }

        @Override
        public synchronized InputStream getResourceAsStream(String name) {
            return super.getResourceAsStream(name);
        }

        @Override
        public synchronized URL findResource(String name) {
            return super.findResource(name);
        }
    }

    public static void main(String[] args) throws Exception {
        Locked loader = new Locked(new java.io.File(args[0]).toURI().toURL());
        Class.forName(args[1], false, loader); // loaded, not initialised
        Class<?> c = Class.forName("traps.Loaded", false, loader);
        Thread first = new Thread(() -> {
            try {
                ((Runnable) c.getDeclaredConstructor().newInstance()).run();
            } catch (ReflectiveOperationException e) {
                System.out.println(e);
            }
        }, "first");
        synchronized (loader) {
            first.start();
            // its own <clinit> asks for the loader's lock and waits for it here, woven or not: by then Probe,
            // entered before it, is initialised
            for (int i = 0; i < 2000 && first.getState() != Thread.State.BLOCKED; i++)
                Thread.sleep(5);
            System.out.println(first.getState());
            System.out.println(who(first));
            if (who(first).startsWith("what traces"))
                System.exit(1); // the next line would never end
            Class<?> probe = Class.forName(args[1], true, loader); // waits for whoever initialises it
            System.out.println(probe.getMethod("isOn").invoke(null));
        }
        first.join();
    }

    /** Whether the frame that waits for the lock was called by the program or by what traces. */
    static String who(Thread t) {
        for (StackTraceElement e : t.getStackTrace())
            if (e.getClassName().startsWith("jweave."))
                return "what traces waits";
            else if (e.getClassName().equals("traps.Loaded"))
                return "the program waits";
        return "nobody waits";
    }
}
