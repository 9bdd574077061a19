import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.CRC32;

/**
 * What the JDK makes of each archive of a folder: whether it opens, which main class its manifest names, what acme.Main
 * prints, and how many entries can be read with which bytes (those that weaving adds or changes left out).
 */
public class OddArchives {
    public static void main(String[] args) {
        File[] files = new File(args[0]).listFiles();
        Arrays.sort(files);
        for (File file : files)
            System.out.println(file.getName() + ": " + opens(file) + "; " + runs(file));
    }

    static String opens(File file) {
        try (JarFile jar = new JarFile(file, false)) {
            int n = 0;
            long sum = 0;
            for (JarEntry e : (Iterable<JarEntry>) () -> jar.entries().asIterator()) {
                String name = e.getName();
                if (name.matches("(?s)(META-INF/jweave/(woven.json|x.*map|lib/.*)|jweave/.*|.*[.]class|.*[.]jar|(?i)META-INF/MANIFEST.MF)"))
                    continue;
                n++;
                CRC32 crc = new CRC32();
                crc.update(name.getBytes("UTF-8"));
                try {
                    crc.update(jar.getInputStream(e).readAllBytes());
                } catch (Exception x) {
                    crc.update(7);
                }
                sum += crc.getValue();
            }
            String main = jar.getManifest() == null ? null : jar.getManifest().getMainAttributes().getValue("Main-Class");
            return n + " entries " + Long.toHexString(sum) + ", main " + main;
        } catch (Exception e) {
            return "does not open";
        }
    }

    static String runs(File file) {
        PrintStream out = System.out;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {file.toURI().toURL()}, null)) {
            Class<?> c = loader.loadClass("acme.Main");
            System.setOut(new PrintStream(said, true));
            c.getMethod("main", String[].class).invoke(null, (Object) new String[0]);
            return said.toString().trim();
        } catch (Throwable e) {
            return "does not run";
        } finally {
            System.setOut(out);
        }
    }
}
