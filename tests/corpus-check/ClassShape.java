import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;

/**
 * The parts of a class file, as far as a comparison needs them: read here from the JVM specification
 * alone, so that no mistake of the weaver's own reader hides one of its writer.
 */
final class ClassShape {
    /** What may differ in the Code of a woven method; anything else in it stays byte for byte. */
    private static final Set<String> MOVES = Set.of("LineNumberTable", "LocalVariableTable",
            "LocalVariableTypeTable", "StackMapTable", "StackMap", "RuntimeVisibleTypeAnnotations",
            "RuntimeInvisibleTypeAnnotations", "CharacterRangeTable", "SourceIDTable");

    final byte[] bytes;
    private final int[] pool;
    private final int afterPool;
    String name, parent;

    ClassShape(byte[] bytes) {
        this.bytes = bytes;
        ByteBuffer b = ByteBuffer.wrap(bytes);
        if (b.getInt() != 0xcafebabe)
            throw new IllegalArgumentException("not a class file");
        b.getInt();
        pool = new int[b.getShort() & 0xffff];
        for (int i = 1; i < pool.length; i++) {
            pool[i] = b.position();
            int tag = b.get();
            switch (tag) {
                case 1 -> b.position(b.position() + 2 + (b.getShort(b.position()) & 0xffff));
                case 3, 4, 9, 10, 11, 12, 17, 18 -> b.getInt();
                case 5, 6 -> {
                    b.getLong();
                    i++;
                }
                case 7, 8, 16, 19, 20 -> b.getShort();
                case 15 -> b.position(b.position() + 3);
                default -> throw new IllegalArgumentException("constant of kind " + tag);
            }
        }
        afterPool = b.position();
        name = className(b.getShort(afterPool + 2) & 0xffff);
        parent = className(b.getShort(afterPool + 4) & 0xffff);
    }

    int major() {
        return ByteBuffer.wrap(bytes).getShort(6) & 0xffff;
    }

    private String className(int at) {
        return at == 0 ? null : utf8(ByteBuffer.wrap(bytes).getShort(pool[at] + 1) & 0xffff);
    }

    private String utf8(int at) {
        try {
            int n = ByteBuffer.wrap(bytes).getShort(pool[at] + 1) & 0xffff;
            return new java.io.DataInputStream(new java.io.ByteArrayInputStream(bytes, pool[at] + 1, n + 2)).readUTF();
        } catch (java.io.IOException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static void same(boolean is, String what) {
        if (!is)
            throw new IllegalStateException(what + " differ");
    }

    private static boolean equal(ByteBuffer a, int alen, ByteBuffer b, int blen) {
        boolean is = alen == blen && a.slice(a.position(), alen).equals(b.slice(b.position(), blen));
        a.position(a.position() + alen);
        b.position(b.position() + blen);
        return is;
    }

    /** How many bytes the next COUNT attributes take. */
    private static int attributes(ByteBuffer b, int at) {
        int n = b.getShort(at) & 0xffff, p = at + 2;
        for (int i = 0; i < n; i++)
            p += 6 + b.getInt(p + 2);
        return p - at;
    }

    private static int fields(ByteBuffer b) {
        int n = b.getShort(b.position()) & 0xffff, p = b.position() + 2;
        for (int i = 0; i < n; i++)
            p += 6 + attributes(b, p + 6);
        return p - b.position();
    }

    /** Counts of a comparison. */
    static final class Count {
        int methods, changed;
    }

    /** Throws unless WOVEN is this class but for the Code of methods and more constants at the end. */
    void compare(ClassShape woven, Count count) {
        ByteBuffer a = ByteBuffer.wrap(bytes), b = ByteBuffer.wrap(woven.bytes);
        same(equal(a, 8, b, 8), "versions");
        same(woven.pool.length >= pool.length, "pools");
        a.position(10);
        b.position(10);
        same(equal(a, afterPool - 10, b, Math.min(afterPool - 10, b.remaining())), "old constants");
        b.position(woven.afterPool);
        int head = 8 + 2 * (a.getShort(afterPool + 6) & 0xffff);
        same(equal(a, head, b, head), "access, names or interfaces");
        same(equal(a, fields(a), b, fields(b)), "fields");
        int methods = a.getShort() & 0xffff;
        same(methods == (b.getShort() & 0xffff), "numbers of methods");
        for (int i = 0; i < methods; i++)
            method(woven, a, b, count);
        same(equal(a, a.remaining(), b, b.remaining()), "attributes of the class");
    }

    private void method(ClassShape woven, ByteBuffer a, ByteBuffer b, Count count) {
        same(equal(a, 8, b, 8), "methods");
        int n = a.getShort(a.position() - 2) & 0xffff;
        for (int i = 0; i < n; i++) {
            same(equal(a, 2, b, 2), "attributes of a method");
            String attribute = utf8(a.getShort(a.position() - 2) & 0xffff);
            int alen = a.getInt(), blen = b.getInt(), aend = a.position() + alen, bend = b.position() + blen;
            boolean is = equal(a, alen, b, blen);
            if (attribute.equals("Code")) {
                count.methods++;
                if (!is) {
                    count.changed++;
                    a.position(aend - alen);
                    b.position(bend - blen);
                    code(woven, a, b);
                    same(a.position() == aend && b.position() == bend, "lengths of Code");
                }
            } else {
                same(is, attribute + " of a method");
            }
        }
    }

    /** All but the frames, which may come, move or (CLDC's) go, is there in the same order. */
    private void code(ClassShape woven, ByteBuffer a, ByteBuffer b) {
        skipCode(a);
        skipCode(b);
        int na = skipFrames(a, a.getShort() & 0xffff), nb = woven.skipFrames(b, b.getShort() & 0xffff);
        while (na > 0 && nb > 0) {
            String was = utf8(a.getShort() & 0xffff), is = woven.utf8(b.getShort() & 0xffff);
            int alen = a.getInt(), aend = a.position() + alen, blen = b.getInt(), bend = b.position() + blen;
            same(is.equals(was), "attributes of Code (" + was + ", " + is + ")");
            if (!MOVES.contains(is))
                same(equal(a, alen, b, blen), is + " of Code");
            a.position(aend);
            b.position(bend);
            na = skipFrames(a, na - 1);
            nb = woven.skipFrames(b, nb - 1);
        }
        same(na == 0 && nb == 0, "numbers of attributes of Code");
    }

    /** To the next of N attributes that holds no frames; how many there are from it on. */
    private int skipFrames(ByteBuffer b, int n) {
        for (; n > 0 && utf8(b.getShort(b.position()) & 0xffff).startsWith("StackMap"); n--)
            b.position(b.position() + 6 + b.getInt(b.position() + 2));
        return n;
    }

    private static void skipCode(ByteBuffer b) {
        b.getInt();
        int n = b.getInt();
        b.position(b.position() + n);
        int handlers = b.getShort() & 0xffff;
        b.position(b.position() + 8 * handlers);
    }

    /** This class file with another major version. */
    byte[] raised(int major) {
        byte[] copy = Arrays.copyOf(bytes, bytes.length);
        copy[6] = (byte) (major >> 8);
        copy[7] = (byte) major;
        return copy;
    }
}
