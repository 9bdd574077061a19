#!/bin/sh
# Every header compiles alone, with the project's warnings as errors.
set -u
. tests/tap

cc=${CC:-cc}
build=${BUILD:-build}
home=$(java_home)

compiles() { # compiles HEADER: messages to stdout
	printf '#include "%s"\nextern int one;\n' "$1" >"$work/one.c"
	# shellcheck disable=SC2086 # CC may hold options
	$cc -std=c11 -D_XOPEN_SOURCE=700 -D_DEFAULT_SOURCE -I. -I"$build/gen" -I"$home/include" \
		-I"$home/include/linux" -DJW_VERSION='""' -Wall -Wextra -Wpedantic -Werror -fsyntax-only "$work/one.c" 2>&1
}

for header in $(find base cfr rules trace weaver runtime-jni cli tests -name '*.h' | sort); do
	check "$header" compiles "$header"
done

# the test of the test
echo 'size_t nothing_included(void);' >"$work/bad.h"
check 'a header that lacks an include is seen' not compiles "$work/bad.h"
finish
