import static org.objectweb.asm.Opcodes.*;

import java.io.IOException;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Type;

/**
 * Classes at the limits of the format, or of what a verifier takes: full constant pools and exception tables,
 * the largest switches, hundreds of arguments, an uninitialized this in every place where one may be.
 * Arguments and answers as in OddClasses.
 */
public class OddLimits extends OddClasses {
    /** The pool of a class as it is plus unused constants until it counts COUNT. */
    static void pool(int count, boolean wide) {
        String name = "Pool" + (wide ? "Wide" : "") + count;
        int unused = 0;
        for (int round = 0; round < 2; round++) {
            Writer w = open(name, 52, "OddParent");
            method(w, ACC_PUBLIC, "<init>", "(I)V", m -> {
                m.visitVarInsn(ALOAD, 0);
                m.visitVarInsn(ILOAD, 1);
                superCall(m);
                m.visitInsn(RETURN);
            });
            method(w, ACC_PUBLIC | ACC_STATIC, "f", "(I)I", m -> {
                m.visitIntInsn(BIPUSH, 12);
                m.visitVarInsn(ILOAD, 0);
                m.visitInsn(IDIV);
                m.visitInsn(IRETURN);
            });
            runCallsF(w, name);
            for (int i = wide ? 2 : 0; i < unused; i++)
                w.newConst(1000000 + i);
            if (wide)
                w.newConst(5e300);
            byte[] bytes = w.toByteArray();
            unused = count - ((bytes[8] & 0xff) << 8 | bytes[9] & 0xff);
            if (round == 1)
                close(w, name);
        }
    }

    /** CASES of a switch, all alike but three. */
    static void cases(String name, int v, int cases, boolean table) {
        f(name + v, v, m -> {
            Label a = new Label(), b = new Label(), other = new Label();
            Label[] to = new Label[cases];
            int[] keys = new int[cases];
            for (int i = 0; i < cases; i++) {
                keys[i] = table ? i : 7 * i - 7;
                to[i] = i == 1 ? a : i == cases - 1 ? b : other;
            }
            m.visitInsn(NOP);
            m.visitVarInsn(ILOAD, 0);
            if (table)
                m.visitTableSwitchInsn(0, cases - 1, other, to);
            else
                m.visitLookupSwitchInsn(other, keys, to);
            m.visitLabel(a);
            m.visitIntInsn(BIPUSH, 11);
            m.visitInsn(IRETURN);
            m.visitLabel(b);
            m.visitIntInsn(BIPUSH, 22);
            m.visitInsn(IRETURN);
            m.visitLabel(other);
            m.visitIntInsn(BIPUSH, 33);
            m.visitInsn(IRETURN);
        });
    }

    /** N entries over one division. */
    static void handlers(int v, int n) {
        f("Handlers" + n + "v" + v, v, m -> {
            Label from = new Label(), to = new Label(), handler = new Label();
            for (int i = 0; i < n; i++)
                m.visitTryCatchBlock(from, to, handler, "java/lang/ArithmeticException");
            m.visitLabel(from);
            m.visitIntInsn(BIPUSH, 12);
            m.visitVarInsn(ILOAD, 0);
            m.visitInsn(IDIV);
            m.visitLabel(to);
            m.visitInsn(IRETURN);
            m.visitLabel(handler);
            m.visitInsn(POP);
            m.visitInsn(ICONST_M1);
            m.visitInsn(IRETURN);
        });
    }

    /** Straight code that declares STACK and LOCALS. */
    static void maxs(int v, int stack, int locals) {
        String name = "Maxs" + stack + "v" + v;
        Writer w = new Writer(0);
        w.visit(v, ACC_PUBLIC | ACC_SUPER, name, null, "java/lang/Object", null);
        MethodVisitor m = w.visitMethod(ACC_PUBLIC | ACC_STATIC, "f", "(I)I", null, null);
        m.visitCode();
        m.visitVarInsn(ILOAD, 0);
        m.visitVarInsn(ISTORE, locals - 1);
        m.visitIntInsn(BIPUSH, 12);
        m.visitVarInsn(ILOAD, locals - 1);
        m.visitInsn(IDIV);
        m.visitInsn(IRETURN);
        m.visitMaxs(stack, locals);
        m.visitEnd();
        m = w.visitMethod(ACC_PUBLIC | ACC_STATIC, "run", "(I)Ljava/lang/String;", null, null);
        m.visitCode();
        m.visitVarInsn(ILOAD, 0);
        m.visitMethodInsn(INVOKESTATIC, name, "f", "(I)I", false);
        m.visitMethodInsn(INVOKESTATIC, "java/lang/String", "valueOf", "(I)Ljava/lang/String;", false);
        m.visitInsn(ARETURN);
        m.visitMaxs(1, 1);
        m.visitEnd();
        close(w, name);
    }

    /** As many arguments as a call can have, two slots each. */
    static void arguments(int v) {
        String name = "Arguments" + v, longs = "(" + "J".repeat(126) + "D)J", all = "(" + "J".repeat(126) + "I)V";
        Writer w = open(name, v, "OddParent");
        method(w, ACC_PUBLIC, "<init>", all, m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitVarInsn(ILOAD, 253);
            superCall(m);
            m.visitInsn(RETURN);
        });
        method(w, ACC_PUBLIC, "g", longs, m -> {
            m.visitVarInsn(LLOAD, 3);
            m.visitVarInsn(DLOAD, 253);
            m.visitInsn(D2L);
            m.visitInsn(LDIV);
            m.visitInsn(LRETURN);
        });
        method(w, ACC_PUBLIC | ACC_STATIC, "run", "(I)Ljava/lang/String;", m -> {
            m.visitTypeInsn(NEW, name);
            m.visitInsn(DUP);
            for (int i = 0; i < 126; i++)
                m.visitInsn(LCONST_1);
            m.visitVarInsn(ILOAD, 0);
            m.visitMethodInsn(INVOKESPECIAL, name, "<init>", all, false);
            for (int i = 0; i < 126; i++)
                m.visitInsn(LCONST_1);
            m.visitVarInsn(ILOAD, 0);
            m.visitInsn(I2D);
            m.visitMethodInsn(INVOKEVIRTUAL, name, "g", longs, false);
            m.visitMethodInsn(INVOKESTATIC, "java/lang/String", "valueOf", "(J)Ljava/lang/String;", false);
            m.visitInsn(ARETURN);
        });
        close(w, name);
    }

    /** METHODS with a body each, under names that no language has. */
    static void crowd(int methods) {
        String name = "Crowd" + methods;
        Writer w = open(name, 52, "java/lang/Object");
        String[] odd = {"if", "\u202egnol", "\ud83d\ude00", "\u0000", "a b", "$(){}", "-", "\uffff", "\ud800", "\"'\\"};
        for (int i = 0; i < methods; i++) {
            String is = i < odd.length ? odd[i] : "m" + i;
            method(w, ACC_PUBLIC | ACC_STATIC, is, "(I)I", m -> {
                m.visitVarInsn(ILOAD, 0);
                m.visitInsn(IRETURN);
            });
        }
        method(w, ACC_PUBLIC | ACC_STATIC, "f", "(I)I", m -> {
            m.visitVarInsn(ILOAD, 0);
            for (int i = 0; i < 12; i++)
                m.visitMethodInsn(INVOKESTATIC, name, i < odd.length ? odd[i] : "m" + (methods - i), "(I)I", false);
            m.visitInsn(IRETURN);
        });
        runCallsF(w, name);
        close(w, name);
    }

    /** Frames whose deltas pass each size of their forms when code comes before them. */
    static void deltas(int v) {
        for (int gap : new int[] {30, 46, 50, 54, 57, 58, 60, 61, 62, 63, 64, 65, 66, 70, 120, 126, 127, 128, 129}) {
            f("Delta" + gap + "v" + v, v, m -> {
                Label one = new Label(), two = new Label(), three = new Label(), end = new Label();
                m.visitVarInsn(ILOAD, 0);
                m.visitJumpInsn(IFEQ, one);
                for (int i = 0; i < gap; i++)
                    m.visitInsn(NOP);
                m.visitLabel(one);
                m.visitInsn(LCONST_1);
                m.visitVarInsn(LSTORE, 1);
                m.visitInsn(FCONST_1);
                m.visitVarInsn(FSTORE, 3);
                m.visitVarInsn(ILOAD, 0);
                m.visitJumpInsn(IFNE, two);
                for (int i = 0; i < gap; i++)
                    m.visitInsn(NOP);
                m.visitVarInsn(ILOAD, 0);
                m.visitInsn(IRETURN);
                m.visitLabel(two);
                m.visitIntInsn(BIPUSH, 100);
                m.visitVarInsn(ILOAD, 0);
                m.visitInsn(ICONST_1);
                m.visitJumpInsn(IF_ICMPEQ, three);
                for (int i = 0; i < gap; i++)
                    m.visitInsn(NOP);
                m.visitLabel(three);
                m.visitJumpInsn(GOTO, end);
                m.visitLabel(end);
                m.visitInsn(IRETURN);
            });
        }
    }

    /** Constructors whose this is uninitialized in several places. */
    static void thisEverywhere(int v) {
        ctor("ThisOnTheStack" + v, v, m -> {
            // this, this, this: one below, one initialized, one in a local
            m.visitVarInsn(ALOAD, 0);
            m.visitInsn(DUP);
            m.visitInsn(DUP);
            m.visitVarInsn(ASTORE, 2);
            m.visitVarInsn(ILOAD, 1);
            superCall(m);
            m.visitVarInsn(ILOAD, 1);
            m.visitFieldInsn(PUTFIELD, "OddParent", "x", "I");
            m.visitVarInsn(ALOAD, 2);
            m.visitInsn(DUP);
            m.visitFieldInsn(GETFIELD, "OddParent", "x", "I");
            m.visitInsn(ICONST_5);
            m.visitInsn(IADD);
            m.visitFieldInsn(PUTFIELD, "OddParent", "x", "I");
            m.visitInsn(RETURN);
        });
        ctor("ThisSwapped" + v, v, m -> {
            m.visitVarInsn(ILOAD, 1);
            m.visitVarInsn(ALOAD, 0);
            m.visitInsn(DUP_X1);
            m.visitInsn(SWAP);
            m.visitInsn(DUP2);
            m.visitInsn(POP2);
            superCall(m);
            m.visitInsn(POP);
            m.visitInsn(RETURN);
        });
        ctor("ThisInSwitch" + v, v, m -> {
            Label zero = new Label(), one = new Label(), other = new Label(), join = new Label();
            m.visitVarInsn(ALOAD, 0);
            m.visitVarInsn(ILOAD, 1);
            m.visitTableSwitchInsn(0, 1, other, zero, one);
            m.visitLabel(zero);
            m.visitIntInsn(BIPUSH, 40);
            superCall(m);
            m.visitJumpInsn(GOTO, join);
            m.visitLabel(one);
            m.visitIntInsn(BIPUSH, 41);
            superCall(m);
            m.visitInsn(RETURN);
            m.visitLabel(other);
            m.visitInsn(POP);
            m.visitVarInsn(ALOAD, 0);
            m.visitInsn(ICONST_2);
            superCall(m);
            m.visitLabel(join);
            m.visitInsn(RETURN);
        });
        ctor("ThisAtZero" + v, v, m -> {
            Label head = new Label(), out = new Label();
            m.visitLabel(head);
            m.visitVarInsn(ILOAD, 1);
            m.visitIntInsn(BIPUSH, 9);
            m.visitJumpInsn(IF_ICMPGT, out);
            m.visitIincInsn(1, 4);
            m.visitJumpInsn(GOTO, head);
            m.visitLabel(out);
            m.visitVarInsn(ALOAD, 0);
            m.visitVarInsn(ILOAD, 1);
            superCall(m);
            m.visitInsn(RETURN);
        });
        ctor("ThisOrThrow" + v, v, m -> {
            Label bad = new Label(), good = new Label(), after = new Label();
            m.visitVarInsn(ILOAD, 1);
            m.visitJumpInsn(IFNE, good);
            m.visitTypeInsn(NEW, "java/lang/IllegalStateException");
            m.visitInsn(DUP);
            m.visitMethodInsn(INVOKESPECIAL, "java/lang/IllegalStateException", "<init>", "()V", false);
            m.visitInsn(ATHROW);
            m.visitLabel(good);
            m.visitVarInsn(ALOAD, 0);
            m.visitVarInsn(ILOAD, 1);
            superCall(m);
            m.visitVarInsn(ILOAD, 1);
            m.visitJumpInsn(IFGT, after);
            m.visitLabel(bad);
            m.visitJumpInsn(GOTO, bad);
            m.visitLabel(after);
            m.visitInsn(RETURN);
        });
        ctor("ThisAfterNested" + v, v, m -> {
            // super(new P(new P(1).x + (i == 0 ? new P(3).x : 4)).x)
            Label other = new Label(), join = new Label();
            m.visitVarInsn(ALOAD, 0);
            m.visitTypeInsn(NEW, "OddParent");
            m.visitInsn(DUP);
            m.visitTypeInsn(NEW, "OddParent");
            m.visitInsn(DUP);
            m.visitInsn(ICONST_1);
            superCall(m);
            m.visitFieldInsn(GETFIELD, "OddParent", "x", "I");
            m.visitVarInsn(ILOAD, 1);
            m.visitJumpInsn(IFNE, other);
            m.visitTypeInsn(NEW, "OddParent");
            m.visitInsn(DUP);
            m.visitInsn(ICONST_3);
            superCall(m);
            m.visitFieldInsn(GETFIELD, "OddParent", "x", "I");
            m.visitJumpInsn(GOTO, join);
            m.visitLabel(other);
            m.visitInsn(ICONST_4);
            m.visitLabel(join);
            m.visitInsn(IADD);
            superCall(m);
            m.visitFieldInsn(GETFIELD, "OddParent", "x", "I");
            superCall(m);
            m.visitInsn(RETURN);
        });
        ctor("ThisCalledInBoth" + v, v, m -> {
            // this(...) in one branch, super(...) in the other
            Label other = new Label(), join = new Label();
            m.visitVarInsn(ALOAD, 0);
            m.visitVarInsn(ILOAD, 1);
            m.visitInsn(DUP);
            m.visitJumpInsn(IFNE, other);
            m.visitIntInsn(BIPUSH, 60);
            m.visitInsn(IADD);
            m.visitMethodInsn(INVOKESPECIAL, "ThisCalledInBoth" + v, "<init>", "(I)V", false);
            m.visitJumpInsn(GOTO, join);
            m.visitLabel(other);
            superCall(m);
            m.visitLabel(join);
            m.visitInsn(RETURN);
        });
    }

    /** Wide forms of near jumps, and subroutines that nest, return, or never do. */
    static void jumps(int v) {
        f("GotoW" + v, v, m -> {
            Label a = new Label(), b = new Label();
            m.visitJumpInsn(200, a);
            m.visitLabel(b);
            m.visitIntInsn(BIPUSH, 12);
            m.visitVarInsn(ILOAD, 0);
            m.visitInsn(IDIV);
            m.visitInsn(IRETURN);
            m.visitLabel(a);
            m.visitIincInsn(0, 1);
            m.visitJumpInsn(200, b);
        });
        if ((v & 0xffff) >= 50)
            return;
        f("JsrNested" + v, v, m -> {
            Label outer = new Label(), inner = new Label();
            m.visitJumpInsn(201, outer);
            m.visitVarInsn(ILOAD, 0);
            m.visitInsn(IRETURN);
            m.visitLabel(outer);
            m.visitVarInsn(ASTORE, 1);
            m.visitJumpInsn(JSR, inner);
            m.visitJumpInsn(JSR, inner);
            m.visitVarInsn(RET, 1);
            m.visitLabel(inner);
            m.visitVarInsn(ASTORE, 300);
            m.visitIincInsn(0, 7);
            m.visitVarInsn(RET, 300);
        });
        f("JsrReturns" + v, v, m -> {
            Label sub = new Label();
            m.visitJumpInsn(JSR, sub);
            m.visitLabel(sub);
            m.visitInsn(POP);
            m.visitIntInsn(BIPUSH, 12);
            m.visitVarInsn(ILOAD, 0);
            m.visitInsn(IDIV);
            m.visitInsn(IRETURN);
        });
        f("JsrFinally" + v, v, m -> {
            // try { return 12 / i } finally { i++ }, as old compilers wrote it
            Label from = new Label(), to = new Label(), any = new Label(), sub = new Label(), end = new Label();
            m.visitTryCatchBlock(from, to, any, null);
            m.visitTryCatchBlock(any, end, any, null);
            m.visitLabel(from);
            m.visitIntInsn(BIPUSH, 12);
            m.visitVarInsn(ILOAD, 0);
            m.visitInsn(IDIV);
            m.visitVarInsn(ISTORE, 1);
            m.visitJumpInsn(JSR, sub);
            m.visitVarInsn(ILOAD, 1);
            m.visitInsn(IRETURN);
            m.visitLabel(to);
            m.visitLabel(any);
            m.visitVarInsn(ASTORE, 2);
            m.visitJumpInsn(JSR, sub);
            m.visitLabel(end);
            m.visitVarInsn(ALOAD, 2);
            m.visitInsn(ATHROW);
            m.visitLabel(sub);
            m.visitVarInsn(ASTORE, 3);
            m.visitIincInsn(0, 1);
            m.visitVarInsn(RET, 3);
        });
    }

    /** Constants that a bootstrap method makes, and a lambda in a method that loops to its start. */
    static void dynamic() {
        Handle bsm = new Handle(H_INVOKESTATIC, "java/lang/invoke/ConstantBootstraps", "primitiveClass",
                "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/Class;", false);
        Handle concat = new Handle(H_INVOKESTATIC, "java/lang/invoke/StringConcatFactory", "makeConcatWithConstants",
                "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;"
                        + "Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/invoke/CallSite;", false);
        for (int v : new int[] {55, 61}) {
            Writer w = open("Dynamic" + v, v, "java/lang/Object");
            method(w, ACC_PUBLIC | ACC_STATIC, "run", "(I)Ljava/lang/String;", m -> {
                Label head = new Label(), out = new Label();
                m.visitLabel(head);
                m.visitIincInsn(0, 1);
                m.visitVarInsn(ILOAD, 0);
                m.visitInsn(ICONST_5);
                m.visitJumpInsn(IF_ICMPGT, out);
                m.visitJumpInsn(GOTO, head);
                m.visitLabel(out);
                m.visitLdcInsn(new ConstantDynamic("J", "Ljava/lang/Class;", bsm));
                m.visitVarInsn(ILOAD, 0);
                m.visitLdcInsn(Type.getMethodType("(IJ)V"));
                m.visitInvokeDynamicInsn("makeConcatWithConstants",
                        "(Ljava/lang/Class;ILjava/lang/invoke/MethodType;)Ljava/lang/String;", concat, "<\1 \1 \1>");
                m.visitInsn(ARETURN);
            });
            close(w, "Dynamic" + v);
        }
    }

    static void limits() {
        for (int count = 65515; count <= 65535; count++) {
            pool(count, false);
            pool(count, true);
        }
        for (int v : new int[] {49, 52}) {
            for (int n = 16350; n <= 16368; n++)
                cases("Table", v, n, true);
            for (int n = 8174; n <= 8184; n++)
                cases("Lookup", v, n, false);
            for (int n = 65532; n <= 65535; n++)
                handlers(v, n);
            maxs(v, 65535, 2);
            maxs(v, 65534, 65535);
            maxs(v, 65530, 300);
        }
        for (int n = 65500; n <= 65535; n++)
            large("Large" + n, n);
        crowd(12000);
    }

    public static void main(String[] args) throws IOException {
        parent();
        limits();
        dynamic();
        for (int v : new int[] {V1_1, 48, 49, 50, 51, 52, 61}) {
            arguments(v);
            deltas(v);
            thisEverywhere(v);
            jumps(v);
        }
        act(args);
    }
}
