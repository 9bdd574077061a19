import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Real classes with a few bytes changed at random, of which HotSpot still links some: those must link woven, too.
 *
 * <p>Mutants make SEED COUNT OUT IN...: changes classes below the folders IN, COUNT times, and writes those that link to
 * OUT. Mutants sift OUT IN...: of the classes of OUT, made by another tool, only those that link stay.
 * Mutants link OUT IN...: one line for each class of OUT: its name, and the error that linking it gives.
 * Needs --add-opens java.base/java.lang=ALL-UNNAMED, since a class is linked without running it.
 */
public class Mutants extends ClassLoader {
    /** Where a class looks for what it names: the classes below IN, unchanged. */
    static final Map<String, byte[]> others = new TreeMap<>();

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] bytes = others.get(name);
        if (bytes == null)
            throw new ClassNotFoundException(name);
        return defineClass(name, bytes, 0, bytes.length);
    }

    /** "linked", or the error. */
    static String link(byte[] bytes) throws ReflectiveOperationException {
        Method resolve = ClassLoader.class.getDeclaredMethod("resolveClass", Class.class);
        resolve.setAccessible(true);
        try {
            Mutants loader = new Mutants();
            Class<?> c = loader.defineClass(null, bytes, 0, bytes.length);
            c.getDeclaredMethods();
            c.getDeclaredConstructors();
            resolve.invoke(loader, c);
            return "linked";
        } catch (java.lang.reflect.InvocationTargetException e) {
            return e.getCause().getClass().getName();
        } catch (LinkageError | RuntimeException e) { // "java.lang" is no package for a mutant
            return e.getClass().getName();
        }
    }

    /** Where the constant pool ends: what is changed most comes after it. */
    static int poolEnd(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        in.skipBytes(8);
        for (int n = in.readUnsignedShort(), i = 1; i < n; i++) {
            int tag = in.readUnsignedByte();
            switch (tag) {
            case 1 -> in.skipBytes(in.readUnsignedShort());
            case 5, 6 -> {
                in.skipBytes(8);
                i++;
            }
            case 7, 8, 16, 19, 20 -> in.skipBytes(2);
            case 15 -> in.skipBytes(3);
            default -> in.skipBytes(4);
            }
        }
        return bytes.length - in.available();
    }

    static byte[] mutant(byte[] of, Random random) throws IOException {
        byte[] b = of.clone();
        int end = poolEnd(b);
        for (int changes = Math.max(1, random.nextInt(5) - 1); changes > 0; changes--) {
            int at = random.nextInt(12) > 0 ? random.nextInt(end, b.length) : random.nextInt(8, end);
            switch (random.nextInt(6)) {
            case 0, 1 -> b[at] += (byte) (random.nextInt(5) - 2);
            case 2 -> b[at] = (byte) random.nextInt(256);
            case 3 -> b[at] ^= (byte) (1 << random.nextInt(8));
            case 4 -> {
                int n = Math.min(random.nextInt(1, 5), b.length - at);
                System.arraycopy(of, random.nextInt(end, b.length - n + 1), b, at, n);
            }
            default -> b[at] = 0;
            }
        }
        return b;
    }

    static void make(long seed, int count, Path out) throws IOException, ReflectiveOperationException {
        List<byte[]> from = new ArrayList<>();
        for (byte[] bytes : others.values())
            if (bytes.length > 150 && bytes.length < 6000)
                from.add(bytes);
        Random random = new Random(seed);
        Files.createDirectories(out);
        for (int i = 0; i < count; i++) {
            byte[] bytes = mutant(from.get(random.nextInt(from.size())), random);
            if (link(bytes).equals("linked"))
                Files.write(out.resolve("m%06d.class".formatted(i)), bytes);
        }
    }

    static List<Path> classes(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(p -> p.toString().endsWith(".class")).sorted().toList();
        }
    }

    public static void main(String[] args) throws IOException, ReflectiveOperationException {
        boolean make = args[0].equals("make");
        for (int i = make ? 4 : 2; i < args.length; i++)
            for (Path p : classes(Path.of(args[i])))
                others.putIfAbsent(Path.of(args[i]).relativize(p).toString().replaceAll("[.]class$", "").replace('/', '.'),
                        Files.readAllBytes(p));
        if (make) {
            make(Long.parseLong(args[1]), Integer.parseInt(args[2]), Path.of(args[3]));
            return;
        }
        boolean sift = args[0].equals("sift");
        for (Path p : classes(Path.of(args[1]))) {
            String answer = link(Files.readAllBytes(p));
            if (!sift)
                System.out.println(p.getFileName() + " " + answer);
            else if (!answer.equals("linked"))
                Files.delete(p);
        }
    }
}
