#!/bin/sh
# The recorder under ThreadSanitizer: its tests again, built into a folder of their own.
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

program=$BUILD/san-thread/tests/runtime-jni/t_recorder
if ! MAKEFLAGS='' make -s BUILD="$BUILD" SAN=thread COV= "$program" >"$work/log" 2>&1; then
	echo '1..1'
	echo 'not ok 1 - the recorder builds with ThreadSanitizer'
	sed 's/^/# /' "$work/log" | tail -20
	exit 1
fi
# a report makes its process exit with 66, which the test sees; reports of the children go to files
TSAN_OPTIONS="log_path=$work/report exitcode=66" timeout 300 "$program" >"$work/out"
cat "$work/out"
if cat "$work"/report.* >"$work/reports" 2>/dev/null; then
	sed 's/^/# /' "$work/reports" | head -60
	exit 1
fi
