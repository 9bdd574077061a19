import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.util.Enumeration;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The same job done with ASM, the fastest way that it has: every method with a body gets enter, exit
 * and a catch-all; the reader's pool is copied, frames are kept and the handler's written by hand,
 * only the maxima are computed. Constructors get no catch-all: less work than jweave does.
 * Arguments: IN.jar OUT.jar
 */
public class AsmWrap {
	static final class Method extends MethodVisitor {
		final long id;
		final boolean constructor, frames;
		final Label start = new Label(), end = new Label();

		Method(MethodVisitor next, long id, boolean constructor, boolean frames) {
			super(Opcodes.ASM9, next);
			this.id = id;
			this.constructor = constructor;
			this.frames = frames;
		}

		void probe(String name) {
			super.visitLdcInsn(id);
			super.visitMethodInsn(Opcodes.INVOKESTATIC, "bench/Probe", name, "(J)V", false);
		}

		@Override
		public void visitCode() {
			super.visitCode();
			probe("enter");
			super.visitLabel(start);
		}

		@Override
		public void visitInsn(int opcode) {
			if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN)
				probe("exit");
			super.visitInsn(opcode);
		}

		@Override
		public void visitMaxs(int stack, int locals) {
			if (!constructor) {
				super.visitTryCatchBlock(start, end, end, null);
				super.visitLabel(end);
				if (frames)
					super.visitFrame(Opcodes.F_FULL, 0, null, 1, new Object[] { "java/lang/Throwable" });
				probe("fail");
				super.visitInsn(Opcodes.ATHROW);
			}
			super.visitMaxs(stack, locals);
		}
	}

	static int methods;

	static byte[] wrap(byte[] in) {
		ClassReader reader = new ClassReader(in);
		ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
		reader.accept(new ClassVisitor(Opcodes.ASM9, writer) {
			int index;
			boolean frames;
			long id;

			@Override
			public void visit(int version, int access, String name, String signature, String superName, String[] interfaces) {
				super.visit(version, access, name, signature, superName, interfaces);
				frames = (version & 0xffff) >= Opcodes.V1_6;
				id = (long) name.hashCode() << 16;
			}

			@Override
			public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
				MethodVisitor m = super.visitMethod(access, name, descriptor, signature, exceptions);
				long own = id | index++;
				if ((access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) != 0)
					return m;
				methods++;
				return new Method(m, own, name.equals("<init>"), frames);
			}
		}, 0);
		return writer.toByteArray();
	}

	public static void main(String[] args) throws Exception {
		try (ZipFile in = new ZipFile(args[0]);
		     ZipOutputStream out = new ZipOutputStream(new BufferedOutputStream(new FileOutputStream(args[1]), 1 << 16))) {
			for (Enumeration<? extends ZipEntry> all = in.entries(); all.hasMoreElements();) {
				ZipEntry entry = all.nextElement();
				byte[] bytes;
				try (InputStream s = in.getInputStream(entry)) {
					bytes = s.readAllBytes();
				}
				if (entry.getName().endsWith(".class") && !entry.getName().endsWith("module-info.class"))
					bytes = wrap(bytes);
				out.putNextEntry(new ZipEntry(entry.getName()));
				out.write(bytes);
				out.closeEntry();
			}
		}
		System.out.println(methods + " methods");
	}
}
