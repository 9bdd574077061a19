import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Enumeration;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import javassist.ClassPool;
import javassist.CtBehavior;
import javassist.CtClass;
import javassist.CtConstructor;

/** The same job done with Javassist. Arguments: IN.jar OUT.jar CLASSPATH-OF-Probe */
public class JavassistWrap {
	public static void main(String[] args) throws Exception {
		ClassPool pool = new ClassPool(true);
		pool.appendClassPath(args[0]);
		pool.appendClassPath(args[2]);
		int methods = 0, failed = 0;
		try (ZipFile in = new ZipFile(args[0]);
		     ZipOutputStream out = new ZipOutputStream(new BufferedOutputStream(new FileOutputStream(args[1]), 1 << 16))) {
			for (Enumeration<? extends ZipEntry> all = in.entries(); all.hasMoreElements();) {
				ZipEntry entry = all.nextElement();
				byte[] bytes;
				try (InputStream s = in.getInputStream(entry)) {
					bytes = s.readAllBytes();
				}
				if (entry.getName().endsWith(".class") && !entry.getName().endsWith("module-info.class")) {
					try {
						CtClass c = pool.makeClass(new ByteArrayInputStream(bytes));
						long id = (long) c.getName().hashCode() << 16;
						for (CtBehavior m : c.getDeclaredBehaviors()) {
							if (m.isEmpty() || m.getMethodInfo().getCodeAttribute() == null)
								continue;
							methods++;
							id++;
							m.insertBefore("bench.Probe.enter(" + id + "L);");
							m.insertAfter("bench.Probe.exit(" + id + "L);", !(m instanceof CtConstructor));
						}
						bytes = c.toBytecode();
						c.detach();
					} catch (Exception | LinkageError e) {
						failed++;
					}
				}
				out.putNextEntry(new ZipEntry(entry.getName()));
				out.write(bytes);
				out.closeEntry();
			}
		}
		System.out.println(methods + " methods, " + failed + " classes left alone");
	}
}
