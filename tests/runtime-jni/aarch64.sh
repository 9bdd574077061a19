#!/bin/sh
# The runtime for aarch64: made as `make aarch64` makes it, without a warning; what it needs; and the
# unit tests of what is in it (and of cfr/) under qemu-user.
# Slow: 60 s, builds the runtime for aarch64, and qemu runs its tests.
. tests/runtime-jni/elsewhere

cc=${AARCH64_CC:-aarch64-linux-gnu-gcc}
cc_variable=AARCH64_CC
tools=${cc%gcc}
folder=rt-aarch64
command -v "$cc" >/dev/null || skip_all "no $cc: 'make aarch64' installs it"
root=$(dirname "$(dirname "$(readlink -f "$("$cc" -print-file-name=libc.so.6)")")")
[ -e "$root/lib/libc.so.6" ] || skip_all "$cc has no C library: 'make aarch64' installs it"

make_library linux-aarch64 "AARCH64_CC=$cc"
needed=$(needed_by "$library")
[ "$needed" = 'ld-linux-aarch64.so.1 libc.so.6 ' ]
ok 'it needs libc alone' $? "$needed"
newest=$("${tools}readelf" -W --dyn-syms "$library" | sed -n 's/.*@GLIBC_\([0-9.]*\).*/\1/p' | sort -V | tail -n 1)
[ "$newest" = 2.17 ]
ok 'of glibc 2.17, the first that aarch64 had' $? "$newest"

# what shows a java its copies is linked with no library: not with the compiler's own, either
"$cc" -std=c11 -D_XOPEN_SOURCE=700 -D_DEFAULT_SOURCE -O2 -fPIC -fvisibility=hidden -I. -shared -nostdlib -o "$work/overlay.so" runtime-jni/overlay/overlay.c base/overlay.c
undefined=$("${tools}nm" -D "$work/overlay.so" | sed -n 's/^ *U //p' | LC_ALL=C sort | tr '\n' ' ')
[ "$undefined" = '__errno_location environ memchr mmap munmap strcmp strlen strncmp strrchr syscall ' ]
ok 'the overlay needs of a C library what each has' $? "$undefined"

# enter_fast() must read the counter and its thread's pointer without a call
"${tools}objdump" -d "$work/rt-aarch64/runtime-jni/jvm/probes.o" |
	awk '/<enter_fast>:/ { on = 1 } /^$/ { on = 0 } on' >"$work/asm"
grep -q 'cntvct_el0' "$work/asm" && grep -q 'tpidr_el0' "$work/asm" && ! grep -q '\bblr\b' "$work/asm"
ok 'the hot path reads counter and thread pointer itself' $? "$(cat "$work/asm")"

if command -v qemu-aarch64 >/dev/null; then
	unit_tests qemu-aarch64 -L "$root"
else
	skip 'the unit tests under qemu' "no qemu-aarch64: Debian's qemu-user has it"
fi
finish
