#!/bin/sh
# jweave run: the program behaves as without it, and leaves a trace; the second run weaves nothing.
# Slow: 12 s, JVMs run one after the other.
. tests/cli/run_kit
cd "$dir" || exit 1

mkdir -p src/app src/lib app lib mods
cat >src/lib/Lib.java <<'J'
package lib;
public class Lib {
	public static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
}
J
cat >src/app/Main.java <<'J'
package app;
import java.io.*;
public class Main extends lib.Lib {
	static void act(String[] a) throws Exception {
		System.out.println("fib " + lib.Lib.fib(8) + " " + String.join(",", a));
		for (String s : a) {
			if (s.equals("exit")) System.exit(7);
			if (s.equals("throw")) throw new IllegalStateException("as told");
			if (s.equals("wait")) { System.out.println("ready"); System.out.flush(); Thread.sleep(30000); }
			if (s.equals("read")) System.out.println(new BufferedReader(new InputStreamReader(System.in)).readLine());
			if (s.equals("self")) self();
			if (s.equals("child"))
				System.out.println(new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-cp", System.getProperty("java.class.path"), "app.Main", "of it").inheritIO().start().waitFor());
			if (s.equals("other"))
				System.out.println(new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-jar", "other.jar").inheritIO().start().waitFor());
			while (s.equals("until") && !new File("go").exists()) Thread.sleep(20);
		}
	}
	static void self() throws Exception {
		InputStream in = Main.class.getResourceAsStream("/data.txt");
		System.out.println(new BufferedReader(new InputStreamReader(in)).readLine());
		String path = System.getProperty("java.class.path").split(":")[0];
		if (path.endsWith(".jar")) try (java.util.zip.ZipFile z = new java.util.zip.ZipFile(path)) {
			System.out.println(z.getEntry("app/Main.class") != null);
		}
	}
	public static void main(String[] a) throws Exception { act(a); }
}
J
javac -g -d lib src/lib/Lib.java && javac -g -cp lib -d app src/app/Main.java || skip_all 'javac does not work'
echo precious >app/data.txt
mkdir jars 'jars/my libs'
(cd lib && jar cf '../jars/my libs/lib.jar' .) && (cd app && jar cf ../jars/plain.jar .) || skip_all 'jar does not work'
printf 'Main-Class: app.Main\nClass-Path: my%%20libs/lib.jar ../nowhere.jar\n' >manifest
(cd app && jar cfm ../jars/main.jar ../manifest .)
cat >rules.json <<'J'
{ "jweave": 1, "rules": [ { "match": "app.**" }, { "match": "lib.**" } ] }
J

try() { # try WORDS...: status, out, err; the trace goes away
	timeout 60 "$jweave" "$@" >"$dir/.out" 2>"$dir/.err" </dev/null
	status=$?
	out=$(cat "$dir/.out")
	err=$(cat "$dir/.err")
	traces=$(ls trace-* 2>/dev/null | wc -l)
	names=$(cat trace-*.pcf 2>/dev/null)
	rm -rf trace-*
}
woven() { printf '%s\n' "$err" | grep -c '^jweave: note: wove '; }

# ---- a class path: folder and jar ----
try run -r rules.json -- java -cp 'app:jars/my libs/*' app.Main a b
is 'class path: status and output' "$status$out" '0fib 21 a,b'
is 'class path: both entries are woven, in one line' "$(printf '%s\n' "$err" | grep 'jweave: note: [^w]*wove ')" \
	'jweave: note: wove 4 of 6 methods in 2 classes of 2 jars and folders'
is 'the last line is what to type next' "$(printf '%s\n' "$err" | tail -n 1 | sed 's/trace-[^ ;]*prv/T.prv/g')" \
	'jweave: note: where the time went: jweave report T.prv; in the browser: jweave view T.prv'
is 'class path: a trace of three files' "$traces" 3
like 'class path: of the folder and of the library' "$names" '*app.Main.act*'
like 'class path: of the library' "$names" '*lib.Lib.fib*'
is 'the runtime tells of the trace, once' "$(printf '%s\n' "$err" | grep -c -- '-> trace-')" 1
try run -r rules.json -- java -cp 'app:jars/my libs/*' app.Main a b
is 'second run: weaves nothing' "$status$(woven)$traces" 003
is 'second run: says the same' "$out" 'fib 21 a,b'
is 'second run: what it traces' "$(printf '%s\n' "$err" | grep 'earlier')" \
	'jweave: note: traces 4 of 6 methods in 2 classes of 2 jars and folders, woven by an earlier run'
cp -r app other && rm other/data.txt && echo x >other/Odd.class
try run -r rules.json -- java -cp 'other:jars/my libs/*' app.Main
like 'a third run: half of it is there' "$err" \
	'*note: wove 4 of 6 methods in 2 classes of 2 jars and folders, 1 of them in an earlier run*'
rm -r other
try run -v -r rules.json -- java -cp 'app:jars/my libs/*' app.Main
is '-v: nothing more of what is in the cache' "$(printf '%s\n' "$err" | grep -c '^jweave: wove ')" 0
try run -q -r rules.json -- java -cp app:lib app.Main exit
is 'the status of the program' "$status" 7
try run -r rules.json -- java -cp app:lib app.Main throw
is 'an uncaught exception: status' "$status" 1
like 'an uncaught exception: its trace goes to stderr' "$err" '*IllegalStateException: as told*'
echo changed >app/data.txt
try run -r rules.json -- java -cp app:lib app.Main self
is 'resources of a folder are read where they are' "$status$out" '0fib 21 self
changed'
echo precious >app/data.txt
timeout 60 "$jweave" run -q -r rules.json -- java -cp app:lib app.Main read >.out 2>.err <<'I'
from stdin
I
is 'standard input is the program'"'"'s' "$(sed -n 2p .out)" 'from stdin'
rm -rf trace-*

echo '{ "jweave": 1, "rules": [ { "select": { "subtypeOf": "lib.Lib", "method": "act" } } ] }' >sub.json
try run -r sub.json -- java -cp app:lib app.Main
like 'subtypeOf sees the whole class path' "$status$names" '0*app.Main.act*'

echo '{ "jweave": 1, "rules": [ { "on": "call", "match": "lib.Lib#fib(int)", "within": "app.**" } ] }' >calls.json
try run -r calls.json -- java -cp app:lib app.Main
like 'calls alone are woven, too' "$status$names" '0*Lib.fib*'
is 'and it is said' "$(printf '%s\n' "$err" | grep ' wove ')" "jweave: note: wove 0 of 4 methods and 1 call in 1 class of 'app'"

echo '{ "jweave": 1, "rules": [ { "match": "app.Main#self()" } ] }' >never.json
none='jweave: note: there is no trace: no method that is woven has run, or tracing was off'
try run -r never.json -- java -cp app:lib app.Main
is 'no woven method runs: that is said' "$status$traces $(printf '%s\n' "$err" | tail -n 1)" "00 $none"
for name in other "$dir/other-%p"; do
	JWEAVE_OUTPUT=$name try run -r never.json -- java -cp app:lib app.Main
	is "... with JWEAVE_OUTPUT=${name#"$dir/"}, too" "$(printf '%s\n' "$err" | tail -n 1)" "$none"
done
for quiet in JWEAVE=off JWEAVE_OUTPUT=%p JWEAVE_OUTPUT=%h/other; do
	err=$(env $quiet timeout 60 "$jweave" run -r never.json -- java -cp app:lib app.Main 2>&1 >/dev/null)
	is "... not under $quiet" "$(printf '%s\n' "$err" | grep -v ' traces 1 of ')" ''
done
try run -q -r never.json -- java -cp app:lib app.Main
is '... nor under -q' "$err" ''
try run -r never.json -- java -XX:+IgnoreUnrecognizedVMOptions -XX:AOTCache=old.aot -cp app:lib app.Main
is '... with a cache that may hold the classes as they were: that, too' "$traces $(printf '%s\n' "$err" | tail -n 1)" "0 jweave: note: there is no trace: if the AOT cache 'old.aot' was made without jweave, the VM ran the classes that are in it; make one with 'jweave run', too"
try run -r never.json -- java -Xshare:on -XX:SharedArchiveFile=none.jsa -cp app:lib app.Main
like '... that the VM insists on' "$err" "*jweave: note: there is no trace: with -Xshare:on the VM does not start where archives are not those of its own archive or cache, as woven ones are not; leave the option out, or make that with 'jweave run', too"

# ---- other ways to say it ----
CLASSPATH=app:lib try run -q -r rules.json -- java app.Main
is 'CLASSPATH' "$status$out$traces" '0fib 21 3'
JDK_JAVA_OPTIONS='-cp "app:lib"' try run -q -r rules.json -- java app.Main
is 'JDK_JAVA_OPTIONS' "$status$out$traces" '0fib 21 3'
mkdir both && cp -r app/. lib/. both
cd both && try run -q -r ../rules.json -- java -Xmx64m app.Main
cd ..
is 'without a class path: the working directory' "$status$out$traces" '0fib 21 3'
printf '%s\n' '-cp' '"app:lib" # comment' '-Dx="a\"b"' >args
try run -q -r rules.json -- java @args app.Main @args
is 'an argument file; not after the main class' "$status$out$traces" '0fib 21 @args3'
try run -q -r rules.json -- java --class-path=app:lib app.Main -cp x
is '--class-path=; arguments of the program' "$status$out$traces" '0fib 21 -cp,x3'
try run -q -r rules.json -- env X=1 nice java -cp app:lib app.Main
is 'after env and nice' "$status$out$traces" '0fib 21 3'
cat >start.sh <<'S'
#!/bin/sh
java -version 2>/dev/null
cd app && exec java -cp .:../lib app.Main "$@"
S
cat >home.sh <<'S'
#!/bin/sh
"$JAVA_HOME/bin/javac" -version && [ -e "$JAVA_HOME/release" ] && [ -d "$JAVA_HOME/lib" ]
echo $?
"$JAVA_HOME/bin/java" -cp app:lib app.Main "$@"
S
chmod +x start.sh home.sh
try run -q -r rules.json --output="$dir/trace-x" -- ./start.sh a 'b  c'
is 'a script: the java that it starts is traced' "$status$out$traces" '0fib 21 a,b  c3'
like 'a script: by the rules of the run' "$names" '*lib.Lib.fib*'
try run -- ./start.sh exit
is 'a script: the status of the program' "$status" 7
try run --output=mine -- ./start.sh a
is 'a script that is elsewhere: a trace of the name that was given here' "$(echo mine.*; rm mine.*)" 'mine.pcf mine.prv mine.row'
rm -rf app/trace-*
home=$(java_home)
JAVA_HOME=$home try run -r rules.json -- env X=1 ./home.sh self
like 'a script that starts the java of JAVA_HOME' "$status$out$traces" '0javac *
0
fib 21 self
precious3'
is 'a script: one line of what to type next' "$(printf '%s\n' "$err" | grep -c 'report trace-')" 1
printf '#!/bin/sh\nexec %s -cp app:lib app.Main "$@"\n' "$home/bin/java" >fixed.sh
chmod +x fixed.sh
try run -- ./fixed.sh a
is 'a script with a path of its own' "$status$out$traces" '0fib 21 a3'
try run -q -- env -i "$home/bin/java" -cp app:lib app.Main a
is 'env -i hands on nothing: options say what java has to know' "$status$out$traces" '0fib 21 a3'
printf '#!/bin/sh\ncommand -v java; echo "$JAVA_HOME $PATH"; exec env -i ./fixed.sh a\n' >cleared.sh && chmod +x cleared.sh
JAVA_HOME=$home try run -- ./cleared.sh
is 'a script finds the java and the JAVA_HOME that it would find' "$status$out" "0$(command -v java)
$home $PATH
fib 21 a"
is '... and none of ours where it hands on nothing: that is said' "$err" "jweave: warning: './cleared.sh' has started no program with a java that is seen from here: there is no trace (give the java command that it starts)"
cat >many.sh <<'S'
#!/bin/sh
"$HOME_OF_JAVA/bin/java" -cp app:lib app.Main "a  b" '' "\$c" >many.txt
find . -name start.sh -exec env HOME_OF_JAVA=x "$HOME_OF_JAVA/bin/java" -cp app:lib app.Main {} \;
nohup "$HOME_OF_JAVA/bin/java" -cp app:lib app.Main exit 2>/dev/null
echo $?
S
chmod +x many.sh
HOME_OF_JAVA=$home try run -- ./many.sh
is 'a script that starts several, in several ways' "$status$out$(cat many.txt)$traces" '0fib 21 ./start.sh
fib 21 exit
7fib 21 a  b,,$c9'

printf '#!/bin/sh\nexec java -cp tool clojure.main "$@"\n' >tool.sh && chmod +x tool.sh
mkdir tool && echo 'package clojure; public class main { public static void main(String[] a) { if (a.length > 0) System.exit(143); } }' >tool/main.java
javac -d tool tool/main.java
try run -- ./tool.sh
is 'a script that starts what only starts others: that is said' "$err" "jweave: warning: there is no trace: './tool.sh' has started java, but nothing that counts as an application (choose methods with -r RULES; name jars that it reads itself with --also)"
try run -- ./tool.sh killed
like '... also of one that was killed' "$status$err" "143jweave: warning: there is no trace: './tool.sh' has started java, but nothing *"
try run -r never.json --output mine -- ./start.sh a
is 'a script of which nothing that is woven has run: that is said once' "$(printf '%s\n' "$err" | grep -v ' wove ')" "$none"

# a daemon: the script ends first, before its java begins, or before that ends
goes_on="jweave: note: './daemon.sh' has ended, and what it has started goes on: each java of it is traced, and leaves its trace when it ends,"
goes() { # goes SECONDS WHERE OPTIONS...: java begins after so long
	before=$1 where=$2
	shift 2
	printf '#!/bin/sh\n(sleep %s; exec ./fixed.sh until) >daemon.out 2>&1 </dev/null &\nsleep 0.5\n' "$before" >daemon.sh && chmod +x daemon.sh
	rm -f go later*
	"$jweave" run "$@" -- ./daemon.sh >.out 2>&1
	is "a script that leaves java running ($before)" "$?$(cat .out)" "0$goes_on $where"
	touch go
	for i in $(seq 100); do [ "$(ls later*.row kept/*.row trace-*.row 2>/dev/null)" ] && break || sleep 0.1; done
	is '... its program ran as always' "$(grep -v '^jweave' daemon.out)" 'fib 21 until'
	like '... and is traced' "$(cat later*.pcf kept/*.pcf trace-*.pcf 2>/dev/null)" '*Main.act*'
	rm -rf later* trace-*
}
goes 1 "as '$dir/later.prv'" --output "$dir/later"
goes 0 'where it runs'
mkdir kept && goes 0 "in '$dir/kept/'" --output "$dir/kept/"
printf '#!/bin/sh\n./fixed.sh a\nsleep 3 >/dev/null 2>&1 </dev/null &\n' >daemon.sh
try run -- ./daemon.sh
is '... but not of what else it leaves running' "$(printf '%s\n' "$err" | grep -c 'goes on')" 0

# what a java starts itself: with its own class path, on which woven copies are, and another program
# calls of it in each trace; on a slow machine, where it waits for a class is told below the calls
fibs() { for t in trace-*.prv; do "$jweave" report --by=calls "$t" | sed -n 's/^ *\([0-9]*\) .*  Lib\.fib$/\1/p'; done | sort | uniq -c | tr -s ' '; }
for command in 'java -cp app:lib app.Main' ./start.sh; do
	# shellcheck disable=SC2086 # words
	"$jweave" run -q -r rules.json --output "$dir/trace-x" -- $command child >.out 2>.err
	is "$command: a java that it starts in turn is traced, each call once" "$?$(cat .out)$(fibs)" "0fib 21 child
fib 21 of it
0 2 67"
	rm -rf trace-*
done
mkdir other && printf 'package other; public class Other { static int two() { int n = 0; for (int i = 0; i < 2; i++) n++; return n; } public static void main(String[] a) { System.out.println("other " + two()); } }\n' >other/Other.java
javac -d other other/Other.java && jar cfe other.jar other.Other -C other other
"$jweave" run -- java -cp app:lib app.Main other >.out 2>.err
is '... and so is another program' "$?$(grep -c . .out)$(ls trace-*.prv | wc -l)$(cat trace-*.pcf | grep -c 'Other.two')" '0321'
rm -rf trace-*
printf 'package other; public class Start { public static void main(String[] a) throws Exception { new ProcessBuilder("sh", "-c", "cd app && java -cp .:../lib app.Main x").inheritIO().start().waitFor(); } }\n' >other/Start.java
javac -d other other/Start.java && "$jweave" run -r rules.json -- java -cp other other.Start >.out 2>.err
is '... also where nothing of the first one is chosen; what to type next is said once, as from here' "$?$(cat .out)$(sed 's/[0-9][0-9]*\.prv/N.prv/g' .err | grep -c 'where the time went: jweave report app/trace-.*-N.prv')$(grep -c 'where the time' .err)" '0fib 21 x11'
rm -rf app/trace-*
printf 'package other; public class Leave { public static void main(String[] a) throws Exception { new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-cp", "app:lib", "app.Main", "until").redirectErrorStream(true).redirectOutput(new java.io.File("left.out")).start(); Thread.sleep(500); } }\n' >other/Leave.java
javac -d other other/Leave.java && rm -f go && "$jweave" run --output "$dir/left" -- java -cp other other.Leave >.out 2>.err
like '... one that goes on is told' "$?$(cat .err)" "0*jweave: note: 'java' has ended, and what it has started goes on: each java of it is traced, and leaves its trace when it ends, as '$dir/left.prv'"
touch go
for i in $(seq 100); do [ "$(ls left-1.row 2>/dev/null)" ] && break || sleep 0.1; done
like '... and traced' "$(cat left-1.pcf)" '*Main.act*'
rm -rf left*
env -u X "$jweave" run -v -- env -i "$(command -v java)" -cp app:lib app.Main other >.out 2>.err
like '... but not where the environment does not come to it' "$?$(cat .err)" '0*jweave: a java that the program starts is not traced, since what comes before java in the command may not hand on the environment*'
rm -rf trace-*

# where the library cannot be loaded: what is found by PATH and JAVA_HOME
XDG_CACHE_HOME="$dir/my cache" try run -q -r rules.json --output="$dir/trace-x" -- ./start.sh a
is 'a blank in the path of the cache: a script that finds java by PATH' "$status$out$traces" '0fib 21 a3'
rm -rf app/trace-*
JAVA_HOME=$home XDG_CACHE_HOME="$dir/my cache" try run -r rules.json -- env X=1 ./home.sh self
like '... by JAVA_HOME' "$status$out$traces" '0javac *
0
fib 21 self
precious3'
XDG_CACHE_HOME="$dir/my cache" try run -v -- ./fixed.sh a
is '... and one with a path of its own runs as it is' "$status$out$traces" '0fib 21 a0'
is '... which is said' "$err" \
	"jweave: a java that has a path of its own is not traced, since the path of the cache has a blank, a colon or a dollar in it
jweave: './fixed.sh' is not java: the java that it finds by PATH or JAVA_HOME is traced
jweave: warning: './fixed.sh' has started no program with the java of PATH or JAVA_HOME: there is no trace (give the java command that it starts)"
TMPDIR=$dir/nowhere try run -- ./fixed.sh a
is 'no room for a java of ours: runs as it is' "$status$out$err" "0fib 21 ajweave: warning: './fixed.sh' is not java, and runs without tracing (there is no room for temporary files): give the java command that it starts"
try run -v -- true
like 'what starts nothing' "$status$err" "0jweave: 'true' is not java: each java that it starts is traced*"
mkdir tools && for tool in spark-submit sbt docker podman; do
	printf '#!/bin/sh\necho "$0"\n' >tools/$tool && chmod +x tools/$tool
	try run -- tools/$tool x
	printf '%s\n' "$status$out $err" >>tools.txt
done
is 'tools that are not reached: what to type' "$(cat tools.txt)" "0tools/spark-submit jweave: warning: Spark runs a job in several JVMs: jweave submit spark-submit ...
0tools/sbt jweave: warning: sbt works in a JVM of its own: sbt stage, then jweave run -- target/universal/stage/bin/NAME
0tools/docker jweave: warning: what 'tools/docker' starts sees other files than are here: run jweave there, in front of java
0tools/podman jweave: warning: what 'tools/podman' starts sees other files than are here: run jweave there, in front of java"
printf '#!/bin/sh\necho "$1 $3"; grep -c jweave "$2"; [ "$(command -v java)" = "$JAVA" ]; echo $?\n' >tools/gradlew && chmod +x tools/gradlew
JAVA=$(command -v java) try run -v -- env X=1 tools/gradlew test
is 'Gradle gets a script for all builds, and no other java (tests/cli/gradle_plugin.sh runs it)' "$(echo $out | sed 's/ [1-9][0-9]* 0$/ N 0/')" '-I test N 0'
is 'Gradle: no tests were run' "$status$err" "0jweave: 'env' is Gradle: the tests that it runs are traced
jweave: warning: 'env' has run no tests: there is no trace (to trace the program: gradle installDist, then jweave run -- build/install/NAME/bin/NAME)"
cat >tools/mvn <<S
#!/bin/sh
jvm=$home/bin/java
for word in \$MAVEN_OPTS; do case \$word in -Djvm=*) jvm=\${word#*=} ;; esac; done
exec "\$jvm" -cp app:lib app.Main
S
chmod +x tools/mvn
MAVEN_OPTS=-Xmx64m JAVA_HOME= try run -- tools/mvn test
is 'Maven: the java that starts the tests is traced' "$status$out$traces" '0fib 21 3'
is 'Maven: tests are woven once, also without JAVA_HOME' "$(printf '%s\n' "$err" | grep -cE 'note: (wove|traces) ')" 1
MAVEN_OPTS=-Xmx64m JAVA_HOME= XDG_CACHE_HOME="$dir/my cache" try run -- tools/mvn test
is '... or it is told of ours, where the library cannot be loaded' "$status$out$traces" '0fib 21 3'
# its own JVM
mkdir -p src/boot boot
cat >src/boot/Launcher.java <<'J'
package org.codehaus.plexus.classworlds.launcher;
public class Launcher {
	public static void main(String[] a) throws Exception {
		System.exit(new ProcessBuilder("sh", "tools/mvn").inheritIO().start().waitFor());
	}
}
J
javac -d boot src/boot/Launcher.java
mkdir -p tools/bin
printf '#!/bin/sh\nexec java -cp boot org.codehaus.plexus.classworlds.launcher.Launcher\n' >tools/bin/mvn
chmod +x tools/bin/mvn
printf '{ "jweave": 1, "rules": [ { "match": "**" } ] }\n' >all.json
try run -r all.json -- tools/bin/mvn test
is 'Maven: its JVM is no program that was not reached' "$(printf '%s\n' "$err" | grep -c 'has started no program')" 0
is 'Maven: of its own JVM nothing is woven' "$status$out$traces$(printf '%s\n' "$err" | grep -cE 'note: (wove|traces) ')" '0fib 21 31'
try run -r all.json -- java -cp boot:app:lib org.codehaus.plexus.classworlds.launcher.Launcher
like '... unless it is what is asked for' "$err" '*wove 5 of 8 methods in 3 classes*'
try run -r all.json --also jars -- tools/bin/mvn test
is 'Maven: but where --also names what it reads' "$status$out$traces" '0fib 21 6'
MAVEN_OPTS=
printf '#!/bin/sh\nexec java -version\n' >tools/bin/mvn
try run -r all.json -- tools/bin/mvn package
like 'Maven: without tests, how to trace itself' "$err" \
	"*jweave: warning: 'tools/bin/mvn' has run no tests: there is no trace (a program that Maven runs in its own JVM, as exec:java and jetty:run do, once it is compiled: jweave run --also target/classes -- mvn ..; Maven itself: jweave run -r 'match:org.apache.maven.**' --also MAVEN/lib:PLUGINS -- mvn ..: its home, and folders of plugins in the local repository)*"
try run -r rules.json -- java src/lib/Lib.java
is 'a source file: why it is not traced' "$(printf '%s\n' "$err" | sed -n 1p)" \
	"jweave: warning: 'src/lib/Lib.java' is compiled in memory, and runs without tracing; to trace it: javac -d classes src/lib/Lib.java && jweave run -- java -cp classes CLASS .."
try run -q -- java -cp app:lib app.Main
is 'default rules' "$status$out$traces" '0fib 21 3'
try run -r rules.json -- java -version
like 'no program: as it is' "$status$err" '0*version*'
is 'no program: no trace' "$traces" 0

# ---- -jar ----
try run -r rules.json -- java -jar jars/main.jar self
is '-jar: status and output' "$status$out" '0fib 21 self
precious
true'
like '-jar: its own methods' "$names" '*app.Main.act*'
like '-jar: those of the jar that its manifest names' "$names" '*lib.Lib.fib*'
try run -r rules.json -- java -jar jars/main.jar
is '-jar, second run: weaves nothing' "$status$(woven)$traces" 003
echo '{ "jweave": 1, "rules": [ { "match": "lib.**" } ] }' >lib.json
try run -r lib.json -- java -jar jars/main.jar
is '-jar: only a library of it is woven' "$status$out" '0fib 21 '
like '-jar: and traced' "$names" '*lib.Lib.fib*'
try run -- java -jar jars/main.jar
is '-jar: default rules' "$status$traces" 03
like '-jar: default rules choose the application' "$names" '*app.Main.act*'
is '-jar: and no library' "$(printf %s "$names" | grep -c lib.Lib)" 0
is 'the program stays as it was' "$(java -jar jars/main.jar x)$(ls trace-* 2>/dev/null)" 'fib 21 x'

# ---- modules ----
mkdir -p msrc/m.lib/lib msrc/m.app/app mout
sed 's/^public class/public class/' src/lib/Lib.java >msrc/m.lib/lib/Lib.java
cp src/app/Main.java msrc/m.app/app
echo 'module m.lib { exports lib; }' >msrc/m.lib/module-info.java
echo 'module m.app { requires m.lib; }' >msrc/m.app/module-info.java
javac -g --module-source-path msrc -d mout $(find msrc -name '*.java') 2>.err || cat .err
jar cf mods/lib.jar -C mout/m.lib . && mkdir mods/m.app && cp -r mout/m.app/. mods/m.app && cp app/data.txt mods/m.app
try run -r rules.json -- java -p mods -m m.app/app.Main self
is 'modules: status and output' "$status$out" '0fib 21 self
precious'
like 'modules: the exploded one' "$names" '*app.Main.act*'
like 'modules: the jar' "$names" '*lib.Lib.fib*'
try run -r rules.json -- java --module-path=mods/lib.jar:mods/m.app --module=m.app/app.Main
is 'modules named one by one; second run weaves nothing' "$status$out$(woven)$traces" '0fib 21 03'

: >stamp # nothing of the inputs is younger

jdk25=
for jdk in "${JW_JDK25:-}" /usr/lib/jvm/*; do
	grep -q '^JAVA_VERSION="25' "$jdk/release" 2>/dev/null && jdk25=$jdk
done
if [ "$jdk25" ]; then
	try run -q -r rules.json -- "$jdk25/bin/java" -cp app:lib app.Main
	is 'JDK 25: no warning of native access' "$out$(printf %s "$err" | grep -c WARNING)" 'fib 21 0'
	try run -q -r rules.json -- "$jdk25/bin/java" -p mods/lib.jar:mods/m.app -m m.app/app.Main
	is 'JDK 25: modules' "$status$out$traces" '0fib 21 3'
else
	skip 'JDK 25: no warning of native access' 'there is no JDK 25'
	skip 'JDK 25: modules' 'there is no JDK 25'
fi

# ---- options for the run ----
try run -r rules.json --output=one.prv --events=none --max-size=1M --keep -- java -cp app:lib app.Main
is '--output and --keep: the trace and its recording' "$status$out$(ls -d one.*)" '0fib 21 one.jwr
one.pcf
one.prv
one.row'
JWEAVE_KEEP=0 JWEAVE_OUTPUT=two try run -q -r rules.json -o three --keep -- java -cp app:lib app.Main
is 'an option goes before its variable' "$status$(ls -d two.* three.jwr 2>/dev/null)" '0three.jwr'
try run -q --summary --events=alloc --max-size=5M --keep=auto --disable= -- sh -c 'echo $JWEAVE_MODE $JWEAVE_EVENTS $JWEAVE_MAX_SIZE $JWEAVE_KEEP'
is 'an empty value' "$status" 2
try run -q --summary --events=alloc --max-size=5M --keep=auto -- sh -c 'echo $JWEAVE_MODE $JWEAVE_EVENTS $JWEAVE_MAX_SIZE $JWEAVE_KEEP'
is 'options are variables of the program' "$status$out" '0summary alloc 5M auto'
rm -rf one.* two.* three.*
try run -r rules.json --job="$dir/job" -- java -cp app:lib app.Main
like '--job: where the recording is' "$status$err" "0*jweave: recording complete: $dir/job/*.jwr; with the others of its job: jweave report $dir/job"
is '--job: one recording and nothing else' "$(ls -d "$dir"/job/*-*.jwr | wc -l)$(ls -d trace-* job/*.prv 2>/dev/null)" 1
mkdir there
(cd there && try run -q -r ../rules.json --job=job2 -- java -cp ../app:../lib app.Main)
is '--job: a folder from here' "$(ls -d there/job2/*-*.jwr | wc -l)" 1
mkdir gone
like '--job: but here is nowhere' "$(cd gone && rmdir ../gone && "$BUILD/jweave" run --job=job2 -- java app.Main 2>&1)" \
	'jweave: error: cannot find the current folder: No such file or directory*'
try run -r rules.json -- java -Djweave.job="$dir/job" -cp app:lib app.Main
is 'a second process of the job' "$status$(ls -d "$dir"/job/*-*.jwr | wc -l)" 02
try run -r rules.json --summary -- java -cp app:lib app.Main
like '--summary' "$status$err" '0*sums alone, no events; to see them: jweave report trace-*.jwr*'
refused() { # refused NAME WANT WORDS...: nothing runs
	name=$1 want=$2
	shift 2
	try run "$@" -- java -cp app:lib app.Main
	is "$name" "$status$out$err" "2jweave: error: $want"
}
refused 'events that there are not' "option '--events' takes none, or default, gc, monitor, alloc, park, sleep, io, net, file and process with commas between, not 'gx'" --events=gx
refused 'a size that is none' "option '--max-size' takes bytes, or with K, M, G, T, not '5 MB'" '--max-size=5 MB'
refused 'no folder for the trace' "option '--output': there is no folder 'nowhere/'" --output=nowhere/x
refused 'a page is no trace' "option '--output' names the trace, not 'x.html': for a page add --view, or 'jweave view' makes it of the trace" --output=x.html
refused 'nor is a picture' "option '--output' names the trace, not 'x.svg': 'jweave draw' makes a picture of the trace" -o x.svg
refused 'nor what Perfetto has' "option '--output' names the trace, not 'x.pftrace': 'jweave export perfetto' makes it of the trace" -o x.pftrace
refused 'nor a database' "option '--output' names the trace, not 'x.sqlite': 'jweave export sqlite' makes it of the trace" -o x.sqlite
refused 'nor what others read' "option '--output' names the trace, not 'x.json': 'jweave export' makes it of the trace" -o x.json
refused 'no such preset' "no preset 'jdk-thread'; did you mean 'jdk-threads'?" --preset=jdk-thread
refused 'no such preset in -r' "no preset 'jdk-thread'; did you mean 'jdk-threads'?" -r preset:jdk-thread
refused 'a rule that cannot be switched' "option '--enable': no rule 'b' says \"enabled\", which lets it be switched" \
	-r rules.json --enable=b
echo '{ "jweave": 1, "rules": [ { "id": "a", "match": "app.**", "enabled": false }, { "match": "lib.**" } ] }' >switch.json
try run -q -r switch.json --enable a -- java -cp app:lib app.Main
like '--enable' "$status$names" '0*app.Main.act*'
try run -q -r switch.json -- java -cp app:lib app.Main
is 'without --enable' "$status$(printf %s "$names" | grep -c app.Main.act)" 00
try run --preset=startup -r lib.json -- java -cp app:lib app.Main
like '--preset beside -r: its rules' "$status$names" '0*app.Main.main*'
like '--preset beside -r: those of -r' "$names" '*lib.Lib.fib*'
is '--preset beside -r: and no others' "$(printf %s "$names" | grep -c app.Main.act)" 0
try run -r preset:startup -- java -cp app:lib app.Main
like '-r preset:NAME' "$status$names" '0*app.Main.main*'
try list -r preset:startup jars/plain.jar
like '-r preset:NAME, of another command' "$status$out" '0startup.main *app.Main*main*'
JWEAVE_KEP=1 JWEAVE_NOTHING=1 try run -r rules.json -- java -cp app:lib app.Main
is 'variables that there are not, named once' "$status$(printf '%s\n' "$err" | grep unknown | sort)" \
	"0jweave: warning: JWEAVE_KEP is unknown: did you mean JWEAVE_KEEP?
jweave: warning: JWEAVE_NOTHING is unknown: 'jweave help runtime' has those that there are"
"$jweave" -q jars/plain.jar rules.json woven.jar
err=$(JWEAVE_MOD=summary timeout 60 java -Djweave.outptu=x -cp woven.jar:lib app.Main 2>&1 >/dev/null | sed -n 1,2p)
is 'by a woven program itself, too' "$err" 'jweave: JWEAVE_MOD is unknown: did you mean JWEAVE_MODE?
jweave: jweave.outptu is unknown: did you mean jweave.output?'
rm -rf trace-*

# ---- two at once, signals ----
rm -rf cache/*
"$jweave" run -q -r rules.json -- java -cp app:lib app.Main one >out1 2>err1 &
first=$!
"$jweave" run -q -r rules.json -- java -cp app:lib app.Main two >out2 2>err2 &
wait $first
is 'two at once: the first' "$?$(cat out1)" '0fib 21 one'
wait $!
is 'two at once: the second' "$?$(cat out2)" '0fib 21 two'
is 'two at once: nothing half made stays' "$(find cache -name '*.tmp')" ''
newest=$(ls -t trace-*.prv | head -n 1)
touch -d '1 minute' "$newest" # whole seconds tell them apart
run draw trace-*.prv -o newest.svg
like 'draw trace-*.prv draws the newest' "$err$out$(cat newest.svg)" "jweave: note: of 2 traces the newest, '$newest'*<svg *</svg>"
rm -rf trace-*
started() { # started FILE: until the program says that it is ready
	for _ in $(seq 200); do
		grep -q ready "$1" 2>/dev/null && return
		sleep 0.1
	done
}
for signal in TERM:143 INT:130 ALRM:142 ABRT:134 KILL:137; do
	rm -f out
	# (an interactive shell's child: SIGINT is not ignored)
	perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' \
		"$jweave" run -r rules.json -- java -cp app:lib app.Main wait >out 2>err &
	pid=$!
	started out
	if [ "${signal%:*}" = KILL ]; then # the program, not us
		kill -KILL $(cat "/proc/$pid/task/$pid/children")
	else
		kill "-${signal%:*}" $pid
	fi
	wait $pid
	is "SIG${signal%:*}: the status of the program" "$?" "${signal#*:}"
	is "SIG${signal%:*}: a trace" "$(ls trace-*.prv | wc -l)$(ls -d trace-*.jwr 2>/dev/null)" 1
	is "SIG${signal%:*}: is told of once" "$(grep -c -- '-> trace-' err)" 1
	rm -rf trace-*
done
for keep in yes:1 off:0; do
	rm -f out
	JWEAVE_KEEP=${keep%:*} "$jweave" run -r rules.json -- java -cp app:lib app.Main wait >out 2>err &
	pid=$!
	started out
	kill -KILL $(cat "/proc/$pid/task/$pid/children")
	wait $pid
	is "killed, with JWEAVE_KEEP=${keep%:*}: trace and recording" \
		"$(ls trace-*.prv | wc -l) $(ls -d trace-*.jwr 2>/dev/null | wc -l)" "1 ${keep#*:}"
	rm -rf trace-*
done
rm -f out
"$jweave" run -r never.json -- java -cp app:lib app.Main wait >out 2>err &
pid=$!
started out
kill -TERM $pid
wait $pid
is 'killed, and nothing that is woven has run: that is said' "$(grep -v ' wove ' err)" "$none"

# jweave itself is killed, which no signal tells the program
rm -f out
"$jweave" run -q -r rules.json -- java -cp app:lib app.Main wait >out 2>err &
pid=$!
started out
child=$(cat "/proc/$pid/task/$pid/children")
kill -KILL $pid
wait $pid 2>/dev/null
for _ in $(seq 100); do [ -e "/proc/${child% }/exe" ] || break; sleep 0.1; done
is 'jweave killed: the program is gone, too' "$(readlink "/proc/${child% }/exe")" ''
is 'its recording does' "$(ls -d trace-*.jwr)" "trace-$(hostname)-${child% }.jwr"
rm -rf trace-*

# ---- what can go wrong ----
try run -r rules.json -- ./nowhere -cp app:lib app.Main
is 'no such command' "$status" 127
is 'no such command: why' "$(printf '%s\n' "$err" | tail -n 1)" \
	"jweave: error: cannot start './nowhere': No such file or directory"
try run -r rules.json -- ./app -cp app:lib app.Main
is 'not executable' "$status" 126
try run -r nowhere.json -- java -cp app app.Main
is 'no rules: nothing runs' "$status$out" 4
try run -q -r lib.json java -cp app:lib app.Main
like 'without --' "$status$names" '0*lib.Lib.fib*'
try run
is 'no command' "$status" 2
try run -- java -jar nope.jar
is 'a jar that is not there: that, and what java says' "$status$(printf '%s\n' "$err" | head -n 1)" "1jweave: warning: there is no 'nope.jar'"
is 'a jar that is not there: nothing else' "$(printf '%s\n' "$err" | grep -c jweave)" 1
head -c 300 jars/plain.jar >cut.jar
try run -r rules.json -- java -cp cut.jar:app:lib app.Main
is 'a damaged jar is the launcher'"'"'s to judge' "$status$out" '0fib 21 '
JWEAVE_OUTPUT=nowhere/x try run -q -r rules.json -- java -cp app:lib app.Main
is 'no place for the trace: nothing runs' "$status$out$err" "1jweave: error: no trace can be written to the folder 'nowhere' (No such file or directory): name another place with --output"
JWEAVE_OUTPUT=nowhere/x try run -- sh -c 'java -cp app:lib app.Main'
is '... of a script: it runs, and says once why there is no trace' "$status$(printf '%s\n' "$err" | grep -c 'tracing is off: cannot\|there is no trace')" 01

printf '#!/bin/sh\necho here\n' >busy && chmod +x busy
(exec 9>>busy; sleep 0.5 & exec 9>&-) # as one that was forked while another wrote it
try run -q -- ./busy
is 'a command that is still open to be written to' "$status$out" 0here

# ---- without rules: who notifies ----
mkdir -p src/notify notify
cat >src/notify/Notify.java <<'J'
package notify;
public class Notify {
	private String said;
	synchronized void await() throws InterruptedException { while (said == null) wait(); }
	synchronized void say() { said = "now"; notifyAll(); }
	public static void main(String[] a) throws Exception {
		Notify n = new Notify();
		Thread waits = new Thread(() -> { try { n.await(); Thread.sleep(200); } catch (InterruptedException e) { } }, "waits");
		waits.start();
		while (waits.getState() != Thread.State.WAITING) Thread.sleep(1);
		n.say();
		waits.join();
	}
}
J
javac -g -d notify src/notify/Notify.java
timeout 60 "$jweave" run -q -o told -- java -cp notify notify.Notify
told=$("$jweave" report told.prv)
like 'without rules: who ends a join is known' "$told" '*Object.wait of java.lang.Thread * in Notify.main (Notify.java:12); ended by waits (1)*'
like 'without rules: who ends an Object.wait() is known' "$told" \
	'*Object.wait of notify.Notify@* in Notify.await (Notify.java:4); ended by main (1)*'
rm -rf told.*

# ---- the cache ----
is 'woven copies are in the cache' "$([ "$(find cache -name Main.class | wc -l)" -gt 0 ]; echo $?)" 0
try run -q --no-guard -r rules.json -- java -cp app:lib app.Main # copies that the next one does not use
copies=$(find cache -name .lock | wc -l)
JWEAVE_CACHE_SIZE=1x try run -q -r rules.json -- java -cp app:lib app.Main
is 'a size that is none does not bound' "$status $(find cache -name .lock | wc -l)" "0 $copies"
JWEAVE_CACHE_SIZE=1 try run -q -r rules.json -- java -cp app:lib app.Main
is 'bounded: what is not in use goes (its two folders stay, and what its children need)' "$status$out$(find cache -name .lock | wc -l | tr -d ' ')" '0fib 21 4'
try run --clean
is '--clean' "$status$(find cache -name .lock)" 0
like '--clean: says what' "$err" "jweave: note: removed * MB of woven copies from '*'"
is 'the inputs are as they were' "$(find app lib jars mods -newer stamp -name '*.class')" ''
finish
