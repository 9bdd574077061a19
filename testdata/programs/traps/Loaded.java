package traps;

/** Lives in a loader that takes a lock for every resource. Woven. */
public class Loaded implements Runnable {
    static final String TEXT = text();

    /** A class initialiser that reads a resource through its loader. */
    static String text() {
        try (java.io.InputStream in = Loaded.class.getResourceAsStream("text")) {
            return in == null ? "none" : "text " + in.read();
        } catch (java.io.IOException e) {
            return e.toString();
        }
    }

    public void run() {
        System.out.println(TEXT);
    }
}
