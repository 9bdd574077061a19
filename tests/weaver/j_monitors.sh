#!/bin/sh
# Every monitorenter and monitorexit of whole modules of the JDK woven, with probes around every method and
# without: HotSpot links every class as before. A program with synchronized blocks of every shape behaves as before,
# also where the stack overflows in them; every enter has its exit; and C1 and C2 compile the same methods of it.
# Slow: 90 s, HotSpot links whole modules, and javac, woven, compiles.
set -u
. tests/weaver/j_modules

need javac -nowarn -g -d "$work/plain" tests/weaver/OddMonitors.java
rules='{ "on": "monitor", "match": "**", "event": { "type": "monitor", "value": "enter" } },
	{ "on": "monitor", "match": "**", "event": { "type": "monitor", "value": "exit" } }'
echo "{ \"jweave\": 1, \"rules\": [ $rules ] }" >"$work/alone.json"
cat >"$work/methods.json" <<END
{ "jweave": 1, "rules": [ $rules,
	{ "select": { "class": "**", "kind": [ "method", "constructor", "clinit", "lambda", "accessor", "bridge", "synthetic" ] },
	  "event": { "type": "monitor", "value": "hold" } } ] }
END

# calls alone: their probes must be covered where a monitor is held
cat >"$work/calls.json" <<END
{ "jweave": 1, "rules": [ { "on": "call", "match": "**" }, { "on": "call", "match": "OddMonitors#<init>(..)" } ] }
END

# LEAST: how many ends of monitors
counted() {
	check "$1: its monitors are woven" [ "$(number calls)" -ge "$2" ]
	check "$1: no method is left for its monitors" lacks MONITORS "$work/count"
}
alone=--rules=$work/alone.json methods=--rules=$work/methods.json
weave_module "$home17" java.desktop 4000 "$methods" "$alone --branch=150"
weave_module "$home17" java.xml 140 "$methods"
weave_module "$home17" jdk.compiler 20 "$methods --branch=400"

# compiled JAVA DIR OPTIONS...: the methods that are compiled, all of them at their first call
compiled() {
	java=$1 dir=$2
	shift 2
	timeout 120 "$java" -Xcomp -XX:CompileCommand=quiet -XX:CompileCommand=compileonly,OddMonitors::* -XX:+PrintCompilation \
		-Xlog:monitormismatch=info "$@" -cp "$dir" OddMonitors 1000 >"$work/compilation" 2>&1 || echo "status $?"
	LC_ALL=C sed -n 's/.* \(OddMonitors::[^ ]*\) .*/\1/p; /[Mm]onitor mismatch/p; /COMPILE SKIPPED/p' "$work/compilation" | LC_ALL=C sort -u
}
# program JAVA: with each way to weave it
program() {
	java=$1 title=$2
	"$java" -cp "$work/plain" OddMonitors >"$work/plain.out" 2>&1
	for compiler in -XX:TieredStopAtLevel=1 -XX:-TieredCompilation; do
		compiled "$java" "$work/plain" $compiler >"$work/plain$compiler"
	done
	check "$title: many methods are compiled" [ "$(grep -c OddMonitors "$work/plain-XX:-TieredCompilation")" -ge 12 ]
	for options in "$alone" "$methods" "$methods --branch=150" "--rules=$work/calls.json"; do
		need weave_to_run "$work/plain" "$options"
		timeout 120 "$java" -Xverify:all "$reporting" -cp "$work/woven" OddMonitors >"$work/woven.out" 2>&1
		grep -v '^OpenJDK.*warning' "$work/woven.out" >"$work/woven.txt"
		check "$title: behaves as before, ${options##*/}" diff "$work/plain.out" "$work/woven.txt"
		# where there is no room on the stack for an exit, the next one outside closes it, if there is one
		case $options in *methods*) open=0 ;; *) open='[0-9]*' ;; esac
		check "$title: every enter has its exit, or no room for it, ${options##*/}" ends " wrong 0 open $open"
		for compiler in -XX:TieredStopAtLevel=1 -XX:-TieredCompilation; do
			compiled "$java" "$work/woven" $compiler >"$work/compiled"
			LC_ALL=C comm -23 "$work/plain$compiler" "$work/compiled" >"$work/less"
			sed -n '/OddMonitors/!p' "$work/compiled" >>"$work/less"
			check "$title: no method less is compiled, ${options##*/} $compiler" diff /dev/null "$work/less"
		done
	done
}
program java 17
if home25=$(find_jdk 25); then
	program "$home25/bin/java" 25
	weave_module "$home25" java.xml 50 "$methods"
	weave_module "$home25" jdk.compiler 20 "$methods"
else
	without_jdk25 'JDK 25'
fi
finish
