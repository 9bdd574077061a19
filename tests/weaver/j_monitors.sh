#!/bin/sh
# Every monitorenter and monitorexit of whole modules of the JDK woven, with probes around every method and
# without: HotSpot links every class as before. A program with synchronized blocks of every shape behaves as before,
# also where the stack overflows in them; every enter has its exit; and C1 and C2 compile the same methods of it.
set -u
. tests/weaver/j_common
home17=$(find_jdk 17) || skip_all 'no JDK 17 with jimage (package openjdk-17-jdk-headless)'

need javac -nowarn -d "$tmp/java" tests/weaver/LinkAll.java
need javac -nowarn -d "$tmp/probe" tests/weaver/Probe.java
need javac -nowarn -g -d "$tmp/plain" tests/weaver/OddMonitors.java

ends='{ "on": "monitor", "match": "**", "event": { "type": "monitor", "value": "enter" } },
	{ "on": "monitor", "match": "**", "event": { "type": "monitor", "value": "exit" } }'
echo "{ \"jweave\": 1, \"rules\": [ $ends ] }" >"$tmp/alone.json"
cat >"$tmp/methods.json" <<END
{ "jweave": 1, "rules": [ $ends,
	{ "select": { "class": "**", "kind": [ "method", "constructor", "clinit", "lambda", "accessor", "bridge", "synthetic" ] },
	  "event": { "type": "monitor", "value": "hold" } } ] }
END

# calls alone: their probes must be covered where a monitor is held
cat >"$tmp/calls.json" <<END
{ "jweave": 1, "rules": [ { "on": "call", "match": "**" }, { "on": "call", "match": "OddMonitors#<init>(..)" } ] }
END

link() { # link HOME MODULE DIR OUT
	"$1/bin/java" -XX:+UnlockDiagnosticVMOptions -XX:+BytecodeVerificationLocal -XX:TieredStopAtLevel=1 \
		--add-modules "$2" --patch-module "$2=$3" -cp "$tmp/java" LinkAll "$3" >"$4" 2>"$tmp/link.err" || {
		tail -n 3 "$tmp/link.err" "$4"
		return 1
	}
}
# module HOME MODULE LEAST OPTIONS...: LEAST: how many ends of monitors it has at least
module() {
	home=$1 module=$2 least=$3
	in=$tmp/jdk/$module
	title="$module of $(sed -n 's/^JAVA_VERSION="\(.*\)"/\1/p' "$home/release")"
	shift 3
	rm -rf "$tmp/jdk"
	need "$home/bin/jimage" extract --dir "$tmp/jdk" --include "regex:/$module/.*" "$home/lib/modules"
	need link "$home" "$module" "$in" "$tmp/before"
	for options in "$@"; do
		rm -rf "$tmp/woven"
		# shellcheck disable=SC2086 # options are words
		check "$title woven, $options" \
			eval "$weavedir --check --quiet $options $in $tmp/woven >$tmp/count"
		cat "$tmp/count" >"$tmp/check.log"
		check "$title: its monitors are woven" \
			[ "$(sed -n 's/.* \([0-9]*\) calls.*/\1/p' "$tmp/count")" -ge "$least" ]
		check "$title: no method is left for its monitors" not grep -q MONITORS "$tmp/count"
		link "$home" "$module" "$tmp/woven" "$tmp/after" >"$tmp/check.log"
		check "$title woven links as before, $options" diff "$tmp/before" "$tmp/after"
	done
}
alone=--rules=$tmp/alone.json methods=--rules=$tmp/methods.json
module "$home17" java.desktop 4000 "$methods" "$alone --branch=150"
module "$home17" java.xml 140 "$methods"
module "$home17" jdk.compiler 20 "$methods --branch=400"

# compiled JAVA DIR OPTIONS...: the methods that are compiled, all of them at their first call
compiled() {
	java=$1 dir=$2
	shift 2
	timeout 120 "$java" -Xcomp -XX:CompileCommand=quiet -XX:CompileCommand=compileonly,OddMonitors::* -XX:+PrintCompilation \
		-Xlog:monitormismatch=info "$@" -cp "$dir" OddMonitors 1000 >"$tmp/compilation" 2>&1 || echo "status $?"
	LC_ALL=C sed -n 's/.* \(OddMonitors::[^ ]*\) .*/\1/p; /[Mm]onitor mismatch/p; /COMPILE SKIPPED/p' "$tmp/compilation" | LC_ALL=C sort -u
}
# program JAVA: with each way to weave it
program() {
	java=$1 title=$2
	"$java" -cp "$tmp/plain" OddMonitors >"$tmp/plain.out" 2>&1
	for compiler in -XX:TieredStopAtLevel=1 -XX:-TieredCompilation; do
		compiled "$java" "$tmp/plain" $compiler >"$tmp/plain$compiler"
	done
	check "$title: many methods are compiled" [ "$(grep -c OddMonitors "$tmp/plain-XX:-TieredCompilation")" -ge 12 ]
	for options in "$alone" "$methods" "$methods --branch=150" "--rules=$tmp/calls.json"; do
		rm -rf "$tmp/woven"
		need eval "$weavedir --check $options $tmp/plain $tmp/woven"
		cp -r "$tmp/probe/jweave" "$tmp/woven/"
		timeout 120 "$java" -Xverify:all -Djweave.test.report="$tmp/report" -cp "$tmp/woven" OddMonitors >"$tmp/woven.out" 2>&1
		grep -v '^OpenJDK.*warning' "$tmp/woven.out" >"$tmp/woven.txt"
		check "$title: behaves as before, ${options##*/}" diff "$tmp/plain.out" "$tmp/woven.txt"
		cat "$tmp/report" >"$tmp/check.log"
		# where there is no room on the stack for an exit, the next one outside closes it, if there is one
		case $options in *methods*) open=0 ;; *) open='[0-9]*' ;; esac
		check "$title: every enter has its exit, or no room for it, ${options##*/}" grep -q " wrong 0 open $open\$" "$tmp/report"
		for compiler in -XX:TieredStopAtLevel=1 -XX:-TieredCompilation; do
			compiled "$java" "$tmp/woven" $compiler >"$tmp/compiled"
			LC_ALL=C comm -23 "$tmp/plain$compiler" "$tmp/compiled" >"$tmp/less"
			sed -n '/OddMonitors/!p' "$tmp/compiled" >>"$tmp/less"
			check "$title: no method less is compiled, ${options##*/} $compiler" diff /dev/null "$tmp/less"
		done
	done
}
program java 17
if home25=$(find_jdk 25); then
	program "$home25/bin/java" 25
	module "$home25" java.xml 50 "$methods"
	module "$home25" jdk.compiler 20 "$methods"
else
	skip 'JDK 25' 'no JDK 25 in /usr/lib/jvm nor in JWEAVE_JDK25'
fi
done_testing
