import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** CorpusIndex JARS OUT: which of the archives named in JARS has a class first; "JAR" lines, then "\tCLASS" lines. */
public class CorpusIndex {
    public static void main(String[] args) throws IOException {
        Set<String> seen = new HashSet<>();
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(Path.of(args[1])))) {
            for (String jar : Files.readAllLines(Path.of(args[0])))
                try (ZipFile zip = new ZipFile(jar)) {
                    out.println(jar);
                    for (Enumeration<? extends ZipEntry> e = zip.entries(); e.hasMoreElements();) {
                        String name = e.nextElement().getName();
                        if (name.endsWith(".class") && !name.startsWith("META-INF/")
                                && seen.add(name.substring(0, name.length() - 6)))
                            out.println("\t" + name.substring(0, name.length() - 6));
                    }
                } catch (IOException | RuntimeException x) {
                    // not an archive that the JDK opens
                }
        }
    }
}
