#!/bin/sh
# jweave run of what --patch-module puts into a module, as Surefire does with the classes of tests: by each way in which
# the option is given; and a note where it cannot be traced.
. tests/cli/run_kit
cd "$dir" || exit 1
mkdir -p msrc/m.lib/lib msrc/m.app/app src/tests src/java/util patch
echo 'module m.lib { exports lib; }' >msrc/m.lib/module-info.java
echo 'module m.app { requires m.lib; }' >msrc/m.app/module-info.java
echo 'package lib; public class Lib { public static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); } }' >msrc/m.lib/lib/Lib.java
echo 'package app; class Main { }' >msrc/m.app/app/Main.java
cat >src/tests/Try.java <<'J'
package tests;
public class Try extends Base {
	static int act(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += lib.Lib.fib(i); return sum; }
	public static void main(String[] a) { System.out.println(act(5) + " " + Try.class.getModule().getName()); }
}
class Base { }
J
echo 'package java.util; public class Added { public static int act(int n) { int s = 0; while (n > 0) s += n--; return s; } }' >src/java/util/Added.java
javac -g --module-source-path msrc -d mods $(find msrc -name '*.java') &&
	javac -g -cp mods/m.lib -d patch/classes src/tests/Try.java && jar cf patch/t.jar -C patch/classes . &&
	javac -g --patch-module java.base=src -d patch/base src/java/util/Added.java || exit 1
try() { # COMMAND: its output in $out, its messages in $err, the methods in its trace in $names, its status in $status
	rm -f trace-*
	timeout 60 "$@" >out.txt 2>err.txt
	status=$?
	out=$(cat out.txt)
	err=$(cat err.txt)
	names=$(cat trace-*.pcf 2>/dev/null)
}
traced() { printf %s "$names" | grep -c "$1"; }
patched() { # TITLE WORDS..: Try runs in the module m.app by these options, and it, and m.lib, are traced
	title=$1
	shift
	try "$jweave" run -q -r match:tests.**,lib.** -- "$@" -m m.app/tests.Try
	is "$title" "$status$out $(traced 'tests.Try.act')$(traced 'lib.Lib.fib') $(printf %s "$err" | grep -c WARNING)" '07 m.app 11 0'
}
patched 'a folder' java -p mods --patch-module m.app=patch/classes
patched 'a jar, after what is not there' java --module-path=mods --patch-module=m.app=gone::patch/t.jar
echo '-p mods --patch-module m.app="patch/classes:patch/t.jar"' >patch.args
patched 'in an argument file' java @patch.args
JDK_JAVA_OPTIONS=@patch.args try "$jweave" run -r match:tests.** -- java -m m.app/tests.Try
like 'in a variable' "$status$out$err" "07 m.app*jweave: note: 'patch/classes' runs without tracing: a variable of the environment has the option --patch-module that names it; give it in the command*"
try "$jweave" run -- java -p mods --patch-module m.app=patch/classes -m m.app/tests.Try
is 'default rules' "$status$out $(traced tests.Try.act)" '07 m.app 1'
mkdir -p patch/some/tests && cp patch/classes/tests/Try.class patch/some/tests
echo '{ "jweave": 1, "rules": [ { "select": { "subtypeOf": "tests.Base" } } ] }' >rules.json
try "$jweave" run -r rules.json -- java -p mods --patch-module m.app=patch/some:patch/t.jar -m m.app/tests.Try
is 'a type of another place' "$status$out $(traced tests.Try.act)" '07 m.app 1'
# what Surefire asks before
mkdir -p asker/org/codehaus/plexus/languages/java/jpms
echo 'package org.codehaus.plexus.languages.java.jpms; class Asks { public static void main(String[] a) { System.out.println("m.lib"); } }' >asker/org/codehaus/plexus/languages/java/jpms/Asks.java
javac -d asker asker/org/codehaus/plexus/languages/java/jpms/Asks.java
echo '-cp asker org.codehaus.plexus.languages.java.jpms.Asks' >ask.args
try "$jweave" run -- java @ask.args
is 'names of modules: not traced' "$status$out$err$names" 0m.lib

jdk="jweave: note: 'patch/base' is put into the module 'java.base' of the JDK (--patch-module), and runs without tracing: weave it with 'jweave weave --jdk'"
try "$jweave" run -r match:java.util.Added,lib.** -- java --patch-module java.base=patch/base -cp mods/m.lib:patch/classes tests.Try
like 'into a module of the JDK' "$status$out$err" "07 null*$jdk*"
JAVA_TOOL_OPTIONS=--patch-module=java.base=patch/base try "$jweave" run -r match:lib.** -- java -cp mods/m.lib:patch/classes tests.Try
like 'into a module of the JDK, by a variable' "$status$out$err" "07 null*$jdk*"

for home in "${JW_JDK25:-}" /usr/lib/jvm/*; do
	grep -q '^JAVA_VERSION="25' "$home/release" 2>/dev/null && jdk25=$home
done
if [ "${jdk25:-}" ]; then
	patched 'JDK 25, without a warning of native access' "$jdk25/bin/java" -p mods --patch-module m.app=patch/classes
else
	skip 'JDK 25' 'there is no JDK 25'
fi
finish
