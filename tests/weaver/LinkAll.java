import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Links (and so verifies) every class below a folder, without running any of them, and prints the
 * ones that fail: "NAME: EXCEPTION: message". The last line is how many were tried.
 *
 * <p>LinkAll DIR: by the system loader, which finds the classes in modules or on the class path.
 * LinkAll --url DIR: by a loader over DIR.
 */
public class LinkAll {
    public static void main(String[] args) throws IOException {
        boolean url = args[0].equals("--url");
        Path dir = Path.of(args[url ? 1 : 0]).toAbsolutePath();
        ClassLoader loader = ClassLoader.getSystemClassLoader();
        if (url)
            loader = new URLClassLoader(new URL[] {dir.toUri().toURL()}, loader);
        List<String> names = new ArrayList<>();
        try (Stream<Path> files = Files.walk(dir)) {
            files.map(f -> dir.relativize(f).toString())
                    .filter(f -> f.endsWith(".class") && !f.endsWith("-info.class"))
                    .sorted()
                    .forEach(f -> names.add(f.substring(0, f.length() - 6).replace('/', '.')));
        }
        for (String name : names) {
            try {
                Class.forName(name, false, loader).getDeclaredMethods();
            } catch (Throwable t) {
                String message = String.valueOf(t.getMessage());
                System.out.println(name + ": " + t.getClass().getName() + ": "
                        + message.lines().limit(4).map(String::strip).reduce("", (a, b) -> a + " " + b));
            }
        }
        System.out.println("tried " + names.size());
    }
}
