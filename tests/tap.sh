#!/bin/sh
# What a script ends with (tests/tap), started by itself as well as by prove: 1 where a test of it failed.
set -u
. tests/tap

# ends NAME LINES STATUS [LAST]: a script of these lines ends with it
ends() {
	printf '%s\n' '. tests/tap' "$2" "${4:-finish}" >"$work/script.sh"
	BUILD=none sh tests/run "$work/script.sh" >"$work/said" 2>&1
	is "$1" $? "$3"
}

ends 'all are well' 'ok one 0' 0
ends 'none was' '' 0
ends 'one is skipped' 'skip one why' 0
ends 'all are skipped' 'skip_all why' 0
ends 'one is not ok' 'ok one 0; ok two 1; ok three 0' 1
check '... which it says, with how many there were' sh -c 'grep -qx "not ok 2 - two" "$1" && grep -qx 1..3 "$1"' sh "$work/said"
ends 'a failed check' 'check one false' 1
ends 'it ends early' 'ok one 1' 1 'finish; exit; ok two 0'
ends 'what it needs is not there' 'need false' 1
none 'no script says that it ended well, whatever its tests said' "$(grep -nE -A 1 '^[[:space:]]*finish$' tests/*.sh tests/*/*.sh | grep 'exit 0')"
finish
