#!/bin/sh
# Classes made to be too much (OddGiants.java), woven with every method and call: within seconds, well formed, and they
# answer as before. What is left is left with a reason.
# Slow: 15 s, a JVM runs what was woven.
set -u
. tests/weaver/j_common
WEAVE_SECONDS=60
asm=$(find_jar asm) || skip_all 'no asm.jar (package libasm-java)'

odd() { java -Xss900k -XX:TieredStopAtLevel=1 -cp "$classes:$asm" "$@"; }
need odd OddGiants gen "$work/in"
odd OddGiants run "$work/in" >"$work/in.txt" 2>&1
check 'there are answers' [ "$(grep -c '): ' "$work/in.txt")" = 78 ]
check 'every class links before it is woven' lacks Error "$work/in.txt"

for options in '' '--branch=150 --calls' '--calls --captures' '--only-calls --captures --branch=400'; do
	# a second or less for all, unless something grows by the square
	check "woven in time and well formed, with [$options]" weave "$work/in" "$options"
	odd "$reporting" OddGiants run "$work/woven" >"$work/out.txt" 2>&1
	check "the same answers, with [$options]" cmp "$work/in.txt" "$work/out.txt"
	check 'no exit without its enter, none left open, none inferred' \
		[ "$(field wrong)/$(field open)/$(field inferred)" = 0/0/0 ]
	check 'every enter has its exit' [ "$(field enter)" = "$(($(field exit) + $(field fail)))" ]
done

weave "$work/in" "" 2>"$work/left"
check 'nothing is left' not test -s "$work/left"
weave "$work/in" --branch=150 2>"$work/left"
check 'left with near branches: what would be too large, or has no gap for an island' \
	[ "$(sed 's/.*: \(TOO_LARGE\|BRANCH\): .*/\1/' "$work/left" | sort | uniq -c | tr -s ' \n' ' ')" = ' 4 BRANCH 2 TOO_LARGE ' ]
finish
