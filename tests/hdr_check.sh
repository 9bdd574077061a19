#!/bin/sh
# Every header compiles alone, with the project's warnings as errors.
set -u

cc=${CC:-cc}
build=${BUILD:-build}
home=${JAVA_HOME:-}
n=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

compiles() { # compiles HEADER: messages to stdout
	printf '#include "%s"\nextern int one;\n' "$1" >"$work/one.c"
	# shellcheck disable=SC2086 # CC may hold options
	$cc -std=c11 -D_XOPEN_SOURCE=700 -D_DEFAULT_SOURCE -I. -I"$build/gen" -I"$home/include" \
		-I"$home/include/linux" -DJW_VERSION='""' -Wall -Wextra -Wpedantic -Werror -fsyntax-only "$work/one.c" 2>&1
}

for header in $(find base cfr rules trace weaver runtime-jni cli tests -name '*.h' | sort); do
	n=$((n + 1))
	if text=$(compiles "$header"); then
		echo "ok $n - $header"
	else
		echo "not ok $n - $header"
		printf '%s\n' "$text" | sed 's/^/# /'
	fi
done

# the test of the test
n=$((n + 1))
echo 'size_t nothing_included(void);' >"$work/bad.h"
if compiles "$work/bad.h" >/dev/null; then
	echo "not ok $n - a header that lacks an include is seen"
else
	echo "ok $n - a header that lacks an include is seen"
fi
echo "1..$n"
