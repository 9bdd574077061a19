import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipFile;

/**
 * Defines the classes of one jar, its own before those of the JDK. What it lacks comes from the other
 * jars of the corpus as they were before weaving; what nobody has becomes a stub: a class where one extends it,
 * a Throwable by its name, else an interface, which verifiers take for any type.
 */
final class CorpusLoader extends ClassLoader {
    private static final Map<String, String> everywhere = new HashMap<>();
    private static final Map<String, ZipFile> open = new LinkedHashMap<>(64, .75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, ZipFile> e) {
            if (size() <= 100)
                return false;
            try {
                e.getValue().close();
            } catch (IOException x) {
                throw new java.io.UncheckedIOException(x);
            }
            return true;
        }
    };
    static {
        registerAsParallelCapable();
    }

    /** Remembers where the class of an internal NAME is, for everyone who lacks it. */
    static void remember(String name, String jar) {
        everywhere.putIfAbsent(name, jar);
    }

    private final List<Map<String, byte[]>> layers = new ArrayList<>();
    private final Set<String> parents = new HashSet<>();

    /** A loader over LAYERS, the first one that has a class wins. PARENTS: names that somebody extends. */
    CorpusLoader(List<Map<String, byte[]>> layers, Set<String> parents) {
        super(getPlatformClassLoader());
        this.layers.addAll(layers);
        this.parents.addAll(parents);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> c = findLoadedClass(name);
            String internal = name.replace('.', '/');
            if (c == null && !name.startsWith("java."))
                for (Map<String, byte[]> layer : layers) {
                    byte[] bytes = layer.get(internal);
                    if (bytes != null)
                        return define(name, bytes);
                }
            if (c == null)
                c = elsewhere(name, internal);
            return c;
        }
    }

    private Class<?> define(String name, byte[] bytes) {
        return defineClass(name, bytes, 0, bytes.length);
    }

    private Class<?> elsewhere(String name, String internal) throws ClassNotFoundException {
        try {
            return getParent().loadClass(name);
        } catch (ClassNotFoundException x) {
            if (name.startsWith("java."))
                throw x;
        }
        byte[] bytes = null;
        String jar = everywhere.get(internal);
        if (jar != null)
            try {
                ZipFile zip = open.get(jar);
                if (zip == null)
                    open.put(jar, zip = new ZipFile(jar));
                try (InputStream in = zip.getInputStream(zip.getEntry(internal + ".class"))) {
                    bytes = in.readAllBytes();
                }
                ClassShape shape = new ClassShape(bytes);
                if (!shape.name.equals(internal))
                    bytes = null;
                else if (shape.parent != null)
                    parents.add(shape.parent);
            } catch (IOException | RuntimeException x) {
                bytes = null;
            }
        return define(name, bytes != null ? bytes : stub(internal));
    }

    private byte[] stub(String name) {
        boolean thrown = name.endsWith("Exception") || name.endsWith("Error") || name.endsWith("Throwable");
        boolean isClass = thrown || parents.contains(name);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (DataOutputStream d = new DataOutputStream(out)) {
            d.writeInt(0xcafebabe);
            d.writeInt(52);
            d.writeShort(5);
            d.writeByte(1);
            d.writeUTF(name);
            d.writeByte(7);
            d.writeShort(1);
            d.writeByte(1);
            d.writeUTF(thrown ? "java/lang/RuntimeException" : "java/lang/Object");
            d.writeByte(7);
            d.writeShort(3);
            d.writeShort(isClass ? 0x0021 : 0x0601);
            d.writeShort(2);
            d.writeShort(4);
            for (int i = 0; i < 4; i++)
                d.writeShort(0);
        } catch (IOException x) {
            throw new java.io.UncheckedIOException(x);
        }
        return out.toByteArray();
    }
}
