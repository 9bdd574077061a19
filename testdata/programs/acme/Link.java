package acme;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Collections;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * Links every class of a jar, so that the verifier reads each method, without running any of it.
 * Arguments: the jar, then jars that it needs. Prints "linked N, missing M, refused K" and what was
 * refused; a class that needs something which is not there is missing, not refused.
 */
public class Link {
	public static void main(String[] args) throws Exception {
		URL[] urls = new URL[args.length];
		for (int i = 0; i < args.length; i++)
			urls[i] = new File(args[i]).toURI().toURL();
		int linked = 0, missing = 0, refused = 0;
		try (JarFile jar = new JarFile(args[0]);
		     URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
			for (JarEntry e : Collections.list(jar.entries())) {
				String name = e.getName();
				if (!name.endsWith(".class") || name.startsWith("META-INF/") || name.endsWith("module-info.class"))
					continue;
				try {
					Class<?> c = Class.forName(name.substring(0, name.length() - 6).replace('/', '.'), false, loader);
					c.getDeclaredMethods(); // links, hence verifies; runs nothing
					c.getDeclaredConstructors();
					linked++;
				} catch (VerifyError | ClassFormatError | BootstrapMethodError x) {
					refused++;
					System.out.println(name + ": " + x);
				} catch (LinkageError x) {
					missing++;
				}
			}
		}
		System.out.println("linked " + linked + ", missing " + missing + ", refused " + refused);
	}
}
