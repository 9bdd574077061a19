#!/bin/sh
# The recorder's C tests again, under ThreadSanitizer, built into a folder of their own.
# Slow: 90 s, builds the recorder and its tests for ThreadSanitizer.
set -u

. tests/tap

BUILD=${BUILD:-build}
echo 'int main(void) { return 0; }' >"$work/try.c"
${CC:-cc} -fsanitize=thread -o "$work/try" "$work/try.c" 2>/dev/null && "$work/try" 2>/dev/null ||
	skip_all 'no working ThreadSanitizer'

programs=
for source in tests/runtime-jni/t_*.c; do
	name=${source##*/}
	programs="$programs $BUILD/san-thread/tests/runtime-jni/${name%.c}"
done
# shellcheck disable=SC2086 # a list
need env MAKEFLAGS= make -s BUILD="$BUILD" SAN=thread COV= $programs
for program in $programs; do
	rm -f "$work"/report.*
	# a report makes its process exit with 66, which the test sees; reports of the children go to files
	TSAN_OPTIONS="log_path=$work/report exitcode=66" timeout 300 "$program" >"$work/out" 2>&1 &&
		! cat "$work"/report.* >"$work/reports" 2>/dev/null
	ok "${program##*/}" $? "$(grep -v '^ok' "$work/out" | head -n 30; head -n 60 "$work/reports" 2>/dev/null)"
done
finish
