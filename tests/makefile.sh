#!/bin/sh
# The Makefile: what a target tests is built first, so that none judges an old program; and the tiers of tests.
set -u
. tests/tap

none=$work/none # a build folder in which everything is still to be made

# plan BUILD ARGUMENTS...: what make would do
plan() {
	folder=$1
	shift
	SAN= COV= DEV= MAKEFLAGS= make -n V=0 BUILD="$folder" "$@" 2>"$work/err"
}
# made PLAN FILE: does PLAN, what `make -n` says, make the file before prove starts?
made() {
	sed '/-S prove/,$d' "$1" | grep -qF "'$none/$2';"
}
# unmade PLAN FILE...: those that it does not make
unmade() {
	plan=$1
	shift
	for file; do made "$plan" "$file" || echo "not built: $file"; done
}
# tests PLAN: what prove runs, one a line
tests() { sed -n "s/.*--exec 'sh tests.run'//p" "$1" | tr ' ' '\n' | sed "s|^$none/||; /^\$/d"; }
# run_by ROOM: what the room's scripts name below the build folder, and the product
run_by() {
	printf '%s\n' jweave libjweave-rt.so jweave-rt.jar
	find "tests/$1" -maxdepth 1 -type f ! -name '*.c' -exec grep -hoE '(BUILD|build)"?/tests/[a-z-]+/x_[a-z_]+' {} + |
		sed 's|^[^/]*/||' | sort -u
}

rooms='base cfr rules trace weaver runtime-jni cli'
for target in $rooms e2e $(for room in $rooms; do echo "$room-slow"; done); do
	plan "$none" "check-$target" >"$work/$target"
	ok "check-$target: there is a plan" $? "$(cat "$work/err")"
	# shellcheck disable=SC2046 # names
	none "check-$target: what its tests run is built first" \
		"$(unmade "$work/$target" $(run_by "${target%-slow}") $(tests "$work/$target" | grep '/[tpf]_[a-z_]*$'))"
done
check 'the programs of scripts are looked for' sh -c 'echo "$1" | grep -qx tests/cli/x_recording' sh "$(run_by cli)"
check 'check-cli: a change of cli/main.c builds the program again' \
	sh -c 'sed "/-S prove/,\$d" "$1" | grep -qF "/jweave'\'';"' sh "$(plan "${BUILD:-build}" -W cli/main.c check-cli >"$work/plan"; echo "$work/plan")"

# ---- one folder, whatever its name: objects know the headers that they were made of by the names of that build ----

ln -s "$PWD" "$work/link"
here=no-build-$$ # below the Makefile; nothing is made
plan "$here" all >"$work/short"
for name in "$PWD/$here" "./$here" "$here/" "$PWD//$here/"; do
	plan "$name" all >"$work/long"
	ok "BUILD=${name%$here*}... is BUILD=..." "$(cmp -s "$work/short" "$work/long"; echo $?)" "$(diff "$work/short" "$work/long" | head -n 4)"
done
(cd "$work/link" && plan "$(pwd -L)/$here" all) >"$work/long"
ok '... so is one by a link to the folder' "$(cmp -s "$work/short" "$work/long"; echo $?)" "$(diff "$work/short" "$work/long" | head -n 4)"
plan "$PWD/$here" SAN=thread "$PWD/$here/san-thread/libbase.a" >"$work/long"
plan "$here" SAN=thread "$here/san-thread/libbase.a" >"$work/short"
ok 'a target by its whole name' "$([ -s "$work/long" ] && cmp -s "$work/short" "$work/long"; echo $?)" "$(cat "$work/err"; diff "$work/short" "$work/long" | head -n 4)"
plan "$here" "$PWD/$here/nothing" >"$work/long"
like 'one that there is no rule for' "$(cat "$work/err")" "*No rule to make target*$here/nothing*"
build=${BUILD:-build}
plan "$(cd "$build" && pwd)" -W base/status.h "$build/base/unpack.o" >"$work/plan"
ok 'a header that has changed' "$(grep -qF "'base/unpack.c';" "$work/plan"; echo $?)" "$(cat "$work/err")"
check 'nothing was made for this' [ ! -e "$here" ]

# ---- tiers ----

plan "$none" unit >"$work/unit"
plan "$none" check-run >"$work/all"
# what can be a test, by its name
find tests -mindepth 1 -maxdepth 2 \( -name '[tpf]_*.c' -o -name '*.sh' -o -name '*.t' \) | sed 's/\.c$//' | sort >"$work/every"
# those that say that they are slow
grep -lE '^(#|/\*| \*) Slow: [0-9]+ s, ' $(find tests -mindepth 1 -maxdepth 2 -type f) | sed 's/\.c$//' | sort >"$work/slow"
is 'make check runs every test, once' "$(tests "$work/all" | sort)" "$(cat "$work/every")"
is 'the longest first' "$(tests "$work/all" | head -n 1)" "$(grep -oE '^(#|/\*| \*) Slow: [0-9]+ s, ' $(find tests -mindepth 1 -maxdepth 2 -type f) |
	sed 's/:.*: \([0-9]*\).*/ \1/' | sort -k2nr | head -n 1 | sed 's/\.c .*//; s/ .*//')"
is 'make unit runs the programs that are quick' "$(tests "$work/unit" | sort)" \
	"$(grep '/[tpf]_[a-z_]*$' "$work/every" | grep -vxFf "$work/slow")"
none 'make unit builds what it runs' "$(unmade "$work/unit" $(tests "$work/unit"))"
for room in $rooms; do
	tests "$work/$room-slow" | sort >"$work/its"
	is "check-$room-slow: its slow tests" "$(cat "$work/its")" "$(grep "^tests/$room/" "$work/slow")"
	is "check-$room: all others" "$(tests "$work/$room" | sort)" "$(grep "^tests/$room/" "$work/every" | grep -vxFf "$work/slow")"
done
none 'a test that calls itself slow says for how long, and why, as make reads it' "$(find tests -mindepth 1 -maxdepth 2 -type f ! -name '*.md' -exec \
	grep -HiE '^(#|/\*| \*)( *slow\b|.* slow: *[0-9])' {} + | grep -vE ':(#|/\*| \*) Slow: [0-9]+ s, .')"
none 'what weaves whole modules for a JVM is slow' "$(find tests -name 'j_*.sh' | grep -vxFf "$work/slow")"

# ---- libraries that may be missing ----

plan "$none" WITHOUT=otf2 all >"$work/without"
plan "$none" all >"$work/with"
for word in open-trace trace/otf2/otf2.c; do
	is "WITHOUT=otf2: $word is left out" "$(grep -c "$word" "$work/without")" 0
	[ "$(pkg-config --exists otf2 2>/dev/null && echo yes)" ] || { skip "$word, where pkg-config finds it" 'no libotf2'; continue; }
	ok "$word, where pkg-config finds it" "$(grep -q "$word" "$work/with"; echo $?)"
done
ok '... which its format hears' "$(grep -q 'define JW_HAVE_otf2 0' "$work/without"; echo $?)"
plan "$none" WITHOUT=libmicrohttpd all >"$work/without"
ok 'WITHOUT=libmicrohttpd: which the server hears' "$(grep -q 'define JW_HAVE_libmicrohttpd 0' "$work/without"; echo $?)"
is 'the program does not link what it loads' "$(grep -c 'lmicrohttpd' "$work/with")" 0
is 'the runtime has no formats of other tools' "$(grep 'libjweave-rt.so' "$work/with" | grep -cE 'trace/(otf2|export)')" 0

# ---- folders ----

mkdir -p "$work/packed/deb/usr/share/fish/vendor_completions.d"
plan "$work/packed" help >"$work/plan"
ok 'a package that was made is no part of the build' $? "$(cat "$work/err")"
plan "$work/a folder" help >"$work/plan"
like 'a path with blanks is refused' "$?: $(cat "$work/err")" "2: *cannot have blanks in their paths: $PWD, $work/a folder.  Stop."

check 'nothing was made for this' [ ! -e "$none" ]
finish
