#!/bin/sh
# What every method of whole modules of the JDK throws and catches woven, alone, with probes around every method,
# and with every call, every object that is made, and all captures: HotSpot links every class exactly as it links the
# original; javac woven so compiles to the same class files; programs that throw in all ways behave as before.
# Slow: 100 s, HotSpot links whole modules, and javac, woven, compiles.
set -u
. tests/weaver/j_modules

# LEAST: how many methods throw or catch
counted() {
	throwing=$(sed -n 's/.*exceptions of \([0-9]*\) methods.*/\1/p' "$work/count")
	check "$1: what it throws and catches is woven" [ "${throwing:-0}" -ge "$2" ]
	check "$1: no method is left for its frames" lacks FRAMES "$work/count"
	case $3 in
	*--all*) check "$1: and every object that it makes" [ "$(number objects)" -ge "$2" ] ;;
	esac
}
weave_module "$home17" java.xml 2000 --exceptions '--all --captures'
weave_module "$home17" java.desktop 4000 --all
weave_module "$home17" jdk.compiler 1000 '--only-exceptions --branch=150' '--all --branch=400'
weave_javac --exceptions --all

# program NAME: the same output, woven
program() {
	need javac -nowarn -g -d "$work/$1" "tests/weaver/$1.java"
	java -cp "$work/$1" "$1" >"$work/plain.out" 2>&1
	ok "$1 runs" $?
	for options in --exceptions --only-exceptions '--all --captures' '--only-exceptions --branch=150' --only-new; do
		need weave_to_run "$work/$1" "$options"
		java -Xverify:all -cp "$work/woven" "$1" >"$work/woven.out" 2>&1
		check "$1 woven with $options behaves as before" diff "$work/plain.out" "$work/woven.out"
	done
}
program OddCalls

if home25=$(find_jdk 25); then
	weave_module "$home25" java.xml 2000 --only-exceptions
	weave_module "$home25" java.desktop 4000 '--all --branch=400'
	weave_module "$home25" jdk.compiler 1000 '--all --captures'
else
	without_jdk25 'modules of JDK 25'
fi
finish
