import static org.objectweb.asm.Opcodes.*;

import java.io.File;
import java.io.IOException;
import java.util.Random;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.Attribute;
import org.objectweb.asm.ByteVector;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;

/**
 * Classes made to be too much: methods that are nothing but branches, gotos in random order, switches of switches, try
 * blocks a thousand deep, mazes of subroutines, tables as long as they can be, unknown attributes in every place.
 * What is cubic or recursive in a weaver shows here. Arguments and answers as in OddClasses.
 */
public class OddGiants extends OddClasses {
    /** PAIRS branches on either side of one label in the middle. */
    static void branches(int v, int pairs) {
        f("Branches" + pairs + "v" + v, v, m -> {
            Label middle = new Label(), end = new Label(), back = new Label();
            for (int i = 0; i < pairs; i++) {
                m.visitVarInsn(ILOAD, 0);
                m.visitJumpInsn(IFLT, middle);
            }
            m.visitIincInsn(0, 40);
            m.visitLabel(middle);
            m.visitJumpInsn(GOTO, back);
            m.visitLabel(back);
            for (int i = 0; i < pairs; i++) {
                m.visitVarInsn(ILOAD, 0);
                m.visitIntInsn(BIPUSH, -100);
                m.visitJumpInsn(IF_ICMPLT, i % 3 == 0 ? end : back);
            }
            m.visitLabel(end);
            m.visitIntInsn(BIPUSH, 12);
            m.visitVarInsn(ILOAD, 0);
            m.visitIntInsn(BIPUSH, 41);
            m.visitInsn(ISUB);
            m.visitInsn(IDIV);
            m.visitInsn(IRETURN);
        });
    }

    /** N blocks, each of which adds its number and goes to another, in random order. */
    static void gotos(int v, int n) {
        f("Gotos" + n + "v" + v, v, m -> {
            Random random = new Random(n);
            int[] order = random.ints(0, n).distinct().limit(n).toArray();
            Label[] at = new Label[n + 1];
            for (int i = 0; i <= n; i++)
                at[i] = new Label();
            int[] next = new int[n];
            for (int i = 0; i < n; i++)
                next[order[i]] = i + 1 < n ? order[i + 1] : n;
            m.visitJumpInsn(GOTO, at[order[0]]);
            for (int i = 0; i < n; i++) {
                m.visitLabel(at[i]);
                m.visitIincInsn(0, i % 100);
                m.visitJumpInsn(GOTO, at[next[i]]);
            }
            m.visitLabel(at[n]);
            m.visitVarInsn(ILOAD, 0);
            m.visitInsn(IRETURN);
        });
    }

    /** N switches whose cases go to each other's beginnings, and to returns between them. */
    static void switches(int v, int n, int cases) {
        f("Switches" + n + "x" + cases + "v" + v, v, m -> {
            Label[] at = new Label[n + 1];
            Label[] out = new Label[n];
            for (int i = 0; i <= n; i++)
                at[i] = new Label();
            for (int i = 0; i < n; i++)
                out[i] = new Label();
            for (int i = 0; i < n; i++) {
                m.visitLabel(at[i]);
                m.visitIincInsn(0, 1);
                m.visitVarInsn(ILOAD, 0);
                Label[] to = new Label[cases];
                int[] keys = new int[cases];
                for (int k = 0; k < cases; k++) {
                    keys[k] = 3 * k;
                    to[k] = k == 0 ? out[(i * 7 + 3) % n] : at[Math.min(n, i + 1 + k * 5 % n)];
                }
                if (i % 2 == 0)
                    m.visitLookupSwitchInsn(at[i + 1], keys, to);
                else
                    m.visitTableSwitchInsn(0, cases - 1, at[i + 1], to);
                m.visitLabel(out[i]);
                m.visitIntInsn(SIPUSH, i);
                m.visitVarInsn(ILOAD, 0);
                m.visitInsn(IDIV);
                m.visitInsn(IRETURN);
            }
            m.visitLabel(at[n]);
            m.visitVarInsn(ILOAD, 0);
            m.visitInsn(IRETURN);
        });
    }

    /** DEPTH try blocks in each other, each with a handler of its own that throws on to the next. */
    static void nested(int v, int depth) {
        f("Nested" + depth + "v" + v, v, m -> {
            Label[] from = new Label[depth], to = new Label[depth], handler = new Label[depth];
            for (int i = 0; i < depth; i++) {
                from[i] = new Label();
                to[i] = new Label();
                handler[i] = new Label();
            }
            for (int i = depth - 1; i >= 0; i--)
                m.visitTryCatchBlock(from[i], to[i], handler[i], i % 3 == 0 ? null : "java/lang/ArithmeticException");
            for (int i = 0; i < depth; i++) {
                m.visitLabel(from[i]);
                m.visitInsn(NOP);
            }
            m.visitIntInsn(BIPUSH, 12);
            m.visitVarInsn(ILOAD, 0);
            m.visitInsn(IDIV);
            m.visitInsn(IRETURN);
            for (int i = depth - 1; i >= 0; i--) {
                m.visitLabel(to[i]);
                m.visitLabel(handler[i]);
                m.visitIincInsn(0, 1);
                m.visitInsn(ATHROW);
            }
        });
    }

    /** A chain of DEPTH subroutines, and CALLS calls of another from the code itself. */
    static void maze(int v, int depth, int calls) {
        f("Maze" + depth + "x" + calls + "v" + v, v, m -> {
            Label[] sub = new Label[depth];
            Label leaf = new Label();
            for (int i = 0; i < depth; i++)
                sub[i] = new Label();
            m.visitJumpInsn(JSR, sub[0]);
            for (int i = 0; i < calls; i++)
                m.visitJumpInsn(JSR, leaf);
            m.visitVarInsn(ILOAD, 0);
            m.visitInsn(IRETURN);
            m.visitLabel(leaf);
            m.visitVarInsn(ASTORE, 1);
            m.visitIincInsn(0, 2);
            m.visitVarInsn(RET, 1);
            for (int i = 0; i < depth; i++) {
                m.visitLabel(sub[i]);
                m.visitVarInsn(ASTORE, i + 1);
                m.visitIincInsn(0, 1);
                if (i + 1 < depth)
                    m.visitJumpInsn(JSR, sub[i + 1]);
                m.visitVarInsn(RET, i + 1);
            }
        });
    }

    /** As many lines and variables as a table can have, some tables of them. */
    static void tables(int v, int n) {
        f("Tables" + n + "v" + v, v, m -> {
            Label begin = new Label(), end = new Label();
            m.visitLabel(begin);
            for (int i = 0; i < n; i++) {
                Label l = new Label();
                m.visitLabel(l);
                m.visitLineNumber(i * 7 % 65536, l);
                if (i % 3 == 0)
                    m.visitLineNumber(i % 5, l);
                m.visitInsn(NOP);
            }
            m.visitIntInsn(BIPUSH, 12);
            m.visitVarInsn(ILOAD, 0);
            m.visitInsn(IDIV);
            m.visitInsn(IRETURN);
            m.visitLabel(end);
            for (int i = 0; i < n; i++)
                m.visitLocalVariable("v" + i, "I", null, begin, end, 0);
        });
    }

    /** An unknown attribute. */
    static class Unknown extends Attribute {
        final int size;

        Unknown(String name, int size) {
            super(name);
            this.size = size;
        }

        @Override
        protected ByteVector write(ClassWriter w, byte[] code, int length, int stack, int locals) {
            ByteVector v = new ByteVector(size);
            for (int i = 0; i < size; i++)
                v.putByte(i);
            return v;
        }

        @Override
        public boolean isCodeAttribute() {
            return true;
        }
    }

    /** Unknown attributes at the class, its field and its methods; none in code, since they may hold pcs. */
    static void unknown(int v) {
        String name = "Unknown" + v;
        Writer w = open(name, v, "java/lang/Object");
        for (String attribute : new String[] {"", "Codex", "\u00e9\u4e00", "Code2", "StackMapTableau"}) {
            w.visitAttribute(new Unknown(attribute, attribute.length() * 1000));
            w.visitField(0, "f" + attribute, "J", null, null).visitAttribute(new Unknown(attribute, 3));
        }
        MethodVisitor m = w.visitMethod(ACC_PUBLIC | ACC_STATIC, "f", "(I)I", null, null);
        m.visitAttribute(new Unknown("Exceptional", 70000) {
            @Override
            public boolean isCodeAttribute() {
                return false;
            }
        });
        m.visitCode();
        m.visitIntInsn(BIPUSH, 12);
        m.visitVarInsn(ILOAD, 0);
        m.visitInsn(IDIV);
        m.visitInsn(IRETURN);
        m.visitMaxs(0, 0);
        m.visitEnd();
        runCallsF(w, name);
        close(w, name);
    }

    /** The long and the many: names of 60,000 bytes, 5,000 fields, an annotation 300 deep, 255 dimensions. */
    static void names(int v) {
        String name = "Long" + v;
        Writer w = open(name, v, "java/lang/Object");
        String longest = "n".repeat(60000);
        AnnotationVisitor a = w.visitAnnotation("Lno/Such;", true);
        for (int i = 0; i < 300; i++)
            a = a.visitAnnotation("v", "Lno/Such;");
        a.visitEnd();
        for (int i = 0; i < 5000; i++)
            w.visitField(ACC_STATIC, "f" + i, i % 2 == 0 ? "I" : "[".repeat(255) + "Lno/Such;", null, null).visitEnd();
        method(w, ACC_PUBLIC | ACC_STATIC, longest, "(I)I", m -> {
            m.visitIntInsn(BIPUSH, 12);
            m.visitVarInsn(ILOAD, 0);
            m.visitInsn(IDIV);
            m.visitInsn(IRETURN);
        });
        method(w, ACC_PUBLIC | ACC_STATIC, "f", "(I)I", m -> {
            m.visitVarInsn(ILOAD, 0);
            m.visitMethodInsn(INVOKESTATIC, name, longest, "(I)I", false);
            m.visitInsn(IRETURN);
        });
        runCallsF(w, name);
        close(w, name);
    }

    static void giants() {
        parent();
        for (int v : new int[] {49, 52})
            giants(v);
    }

    static void giants(int v) {
        branches(v, 50);
        branches(v, 5500);
        gotos(v, 300);
        gotos(v, 10000);
        switches(v, 30, 20);
        switches(v, 90, 80);
        nested(v, 100);
        nested(v, v < 50 ? 3000 : 500); // the newer verifier takes time by the square
        tables(v, 100);
        tables(v, 40000);
        unknown(v);
        names(v);
        if (v < 50) {
            maze(v, 60, 1000);
            maze(v, 2, 1500); // the old verifier takes time by the square
        }
    }

    public static void main(String[] args) throws IOException {
        if (args[0].equals("run")) // to make them takes longer than to run them
            for (String file : new File(args[1]).list())
                classes.put(file.replace(".class", ""), null);
        else
            giants();
        act(args);
    }
}
