package traps;

import java.lang.ref.Reference;
import java.lang.reflect.Field;

/** HotSpot registers no finalizer for objects of a class whose finalize() is empty: woven neither. */
public class Finalizers {
    static class Empty {
        @Override
        protected void finalize() {}
    }

    static class Full {
        @Override
        protected void finalize() {
            done++;
        }
    }

    static volatile int done;

    public static void main(String[] args) throws Exception {
        Object[] keep = new Object[100];
        for (int i = 0; i < keep.length; i++)
            keep[i] = i < 50 ? new Empty() : new Full();
        System.out.println("empty " + registered(keep, Empty.class) + ", full " + registered(keep, Full.class));
        new Empty().finalize();
    }

    /** How many of the objects KEEP of class C stand in the VM's own list of finalizers. */
    @SuppressWarnings("unchecked")
    static int registered(Object[] keep, Class<?> c) throws Exception {
        Class<?> finalizer = Class.forName("java.lang.ref.Finalizer");
        Field head = finalizer.getDeclaredField("unfinalized");
        Field next = finalizer.getDeclaredField("next");
        head.setAccessible(true);
        next.setAccessible(true);
        int n = 0;
        for (Object f = head.get(null); f != null; f = next.get(f))
            for (Object o : keep)
                if (c.isInstance(o) && ((Reference<Object>) f).refersTo(o))
                    n++;
        return n;
    }
}
