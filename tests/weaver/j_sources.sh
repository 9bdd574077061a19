#!/bin/sh
# What javac of 17 and of 25 writes for the newer parts of the language (Odd17.java, Odd25.java), and code that
# looks at its callers (OddCallers.java), with and without debugging tables: the woven classes print the same,
# reflection, stack traces and the VM's own messages included.
set -u
. tests/weaver/j_common
need javac -nowarn -d "$tmp/probe" tests/weaver/Probe.java

field() { sed "s/.*$1 \([0-9]*\).*/\1/" "$tmp/report"; }
options=
# run_both HOME NAME INFERRED [JAVAC-OPTION...]: woven with $options
run_both() {
	home=$1
	program=$2
	inferred=$3
	shift 3
	rm -rf "$tmp/in" "$tmp/out"
	need "$home/bin/javac" -nowarn -Xlint:none -parameters "$@" -d "$tmp/in" "tests/weaver/$program.java"
	"$home/bin/java" -cp "$tmp/in:$tmp/probe" "$program" >"$tmp/before" 2>&1
	check "$program $*: it runs" [ "$(wc -l <"$tmp/before")" -ge 14 ]
	for limit in 32767 150; do
		title="$program $*, branches up to $limit"
		# shellcheck disable=SC2086 # options are words
		check "$title: woven, every method $options" "$weavedir" --check $options "--branch=$limit" "$tmp/in" "$tmp/out"
		left=$(($(sed 's/.*, \([0-9]*\) methods, \([0-9]*\) woven.*/\1 - \2/' "$tmp/check.log")))
		check "$title: nothing left" [ "$left" = 0 ]
		"$home/bin/java" -Djweave.test.report="$tmp/report" -cp "$tmp/out:$tmp/probe" "$program" >"$tmp/after" 2>&1
		diff "$tmp/before" "$tmp/after" >"$tmp/diff"
		cp "$tmp/diff" "$tmp/check.log"
		check "$title: the same output" cmp "$tmp/before" "$tmp/after"
		cat "$tmp/report" >"$tmp/check.log"
		check "$title: every enter has its exit" \
			[ "$(field inferred)/$(field wrong)/$(field open)" = "$inferred/0/0" ]
	done
}

if home=$(find_jdk 17); then
	run_both "$home" Odd17 1 -g
	run_both "$home" Odd17 1 -g:none
	run_both "$home" OddCallers 0 -g
	run_both "$home" OddCallers 0 -g:none
	options=--calls
	run_both "$home" OddCallers 0 -g
	options=
else
	skip 'javac of 17' 'no JDK 17'
fi
if home=$(find_jdk 25); then
	run_both "$home" Odd17 1 -g
	run_both "$home" OddCallers 0 -g
	run_both "$home" Odd25 1 -g
	run_both "$home" Odd25 1 -g:none
else
	skip 'statements before super()' 'no JDK 25 in /usr/lib/jvm nor in JWEAVE_JDK25'
fi
done_testing
