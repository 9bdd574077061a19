#!/bin/sh
# Classes made to be too much (OddGiants.java), woven with every method and call: within seconds, well formed, and they
# answer as before. What is left is left with a reason.
set -u
. tests/weaver/j_common
asm=$(find_jar asm) || skip_all 'no asm.jar (package libasm-java)'

need javac -nowarn -cp "$asm" -d "$tmp/java" tests/weaver/OddClasses.java tests/weaver/OddGiants.java tests/weaver/Probe.java
odd() { java -Xss900k -XX:TieredStopAtLevel=1 -cp "$tmp/java:$asm" "$@"; }
need odd OddGiants gen "$tmp/in"
odd OddGiants run "$tmp/in" >"$tmp/in.txt" 2>&1
check 'there are answers' [ "$(grep -c '): ' "$tmp/in.txt")" = 78 ]
check 'every class links before it is woven' not grep -q 'Error' "$tmp/in.txt"

field() { sed "s/.*$1 \([0-9]*\).*/\1/" "$tmp/report"; }
for options in '' '--branch=150 --calls' '--calls --captures' '--only-calls --captures --branch=400'; do
	rm -rf "$tmp/out"
	# a second or less for all, unless something grows by the square
	# shellcheck disable=SC2086 # options are words
	check "woven in time and well formed, with [$options]" \
		timeout 60 "$weavedir" --check $options "$tmp/in" "$tmp/out"
	odd -Djweave.test.report="$tmp/report" OddGiants run "$tmp/out" >"$tmp/out.txt" 2>&1
	check "the same answers, with [$options]" cmp "$tmp/in.txt" "$tmp/out.txt"
	check 'no exit without its enter, none left open, none inferred' \
		[ "$(field wrong)/$(field open)/$(field inferred)" = 0/0/0 ]
	check 'every enter has its exit' [ "$(field enter)" = "$(($(field exit) + $(field fail)))" ]
done

"$weavedir" "$tmp/in" "$tmp/out" >"$tmp/summary" 2>"$tmp/left"
check 'nothing is left' not test -s "$tmp/left"
"$weavedir" --branch=150 "$tmp/in" "$tmp/out" >"$tmp/summary" 2>"$tmp/left"
check 'left with near branches: what would be too large, or has no gap for an island' \
	[ "$(sed 's/.*: \(TOO_LARGE\|BRANCH\): .*/\1/' "$tmp/left" | sort | uniq -c | tr -s ' \n' ' ')" = ' 4 BRANCH 2 TOO_LARGE ' ]
done_testing
