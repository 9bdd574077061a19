#!/bin/sh
# jweave run: woven copies are opened in the place of jars that stay where they are (-jar), and of what the program's
# own class loaders read (--also, web applications, Quarkus).
# Slow: 20 s, JVMs run one after the other.
. tests/cli/run_kit
opens=$(dirname "$jweave")/tests/cli/x_opens
case $opens in /*) ;; *) opens=$PWD/$opens ;; esac
cd "$dir" || exit 1
mkdir -p src/app src/lib src/plug src/boot src/extra app lib plug boot extra home/lib

# ---- a program that looks for its files around its jar, and loads a jar that is on no path ----
cat >src/lib/Lib.java <<'J'
package lib;
public class Lib { public static String where() { return lib.Lib.class.getProtectionDomain().getCodeSource().getLocation().toString(); } }
J
cat >src/plug/Plug.java <<'J'
package plug;
public class Plug implements Runnable { public void run() { System.out.println("plugged in " + twice(21)); } int twice(int n) { int sum = 0; for (int i = 0; i < 2; i++) sum += n; return sum; } }
J
cat >src/extra/Extra.java <<'J'
package app;
public class Extra { public Extra() throws Exception { Thread.sleep(1500); } }
J
cat >src/app/Main.java <<'J'
package app;
import java.io.*;
import java.net.*;
import java.nio.file.*;
public class Main {
	static String read(File f) throws Exception { return new String(Files.readAllBytes(f.toPath())).trim(); }
	public static void main(String[] a) throws Exception {
		File jar = new File(Main.class.getProtectionDomain().getCodeSource().getLocation().toURI());
		System.out.println(jar + " " + lib.Lib.where() + " " + System.getProperty("java.class.path"));
		System.out.println(read(new File(jar.getParentFile(), "app.conf")));
		File mark = new File(jar.getParentFile(), "made");
		new FileOutputStream(mark).close();
		try (URLClassLoader own = new URLClassLoader(new URL[] { new File(jar.getParentFile(), "plugins/plug.jar").toURI().toURL() })) {
			((Runnable) own.loadClass("plug.Plug").getConstructor().newInstance()).run();
		}
		for (String s : a) if (s.equals("keep")) {
			for (String plug : new String[] { "plug.jar", "more.jar", "plug.jar", "web.war" })
				if (new File(jar.getParentFile(), "plugins/" + plug).exists()) Class.forName("plug.Plug", true, new URLClassLoader(new URL[] { new File(jar.getParentFile(), "plugins/" + plug).toURI().toURL() }));
		}
		for (String s : a) if (s.equals("late") || s.equals("gone")) {
			for (int i = 0; i < 200 && s.equals("late"); i++) read(new File(jar.getParentFile(), "app.conf"));
			File bundle = new File(jar.getParentFile(), "bundles/1/bundle.jar"), gone = new File(jar.getParentFile(), "gone.jar");
			if (s.equals("gone")) Files.copy(bundle.toPath(), gone.toPath());
			try (URLClassLoader own = new URLClassLoader(new URL[] { (s.equals("gone") ? gone : bundle).toURI().toURL() })) {
				own.loadClass("app.Extra").getConstructor().newInstance();
			}
			gone.delete();
		}
		for (String s : a) if (s.equals("copy")) Files.copy(jar.toPath(), new File(jar.getParentFile(), "copy.jar").toPath());
		for (String s : a) if (s.equals("child")) {
			Process p = new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-cp", jar.getPath() + ":" + new File(jar.getParentFile(), "lib/lib.jar"), "app.Main").inheritIO().start();
			System.out.println("child " + p.waitFor());
		}
	}
}
J
javac -d lib src/lib/Lib.java && javac -d plug src/plug/Plug.java && javac -cp lib -d app src/app/Main.java && javac -d extra src/extra/Extra.java || skip_all 'javac does not work'
mkdir home/plugins
printf 'Main-Class: app.Main\nClass-Path: lib/lib.jar\n' >manifest
jar cfm home/app.jar manifest -C app . && jar cf home/lib/lib.jar -C lib . && jar cf home/plugins/plug.jar -C plug . &&
	mkdir -p home/bundles/1 home/empty && jar cf home/bundles/1/bundle.jar -C extra . || skip_all 'jar does not work'
echo 'a file beside the jar' >home/app.conf
touch -d 2020-02-02 home/app.jar
cat >all.json <<'J'
{ "jweave": 1, "rules": [ { "match": "app.**" }, { "match": "lib.**" }, { "match": "plug.**" } ] }
J

try() { # try WORDS...: status, out, err, names of the traces, which go away
	timeout 60 "$jweave" "$@" >"$dir/.out" 2>"$dir/.err" </dev/null
	status=$?
	out=$(cat "$dir/.out")
	err=$(cat "$dir/.err")
	traces=$(ls trace-*.prv 2>/dev/null | wc -l)
	names=$(cat trace-*.pcf 2>/dev/null)
	rm -rf trace-*
}
unlike() { # unlike NAME GOT PATTERN
	case $2 in
	$3) ok "$1" 1 "$2" ;;
	*) ok "$1" 0 ;;
	esac
}

want=$(java -jar home/app.jar)
rm home/made
try run -r all.json -- java -jar home/app.jar
is 'the program sees its jars where they are' "$status $out" "0 $want"
[ -e home/made ]
ok 'what it makes beside them is there' $?
like 'its methods are traced, by their names' "$names" '*Main.read*'
like '... and those of what its manifest names' "$names" '*Lib.where*'
unlike '... those of what it loads itself are not' "$names" '*Plug*'
unlike 'every method has its name' "$names" '*unknown 0x*'
try run -v -r all.json --also 'home/plugins/*' -- java -jar home/app.jar
is '--also: output' "$status $out" "0 $want"
like '--also: what it loads itself is traced, too' "$names" '*Plug.twice*'
unlike '--also: by its names' "$names" '*unknown 0x*'
try run --also home/plugins/plug.jar -- java -jar home/app.jar
is '--also, without rules: output' "$status $out" "0 $want"
like '--also, without rules: it is the application, too' "$names" '*Plug.*'
try run --also home/plugins/plug.jar -r all.json -- java -cp home/app.jar:home/lib/lib.jar app.Main
like '--also with a class path: traced' "$status $names" '0 *Plug.twice*'
cp home/plugins/plug.jar home/plugins/more.jar
try run -- java -jar home/app.jar keep
like 'what it has read itself is told, and what to type for it' "$status $err" "0 *note: 2 archives that the command does not name were read by the program's own class loaders, and not traced; to trace them: jweave run --also home/plugins"*
try run --also home/plugins/plug.jar -- java -jar home/app.jar keep
like '... of one, that one' "$err" "*note: 1 archive that the command does not name was read by the program's own class loaders, and not traced; to trace it: jweave run --also home/plugins/more.jar*"
try run --also 'home/plugins/*' -- java -jar home/app.jar keep
unlike '... of none, nothing' "$err" '*class loaders*'
try run -- java -jar home/app.jar late
like '... also of many calls and closed before the end, where it has more of what is traced' "$err" "*note: 1 archive that*to trace it: jweave run --also home/bundles/1/bundle.jar*"
try run -- java -jar home/app.jar gone
unlike '... but not of one that it has made and removed' "$err" '*class loaders*'
try run --also home/bundles -- java -jar home/app.jar late
like '--also: a folder is what is below it' "$status $names" '0 *Extra.<init>*'
unlike '... and then nothing is told' "$err" '*class loaders*'
cp home/plugins/plug.jar home/plugins/web.war
try run -- java -jar home/app.jar keep
like '... of more, an application first' "$err" "*note: 3 archives that*to trace one of them: jweave run --also home/plugins/web.war*"
rm home/plugins/web.war
jar uf home/plugins/more.jar -C extra .
i=0
while [ $i -lt 254 ]; do
	i=$((i + 1))
	ln home/plugins/plug.jar home/plugins/other-$i.jar
done
try run -- java -jar home/app.jar keep
like '... a folder, when it may be that of one product' "$err" "*note: 2 archives that*to trace them: jweave run --also home/plugins"*
ln home/plugins/plug.jar home/plugins/other.jar
try run -- java -jar home/app.jar keep
like '... of one with all the jars of a machine the archive that has more of what is traced' "$err" "*note: 2 archives that*to trace one of them: jweave run --also home/plugins/more.jar*"
rm home/plugins/more.jar home/plugins/other*.jar
mkdir -p src/own own
cat >src/own/Own.java <<'J'
package own;
public class Own {
	public static void main(String[] a) throws Exception {
		java.net.URL at = new java.io.File(a[0]).toURI().toURL();
		Class<?> c = new java.net.URLClassLoader(new java.net.URL[] { at }).loadClass("plug.Plug");
		((Runnable) c.getConstructor().newInstance()).run();
		System.out.println(c.getProtectionDomain().getCodeSource().getLocation().equals(at));
	}
}
J
javac -d own src/own/Own.java || exit 1
for time in first second; do
	try run --also plug -- java -cp own own.Own plug
	is "--also: a folder of classes, the $time time" "$status $out" '0 plugged in 42
true'
	like '... is traced' "$names" '*Plug.twice*'
done
try run -r all.json -- java -cp plug plug.Plug # on the class path, it is kept in another way
try run -r all.json --also plug -- java -cp own own.Own plug
is '... that was on a class path before' "$status $out" '0 plugged in 42
true'
is '... and is what it was' "$(find plug)" 'plug
plug/plug
plug/plug/Plug.class'
mkdir -p exploded/WEB-INF/classes && cp -r plug/plug exploded/WEB-INF/classes
try run --also exploded -- java -cp own own.Own exploded/WEB-INF/classes
like '--also: a web application that is unpacked' "$status $names" '0 *Plug.twice*'
try run --also nowhere.jar -- java -jar home/app.jar
is '--also: what is not there' "$status $err" "2 jweave: error: option '--also': there is no 'nowhere.jar'"
try run --also home/empty -- java -jar home/app.jar
is '--also: a folder without' "$status $err" "2 jweave: error: option '--also': the folder 'home/empty' has no jar, war or ear in it or below, and no classes"
try run -r all.json -- java -jar home/app.jar child
is 'a java that it starts is traced, too' "$status $traces $(printf '%s\n' "$out" | tail -n 1)" '0 2 child 0'
is 'its jars are what they were' "$(jar tf home/app.jar home/lib/lib.jar | grep -c jweave)" 0

# as the cache of an OSGi framework, or a server that unpacks a .war
try run -r all.json -- java -jar home/app.jar copy
is 'a program that copies its jar' "$status $traces $(jar tf home/copy.jar | grep -c META-INF/jweave/woven.json)" '0 1 1'
java -jar home/copy.jar >.out 2>.err
is '... its copy is as the jar was, without jweave run' "$? $(grep -c 'plugged in 42' .out) $(cat .err)" '0 1 '
is '... and traces nothing' "$(ls -d trace-* 2>/dev/null)" ''
JWEAVE=on java -jar home/copy.jar >.out 2>.err
is '... unless it is asked to' "$? $(ls trace-*.prv | wc -l)" '0 1'
rm -rf trace-*
try run -r all.json -- java -jar home/copy.jar
is '... and does, in a run' "$status $traces" '0 1'
rm home/copy.jar
JWEAVE=off try run -r all.json -- java -jar home/app.jar
is 'a run with JWEAVE=off traces nothing' "$status $out $traces" "0 $want 0"
sed 's/"jweave": 1,/& "runtime": { "tracing": false },/' all.json >off.json
try run -r off.json -- java -jar home/app.jar
is '... nor does one whose rules say so' "$status $out $traces" "0 $want 0"
JWEAVE=on try run -r off.json -- java -jar home/app.jar
is '... unless the user says on' "$status $out $traces" "0 $want 1"

JWEAVE_OVERLAY=/of/another/run try run -r all.json -- java -jar home/app.jar
is 'a run that another java has started' "$status $out $(printf '%s\n' "$err" | grep -c unknown)" "0 $want 0"

# ---- where nothing can be shown, copies are on the paths ----
blank="$dir/a cache"
mkdir "$blank"
XDG_CACHE_HOME=$blank try run -v -r all.json -- java -jar home/app.jar
like 'a cache with a blank in its path: copies' "$status $out" "1 $blank/*app.jar *"
like '... and why' "$err" '*jweave: the program sees copies of its jars, since the path of the cache has a blank, a colon or a dollar in it*'
XDG_CACHE_HOME=$blank try run -r all.json --also home/plugins/plug.jar -- java -jar home/app.jar
like '... and what is on no path runs as it is' "$err" "*warning: 'home/plugins/plug.jar' is on no path of the command, and runs without tracing, since the path of the cache has*"
try run -v -r all.json -- env -i "$(command -v java)" -jar home/app.jar
like 'env -i: copies' "$err" '*since what comes before java in the command may not hand on the environment*'
try run -r all.json -- env X=1 nice java -jar home/app.jar
is 'env without an option, nice: in place' "$status $out" "0 $want"

# (the header of a program of MIPS)
printf '\177ELF\002\001\001' >java-9 && head -c 11 /dev/zero >>java-9 && printf '\010\000' | dd of=java-9 bs=1 seek=18 conv=notrunc 2>/dev/null && head -c 200 /dev/zero >>java-9
chmod +x java-9
try run -v -r all.json -- ./java-9 -jar home/app.jar
like 'a java of another machine' "$err" '*since this java is for another machine*'
cp "$opens" java-11
if setcap cap_net_bind_service+ep java-11 2>/dev/null; then
	try run -v -r all.json -- ./java-11 -jar home/app.jar
	like 'a java with capabilities' "$err" '*since this java has capabilities, and loads no library that it is asked to*'
else
	skip 'a java with capabilities' 'no setcap here'
fi

# ---- every way to open and to ask ----
cp "$opens" java17 && size=$(wc -c <home/app.jar)
run() {
	timeout 60 "$jweave" run -r all.json -- "$@" 2>/dev/null </dev/null
}
run ./java17 -jar home/app.jar home/app.jar >seen
copy=$(sed -n '1s/open //p' seen)
[ "$copy" -gt "$size" ]
ok 'a java opens the copy' $? "$copy $size"
is 'by every function' "$(grep '^open' seen | sort -u)" "open $copy"
is 'which is told of, too, by every function' "$(grep '^stat' seen | cut -d' ' -f1,2 | sort -u)" "stat $copy"
is '... and changed when it was made' "$(grep '^stat' seen | sort -u | wc -l)" 1
unlike '... which was after the original' "$(grep '^stat' seen | sort -u)" "*$(stat -c %Y home/app.jar)"
is 'to write, it is the original' "$(grep '^write' seen)" "write $size"
is 'another program sees the original' "$(grep 'home/app.jar' seen)" "$size home/app.jar"
is 'so does one that opens a link of another name' "$(grep '^link' seen)" "link $size"
is 'what is not there is not there' "$(grep '^none' seen)" 'none -1'
ln -s app.jar home/link.jar
is 'a link that the command names leads to the copy' "$(run ./java17 -jar home/link.jar home/link.jar | head -n 1)" "open $copy"
cat >./java-later <<'S'
#!/bin/sh
cp home/new.jar home/app.jar
exec ./java17 "$@"
S
chmod +x java-later
cp home/app.jar home/new.jar && echo more >>home/new.jar
cp -p home/app.jar keep.jar
is 'a jar that was built anew meanwhile is shown as it is' "$(run ./java-later -jar home/app.jar home/app.jar | head -n 1)" "open $((size + 5))"
cp -p keep.jar home/app.jar
printf 'jweave overlay 1\377\377\377\377\377\377\377\377' >odd
for table in odd nowhere home/app.jar /dev/zero .; do
	library=$(find cache -name 'libjweave-overlay.so')
	is "the table is $table: nothing is shown" "$(LD_PRELOAD=$dir/$library JWEAVE_OVERLAY=$table ./java17 home/app.jar | head -n 1)" "open $size"
done
cat >java-8 <<'S'
#!/bin/sh
echo "$LD_PRELOAD"
S
chmod +x java-8
is 'a library that is loaded already comes first' "$(LD_PRELOAD=libm.so.6 run ./java-8 -jar home/app.jar)" "libm.so.6:$dir/$library"
is '... and ours is not loaded twice' "$(LD_PRELOAD=$dir/$library run ./java-8 -jar home/app.jar)" "$dir/$library"

# ---- Quarkus: a loader that looks into jars only for packages that they had when it was built ----
cat >src/boot/Start.java <<'J'
package boot;
import java.io.*;
import java.net.*;
public class Start extends URLClassLoader {
	Start(URL[] jars) { super(jars, Start.class.getClassLoader()); }
	protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
		if (!name.startsWith("plug.")) return getParent().loadClass(name);
		Class<?> c = findLoadedClass(name);
		return c != null ? c : findClass(name);
	}
	public static void main(String[] a) throws Exception {
		File root = new File(Start.class.getProtectionDomain().getCodeSource().getLocation().toURI()).getParentFile().getParentFile().getParentFile();
		if (!new File(root, "quarkus/quarkus-application.dat").exists()) throw new Error("no index in " + root);
		((Runnable) new Start(new URL[] { new File(root, "app/plug.jar").toURI().toURL(), new File(root, "lib/main/acme.tools.plug-1.jar").toURI().toURL() }).loadClass("plug.Plug").getConstructor().newInstance()).run();
	}
}
J
javac -d boot src/boot/Start.java || exit 1
mkdir -p fast/app fast/lib/boot fast/lib/main fast/quarkus
printf 'Main-Class: boot.Start\nClass-Path: lib/boot/boot.jar\n' >manifest
jar cfm fast/quarkus-run.jar manifest && jar cf fast/lib/boot/boot.jar -C boot . && cp home/plugins/plug.jar fast/app && echo index >fast/quarkus/quarkus-application.dat
echo '{ "jweave": 1, "rules": [ { "match": "plug.**" } ] }' >plug.json
"$jweave" fast plug.json woven >/dev/null && out=$(java -jar woven/quarkus-run.jar 2>err)
is 'a folder of Quarkus, woven: output' "$? $out" '0 plugged in 42'
like '... and trace' "$(cat err trace-*.pcf)" '*Plug.twice*'
rm -rf trace-*
like '... its jar grants native access' "$(unzip -p woven/quarkus-run.jar META-INF/MANIFEST.MF)" '*Enable-Native-Access: ALL-UNNAMED*'
"$jweave" fast plug.json woven >/dev/null
ok '... and may be woven again' $?
jar cfe fast/quarkus-run.jar boot.Start -C boot . && "$jweave" fast plug.json other >/dev/null 2>err
like '... whose jar has no Class-Path' "$? $(cat err)" '4 jweave: error: *quarkus-run.jar: its manifest has no Class-Path'
rm fast/quarkus-run.jar
"$jweave" fast plug.json other >/dev/null 2>err
is '... without the jar that starts it' "$? $(cat err)" '4 jweave: error: fast: Quarkus has built it, but there is no quarkus-run.jar to start it'
[ ! -e other ]
ok '... nothing is left' $?
printf 'Main-Class: boot.Start\nClass-Path: lib/boot/boot.jar\n' >manifest
jar cfm fast/quarkus-run.jar manifest
for try in first second; do
	try run -- java -jar fast/quarkus-run.jar
	is "run, the $try: output" "$status $out" '0 plugged in 42'
	like "run, the $try: the application alone is traced" "$names" '*Plug.run*'
	unlike "run, the $try: ... not what starts it" "$names" '*Start.main*'
done
mkdir -p src/io/quarkus/bootstrap/runner && cat >src/io/quarkus/bootstrap/runner/QuarkusEntryPoint.java <<'J'
package io.quarkus.bootstrap.runner;
public class QuarkusEntryPoint { public static void main(String[] a) throws Exception { boot.Start.main(a); } }
J
javac -cp boot -d boot src/io/quarkus/bootstrap/runner/QuarkusEntryPoint.java && jar cf fast/lib/boot/boot.jar -C boot . || exit 1
try run -- java -cp lib:fast/quarkus-run.jar io.quarkus.bootstrap.runner.QuarkusEntryPoint
is 'by its main class: output' "$status $out" '0 plugged in 42'
like 'by its main class: traced' "$names" '*Plug.run*'
(cd fast && "$jweave" run -- java -jar quarkus-run.jar >../.out 2>../.err && rm -rf trace-*)
is 'run, in its folder' "$? $(cat .out)" '0 plugged in 42'
(cd fast && "$jweave" run -- java -Dquarkus.launch.rebuild=true -jar quarkus-run.jar >../.out 2>../.err; echo $? >../.status; ls -d trace-* 2>/dev/null) >.traces
is 'one that builds itself anew runs as it is: what it makes is not woven' "$(cat .status .out .err .traces)" '0
plugged in 42'


# what is assembled of modules has no class itself: those of its group are its own (acme.toolsuite is another one's)
mkdir -p meta/META-INF/maven/acme.tools/app suite && echo 'groupId=acme.tools' >meta/META-INF/maven/acme.tools/app/pom.properties
echo 'package suite; public class Suite { public void run() { } }' >src/Suite.java && javac -d suite src/Suite.java && jar cf fast/lib/main/acme.toolsuite-1.jar -C suite . || exit 1
mv fast/app/plug.jar fast/lib/main/acme.tools.plug-1.jar && jar cf fast/app/app.jar -C meta .
try run -v -- java -jar fast/quarkus-run.jar
is 'assembled of modules: output' "$status $out" '0 plugged in 42'
like 'assembled of modules: these are traced' "$names" '*Plug.run*'
unlike '... not those of others' "$err" '*suite*'

# ---- a server, and its web applications ----
mkdir -p src/org/apache/catalina/startup server base/webapps war/WEB-INF/classes
cat >src/org/apache/catalina/startup/Bootstrap.java <<'J'
package org.apache.catalina.startup;
import java.io.*;
import java.net.*;
public class Bootstrap {
	public static void main(String[] a) throws Exception {
		File war = new File(System.getProperty("catalina.base") + "/webapps/shop.war");
		URL classes = new URL("jar:" + war.toURI() + "!/WEB-INF/classes/");
		((Runnable) new URLClassLoader(new URL[] { classes }).loadClass("plug.Plug").getConstructor().newInstance()).run();
	}
}
J
javac -d server src/org/apache/catalina/startup/Bootstrap.java || exit 1
cp -r plug war/WEB-INF/classes && rm -rf war/WEB-INF/classes/plug && cp -r plug/plug war/WEB-INF/classes
mkdir war/WEB-INF/lib && cp home/lib/lib.jar war/WEB-INF/lib
jar cf base/webapps/shop.war -C war . && mkdir base/webapps/unpacked
try run -v -- java -Dcatalina.base=base -cp server org.apache.catalina.startup.Bootstrap
is 'a server: output' "$status $out" '0 plugged in 42'
like 'a server: its web application is traced' "$names" '*Plug.twice*'
unlike 'a server: it is not' "$names" '*Bootstrap*'
unlike '... which is not told' "$err" '*little of this run*'
try run -v -- java -Dcatalina.base=base -cp server org.apache.catalina.startup.Bootstrap
like 'a server: the classes of the application are chosen' "$err" '*"match": "plug.**"*'
unlike 'a server: ... not its libraries' "$err" '*"match": "lib.**"*'
# a loader whose URLs are of a kind of its own
cat >src/org/apache/catalina/startup/Bootstrap.java <<'J'
package org.apache.catalina.startup;
import java.io.*;
import java.net.*;
import java.security.*;
import java.util.zip.*;
public class Bootstrap extends ClassLoader {
	static ZipFile war;
	protected Class<?> findClass(String name) throws ClassNotFoundException {
		try {
			ZipEntry entry = war.getEntry("WEB-INF/classes/" + name.replace('.', '/') + ".class");
			if (entry == null) throw new ClassNotFoundException(name);
			byte[] bytes = new byte[(int) entry.getSize()];
			new DataInputStream(war.getInputStream(entry)).readFully(bytes);
			URL own = new URL(null, "own:/shop.war", new URLStreamHandler() { protected URLConnection openConnection(URL u) { return null; } });
			return defineClass(name, bytes, 0, bytes.length, new ProtectionDomain(new CodeSource(own, (CodeSigner[]) null), null));
		} catch (IOException e) { throw new ClassNotFoundException(name, e); }
	}
	public static void main(String[] a) throws Exception {
		war = new ZipFile(System.getProperty("catalina.base") + "/webapps/shop.war");
		((Runnable) new Bootstrap().loadClass("plug.Plug").getConstructor().newInstance()).run();
	}
}
J
javac -Xlint:-options -d server src/org/apache/catalina/startup/Bootstrap.java 2>/dev/null || exit 1
try run -- java -Dcatalina.base=base -cp server org.apache.catalina.startup.Bootstrap
is 'classes from URLs of another kind: output' "$status $out" '0 plugged in 42'
like '... are traced, by their names' "$names" '*Plug.twice*'
rm -r base/webapps/* cache
mkdir -p src/web base/webapps/shop/WEB-INF/lib base/webapps/empty/WEB-INF base/webapps/odd/WEB-INF/classes
cat >src/org/apache/catalina/startup/Bootstrap.java <<'J'
package org.apache.catalina.startup;
import java.io.*;
import java.net.*;
public class Bootstrap {
	public static void main(String[] a) throws Exception {
		File web = new File(System.getProperty("catalina.base") + "/webapps/shop/WEB-INF");
		URL[] all = { new File(web, "classes/").toURI().toURL(), new File(web, "lib/lib.jar").toURI().toURL() };
		Class<?> c = new URLClassLoader(all, null).loadClass("plug.Plug");
		((Runnable) c.getConstructor().newInstance()).run();
		System.out.println(c.getProtectionDomain().getCodeSource().getLocation() + " " + c.getClassLoader().loadClass("lib.Lib").getMethod("where").invoke(null));
	}
}
J
javac -d server src/org/apache/catalina/startup/Bootstrap.java || exit 1
cp -r war/WEB-INF/classes base/webapps/shop/WEB-INF && cp home/lib/lib.jar base/webapps/shop/WEB-INF/lib && echo odd >base/webapps/odd/WEB-INF/classes/Odd.class
want=$(java -Dcatalina.base=base -cp server org.apache.catalina.startup.Bootstrap)
for try in first second; do
	try run -- java -Dcatalina.base=base -cp server org.apache.catalina.startup.Bootstrap
	is "an unpacked application, the $try run: output" "$status $out" "0 $want"
	like "... its classes are traced, by their names" "$names" '*Plug.twice*'
	unlike '... all of them' "$names" '*unknown 0x*'
done
try run -r all.json -- java -Dcatalina.base=base -cp server org.apache.catalina.startup.Bootstrap
like '... and its jars' "$status $names" '0 *Lib.where*'
is '... nothing is left in its folder' "$(find base/webapps/shop -name '*jweave*')" ''
XDG_CACHE_HOME=$blank try run -- java -Dcatalina.base=base -cp server org.apache.catalina.startup.Bootstrap
like '... or runs as it is' "$out $err" "$want*warning: 'base/webapps/*' is on no path of the command, and runs without tracing, since*"
rm -r base/webapps/*
# Open Liberty has them below a folder that its script exports, GlassFish unpacked; bin/jetty.sh starts Jetty without its start.jar
for main in com.ibm.ws.kernel.boot.cmdline.EnvCheck com.sun.enterprise.glassfish.bootstrap.ASMain org.eclipse.jetty.xml.XmlConfiguration; do
	file=$(echo "src/$main" | tr . /).java
	mkdir -p "$(dirname "$file")" && cat >"$file" <<J
package ${main%.*};
import java.net.*;
public class ${main##*.} {
	public static void main(String[] a) throws Exception {
		((Runnable) new URLClassLoader(new URL[] { new URL(a[1]) }).loadClass("plug.Plug").getConstructor().newInstance()).run();
	}
}
J
	javac -d server "$file" || exit 1
done
mkdir -p users/servers/one/dropins domain/applications/shop && jar cf users/servers/one/dropins/shop.war -C war . && cp -r war/WEB-INF domain/applications/shop
WLP_USER_DIR=$dir/users try run -- java -cp server com.ibm.ws.kernel.boot.cmdline.EnvCheck one "jar:file:$dir/users/servers/one/dropins/shop.war!/WEB-INF/classes/"
is 'Open Liberty: output' "$status $out" '0 plugged in 42'
like '... its web application is traced' "$names" '*Plug.twice*'
unlike '... it is not' "$names" '*EnvCheck*'
try run -- java -Dcom.sun.aas.instanceRoot=domain -cp server com.sun.enterprise.glassfish.bootstrap.ASMain one "file:$dir/domain/applications/shop/WEB-INF/classes/"
is 'GlassFish: output' "$status $out" '0 plugged in 42'
like '... its web application is traced' "$names" '*Plug.twice*'
unlike '... it is not' "$names" '*ASMain*'
mkdir -p jetty/webapps && jar cf jetty/webapps/shop.war -C war .
try run -- java -Djetty.base=jetty -cp server org.eclipse.jetty.xml.XmlConfiguration one "jar:file:$dir/jetty/webapps/shop.war!/WEB-INF/classes/"
is 'Jetty: output' "$status $out" '0 plugged in 42'
like '... its web application is traced' "$names" '*Plug.twice*'
unlike '... it is not' "$names" '*XmlConfiguration*'
try run -- java -Dcatalina.base=base -cp server org.apache.catalina.startup.Bootstrap
like 'a server without any is the application itself' "$names" '*Bootstrap.main*'
finish
