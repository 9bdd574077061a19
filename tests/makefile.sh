#!/bin/sh
# The Makefile: `make check-ROOM` builds all that the room's tests run, so that none judges an old program.
set -u
. tests/tap

none=$work/none # a build folder in which everything is still to be made

# made PLAN FILE: does PLAN, what `make -n` says, make the file before prove starts?
made() {
	sed '/-S prove/,$d' "$1" | grep -qF "'$none/$2';"
}
# run_by ROOM: what the room's scripts name below the build folder, and the product
run_by() {
	printf '%s\n' jweave libjweave-rt.so jweave-rt.jar
	find "tests/$1" -maxdepth 1 -type f ! -name '*.c' -exec grep -hoE '(BUILD|build)"?/tests/[a-z-]+/x_[a-z_]+' {} + |
		sed 's|^[^/]*/||' | sort -u
}

for room in base cfr rules trace weaver runtime-jni cli e2e; do
	SAN= COV= DEV= MAKEFLAGS= make -n V=0 BUILD="$none" "check-$room" >"$work/$room" 2>"$work/err"
	ok "check-$room: there is a plan" $? "$(cat "$work/err")"
	none "check-$room: what its tests run is built first" \
		"$(run_by "$room" | while read -r file; do made "$work/$room" "$file" || echo "not built: $file"; done)"
	check "check-$room: prove runs" grep -q -e '-S prove' "$work/$room"
done
check 'the programs of scripts are looked for' sh -c 'echo "$1" | grep -qx tests/cli/x_recording' sh "$(run_by cli)"
check 'nothing was made for this' [ ! -e "$none" ]
finish
