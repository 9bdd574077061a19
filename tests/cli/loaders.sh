#!/bin/sh
# Woven plugins and the class loaders that programs write for them: one that asks the plugin for classes of its own
# package alone finds the runtime there, too.
. tests/cli/run_kit
cd "$dir" || exit 1
mkdir src p c
cat >src/App.java <<'J'
package acme;
import java.io.File;
import java.net.*;
public class App {
	static class Loader extends URLClassLoader {
		Loader(URL url) { super(new URL[] { url }, App.class.getClassLoader()); }
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			synchronized (getClassLoadingLock(name)) {
				Class<?> found = findLoadedClass(name);
				return found != null ? found : name.startsWith("plug.") ? findClass(name) : getParent().loadClass(name);
			}
		}
	}
	public static void main(String[] a) throws Exception {
		Class<?> plugin = new Loader(new File(a[0]).toURI().toURL()).loadClass("plug.Plugin");
		System.out.println(plugin.getMethod("run", int.class).invoke(null, 5));
	}
}
J
cat >src/Plugin.java <<'J'
package plug;
public class Plugin { public static int run(int n) { return plug.impl.Work.twice(n); } }
J
cat >src/Work.java <<'J'
package plug.impl;
public class Work { public static int twice(int n) { return 2 * n; } }
J
javac -d p src/Plugin.java src/Work.java && javac -d c src/App.java && jar cfe app.jar acme.App -C c . && jar cf plug.jar -C p . || skip_all 'javac does not work'
echo '{ "jweave": 1, "rules": [ { "match": "**" } ] }' >r.json

run -q --no-guard -r r.json -o woven app.jar plug.jar
is 'two jars: woven' "$status$err" 0
is 'the plugin runs' "$(JWEAVE_OUTPUT=$dir/t timeout 60 java -jar woven/app.jar woven/plug.jar 2>/dev/null)" 10
names=$(cat t.pcf)
like '... and is in the trace' "$names" '*Plugin.run*'
is 'so without tracing' "$(JWEAVE=off timeout 60 java -jar woven/app.jar woven/plug.jar 2>&1)" 10
run -q --no-guard p r.json p-woven
is 'a folder: woven' "$status$err" 0
is '... runs' "$(JWEAVE_OUTPUT=$dir/u timeout 60 java -jar woven/app.jar p-woven/ 2>/dev/null)" 10
run run -q -r r.json --also plug.jar -o w -- java -jar app.jar plug.jar
is 'jweave run: it runs' "$status$out" 010
like '... and is in the trace' "$(cat w.pcf)" '*Plugin.run*'
finish
