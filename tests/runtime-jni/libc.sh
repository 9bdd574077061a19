#!/bin/sh
# What the runtime library asks of the system: libc alone, of a glibc as old as that of the JDKs.
set -u
BUILD=${BUILD:-build}
library=$BUILD/libjweave-rt.so
oldest=2.17
. tests/tap

needed=$(readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
[ "$needed" = libc.so.6 ]
ok 'it needs libc alone' $? "$needed"

versions=$(readelf -W --dyn-syms "$library" | sed -n 's/.* \([^ ]*\)@GLIBC_\([0-9.]*\).*/\2 \1/p' | sort -V)
newest=$(printf '%s\n%s\n' "$oldest" "$(printf '%s\n' "$versions" | tail -n 1 | cut -d' ' -f1)" | sort -V | tail -n 1)
[ "$(printf '%s\n' "$versions" | wc -l)" -gt 50 ] && [ "$newest" = "$oldest" ]
ok "every symbol is in glibc $oldest" $? "$(printf '%s\n' "$versions" | tail -n 3)"

# _ITM_ and __gmon_start__ are weak and nobody's
rest=$(readelf -W --dyn-syms "$library" | awk '$7 == "UND" && $5 == "GLOBAL" && $8 !~ /@GLIBC_/ { print $8 }')
[ -z "$rest" ]
ok 'and of nothing else' $? "$rest"
finish
