#!/bin/sh
# What javac of 17 and of 25 writes for the newer parts of the language (Odd17.java, Odd25.java), and code that
# looks at its callers (OddCallers.java), with and without debugging tables: the woven classes print the same,
# reflection, stack traces and the VM's own messages included.
# Slow: 30 s, javac compiles, and a JVM runs what was woven.
set -u
. tests/weaver/j_common

options=
# run_both HOME NAME INFERRED [JAVAC-OPTION...]: woven with $options
run_both() {
	home=$1
	program=$2
	inferred=$3
	shift 3
	rm -rf "$work/in"
	need "$home/bin/javac" -nowarn -Xlint:none -parameters "$@" -d "$work/in" "tests/weaver/$program.java"
	"$home/bin/java" -cp "$work/in:$classes" "$program" >"$work/before" 2>&1
	check "$program $*: it runs" [ "$(wc -l <"$work/before")" -ge 14 ]
	for limit in 32767 150; do
		title="$program $*, branches up to $limit"
		check "$title: woven, every method $options" weave "$work/in" "$options --branch=$limit"
		left=$(($(sed 's/.*, \([0-9]*\) methods, \([0-9]*\) woven.*/\1 - \2/' "$work/count")))
		check "$title: nothing left" [ "$left" = 0 ]
		"$home/bin/java" "$reporting" -cp "$work/woven:$classes" "$program" >"$work/after" 2>&1
		check "$title: the same output" diff "$work/before" "$work/after"
		check "$title: every enter has its exit" ends "inferred $inferred wrong 0 open 0"
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
	without_jdk25 'statements before super()'
fi
finish
