#!/bin/sh
# A class with 32769 calls: there are ids for 32768 of them, and before those run out its constant pool is full,
# since each takes two entries. The method that has no room is left, by its name, and the class behaves as before.
set -u
. tests/weaver/j_common

mkdir "$tmp/src"
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
}' >"$tmp/src/Ids.java"
cat >"$tmp/rules.json" <<'EOF'
{ "jweave": 1, "rules": [ { "on": "call", "match": "Ids#f", "capture": [ { "what": "arg0" } ] } ] }
EOF
need javac -nowarn -d "$tmp/probe" tests/weaver/Probe.java
need javac -g:none -d "$tmp/plain" "$tmp/src/Ids.java"
need java -cp "$tmp/plain" Ids
mv "$tmp/need.log" "$tmp/plain.out"
check 'woven and well formed' eval \
	"$weavedir --check --rules=$tmp/rules.json $tmp/plain $tmp/woven >$tmp/count 2>$tmp/left"
cp "$tmp/count" "$tmp/check.log"
check 'all calls for which there is room' grep -q ' 1 POOL_FULL, 31745 calls' "$tmp/count"
cp "$tmp/left" "$tmp/check.log"
check 'the method beyond is named' grep -q 'm31()I: POOL_FULL' "$tmp/left"
cp -r "$tmp/probe/jweave" "$tmp/woven/"
timeout 100 java -Xverify:all -Djweave.test.report="$tmp/report" -cp "$tmp/woven" Ids >"$tmp/woven.out" 2>&1
check 'it behaves as before' diff "$tmp/plain.out" "$tmp/woven.out"
cp "$tmp/report" "$tmp/check.log"
check 'every call that is woven has its events' grep -q '^enter 31745 exit 31745 fail 0 inferred 0 wrong 0 open 0$' "$tmp/report"
done_testing
