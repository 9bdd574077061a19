#!/bin/sh
# Classes that no javac writes (OddClasses.java): woven, they answer as before, each enter has its
# exit, and HotSpot takes them. Then the test of this test: weavers broken on purpose must be caught.
# Slow: 15 s, a JVM runs what was woven.
set -u
. tests/weaver/j_common
asm=$(find_jar asm) || skip_all 'no asm.jar (package libasm-java)'

limits='32767 400 150'
odd() { java -Xshare:auto -cp "$classes:$asm" "$@"; }
need odd OddClasses gen "$work/in"
odd OddClasses run "$work/in" >"$work/in.txt" 2>&1
check 'there are answers' [ "$(grep -c '): ' "$work/in.txt")" -gt 600 ]
check 'every class links before it is woven' lacks Error "$work/in.txt"

for limit in $limits; do
	check "woven and well formed, branches up to $limit" weave "$work/in" "--branch=$limit"
	odd "$reporting" OddClasses run "$work/woven" >"$work/out.txt" 2>&1
	check "the same answers, branches up to $limit" cmp "$work/in.txt" "$work/out.txt"
	check 'no exit without its enter' [ "$(field wrong)" = 0 ]
	check 'no frame left open' [ "$(field open)" = 0 ]
	# five constructors in each of four versions whose super(2) throws
	check 'ends inferred: exceptions inside super(), from version 50 on' [ "$(field inferred)" = 24 ]
	check 'every enter has its exit' \
		[ "$(field enter)" = "$(($(field exit) + $(field fail) + $(field inferred)))" ]
done

weave "$work/in" "" 2>"$work/left"
check 'left: methods over 65535 bytes' [ "$(grep -c 'TOO_LARGE' "$work/left")" = 2 ]
check 'left: constructors that lose this, where frames matter' \
	[ "$(grep -c 'CtorOverwritten5[012].class\|CtorOverwritten61.class' "$work/left")" = 4 ]
check 'left: nothing else' [ "$(wc -l <"$work/left")" = 6 ]

# HotSpot falls back to its old verifier in version 50, which hides wrong frames: raise it here
mkdir "$work/raised"
for f in "$work"/woven/*50.class "$work/woven/OddParent.class"; do
	case $f in
	*NoTable50.class) continue ;;
	esac
	cp "$f" "$work/raised/"
	[ "${f##*/}" = OddParent.class ] || printf '\063' | dd of="$work/raised/${f##*/}" bs=1 seek=7 conv=notrunc 2>/dev/null
done
java -cp "$classes" LinkAll --url "$work/raised" >"$work/raised.txt"
check 'version 50 has frames that the new verifier takes' [ "$(wc -l <"$work/raised.txt")" = 1 ]

# mutant NAME FILE SED LIMIT WHAT: a weaver with FILE changed by SED; WHAT must show in what comes out
mutant() {
	sed "$3" "weaver/class/$2" >"$work/$2"
	if cmp -s "weaver/class/$2" "$work/$2"; then
		ok "mutant: $1 (the source has changed: adapt this test)" 1
		return
	fi
	# the rest is the tool of this build
	if ! $CC -std=c11 -D_XOPEN_SOURCE=700 -D_DEFAULT_SOURCE -O1 -w -I. -fno-lto ${SAN:+-fsanitize=$SAN} ${COV:+--coverage} \
		-o "$work/mutant" "$work/$2" "$weavedir.o" "$BUILD/libweaver.a" \
		"$BUILD/librules.a" "$BUILD/libcfr.a" "$BUILD/libtrace.a" "$BUILD/libbase.a" \
		-lz -ldeflate -lcjson -lpthread 2>"$work/cc.err"; then
		ok "mutant: $1 (does not build)" 1 "$(cat "$work/cc.err")"
		return
	fi
	rm -rf "$work/out"
	# a sanitized weaver checks what it emits, and may say itself what the JVM would
	if ! "$work/mutant" "--branch=$4" "$work/in" "$work/out" >"$work/mutant.txt" 2>&1; then
		check "caught: $1 (by the weaver's own check)" says 'bug:' "$work/mutant.txt"
		return
	fi
	odd "$reporting" OddClasses run "$work/out" >"$work/out.txt" 2>&1
	case $5 in
	VerifyError) check "caught: $1" says VerifyError "$work/out.txt" ;;
	unbalanced) check "caught: $1" [ "$(field inferred)$(field wrong)$(field open)" != 2400 ] ;;
	different) check "caught: $1" not cmp -s "$work/in.txt" "$work/out.txt" ;;
	esac
}
mutant 'frames through ins' frames.c 's/return weave_lab(/return weave_ins(/' 32767 VerifyError
mutant 'Uninitialized through end' frames.c 's/return weave_ins(/return weave_end(/' 32767 different
mutant 'handler ranges not split around islands' handlers.c \
	's/plan->island_count > 0/0/; s/plan->island_count == 0/1/' 150 VerifyError
mutant 'islands with the frame of the gap' frames.c 's/frame_at(smt, island->target)/frame_at(smt, plan->edits[island->edit].pc)/' 150 VerifyError
mutant 'one handler for both sides of super()' sites.c 's/== WEAVE_THIS_UNINIT ?/== WEAVE_THIS_NOW ?/' 32767 VerifyError
mutant 'super() covered' sites.c 's/ || s->state == WEAVE_THIS_NOW//' 32767 VerifyError
mutant 'branches past the exit probe' plan.c 's/return weave_lab(plan, jump->target)/return weave_ins(plan, jump->target)/' 32767 VerifyError
mutant 'exit probes covered' sites.c 's/return close_range(s, pc, pc + 1, e);/return JW_OK;/' 32767 unbalanced
finish
