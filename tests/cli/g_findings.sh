#!/bin/sh
# What check, explain, verify and the reader of method maps find, each in its own words.
. tests/cli/kit
command -v javac >/dev/null && command -v jar >/dev/null || skip_all 'no JDK'
cp testdata/classes/8/Flow.class "$dir/"
cd "$dir" || exit 1
t() { # t ARGS: the command, its output and its status, to the golden text
	printf '$ jweave %s\n' "$*" >>got
	run "$@"
	cat .out .err >>got
	printf -- '-> %s\n\n' "$status" >>got
}

# ---- rules that can have no effect, or too much ----
c() { # c RULES [OPTIONS]: check of a file of RULES
	printf '{ "jweave": 1, "exclude": [ "com.gone.**" ], "rules": [ %s ] }\n' "$1" | tee r.json >>got
	shift
	t check "$@" r.json
}
c '{ "match": "com.gone.A#f" }'
c '{ "id": "one", "match": "a.B#f()" }, { "id": "two", "match": "a.**" }'
c '{ "match": "jweave.rt.*" }'
c '{ "match": "java.util.ArrayList#add(..)" }'
c '{ "match": "java.util.ArrayList#add(..)" }' --jdk
c '{ "match": "native a.**" }'
c '{ "match": "a.B#f(String)" }'
c '{ "match": "**" }' --no-guard
c '{ "select": { "class": "**", "code": { "maxBytes": 100 } } }'
c '{ "id": "late", "action": "skip", "match": "a.**" }, { "match": "b.**" }'
c '{ "action": "skip", "match": "a.**" }'
c '{ "match": "org.h2.Driver.connect" }'
c '{ "match": "com.acme.tool" }' -q

c '{ "match": "a.**", "minBytes": 3 }'
c '{ "match": "a.**", "groups": { } }'

# ---- why a method is not woven ----
mkdir -p src/java/own src/jweave/rt classes
echo 'package java.own; public abstract class A { abstract void f(); static int g(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; } }' >src/java/own/A.java
echo 'package jweave.rt; public class Probe { static int g(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; } }' >src/jweave/rt/Probe.java
javac -g --patch-module java.base=src -d classes src/java/own/A.java && javac -g -d classes src/jweave/rt/Probe.java &&
	(cd classes && jar cf ../own.jar .) || skip_all 'javac or jar does not work'
echo '{ "jweave": 1, "rules": [ { "id": "all", "match": "**" } ] }' >r.json
t explain -r r.json own.jar 'java.own.A#g'
t explain --jdk -r r.json own.jar 'java.own.A#f'
t explain --jdk -r r.json own.jar 'jweave.rt.Probe#g'
echo '{ "jweave": 1, "rules": [ { "id": "none", "match": "x.**" } ] }' >r.json
t explain --jdk -r r.json own.jar 'java.own.A#g'

echo '{ "jweave": 1, "rules": [ { "id": "none", "match": "x.**" }, { "id": "thrown", "on": "exception", "match": "java.own.**" } ] }' >r.json
t explain --jdk -r r.json own.jar 'java.own.A#g'
# methods of the JDK below which no probe may be
mkdir -p jdk/java/lang jdk/jdk/internal/vm jdk/jdk/internal/misc
echo 'package java.lang; public final class Byte { public long longValue() { return 1; } }' >jdk/java/lang/Byte.java
echo 'package jdk.internal.vm; public class Continuation { void run() { } }' >jdk/jdk/internal/vm/Continuation.java
cat >jdk/jdk/internal/misc/ScopedMemoryAccess.java <<'J'
package jdk.internal.misc;
public class ScopedMemoryAccess {
	@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) @interface Scoped { }
	@Scoped void copy() { }
}
J
javac --patch-module java.base=jdk -d jdk/out jdk/java/lang/*.java jdk/jdk/internal/*/*.java >/dev/null 2>&1 || skip_all 'javac makes no classes of the JDK'
echo '{ "jweave": 1, "rules": [ { "id": "all", "match": "**" } ] }' >r.json
for method in java.lang.Byte#longValue jdk.internal.vm.Continuation#run 'jdk.internal.misc.ScopedMemoryAccess#copy'; do
	t explain --jdk -r r.json jdk/out "$method"
done
# libraries beside what looks like the application
mkdir -p app/com/acme app/org/apache/commons/lang3
echo 'package com.acme; public class Main { public static void main(String[] a) { org.apache.commons.lang3.Lib.f(3); } }' >app/com/acme/Main.java
echo 'package org.apache.commons.lang3; public class Lib { public static int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; } }' >app/org/apache/commons/lang3/Lib.java
mkdir -p app/com/acme/deep && echo 'package com.acme.deep; public class Deep { }' >app/com/acme/deep/Deep.java
javac -d app/out app/com/acme/deep/Deep.java app/com/acme/Main.java app/org/apache/commons/lang3/Lib.java && jar cfe app.jar com.acme.Main -C app/out . || skip_all 'javac does not work'
t init app.jar

# ---- what weaving may not change ----
v() { # v PERL: Flow.class against itself, changed
	printf '(%s) ' "$1" >>got
	perl -0777 -pe "BEGIN { binmode STDIN; binmode STDOUT } $1" <Flow.class >o.class
	t verify --against Flow.class o.class
}
v 's/Flow\$Base/Flow\$Bbse/g; s/\x01\x00\x04Flow/\x01\x00\x04Flaw/g'
v 'substr($_, 7, 1) = chr(50)'
v 's:\x00\x04Code:\x00\x04Bode:'
v 's:\x00\x05count:\x00\x05couns:'
mkdir -p was is
echo 'abstract class Face { }' >was/Face.java
echo 'abstract class Face implements Runnable { }' >is/Face.java
javac -d was was/Face.java && javac -d is is/Face.java || skip_all 'javac does not work'
t verify --against was/Face.class is/Face.class
if command -v zip >/dev/null && command -v unzip >/dev/null; then
	mkdir zip && cp Flow.class zip && echo one >zip/a.txt && touch -d '2020-01-01 00:00' zip/*
	(cd zip && zip -qX0 ../in.zip Flow.class a.txt && zip -qX0 ../turned.zip a.txt Flow.class &&
		touch -d '2021-01-01 00:00' a.txt && zip -qX0 ../dated.zip Flow.class a.txt &&
		echo two >a.txt && touch -d '2020-01-01 00:00' a.txt && zip -qX0 ../other.zip Flow.class a.txt)
	for out in in turned dated other; do
		t verify --against in.zip $out.zip
	done
else
	skip_all 'no zip'
fi

# ---- maps that are damaged ----
x=$BUILD/tests/cli/x_recording
[ -x "$x" ] || skip_all 'x_recording is not built'
"$x" run.jwr run.map 10
m() { # m LINE...: the map with these lines after the first
	{
		sed -n 1p run.map
		printf '%s\n' "$@" | tr '|' '\t'
	} >bad.map
	printf '%s\n' "$@" >>got
	t prv --force --map=bad.map -o o run.jwr
}
m 'c|xyz|A|A.java'
m 'm|0|1|9|f|()V|all'
m 's|0|1|-|a/B|f|()V|m|()V|all'
m 'c|12345|A|A.java' 'm|x|1|9|f|()V|all'
m 'c|12345|A|A.java' 's|0|1'
m 'c|12345|A|A.java' 'm|0|1|9|f|()V|all||thread/start*x'
m 'c|12345|A|A.java' 'm|0|1|9|f|()V|all||-|arg0'
m 'r'
m 'k|12345|0:1'
for first in 'jweave-map' 'jweave-map|x'; do
	echo "$first" | tr '|' '\t' >bad.map
	t prv --force --map=bad.map -o o run.jwr
done
sed -i "s|$dir|DIR|g" got
same_text findings.txt got
is 'none is a crash' "$(grep -c -e '^-> 12[4-9]' -e '^-> 13' got)" 0
finish
