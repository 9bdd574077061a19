import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Holds woven jars against their originals: their entries, the structure of their classes, and what
 * HotSpot's verifier says of each, before and after; classes of version 50 also as version 51, since
 * for 50 HotSpot falls back to its old verifier, which sees no frames.
 *
 * <p>CorpusCheck FALLBACK LIST: FALLBACK is what CorpusIndex wrote: the jars that lend classes. A line of LIST is
 * NAME, ORIGINAL and any number of woven jars, separated by tabs. For each of these it prints "jar", name,
 * number of the woven jar, classes, methods with a body, changed ones, classes that linked before, that did
 * not, linked as version 51; "FAIL" lines where one differs.
 */
public class CorpusCheck {
    private static final String[] ARCHIVES = {".jar", ".war", ".ear", ".zip", ".rar", ".sar", ".par", ".aar"};

    /** An opened archive: its classes by place, and the other entries. */
    private static final class Jar {
        final Map<String, ClassShape> classes = new LinkedHashMap<>();
        final Map<String, String> others = new LinkedHashMap<>();
        final List<String> order = new ArrayList<>();

        Jar(String prefix, Path path) throws IOException {
            read(prefix, path);
        }

        private void read(String prefix, Path path) throws IOException {
            try (ZipFile zip = new ZipFile(path.toFile())) {
                for (Enumeration<? extends ZipEntry> e = zip.entries(); e.hasMoreElements();)
                    entry(prefix, zip, e.nextElement());
            }
        }

        private void entry(String prefix, ZipFile zip, ZipEntry e) throws IOException {
            String place = prefix + e.getName();
            String lower = e.getName().toLowerCase();
            order.add(place + (e.getMethod() == ZipEntry.STORED ? " stored " : " packed ") + e.getTime() + " "
                    + e.getComment() + " " + (e.getExtra() == null || e.getMethod() == ZipEntry.STORED ? 0 : e.getExtra().length));
            if (e.isDirectory())
                return;
            if (lower.endsWith(".class")) {
                try (InputStream in = zip.getInputStream(e)) {
                    byte[] bytes = in.readAllBytes();
                    try {
                        classes.put(place, new ClassShape(bytes));
                        return;
                    } catch (RuntimeException x) {
                        // no class file: an entry like others
                    }
                }
            }
            for (String end : ARCHIVES)
                if (lower.endsWith(end) && e.getSize() > 100) {
                    Path inner = Files.createTempFile("nested", ".zip");
                    try (InputStream in = zip.getInputStream(e)) {
                        Files.write(inner, in.readAllBytes());
                        read(place + "!", inner);
                        return;
                    } catch (IOException x) {
                        // not an archive
                    } finally {
                        Files.delete(inner);
                    }
                }
            if (!lower.matches("meta-inf/(manifest\\.mf|sig-[^/]*|[^/]*\\.(sf|rsa|dsa|ec))"))
                others.put(place, e.getSize() + " " + e.getCrc());
        }
    }

    /** "" or the error of each class, by place. */
    private static Map<String, String> link(Map<String, ClassShape> classes, boolean raise) {
        Map<String, Map<String, byte[]>> roots = new LinkedHashMap<>();
        Map<String, String> rootOf = new HashMap<>();
        Map<String, byte[]> all = new HashMap<>();
        Set<String> parents = new HashSet<>();
        classes.forEach((place, c) -> {
            String tail = c.name + ".class";
            String root = place.endsWith(tail) ? place.substring(0, place.length() - tail.length()) : "?" + place;
            byte[] bytes = raise && c.major() == 50 ? c.raised(51) : c.bytes;
            rootOf.put(place, root);
            roots.computeIfAbsent(root, r -> new HashMap<>()).putIfAbsent(c.name, bytes);
            all.putIfAbsent(c.name, bytes);
            if (c.parent != null)
                parents.add(c.parent);
        });
        Map<String, CorpusLoader> loaders = new HashMap<>();
        Map<String, String> answers = new LinkedHashMap<>();
        classes.forEach((place, c) -> {
            if (c.name.equals("module-info") || raise && c.major() != 50)
                return;
            String root = rootOf.get(place);
            CorpusLoader loader =
                    loaders.computeIfAbsent(root, r -> new CorpusLoader(List.of(roots.get(r), all), parents));
            String answer = "";
            try {
                Class<?> k = Class.forName(c.name.replace('/', '.'), false, loader);
                if (k.isInterface())
                    k.getDeclaredMethods();
                else
                    k.getDeclaredConstructors();
            } catch (Throwable t) {
                answer = t.getClass().getName() + ": " + String.valueOf(t.getMessage()).replaceAll("\\s+", " ");
            }
            answers.put(place, answer);
        });
        return answers;
    }

    private static String kind(String answer) {
        return answer.substring(0, Math.max(0, answer.indexOf(':')));
    }

    private static void fail(String jar, int nth, String text) {
        System.out.println("FAIL\t" + jar + "\t" + nth + "\t" + text.substring(0, Math.min(text.length(), 700)));
    }

    private static void links(String jar, int nth, Map<String, String> before, Map<String, String> after, String as) {
        before.forEach((place, was) -> {
            String is = after.getOrDefault(place, "gone: ");
            if (is.contains("loader constraint") || was.contains("loader constraint"))
                System.out.println("before\t" + jar + "\tnot comparable: a class that the JDK has too, and shows in signatures\t1");
            else if (!kind(is).equals(kind(was)))
                fail(jar, nth, place + as + ": was '" + kind(was) + "', is " + is);
        });
    }

    private static void entries(String name, int nth, Jar a, Jar b) {
        List<String> kept = new ArrayList<>(b.order);
        kept.retainAll(new HashSet<>(a.order));
        if (!kept.equals(a.order)) {
            List<String> lost = new ArrayList<>(a.order);
            lost.removeAll(new HashSet<>(b.order));
            lost.removeIf(s -> s.matches("(?i)(.*!)?meta-inf/[^/]*\\.(sf|rsa|dsa|ec) .*"));
            if (!lost.isEmpty() || kept.size() > a.order.size())
                fail(name, nth, "entries lost or out of order: " + lost);
        }
        a.others.forEach((place, was) -> {
            if (!was.equals(b.others.get(place)))
                fail(name, nth, "another " + place + ": " + was + ", now " + b.others.get(place));
        });
    }

    private static void check(String[] line) throws IOException {
        Jar a;
        try {
            a = new Jar("", Path.of(line[1]));
        } catch (IOException e) {
            System.out.println("unopened\t" + line[0] + "\t" + e);
            return;
        }
        Map<String, String> before = link(a.classes, false), raised = link(a.classes, true);
        long linked = before.values().stream().filter(String::isEmpty).count();
        long linked51 = raised.values().stream().filter(String::isEmpty).count();
        for (int nth = 2; nth < line.length; nth++) {
            Jar b;
            try {
                b = new Jar("", Path.of(line[nth]));
            } catch (IOException e) {
                fail(line[0], nth - 1, "does not open: " + e);
                continue;
            }
            ClassShape.Count count = new ClassShape.Count();
            entries(line[0], nth - 1, a, b);
            for (Map.Entry<String, ClassShape> e : a.classes.entrySet())
                try {
                    ClassShape woven = b.classes.get(e.getKey());
                    if (!e.getValue().name.equals("module-info"))
                        e.getValue().compare(woven, count);
                } catch (RuntimeException x) {
                    fail(line[0], nth - 1, e.getKey() + ": " + x);
                }
            links(line[0], nth - 1, before, link(b.classes, false), "");
            if (!raised.isEmpty())
                links(line[0], nth - 1, raised, link(b.classes, true), " as version 51");
            System.out.println("jar\t" + line[0] + "\t" + (nth - 1) + "\t" + before.size() + "\t" + count.methods + "\t"
                    + count.changed + "\t" + linked + "\t" + (before.size() - linked) + "\t" + linked51);
        }
        Map<String, Integer> kinds = new HashMap<>();
        before.values().stream().filter(s -> !s.isEmpty()).forEach(s -> kinds.merge(kind(s), 1, Integer::sum));
        kinds.forEach((k, n) -> System.out.println("before\t" + line[0] + "\t" + k + "\t" + n));
    }

    public static void main(String[] args) throws IOException {
        String jar = null;
        for (String line : Files.readAllLines(Path.of(args[0])))
            if (line.startsWith("\t"))
                CorpusLoader.remember(line.substring(1), jar);
            else
                jar = line;
        for (String line : Files.readAllLines(Path.of(args[1])))
            try {
                check(line.split("\t"));
            } catch (Throwable t) {
                System.out.println("FAIL\t" + line.split("\t")[0] + "\t0\t" + t);
                t.printStackTrace();
            }
    }
}
