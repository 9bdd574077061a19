#!/bin/sh
# The runtime for aarch64: every file compiles without a warning, and the recorder's tests pass under
# qemu-user. (The whole library needs an aarch64 libdeflate and a JVM, which a cross compiler has not.)
set -u

skip() {
	echo "1..0 # SKIP $1"
	exit 0
}
cross=${CROSS_AARCH64:-aarch64-linux-gnu-}gcc
command -v "$cross" >/dev/null || skip "no $cross"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
BUILD=${BUILD:-build}
home=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}
n=0

check() { # check NAME COMMAND...: passes when COMMAND succeeds and says nothing
	n=$((n + 1))
	name=$1
	shift
	if "$@" >"$work/log" 2>&1 && [ ! -s "$work/log" ]; then
		echo "ok $n - $name"
	else
		echo "not ok $n - $name"
		sed 's/^/# /' "$work/log" | head -20
	fi
}
compile() { # compile SOURCE OBJECT
	"$cross" -std=c11 -D_XOPEN_SOURCE=700 -D_DEFAULT_SOURCE -I. -isystem "$home/include" \
		-isystem "$home/include/linux" -DJW_VERSION='"0"' -Wall -Wextra -Wpedantic -Wshadow -Wconversion \
		-Wundef -Wvla -Wformat=2 -Wstrict-prototypes -Wmissing-prototypes -Werror -O2 -fPIC \
		-fvisibility=hidden -c -o "$2" "$1"
}

for source in runtime-jni/*.c; do
	check "$source compiles" compile "$source" "$work/$(basename "$source" .c).o"
done
# enter_fast() must read the counter and its thread's pointer without a call
n=$((n + 1))
if "${cross%gcc}objdump" -d "$work/jni.o" | awk '/<enter_fast>:/ { on = 1 } /^$/ { on = 0 } on' >"$work/asm" &&
	grep -q 'cntvct_el0' "$work/asm" && grep -q 'tpidr_el0' "$work/asm" && ! grep -q '\bblr\b' "$work/asm"; then
	echo "ok $n - the hot path reads counter and thread pointer itself"
else
	echo "not ok $n - the hot path reads counter and thread pointer itself"
	sed 's/^/# /' "$work/asm"
fi

if command -v qemu-aarch64 >/dev/null; then
	mkdir "$work/below"
	for source in trace/methodmap.c trace/text.c trace/tick.c base/bytes.c base/memory.c base/operations.c base/status.c tests/tap.c; do
		compile "$source" "$work/below/$(basename "$source" .c).o" || echo "# $source does not compile"
	done
	rm -f "$work/jni.o" "$work/jvmti.o" "$work/events.o" "$work/capture.o" "$work/paths.o" "$work/finish.o"
	for test in runtime-jni/t_config runtime-jni/t_natives runtime-jni/t_virtual trace/t_tick runtime-jni/t_recorder; do
		n=$((n + 1))
		source=tests/$test.c
		test=${test#*/}
		compile "$source" "$work/$test.x" &&
			"$cross" -static -o "$work/$test" "$work/$test.x" "$work"/*.o "$work"/below/*.o -lpthread
		if timeout 200 qemu-aarch64 "$work/$test" >"$work/out" 2>&1 && grep -q '^1\.\.' "$work/out"; then
			echo "ok $n - $test under qemu"
		else
			echo "not ok $n - $test under qemu"
			sed 's/^/# /' "$work/out" | tail -20
		fi
	done
else
	n=$((n + 1))
	echo "ok $n - the tests under qemu # SKIP no qemu-aarch64"
fi
echo "1..$n"
