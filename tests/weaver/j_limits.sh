#!/bin/sh
# Classes at the limits of the format and of what a verifier takes (OddLimits.java): woven or left with a
# reason, they answer as before and each enter has its exit.
# Slow: 15 s, a JVM runs what was woven.
set -u
. tests/weaver/j_common
asm=$(find_jar asm) || skip_all 'no asm.jar (package libasm-java)'

odd() { java -Xss900k -cp "$classes:$asm" "$@"; }
need odd OddLimits gen "$work/in"
odd OddLimits run "$work/in" >"$work/in.txt" 2>&1
check 'there are answers' [ "$(grep -c '): ' "$work/in.txt")" = 912 ]
check 'every class links before it is woven' lacks Error "$work/in.txt"

# left REASON NAMES: how many methods of classes that match NAMES stayed for REASON
left() { grep -c "/$2\.class .*: $1" "$work/left"; }

for limit in 32767 150; do
	check "woven and well formed, branches up to $limit" weave "$work/in" "--branch=$limit"
	odd "$reporting" OddLimits run "$work/woven" >"$work/out.txt" 2>&1
	check "the same answers, branches up to $limit" cmp "$work/in.txt" "$work/out.txt"
	check 'no exit without its enter, none left open' [ "$(field wrong)/$(field open)" = 0/0 ]
	# six constructors in each of four versions whose super(2) throws
	check 'ends inferred: exceptions inside super(), from version 50 on' [ "$(field inferred)" = 24 ]
	check 'every enter has its exit' \
		[ "$(field enter)" = "$(($(field exit) + $(field fail) + $(field inferred)))" ]
done

weave "$work/in" "" 2>"$work/left"
check 'left: nothing but what passes a limit' \
	not grep -qv ': \(POOL_FULL\|TOO_LARGE\|HANDLERS_FULL\)' "$work/left"
check 'left: full pools, all three methods' [ "$(left POOL_FULL 'Pool\(Wide\)*65535')" = 6 ]
check 'woven: the methods for which the pool has room' [ "$(left POOL_FULL 'Pool65515')" -le 1 ]
check 'left: full exception tables' [ "$(left HANDLERS_FULL 'Handlers65535v[0-9]*')" = 2 ]
check 'woven: exception tables with two entries to spare' [ "$(left HANDLERS_FULL 'Handlers6553[23]v[0-9]*')" = 0 ]
check 'left: code that would pass 65535 bytes' [ "$(left TOO_LARGE 'Large655[0-9]*')" = 19 ]
check 'woven: the last one that fits' [ "$(left TOO_LARGE 'Large65516')" = 0 ]
finish
