import static org.objectweb.asm.Opcodes.*;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;

/**
 * Classes that no javac writes, and what they answer.
 *
 * <p>OddClasses gen DIR writes them. OddClasses run DIR loads each and calls its static method
 * "String run(int)" with 0, 1 and 2; one line for each: the result, or the exception, and the error
 * when it cannot be linked. The same must come out of the woven classes.
 */
public class OddClasses {
    static final Map<String, byte[]> classes = new TreeMap<>();

    /** A class writer that computes frames without loading anything. */
    static class Writer extends ClassWriter {
        Writer(int flags) {
            super(flags);
        }

        @Override
        protected String getCommonSuperClass(String a, String b) {
            return "java/lang/Object";
        }
    }

    static Writer open(String name, int version, String parent) {
        // frames where the version has them, else maxs alone
        Writer w = new Writer((version & 0xffff) >= 50 ? ClassWriter.COMPUTE_FRAMES : ClassWriter.COMPUTE_MAXS);
        w.visit(version, ACC_PUBLIC | ACC_SUPER, name, null, parent, null);
        return w;
    }

    static void close(Writer w, String name) {
        w.visitEnd();
        classes.put(name, w.toByteArray());
    }

    /** A static method of CLASS whose body BODY writes. */
    static void method(Writer w, int access, String name, String descriptor, Consumer<MethodVisitor> body) {
        MethodVisitor m = w.visitMethod(access, name, descriptor, null, null);
        m.visitCode();
        body.accept(m);
        m.visitMaxs(0, 0);
        m.visitEnd();
    }

    /** run(int) that calls static int f(int) and makes a string of it. */
    static void runCallsF(Writer w, String name) {
        method(w, ACC_PUBLIC | ACC_STATIC, "run", "(I)Ljava/lang/String;", m -> {
            m.visitVarInsn(ILOAD, 0);
            m.visitMethodInsn(INVOKESTATIC, name, "f", "(I)I", false);
            m.visitMethodInsn(INVOKESTATIC, "java/lang/String", "valueOf", "(I)Ljava/lang/String;", false);
            m.visitInsn(ARETURN);
        });
    }

    static void f(String name, int version, Consumer<MethodVisitor> body) {
        Writer w = open(name, version, "java/lang/Object");
        method(w, ACC_PUBLIC | ACC_STATIC, "f", "(I)I", body);
        runCallsF(w, name);
        close(w, name);
    }

    /** A class with the constructor (int) of BODY over a parent that keeps an int, or throws at 2. */
    static void ctor(String name, int version, Consumer<MethodVisitor> body) {
        Writer w = open(name, version, "OddParent");
        method(w, ACC_PUBLIC, "<init>", "(I)V", body);
        method(w, ACC_PUBLIC | ACC_STATIC, "run", "(I)Ljava/lang/String;", m -> {
            m.visitTypeInsn(NEW, name);
            m.visitInsn(DUP);
            m.visitVarInsn(ILOAD, 0);
            m.visitMethodInsn(INVOKESPECIAL, name, "<init>", "(I)V", false);
            m.visitMethodInsn(INVOKEVIRTUAL, name, "toString", "()Ljava/lang/String;", false);
            m.visitInsn(ARETURN);
        });
        close(w, name);
    }

    static void superCall(MethodVisitor m) {
        m.visitMethodInsn(INVOKESPECIAL, "OddParent", "<init>", "(I)V", false);
    }

    static void parent() {
        Writer w = open("OddParent", 49, "java/lang/Object");
        w.visitField(ACC_PUBLIC, "x", "I", null, null).visitEnd();
        method(w, ACC_PUBLIC, "<init>", "(I)V", m -> {
            Label ok = new Label();
            m.visitVarInsn(ALOAD, 0);
            m.visitMethodInsn(INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
            m.visitVarInsn(ILOAD, 1);
            m.visitInsn(ICONST_2);
            m.visitJumpInsn(IF_ICMPNE, ok);
            m.visitInsn(ACONST_NULL);
            m.visitInsn(ATHROW);
            m.visitLabel(ok);
            m.visitVarInsn(ALOAD, 0);
            m.visitVarInsn(ILOAD, 1);
            m.visitFieldInsn(PUTFIELD, "OddParent", "x", "I");
            m.visitInsn(RETURN);
        });
        method(w, ACC_PUBLIC, "toString", "()Ljava/lang/String;", m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitFieldInsn(GETFIELD, "OddParent", "x", "I");
            m.visitMethodInsn(INVOKESTATIC, "java/lang/String", "valueOf", "(I)Ljava/lang/String;", false);
            m.visitInsn(ARETURN);
        });
        close(w, "OddParent");
    }

    static void constructors(int v) {
        ctor("CtorPlain" + v, v, m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitVarInsn(ILOAD, 1);
            superCall(m);
            m.visitInsn(RETURN);
        });
        ctor("CtorTernary" + v, v, m -> {
            Label other = new Label(), join = new Label();
            m.visitVarInsn(ALOAD, 0);
            m.visitVarInsn(ILOAD, 1);
            m.visitJumpInsn(IFEQ, other);
            m.visitVarInsn(ILOAD, 1);
            m.visitJumpInsn(GOTO, join);
            m.visitLabel(other);
            m.visitIntInsn(BIPUSH, 77);
            m.visitLabel(join);
            superCall(m);
            m.visitInsn(RETURN);
        });
        ctor("CtorTwoSupers" + v, v, m -> {
            Label other = new Label(), join = new Label();
            m.visitVarInsn(ILOAD, 1);
            m.visitJumpInsn(IFEQ, other);
            m.visitVarInsn(ALOAD, 0);
            m.visitVarInsn(ILOAD, 1);
            superCall(m);
            m.visitJumpInsn(GOTO, join);
            m.visitLabel(other);
            m.visitVarInsn(ALOAD, 0);
            m.visitIntInsn(BIPUSH, 88);
            superCall(m);
            m.visitLabel(join);
            m.visitInsn(RETURN);
        });
        ctor("CtorTwoSupersApart" + v, v, m -> {
            Label other = new Label();
            m.visitVarInsn(ILOAD, 1);
            m.visitJumpInsn(IFNE, other);
            m.visitVarInsn(ALOAD, 0);
            m.visitIntInsn(BIPUSH, 88);
            superCall(m);
            m.visitInsn(RETURN);
            m.visitLabel(other);
            m.visitVarInsn(ALOAD, 0);
            m.visitVarInsn(ILOAD, 1);
            superCall(m);
            m.visitInsn(RETURN);
        });
        ctor("CtorLoopBefore" + v, v, m -> {
            Label head = new Label(), out = new Label();
            m.visitInsn(ICONST_5);
            m.visitVarInsn(ISTORE, 2);
            m.visitLabel(head);
            m.visitVarInsn(ILOAD, 2);
            m.visitJumpInsn(IFEQ, out);
            m.visitIincInsn(2, -1);
            m.visitIincInsn(1, 1);
            m.visitJumpInsn(GOTO, head);
            m.visitLabel(out);
            m.visitVarInsn(ALOAD, 0);
            m.visitVarInsn(ILOAD, 1);
            superCall(m);
            m.visitInsn(RETURN);
        });
        ctor("CtorTryBefore" + v, v, m -> {
            // the argument's computation throws at 1, and is caught before super()
            Label from = new Label(), to = new Label(), handler = new Label(), join = new Label();
            m.visitTryCatchBlock(from, to, handler, "java/lang/ArithmeticException");
            m.visitLabel(from);
            m.visitIntInsn(BIPUSH, 10);
            m.visitVarInsn(ILOAD, 1);
            m.visitInsn(ICONST_1);
            m.visitInsn(ISUB);
            m.visitInsn(IDIV);
            m.visitVarInsn(ISTORE, 1);
            m.visitLabel(to);
            m.visitJumpInsn(GOTO, join);
            m.visitLabel(handler);
            m.visitInsn(POP);
            m.visitIntInsn(BIPUSH, 99);
            m.visitVarInsn(ISTORE, 1);
            m.visitLabel(join);
            m.visitVarInsn(ALOAD, 0);
            m.visitVarInsn(ILOAD, 1);
            superCall(m);
            m.visitInsn(RETURN);
        });
        ctor("CtorThrowsBefore" + v, v, m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitIntInsn(BIPUSH, 10);
            m.visitVarInsn(ILOAD, 1);
            m.visitInsn(IDIV);
            superCall(m);
            m.visitIntInsn(BIPUSH, 10);
            m.visitVarInsn(ILOAD, 1);
            m.visitInsn(ICONST_1);
            m.visitInsn(ISUB);
            m.visitInsn(IDIV);
            m.visitInsn(POP);
            m.visitInsn(RETURN);
        });
        ctor("CtorCopiedThis" + v, v, m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitInsn(DUP);
            m.visitVarInsn(ASTORE, 2);
            m.visitInsn(POP);
            m.visitVarInsn(ALOAD, 2);
            m.visitInsn(ACONST_NULL);
            m.visitInsn(SWAP);
            m.visitInsn(DUP_X1);
            m.visitInsn(POP2);
            m.visitVarInsn(ILOAD, 1);
            superCall(m);
            m.visitInsn(RETURN);
        });
        ctor("CtorOtherNew" + v, v, m -> {
            // another object's <init>, of the same parent class, before and after
            m.visitTypeInsn(NEW, "OddParent");
            m.visitInsn(DUP);
            m.visitInsn(ICONST_5);
            superCall(m);
            m.visitVarInsn(ASTORE, 2);
            m.visitVarInsn(ALOAD, 0);
            m.visitTypeInsn(NEW, "OddParent");
            m.visitInsn(DUP);
            m.visitVarInsn(ILOAD, 1);
            superCall(m);
            m.visitFieldInsn(GETFIELD, "OddParent", "x", "I");
            superCall(m);
            m.visitInsn(RETURN);
        });
        ctor("CtorOverwritten" + v, v, m -> {
            // local 0 loses it before super(): left alone where frames matter
            m.visitVarInsn(ALOAD, 0);
            m.visitInsn(ACONST_NULL);
            m.visitVarInsn(ASTORE, 0);
            m.visitVarInsn(ILOAD, 1);
            superCall(m);
            m.visitInsn(RETURN);
        });
        ctor("CtorNeverSuper" + v, v, m -> {
            m.visitTypeInsn(NEW, "java/lang/IllegalStateException");
            m.visitInsn(DUP);
            m.visitMethodInsn(INVOKESPECIAL, "java/lang/IllegalStateException", "<init>", "()V", false);
            m.visitInsn(ATHROW);
        });
        ctor("CtorSuperInTry" + v, v, m -> {
            // what follows super() throws, and is caught
            Label from = new Label(), to = new Label(), handler = new Label();
            m.visitTryCatchBlock(from, to, handler, null);
            m.visitVarInsn(ALOAD, 0);
            m.visitVarInsn(ILOAD, 1);
            superCall(m);
            m.visitLabel(from);
            m.visitIntInsn(BIPUSH, 10);
            m.visitVarInsn(ILOAD, 1);
            m.visitInsn(IDIV);
            m.visitInsn(POP);
            m.visitInsn(RETURN);
            m.visitLabel(to);
            m.visitLabel(handler);
            m.visitInsn(POP);
            m.visitVarInsn(ALOAD, 0);
            m.visitIntInsn(BIPUSH, 55);
            m.visitFieldInsn(PUTFIELD, "OddParent", "x", "I");
            m.visitInsn(RETURN);
        });
    }

    static void flow(int v) {
        f("LoopHeadZero" + v, v, m -> {
            Label head = new Label(), out = new Label();
            m.visitLabel(head);
            m.visitVarInsn(ILOAD, 0);
            m.visitIntInsn(BIPUSH, 20);
            m.visitJumpInsn(IF_ICMPGE, out);
            m.visitIincInsn(0, 3);
            m.visitJumpInsn(GOTO, head);
            m.visitLabel(out);
            m.visitVarInsn(ILOAD, 0);
            m.visitInsn(IRETURN);
        });
        f("ExtraStack" + v, v, m -> {
            Label other = new Label();
            m.visitInsn(LCONST_1);
            m.visitInsn(ICONST_3);
            m.visitVarInsn(ILOAD, 0);
            m.visitJumpInsn(IFEQ, other);
            m.visitInsn(ICONST_4);
            m.visitInsn(IRETURN);
            m.visitLabel(other);
            m.visitInsn(IRETURN);
        });
        f("NewAtZero" + v, v, m -> {
            // an uninitialized object of pc 0 on the stack over a branch
            Label other = new Label(), join = new Label();
            m.visitTypeInsn(NEW, "OddParent");
            m.visitInsn(DUP);
            m.visitVarInsn(ILOAD, 0);
            m.visitJumpInsn(IFEQ, other);
            m.visitInsn(ICONST_3);
            m.visitJumpInsn(GOTO, join);
            m.visitLabel(other);
            m.visitInsn(ICONST_4);
            m.visitLabel(join);
            superCall(m);
            m.visitFieldInsn(GETFIELD, "OddParent", "x", "I");
            m.visitInsn(IRETURN);
        });
        f("SelfCovering" + v, v, m -> {
            // the handler of a monitor covers itself
            Label from = new Label(), handler = new Label(), to = new Label();
            m.visitTryCatchBlock(from, to, handler, null);
            m.visitLdcInsn("lock");
            m.visitInsn(DUP);
            m.visitVarInsn(ASTORE, 1);
            m.visitInsn(MONITORENTER);
            m.visitLabel(from);
            m.visitIntInsn(BIPUSH, 12);
            m.visitVarInsn(ILOAD, 0);
            m.visitInsn(IDIV);
            m.visitVarInsn(ALOAD, 1);
            m.visitInsn(MONITOREXIT);
            m.visitInsn(IRETURN);
            m.visitLabel(handler);
            m.visitVarInsn(ASTORE, 2);
            m.visitVarInsn(ALOAD, 1);
            m.visitInsn(MONITOREXIT);
            m.visitLabel(to);
            m.visitVarInsn(ALOAD, 2);
            m.visitInsn(ATHROW);
        });
        f("OverlappingAny" + v, v, m -> {
            Label from = new Label(), middle = new Label(), to = new Label();
            Label inner = new Label(), outer = new Label();
            m.visitTryCatchBlock(from, middle, inner, null);
            m.visitTryCatchBlock(from, to, outer, null);
            m.visitLabel(from);
            m.visitIntInsn(BIPUSH, 12);
            m.visitVarInsn(ILOAD, 0);
            m.visitInsn(IDIV);
            m.visitInsn(IRETURN);
            m.visitLabel(middle);
            m.visitLabel(inner);
            m.visitInsn(POP);
            m.visitInsn(ACONST_NULL);
            m.visitInsn(ATHROW);
            m.visitLabel(to);
            m.visitLabel(outer);
            m.visitInsn(POP);
            m.visitIntInsn(BIPUSH, 66);
            m.visitInsn(IRETURN);
        });
        f("Switches" + v, v, m -> {
            Label[] l = {new Label(), new Label(), new Label()};
            Label none = new Label();
            m.visitVarInsn(ILOAD, 0);
            m.visitLookupSwitchInsn(none, new int[] {}, new Label[] {});
            m.visitLabel(none);
            m.visitVarInsn(ILOAD, 0);
            m.visitTableSwitchInsn(0, 1, l[2], l[0], l[1]);
            m.visitLabel(l[0]);
            m.visitInsn(ICONST_5);
            m.visitInsn(IRETURN);
            m.visitLabel(l[1]);
            Label far = new Label();
            m.visitVarInsn(ILOAD, 0);
            m.visitLookupSwitchInsn(l[0], new int[] {-5, 1, 100000}, new Label[] {l[0], far, l[0]});
            m.visitLabel(far);
            m.visitInsn(ICONST_4);
            m.visitInsn(IRETURN);
            m.visitLabel(l[2]);
            m.visitInsn(ICONST_3);
            m.visitInsn(IRETURN);
        });
        f("WideLocals" + v, v, m -> {
            m.visitVarInsn(ILOAD, 0);
            m.visitVarInsn(ISTORE, 300);
            m.visitIincInsn(300, 1000);
            m.visitIincInsn(0, 1000);
            m.visitVarInsn(ILOAD, 300);
            m.visitVarInsn(ILOAD, 0);
            m.visitInsn(IADD);
            m.visitInsn(IRETURN);
        });
        f("StraightLine" + v, v, m -> {
            m.visitIntInsn(BIPUSH, 12);
            m.visitVarInsn(ILOAD, 0);
            m.visitInsn(IDIV);
            m.visitInsn(IRETURN);
        });
        f("FarBranches" + v, v, m -> {
            // forward and backward over more than 32767 bytes once woven; ASM itself is near its limit
            Label end = new Label(), middle = new Label(), loop = new Label(), skip = new Label();
            m.visitLabel(loop);
            m.visitIincInsn(0, 1);
            m.visitVarInsn(ILOAD, 0);
            m.visitIntInsn(BIPUSH, 50);
            m.visitJumpInsn(IF_ICMPGT, end);
            m.visitVarInsn(ILOAD, 0);
            m.visitJumpInsn(IFNE, middle);
            m.visitInsn(ICONST_1);
            m.visitInsn(IRETURN);
            m.visitLabel(middle);
            for (int i = 0; i < 31; i++) {
                Label next = new Label();
                m.visitVarInsn(ILOAD, 0);
                m.visitIntInsn(SIPUSH, 1000 + i);
                m.visitJumpInsn(IF_ICMPNE, next);
                m.visitVarInsn(ILOAD, 0);
                m.visitInsn(IRETURN);
                m.visitLabel(next);
                for (int k = 0; k < 1040; k++)
                    m.visitInsn(NOP);
            }
            m.visitVarInsn(ILOAD, 0);
            m.visitJumpInsn(IFNE, loop);
            m.visitLabel(end);
            m.visitVarInsn(ILOAD, 0);
            m.visitInsn(IRETURN);
        });
        f("LeftLocked" + v, v, m -> {
            // the return itself throws IllegalMonitorStateException
            m.visitTypeInsn(NEW, "java/lang/Object");
            m.visitInsn(DUP);
            m.visitMethodInsn(INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
            m.visitInsn(MONITORENTER);
            m.visitInsn(ICONST_1);
            m.visitInsn(IRETURN);
        });
        f("IslandInTry" + v, v, m -> {
            // with near branches: an island for FAR is inside the range, in a gap whose own frame
            // has more locals than FAR's, and the handler needs a local that FAR's frame has not
            Label from = new Label(), to = new Label(), gap = new Label(), far = new Label();
            Label handler = new Label();
            m.visitTryCatchBlock(from, to, handler, null);
            m.visitVarInsn(ILOAD, 0);
            m.visitIntInsn(BIPUSH, 7);
            m.visitJumpInsn(IF_ICMPEQ, far);
            m.visitIntInsn(BIPUSH, 12);
            m.visitVarInsn(ILOAD, 0);
            m.visitInsn(IADD);
            m.visitVarInsn(ISTORE, 1);
            m.visitLabel(from);
            m.visitVarInsn(ILOAD, 0);
            m.visitInsn(ICONST_1);
            m.visitJumpInsn(IF_ICMPEQ, far);
            m.visitLdcInsn("four");
            m.visitVarInsn(ASTORE, 2);
            m.visitVarInsn(ILOAD, 0);
            m.visitJumpInsn(IFEQ, gap);
            m.visitInsn(ACONST_NULL);
            m.visitInsn(ATHROW);
            m.visitLabel(gap);
            for (int i = 0; i < 600; i++)
                m.visitInsn(NOP);
            m.visitVarInsn(ALOAD, 2);
            m.visitMethodInsn(INVOKEVIRTUAL, "java/lang/String", "length", "()I", false);
            m.visitInsn(IRETURN);
            m.visitLabel(to);
            m.visitLabel(handler);
            m.visitInsn(POP);
            m.visitVarInsn(ILOAD, 1);
            m.visitInsn(IRETURN);
            m.visitLabel(far);
            m.visitIntInsn(BIPUSH, 33);
            m.visitInsn(IRETURN);
        });
        Writer w = open("Synchronized" + v, v, "java/lang/Object");
        method(w, ACC_PUBLIC | ACC_STATIC | ACC_SYNCHRONIZED, "f", "(I)I", m -> {
            m.visitIntInsn(BIPUSH, 12);
            m.visitVarInsn(ILOAD, 0);
            m.visitInsn(IDIV);
            m.visitInsn(IRETURN);
        });
        runCallsF(w, "Synchronized" + v);
        close(w, "Synchronized" + v);
    }

    /** Flow that only the older verifier takes. */
    static void old(int v) {
        f("JsrRet" + v, v, m -> {
            Label sub = new Label(), again = new Label();
            m.visitJumpInsn(JSR, sub);
            m.visitJumpInsn(JSR, sub);
            m.visitIntInsn(BIPUSH, 12);
            m.visitVarInsn(ILOAD, 0);
            m.visitInsn(IDIV);
            m.visitInsn(IRETURN);
            m.visitLabel(sub);
            m.visitVarInsn(ASTORE, 1);
            m.visitIincInsn(0, -1);
            m.visitVarInsn(RET, 1);
        });
        f("DeadCode" + v, v, m -> {
            Label end = new Label();
            m.visitVarInsn(ILOAD, 0);
            m.visitInsn(IRETURN);
            // never reached, and no verifier of this age looks at it
            m.visitInsn(POP);
            m.visitJumpInsn(GOTO, end);
            m.visitLabel(end);
            m.visitInsn(IRETURN);
        });
        ctor("CtorJsr" + v, v, m -> {
            Label sub = new Label();
            m.visitJumpInsn(JSR, sub);
            m.visitVarInsn(ALOAD, 0);
            m.visitVarInsn(ILOAD, 1);
            superCall(m);
            m.visitInsn(RETURN);
            m.visitLabel(sub);
            m.visitVarInsn(ASTORE, 2);
            m.visitIincInsn(1, 1);
            m.visitVarInsn(RET, 2);
        });
    }

    /** Version 50 with branches and no table: left to the older verifier. */
    static void withoutTable() {
        Writer w = new Writer(ClassWriter.COMPUTE_MAXS);
        w.visit(50, ACC_PUBLIC | ACC_SUPER, "NoTable50", null, "OddParent", null);
        method(w, ACC_PUBLIC, "<init>", "(I)V", m -> {
            Label other = new Label();
            m.visitVarInsn(ILOAD, 1);
            m.visitJumpInsn(IFNE, other);
            m.visitIincInsn(1, 40);
            m.visitLabel(other);
            m.visitVarInsn(ALOAD, 0);
            m.visitVarInsn(ILOAD, 1);
            superCall(m);
            m.visitInsn(RETURN);
        });
        method(w, ACC_PUBLIC | ACC_STATIC, "run", "(I)Ljava/lang/String;", m -> {
            m.visitTypeInsn(NEW, "NoTable50");
            m.visitInsn(DUP);
            m.visitVarInsn(ILOAD, 0);
            m.visitMethodInsn(INVOKESPECIAL, "NoTable50", "<init>", "(I)V", false);
            m.visitMethodInsn(INVOKEVIRTUAL, "NoTable50", "toString", "()Ljava/lang/String;", false);
            m.visitInsn(ARETURN);
        });
        close(w, "NoTable50");
    }

    /** Methods of N bytes, near the limit of code. */
    static void large(String name, int n) {
        f(name, 52, m -> {
            for (int i = 0; i < n - 6; i++)
                m.visitInsn(NOP);
            m.visitVarInsn(ILOAD, 0);
            m.visitInsn(DUP); /* what may throw needs a handler, which needs room, too */
            m.visitInsn(ICONST_1);
            m.visitInsn(IDIV);
            m.visitInsn(POP);
            m.visitInsn(IRETURN);
        });
    }

    /** Names that obfuscators give: keywords, one name for many things, and no Java at all. */
    static void names(int v) {
        String[] names = {"if", "a b", "\u0001", "\ud800", "\ud83d\ude00", "-1", "a\u0000z", "\u202egnol", "f"};
        Writer w = open("OddNames" + v, v, "java/lang/Object");
        for (String n : names) {
            w.visitField(ACC_STATIC | ACC_SYNTHETIC, n, "I", null, null).visitEnd();
            for (String d : new String[] {"(J)J", "(D)D"})
                method(w, ACC_PRIVATE | ACC_STATIC | ACC_SYNTHETIC, n, d, m -> {
                    m.visitVarInsn(d.equals("(J)J") ? LLOAD : DLOAD, 0);
                    m.visitInsn(DUP2);
                    m.visitInsn(d.equals("(J)J") ? LADD : DADD);
                    m.visitInsn(d.equals("(J)J") ? LRETURN : DRETURN);
                });
        }
        method(w, ACC_PUBLIC | ACC_STATIC, "f", "(I)I", m -> {
            m.visitVarInsn(ILOAD, 0);
            m.visitInsn(I2L);
            for (String n : names)
                m.visitMethodInsn(INVOKESTATIC, "OddNames" + v, n, "(J)J", false);
            m.visitInsn(L2D);
            for (String n : names)
                m.visitMethodInsn(INVOKESTATIC, "OddNames" + v, n, "(D)D", false);
            m.visitInsn(D2I);
            m.visitInsn(IRETURN);
        });
        runCallsF(w, "OddNames" + v);
        close(w, "OddNames" + v);
    }

    static void generate() {
        parent();
        for (int v : new int[] {V1_1, 46, 47, 48, 49, 50, 51, 52, 61}) {
            constructors(v);
            flow(v);
            if ((v & 0xffff) >= 49) // before, names are Java's
                names(v);
            if ((v & 0xffff) < 50)
                old(v);
        }
        withoutTable();
        large("Large65516", 65516);
        large("Large65517", 65517);
        large("Large65535", 65535);
    }

    static String answer(Class<?> c, int argument) {
        try {
            return String.valueOf(c.getMethod("run", int.class).invoke(null, argument));
        } catch (InvocationTargetException e) {
            return e.getCause().toString();
        } catch (Throwable e) {
            return e.toString().lines().findFirst().orElse("");
        }
    }

    public static void main(String[] args) throws IOException {
        generate();
        act(args);
    }

    /** Writes what was generated, or runs what is in a folder in its place. */
    static void act(String[] args) throws IOException {
        if (args[0].equals("gen")) {
            Files.createDirectories(Path.of(args[1]));
            for (Map.Entry<String, byte[]> c : classes.entrySet())
                Files.write(Path.of(args[1], c.getKey() + ".class"), c.getValue());
            return;
        }
        ClassLoader loader = new URLClassLoader(
                new URL[] {Path.of(args[1]).toUri().toURL()}, OddClasses.class.getClassLoader());
        for (String name : classes.keySet()) {
            if (name.equals("OddParent"))
                continue;
            try {
                Class<?> c = Class.forName(name, false, loader);
                c.getDeclaredMethods();
                for (int i = 0; i <= 2; i++)
                    System.out.println(name + "(" + i + "): " + answer(c, i));
            } catch (Throwable e) {
                System.out.println(name + ": " + e.toString().lines().findFirst().orElse(""));
            }
        }
    }
}
