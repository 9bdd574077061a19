#!/bin/sh
# Captures are what they should be: a program whose methods write down themselves what they were called
# with, return and throw, woven at the calls and at the methods, for both verifiers of HotSpot.
# Slow: 15 s, a JVM runs what was woven.
set -u
. tests/weaver/j_common

mkdir -p "$work/src"
# more than 255 locals: the fresh ones need wide instructions
awk 'BEGIN {
	print "class CapturesWide { static double go(Captures.Callee c) {"
	for (i = 0; i < 300; i++) printf "int l%d = %d;\n", i, i
	print "double r = Captures.Callee.many(c, l299, c, 2.5, null, null, (char) l7, c);"
	print "long s = 0;"
	for (i = 0; i < 300; i++) printf "s += l%d;\n", i
	print "return r + s; } }"
}' >"$work/src/CapturesWide.java"
for what in calls methods; do
	{
		echo '{ "jweave": 1, "defaults": { "capture": ['
		for arg in 0 1 2 3 4 5 6 7; do
			echo "{ \"what\": \"arg$arg\" },"
		done
		[ $what = methods ] || echo '{ "what": "filled0" }, { "what": "filled2" },'
		echo '{ "what": "exception" }, { "what": "return" }, { "what": "this" } ] }, "rules": ['
		if [ $what = calls ]; then
			echo '{ "on": "call", "match": [ "Captures$Callee#*(..)", "Captures$Face#*(..)",'
			echo '"Captures$Made#<init>", "Captures$Base#<init>" ] } ] }'
		else
			echo '{ "select": { "class": [ "Captures$Callee", "Captures$Made", "Captures$Base" ],'
			echo '"kind": [ "method", "constructor" ], "not": "Captures$Made#told" } } ] }'
		fi
	} >"$work/$what.json"
done

# program JAVA RELEASE VERSION: compiled for RELEASE, and called VERSION afterwards
program() {
	java=$1 release=$2 version=$3
	rm -rf "$work/plain"
	need javac -nowarn -Xlint:none -g --release "$release" -XDstringConcat=inline -d "$work/plain" \
		tests/weaver/Captures.java "$work/src/CapturesWide.java"
	# javac makes none so old: HotSpot ignores their frames, and infers types
	if [ "$version" -lt 50 ]; then
		for class in "$work"/plain/*.class; do
			printf "\\000\\$(printf %03o "$version")" | dd of="$class" bs=1 seek=6 conv=notrunc 2>/dev/null
		done
	fi
	"$java" -Xverify:all -cp "$work/plain" Captures >"$work/plain.out" 2>&1
	ok "version $version runs" $?
	for what in calls methods; do
		for branch in 32767 300; do
			title="version $version on $("$java" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p'), $what, branches of $branch"
			check "$title: weaves" weave_to_run "$work/plain" "--branch=$branch --rules=$work/$what.json"
			timeout 100 "$java" -Xverify:all "$reporting" -cp "$work/woven" Captures "$what" \
				>"$work/woven.out" 2>&1
			check "$title: captures what is, behaves as before" diff "$work/plain.out" "$work/woven.out"
			check "$title: every enter has its exit" ends 'inferred 0 wrong 0 open 0'
		done
	done
}
program java 8 49
program java 8 52
program java 17 61
if home25=$(find_jdk 25); then
	program "$home25/bin/java" 17 61
else
	without_jdk25 'on JDK 25'
fi

finish
