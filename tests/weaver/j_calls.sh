#!/bin/sh
# Every call of whole modules of the JDK woven, with probes around every method and without, with all that both can
# capture and without: HotSpot links every class exactly as it links the original; javac woven so compiles to the same
# class files; programs whose catch, finally and synchronized blocks surround the calls behave as before.
# Slow: 150 s, HotSpot links four modules, each woven in two or three ways.
set -u
. tests/weaver/j_modules

# LEAST: how many calls
counted() { check "$1: its calls are woven" [ "$(number calls)" -ge "$2" ]; }
weave_module "$home17" java.xml 60000 '--calls --captures' '--calls --branch=150' --only-calls
weave_module "$home17" java.desktop 150000 '--calls --captures' --only-calls
weave_module "$home17" jdk.compiler 45000 '--calls --captures' '--only-calls --branch=400'
weave_javac '--calls --captures' --only-calls

# program NAME INFERRED...: the same output, woven with every call and method of it. INFERRED: how many
# frames nothing can close, an exception inside super(...), by option
program() {
	prog=$1
	shift
	need javac -nowarn -g -d "$work/$prog" "tests/weaver/$prog.java"
	java -cp "$work/$prog" "$prog" >"$work/plain.out" 2>&1
	ok "$prog runs" $?
	for options in --calls --only-calls '--calls --branch=150' '--only-calls --captures'; do
		need weave_to_run "$work/$prog" "$options"
		java -Xverify:all "$reporting" -cp "$work/woven" "$prog" >"$work/woven.out" 2>&1
		check "$prog woven with $options behaves as before" diff "$work/plain.out" "$work/woven.out"
		check "$prog with $options: every enter has its exit, but what throws in super()" \
			ends "inferred $1 wrong 0 open 0"
		shift
	done
}
program OddCalls 2 1 2 1

if home25=$(find_jdk 25); then
	weave_module "$home25" java.xml 60000 '--calls --captures' --only-calls
	weave_module "$home25" jdk.compiler 45000 '--calls --captures'
else
	without_jdk25 'modules of JDK 25'
fi
finish
