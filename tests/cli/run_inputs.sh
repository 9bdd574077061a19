#!/bin/sh
# jweave run: archives that the program reads as files, too, stay as they are: what a compiler or a packer takes out of
# them is what it is without jweave.
. tests/cli/run_kit
cd "$dir" || exit 1
mkdir -p src lib tool std compiler

echo 'package lib; public class Lib { public static int twice(int n) { int s = 0; for (int i = 0; i < 2; i++) s += n; return s; } }' >src/Lib.java
echo 'package kotlin; public class Std { public static int work(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; } }' >src/Std.java
# OUT.jar is a copy of IN.jar, as "--in=IN.jar", IN.jar in a list, or the like
cat >src/Pack.java <<'J'
package tool;
import java.nio.file.*;
public class Pack {
	public static void main(String[] a) throws Exception { pack(Paths.get("lib.jar"), Paths.get("out.jar")); System.out.println(lib.Lib.twice(21)); }
	public static void pack(Path in, Path out) throws Exception { for (int i = 0; i < 2; i++) Files.copy(in, out, StandardCopyOption.REPLACE_EXISTING); }
}
J
cat >src/K2JVMCompiler.java <<'J'
package org.jetbrains.kotlin.cli;
public class K2JVMCompiler {
	public static void main(String[] a) throws Exception { tool.Pack.pack(java.nio.file.Paths.get("kotlin-stdlib-1.9.jar"), java.nio.file.Paths.get("out.jar")); compile(); }
	static void compile() { for (int i = 0; i < 2; i++) System.out.println(kotlin.Std.work(2)); }
}
J
javac -d lib src/Lib.java && javac -d std src/Std.java && javac -cp lib -d tool src/Pack.java && javac -cp std:tool -d compiler src/K2JVMCompiler.java &&
	jar cf lib.jar -C lib . && jar cfe tool.jar tool.Pack -C tool . && jar cf kotlin-stdlib-1.9.jar -C std . && jar cf kotlin-compiler-1.9.jar -C compiler . ||
	skip_all 'javac does not work'
echo '{ "jweave": 1, "rules": [ { "match": "lib.**" }, { "match": "kotlin.**" }, { "match": "tool.**" } ] }' >all.json

try() { # try WORDS...: status, err, names of the traces, which go away; same: is OUT.jar the bytes of IN.jar?
	rm -f out.jar
	timeout 60 "$jweave" run "$@" >.out 2>.err </dev/null
	status=$? err=$(cat .err) names=$(cat trace-*.pcf 2>/dev/null)
	rm -rf trace-*
}
same() { # same NAME IN.jar
	cmp -s "$2" out.jar
	ok "$1" $?
}
left() { # left NAME WORDS...: what tool.Pack gets for the arguments WORDS
	name=$1
	shift
	try -- java -cp tool.jar:lib.jar tool.Pack "$@"
	like "$name: it runs" "$status $(cat .out)" '0 42'
	same "$name: what it copies is the original" lib.jar
}
arguments="jweave: note: what the program has among its arguments stays as it is, since it may take code out of it: 'lib.jar' (to trace it all the same: -r RULES, or --also)"

mkdir lib-tool && cp -r lib/lib lib-tool && cp -r tool/tool lib-tool && jar cf both.jar -C lib-tool .
# its own package in the other jar, too, so that both are the application
mkdir more && echo 'package tool; public class More { public static int more(int n) { for (int i = 0; i < 3; i++) n += i; return n; } }' >src/More.java && javac -d more src/More.java &&
	cp -r more/tool lib && jar cf lib.jar -C lib . || exit 1
try -- java -cp tool.jar:lib.jar tool.Pack
like 'no argument: both jars are traced' "$status $err" '0 *wove * of 2 jars and folders*'
unlike() { case $2 in $3) ok "$1" 1 "$2" ;; *) ok "$1" 0 ;; esac; }
unlike '... and nothing is said of it' "$err" '*among its arguments*'
left 'an argument' lib.jar
like '... which is said' "$err" "*$arguments*"
like '... the rest is traced' "$names" '*Pack.pack*'
left 'in a list' -cp "none.jar:$PWD/lib.jar"
left 'the value of an option' --in=lib.jar
ln -s lib.jar link.jar
left 'by a link' x link.jar
mkdir plugins && ln lib.jar plugins/lib.jar
left 'by the wildcard of a folder' 'plugins/*'
mkdir conf && printf -- '-injars "../lib.jar"\n' >conf/pack.txt
left 'in an argument file, from its folder' @conf/pack.txt
like '... which is said, too' "$err" "*$arguments*"
left 'an argument file that is not there' @conf/none.txt lib.jar
cp lib.jar other.jar
try -- java -cp tool.jar:lib.jar tool.Pack other.jar
unlike 'another file of the same bytes is none' "$err" '*among its arguments*'

try -- java -cp tool.jar:lib.jar:other.jar tool.Pack lib.jar other.jar tool.jar
like 'all of them: what is said, once' "$status $err" "0 jweave: note: what the program has among its arguments stays as it is, since it may take code out of it: 'tool.jar' and 2 more (to trace it all the same: -r RULES, or --also)"
same '... and it runs as it is' lib.jar

try -r all.json -- java -cp tool.jar:lib.jar tool.Pack lib.jar
like '-r: traced, and said' "$status $names $err" "0 *Lib.twice*jweave: note: what the program has among its arguments is traced by the rules of -r: 'lib.jar' (if it takes code out of that, it is woven code)*"
try -r 'match:tool.Pack' -- java -cp tool.jar:lib.jar tool.Pack lib.jar
unlike '... not where the rules choose nothing of it' "$err" '*among its arguments*'
try --also lib.jar -- java -cp tool.jar:lib.jar tool.Pack lib.jar
like '--also: traced' "$status $names" '0 *Lib.twice*'
unlike '... and nothing is said' "$err" '*among its arguments*'

# what starts others is given what it starts
mkdir -p src/org/junit && echo 'package org.junit; public class Run { public static void main(String[] a) throws Exception { tool.Pack.main(a); } }' >src/org/junit/Run.java &&
	javac -cp tool:lib -d tool src/org/junit/Run.java && jar cf junit.jar -C tool org || exit 1
try -- java -cp junit.jar:both.jar org.junit.Run both.jar
like 'a test runner: its argument is traced' "$status $names" '0 *Pack.pack*'

# ---- compilers ----
kotlin() { # kotlin OPTIONS...
	try "$@" -- java -cp kotlin-compiler-1.9.jar:kotlin-stdlib-1.9.jar:tool.jar:lib.jar org.jetbrains.kotlin.cli.K2JVMCompiler
}
kotlin
like 'a compiler is traced' "$status $names" '0 *K2JVMCompiler.compile*'
unlike '... not the library of its language, though that has its name and version' "$names" '*Std.work*'
same '... of which it takes the code as it is' kotlin-stdlib-1.9.jar
kotlin -r all.json
like '-r: it stays as it is, and it is said' "$status $err" "0 *jweave: note: what a compiler takes code out of stays as it is: 'kotlin-stdlib-1.9.jar' (to trace it all the same: --also)*"
same '... its code is' kotlin-stdlib-1.9.jar
kotlin -r all.json --also kotlin-stdlib-1.9.jar
like '--also: it is traced' "$status $names" '0 *Std.work*'
finish
