package acme;

import java.io.File;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * The reflection view of every class of a jar as text, one fact a line: the view of a woven jar must
 * be its original's. Arguments: the jar, then jars that it needs. Classes that cannot be looked at
 * (something optional is missing) are named with the reason, which must be the same too.
 */
public class Compare {
	static final StringBuilder out = new StringBuilder();

	static void line(String what, Object value) {
		out.append("  ").append(what).append(' ').append(value).append('\n');
	}

	static String annotations(AnnotatedElement e) {
		List<String> all = new ArrayList<>();
		for (Object a : e.getDeclaredAnnotations())
			all.add(a.toString());
		Collections.sort(all);
		return all.toString();
	}

	static String typed(AnnotatedType t) {
		return t == null ? "-" : t.toString();
	}

	static void executable(Executable e) {
		List<String> text = new ArrayList<>();
		text.add(e.toGenericString());
		text.add(Modifier.toString(e.getModifiers()) + "/" + Integer.toHexString(e.getModifiers()));
		text.add(annotations(e));
		text.add(typed(e.getAnnotatedReturnType()) + " " + typed(e.getAnnotatedReceiverType()));
		for (AnnotatedType t : e.getAnnotatedExceptionTypes())
			text.add(typed(t));
		for (Parameter p : e.getParameters())
			text.add(p.isNamePresent() + " " + p.getName() + " " + p.getModifiers() + " " + typed(p.getAnnotatedType()) + annotations(p));
		if (e instanceof Method)
			text.add(((Method) e).isBridge() + " " + ((Method) e).getDefaultValue());
		line(e instanceof Method ? "method" : "constructor", text);
	}

	static <T> List<T> sorted(T[] of) {
		List<T> list = new ArrayList<>(Arrays.asList(of));
		list.sort((a, b) -> a.toString().compareTo(b.toString()));
		return list;
	}

	static void describe(Class<?> c) {
		int start = out.length();
		out.append(c.getName()).append('\n');
		try {
			line("is", c.toGenericString() + " " + Integer.toHexString(c.getModifiers()) + annotations(c));
			line("super", c.getGenericSuperclass() + " " + typed(c.getAnnotatedSuperclass()));
			line("interfaces", Arrays.asList(c.getGenericInterfaces()));
			line("nest", c.getNestHost().getName() + " " + c.getEnclosingClass() + " " + c.getEnclosingMethod());
			line("inner", sorted(c.getDeclaredClasses()));
			line("kind", c.isEnum() + " " + c.isRecord() + " " + c.isSealed() + " " + c.isAnonymousClass() + " " + c.isLocalClass());
			if (c.isRecord())
				line("components", Arrays.asList(c.getRecordComponents()));
			for (Field f : sorted(c.getDeclaredFields()))
				line("field", f.toGenericString() + annotations(f) + typed(f.getAnnotatedType()));
			for (Constructor<?> k : sorted(c.getDeclaredConstructors()))
				executable(k);
			for (Method m : sorted(c.getDeclaredMethods()))
				executable(m);
			// computes the default from the members, static initialiser included
			if (Serializable.class.isAssignableFrom(c) && !c.isInterface() && !c.isEnum())
				line("serialVersionUID", ObjectStreamClass.lookupAny(c).getSerialVersionUID());
		} catch (LinkageError | TypeNotPresentException | ArrayStoreException e) {
			out.setLength(start);
			out.append(c.getName()).append("\n  cannot be looked at: ").append(e).append('\n');
		}
	}

	public static void main(String[] args) throws Exception {
		URL[] urls = new URL[args.length];
		for (int i = 0; i < args.length; i++)
			urls[i] = new File(args[i]).toURI().toURL();
		TreeSet<String> names = new TreeSet<>();
		try (JarFile jar = new JarFile(args[0])) {
			for (JarEntry e : Collections.list(jar.entries()))
				if (e.getName().endsWith(".class") && !e.getName().startsWith("META-INF/") &&
				    !e.getName().contains("jweave/") && !e.getName().endsWith("module-info.class"))
					names.add(e.getName().substring(0, e.getName().length() - 6).replace('/', '.'));
		}
		try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
			for (String name : names) {
				try {
					describe(Class.forName(name, false, loader));
				} catch (LinkageError e) {
					out.append(name).append("\n  does not load: ").append(e).append('\n');
				}
			}
		}
		System.out.print(out);
		System.out.println(names.size() + " classes");
	}
}
