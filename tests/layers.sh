#!/bin/sh
# The layers: a file includes only its own folder and the public headers of the rooms below it.
# (A *_int.h is for its own room.) The recorder's hot path sees of trace/ what recorder and reader
# share and nothing else: the format (recording.h) and the clock (tick.h).
set -u

. tests/tap

# includes ROOM: "file: included" for each quoted include
includes() {
	find "$1" -name '*.[ch]' -o -name '*.def' | sort | xargs grep -Hn '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' |
		sed 's/^\([^:]*:[0-9]*\):.*"\(.*\)".*/\1 \2/'
}

# wrong ROOM ALLOWED...: what ROOM includes and may not
wrong() {
	room=$1
	shift
	includes "$room" | while read -r where what; do
		folder=${what%%/*}
		bad=yes
		for allowed in "$room" "$@"; do
			[ "$folder" != "$allowed" ] || bad=no
		done
		case $what in
		*/*) ;;
		*) bad=yes ;; # a bare name: no folder to judge by
		esac
		case $what in
		*_int.h) [ "$folder" = "$room" ] || bad=yes ;;
		esac
		# made by the build under gen/, or beside the file
		[ ! -e "$room/$what" ] || bad=no
		[ $bad = no ] || echo "$where includes \"$what\""
	done
}

# layer ROOM ALLOWED...
layer() { none "includes only what it may: $*" "$(wrong "$@")"; }
layer base
layer cfr base
layer rules base
layer trace base
layer weaver rules cfr trace base
layer runtime-jni trace base gen
layer cli weaver rules cfr trace base gen

# the file that holds the store of a record: whatever makes words of records and is not conversion
hot=$(grep -l 'jwr_word *(' runtime-jni/*.[ch] 2>/dev/null)
found=$(for f in $hot; do
	grep -Hn '#[[:space:]]*include[[:space:]]*"trace/' "$f" | grep -vE 'trace/(recording|tick)\.h"'
done)
[ -n "$hot" ] && [ -z "$found" ]
ok 'the hot path includes recording.h and tick.h alone of trace/' $? "${found:-$hot}"

# the tests of the test: a wrong include is seen
mkdir "$work/cfr"
printf '#include "weaver/weave.h"\n#include "base/x_int.h"\n#include "base/bytes.h"\n' >"$work/cfr/a.c"
is 'an include upward and a private header are seen' "$(cd "$work" && wrong cfr base | wc -l)" 2
finish
