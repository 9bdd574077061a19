#!/bin/sh
# The recorder's C tests again, under ThreadSanitizer, built into a folder of their own.
set -u

skip() {
	echo "1..0 # SKIP $1"
	exit 0
}
BUILD=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo 'int main(void) { return 0; }' >"$work/try.c"
${CC:-cc} -fsanitize=thread -o "$work/try" "$work/try.c" 2>/dev/null && "$work/try" 2>/dev/null ||
	skip 'no working ThreadSanitizer'

programs=
for source in tests/runtime-jni/t_*.c; do
	name=${source##*/}
	programs="$programs $BUILD/san-thread/tests/runtime-jni/${name%.c}"
done
# shellcheck disable=SC2086 # a list
if ! MAKEFLAGS='' make -s BUILD="$BUILD" SAN=thread COV= $programs >"$work/log" 2>&1; then
	echo '1..1'
	echo 'not ok 1 - the recorder builds with ThreadSanitizer'
	sed 's/^/# /' "$work/log" | tail -20
	exit 1
fi
n=0
for program in $programs; do
	n=$((n + 1))
	rm -f "$work"/report.*
	# a report makes its process exit with 66, which the test sees; reports of the children go to files
	if TSAN_OPTIONS="log_path=$work/report exitcode=66" timeout 300 "$program" >"$work/out" 2>&1 &&
		! cat "$work"/report.* >"$work/reports" 2>/dev/null; then
		echo "ok $n - ${program##*/}"
	else
		echo "not ok $n - ${program##*/}"
		grep -v '^ok' "$work/out" | sed 's/^/# /' | head -30
		sed 's/^/# /' "$work/reports" 2>/dev/null | head -60
	fi
done
echo "1..$n"
