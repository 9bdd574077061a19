import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Writes share/jdk-types.txt: the direct supertypes of the types that the JDK exports, so that subtypeOf
 * needs no JDK where weaving is done, and gives the same answer everywhere.
 *
 * <pre>
 *     $JDK25/bin/java share/JdkTypes.java > new; $JDK17/bin/java share/JdkTypes.java new > share/jdk-types.txt
 * </pre>
 *
 * A line that ends in a slash names a package; the lines after it are types of it, each followed by
 * its supertypes, those of the same package without it. java/lang/Object is left out, and so is a type
 * that has no other supertype. What the file given has stays as it is there; types that it lacks are
 * added.
 */
public class JdkTypes {
	private final Map<String, TreeMap<String, String>> packages = new TreeMap<>();
	private final Deque<Class<?>> waiting = new ArrayDeque<>();

	public static void main(String[] args) throws Exception {
		JdkTypes types = new JdkTypes();
		if (args.length > 0)
			types.read(Path.of(args[0]));
		for (ModuleReference module : ModuleFinder.ofSystem().findAll())
			if (module.descriptor().name().matches("(java|jdk)\\..*"))
				types.addModule(module);
		types.print();
	}

	private void read(Path path) throws Exception {
		String in = "";
		for (String line : Files.readAllLines(path)) {
			if (line.endsWith("/")) {
				in = line;
				packages.put(in, new TreeMap<>());
			} else {
				packages.get(in).put(line.replaceAll(" .*", ""), line);
			}
		}
	}

	private void addModule(ModuleReference module) throws Exception {
		TreeSet<String> exported = new TreeSet<>();
		for (ModuleDescriptor.Exports e : module.descriptor().exports())
			if (!e.isQualified())
				exported.add(e.source().replace('.', '/') + "/");
		List<String> names = new ArrayList<>();
		try (var reader = module.open(); var files = reader.list()) {
			files.filter(f -> f.endsWith(".class")).forEach(names::add);
		}
		for (String name : names) {
			String in = name.substring(0, name.lastIndexOf('/') + 1);
			if (!exported.contains(in))
				continue;
			packages.computeIfAbsent(in, p -> new TreeMap<>());
			Class<?> type = load(name.substring(0, name.length() - 6).replace('/', '.'));
			if (type != null && (type.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0)
				waiting.add(type);
		}
		while (!waiting.isEmpty())
			add(waiting.remove());
	}

	private static Class<?> load(String name) {
		try {
			return Class.forName(name, false, ClassLoader.getSystemClassLoader());
		} catch (ClassNotFoundException | LinkageError e) {
			return null;
		}
	}

	/** Adds TYPE; the supertypes follow, public or not. */
	private void add(Class<?> type) {
		String name = type.getName().replace('.', '/');
		String in = name.substring(0, name.lastIndexOf('/') + 1);
		String own = name.substring(in.length());
		StringBuilder line = new StringBuilder(own);
		List<Class<?>> supers = new ArrayList<>();

		if (type.getSuperclass() != null && type.getSuperclass() != Object.class)
			supers.add(type.getSuperclass());
		supers.addAll(List.of(type.getInterfaces()));
		TreeMap<String, String> known = packages.computeIfAbsent(in, p -> new TreeMap<>());
		if (supers.isEmpty() || known.containsKey(own))
			return;
		for (Class<?> s : supers) {
			String full = s.getName().replace('.', '/');
			String rest = full.startsWith(in) ? full.substring(in.length()) : full;
			line.append(' ').append(rest.contains("/") ? full : rest);
			waiting.add(s);
		}
		known.put(own, line.toString());
	}

	private void print() {
		StringBuilder out = new StringBuilder();
		packages.forEach((in, types) -> {
			out.append(in).append('\n');
			types.values().forEach(line -> out.append(line).append('\n'));
		});
		byte[] bytes = out.toString().getBytes(StandardCharsets.UTF_8);
		System.out.write(bytes, 0, bytes.length);
		System.out.flush();
	}
}
