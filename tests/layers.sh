#!/bin/sh
# The layers: a file includes its own folder, and of others only what these tables allow.
# (A *_int.h is for its own room, all folders of it.)
set -u

. tests/tap

# What the files of each folder may include: the file LAYERS of each room says it, rooms from below upward.
rooms='base cfr rules trace weaver runtime-jni cli'
order=$(for room in $rooms; do grep -v '^#' "$room/LAYERS"; done)
# FOLDER: a header that it includes all the same, and why. The list may only become shorter.
exceptions='
'

# includes: "folder file:line included" for each quoted include of the folders that hold C
includes() {
	find base cfr rules trace weaver runtime-jni cli \( -name '*.[ch]' -o -name '*.def' \) -exec \
		grep -Hn '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' {} + | sort |
		sed 's|^\(.*\)/\([^/:]*:[0-9]*\):[^"]*"\([^"]*\)".*|\1 \1/\2 \3|'
}

# wrong TABLE: the includes that TABLE does not allow, "folder included  file:line"
wrong() {
	includes | awk -v table="$1" '
	function folder(path) { return sub("/[^/]*$", "", path) ? path : "." }
	function room(path) { sub("/.*", "", path); return path }
	BEGIN {
		lines = split(table, line, "\n")
		for (i = 1; i <= lines; i++) {
			sub(" - .*", "", line[i])
			n = split(line[i], word, "[: ]+")
			for (j = 1; j <= n; j++)
				may[word[1] " " word[j]]
		}
	}
	{
		good = ($1 " " folder($3)) in may || ($1 " " $3) in may
		if ($3 ~ /_int\.h$/ && room($1) != room($3))
			good = 0
		if (!good)
			print $1, $3, " " $2
	}'
}

none 'a file includes only what it may' "$(wrong "$order$exceptions")"
none 'a folder has one line, after those of the folders that it includes' "$(printf '%s' "$order" | awk '
	NF {
		sub(":", "", $1)
		if ($1 in seen)
			print $1 ": twice"
		seen[$1]
		for (i = 2; i <= NF; i++)
			if ($i !~ /\.h$/ && !($i in seen))
				print $1 ": " $i " comes later"
	}')"
none 'every exception is needed' "$(wrong "$order" >"$work/wrong"
	printf '%s' "$exceptions" | sed -n 's/^\(.*\): \(.*\) - .*/\1 \2/p' | while read -r what; do
		grep -qF "$what " "$work/wrong" || echo "no longer: $what"
	done)"

# circles: "module" for each (x.c and x.h) that includes itself by way of others. What includes the interface of its
# own folder, FOLDER/FOLDER.h, does not count: the parts of a folder need its types.
circles() {
	includes | awk '
		function module(path) { sub("\\.[a-z]*(:[0-9]*)?$", "", path); return path }
		function is_interface(path,   n, part) { n = split(path, part, "/"); return n > 1 && part[n] == part[n - 1] }
		function dir(path) { sub("/[^/]*$", "", path); return path }
		function reach(from, to,   n, next_of, i) {
			n = split(out[from], next_of, " ")
			for (i = 1; i <= n; i++) {
				if (next_of[i] == to)
					return 1
				if (!(next_of[i] in seen)) {
					seen[next_of[i]]
					if (reach(next_of[i], to))
						return 1
				}
			}
			return 0
		}
		$3 ~ /\.h$/ {
			a = module($2)
			b = module($3)
			if (a != b && !(is_interface(b) && dir(a) == dir(b)))
				out[a] = out[a] " " b
		}
		END {
			for (m in out) {
				split("", seen)
				if (reach(m, m))
					print m
			}
		}' | sort
}
# named: the modules of the circles that docs/architecture.md gives reasons for
named() {
	sed -n '/^No folders include each other/,/^More than a third/p' docs/architecture.md | sed -n 's/[^`]*`\([a-z-]*\/[^`]*\)\.h`[^`]*/\1\n/gp' | grep . | sort
}
is 'the circles of includes are those that docs/architecture.md names' "$(circles)" "$(named)"

# contracts: the headers that more than a third of the C files of their room include. (All include base/banned.h.)
contracts() {
	find $rooms -name '*.c' >"$work/all.c"
	includes | awk -v all="$work/all.c" '
		function room(path) { sub("/.*", "", path); return path }
		BEGIN {
			while ((getline file <all) > 0)
				files[room(file)]++
		}
		{ sub(":[0-9]*$", "", $2) }
		$2 ~ /\.c$/ && room($2) == room($3) && !(($2, $3) in seen) {
			seen[$2, $3]
			if (3 * ++n[$3] > files[room($3)])
				contract[$3]
		}
		END {
			for (header in contract)
				if (header != "base/banned.h")
					print header
		}' | sort
}
is 'what more than a third of a room includes is a contract that docs/architecture.md names' "$(contracts)" \
	"$(sed -n '/^More than a third/,/^## /p' docs/architecture.md | grep -o '`[^`]*\.h`' | tr -d '`' | sort)"

# The recorder's hot path sees of trace/ what recorder and reader share and nothing else: the format and the
# clock. It is in the file that holds the store of a record: whatever makes words of records.
hot=$(grep -rl 'jwr_word *(' runtime-jni --include='*.[ch]')
found=$(for f in $hot; do
	grep -Hn '#[[:space:]]*include[[:space:]]*"trace/' "$f" | grep -vE 'trace/format/(recording|tick)\.h"'
done)
[ -n "$hot" ] && [ -z "$found" ]
ok 'the hot path includes recording.h and tick.h alone of trace/' $? "${found:-$hot}"

# the tests of the test: a wrong include is seen
mkdir -p "$work/base" "$work/cfr" "$work/rules" "$work/trace/reader" "$work/weaver" "$work/runtime-jni" "$work/cli"
printf '#include "weaver/class/weave.h"\n#include "base/x_int.h"\n#include "bytes.h"\n#include "base/bytes.h"\n' >"$work/cfr/a.c"
is 'an include upward, a private header and a bare name are seen' "$(cd "$work" && wrong "$order" | wc -l)" 3
printf '#include "trace/replay/world.h"\n' >"$work/trace/reader/a.c"
is 'so is one between the folders of a room' "$(cd "$work" && wrong "$order" | grep -c '^trace/reader')" 1
printf '#include "weaver/b.h"\n' >"$work/weaver/a.h"
printf '#include "weaver/c.h"\n' >"$work/weaver/b.c"
printf '#include "weaver/a.h"\n' >"$work/weaver/c.c"
is 'a header that the only two files of a room include is a contract' "$(cd "$work" && contracts 2>/dev/null | grep '^weaver/' | tr '\n' ' ')" \
	'weaver/a.h weaver/c.h '
is 'and a circle of three' "$(cd "$work" && circles | tr '\n' ' ')" 'weaver/a weaver/b weaver/c '
finish
