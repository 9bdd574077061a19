#!/bin/sh
# A class with 32769 calls: there are ids for 32768 of them, and before those run out its constant pool is full,
# since each takes two entries. The method that has no room is left, by its name, and the class behaves as before.
# Slow: 15 s, a JVM runs what was woven.
set -u
. tests/weaver/j_common

mkdir "$work/src"
awk 'BEGIN {
	print "public class Ids { static int f(int n) { return n + 1; }"
	for (m = 0; m < 32; m++) {
		printf "static int m%d() { int n = 0;\n", m
		for (i = 0; i < 1024; i++) print "n = f(n);"
		print "return n; }"
	}
	print "static int last(int n) { return f(n); }"
	print "public static void main(String[] a) throws Exception { int n = 0;"
	print "for (java.lang.reflect.Method m : Ids.class.getDeclaredMethods())"
	print "if (m.getName().matches(\"m[0-9]+\")) n += (Integer) m.invoke(null);"
	print "System.out.println(n + \" \" + last(n)); } }"
}' >"$work/src/Ids.java"
cat >"$work/rules.json" <<'EOF'
{ "jweave": 1, "rules": [ { "on": "call", "match": "Ids#f", "capture": [ { "what": "arg0" } ] } ] }
EOF
need javac -g:none -d "$work/plain" "$work/src/Ids.java"
java -cp "$work/plain" Ids >"$work/plain.out" 2>&1
ok 'it runs' $?
weave_to_run "$work/plain" "--rules=$work/rules.json" 2>"$work/left"
ok 'woven and well formed' $? "$(cat "$work/left")"
check 'all calls for which there is room' says ' 1 POOL_FULL, 31745 calls' "$work/count"
check 'the method beyond is named' says 'm31()I: POOL_FULL' "$work/left"
timeout 100 java -Xverify:all "$reporting" -cp "$work/woven" Ids >"$work/woven.out" 2>&1
check 'it behaves as before' diff "$work/plain.out" "$work/woven.out"
check 'every call that is woven has its events' ends '^enter 31745 exit 31745 fail 0 inferred 0 wrong 0 open 0'
finish
