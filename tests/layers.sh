#!/bin/sh
# The layers: a file includes its own folder, and of others only what these tables allow.
# (A *_int.h is for its own room, all folders of it.)
set -u

. tests/tap

# FOLDER: what its files may include: folders, or a header by name. No folder comes before what it includes.
order='
base:
cfr: base
rules: base
trace/format: base
trace: base
trace/reader: base trace/format
trace/names: base trace/format trace/reader trace/output.h
trace/select: base trace trace/format trace/reader trace/names
trace/replay/arrows: base trace trace/format trace/reader trace/replay/world.h trace/replay/track.h trace/replay/inside.h trace/replay/virtual_lanes.h trace/replay/heap.h trace/replay/spool.h trace/replay/point.h
trace/replay: base trace trace/format trace/reader trace/names trace/select trace/replay/arrows
trace/paraver: base trace trace/format trace/reader trace/names trace/select trace/replay
trace/calls: base
trace/report: base trace trace/calls trace/format trace/reader trace/names trace/replay trace/replay/arrows/arrow_search.h trace/paraver/prv_source.h
trace/follow: base trace trace/format trace/reader trace/names trace/replay trace/replay/arrows/arrow_search.h trace/report
trace/slowest: base trace trace/reader trace/replay/method_numbers.h trace/report/report.h trace/follow
trace/path: base trace trace/reader trace/replay/method_numbers.h trace/report/report.h trace/follow
trace/diff: base trace/calls trace/report/report.h
trace/draw: base trace trace/format trace/reader trace/replay trace/paraver/prv_source.h
trace/perfetto: base trace trace/format trace/names trace/replay/aside.h trace/replay/method_numbers.h
trace/otf2: base trace trace/format trace/names trace/replay/later.h trace/replay/method_numbers.h trace/replay/spool.h
trace/paje: base trace trace/format trace/names trace/replay/aside.h trace/replay/later.h trace/replay/method_numbers.h
trace/tables: base trace trace/format trace/names trace/replay/method_numbers.h
trace/sqlite: base trace trace/tables
trace/tsv: base trace trace/tables
trace/text: base trace trace/names trace/replay/method_numbers.h
trace/speedscope: base trace trace/names trace/text
trace/chrome: base trace trace/names trace/text
trace/collapsed: base trace trace/names trace/calls trace/text trace/report/report.h
trace/export: base trace/speedscope trace/chrome trace/collapsed trace trace/reader trace/replay trace/perfetto trace/otf2 trace/paje trace/tables trace/sqlite trace/tsv trace/paraver/prv_source.h
trace/view: base trace trace/calls trace/reader trace/replay trace/report/report.h
trace/source: base trace trace/reader trace/replay trace/paraver/prv_source.h
weaver/input: base cfr rules
weaver/types: base cfr rules weaver/input
weaver/class: base cfr rules trace/format weaver/types
weaver/archive: base cfr rules trace/format weaver/input weaver/types weaver/class
weaver/tool: base weaver/archive
runtime-jni/recorder: base trace/format trace/paraver/paraver.h trace/replay/profile.h trace/report/report.h
runtime-jni/jvm: base trace/format runtime-jni/recorder
cli: base cfr rules trace/format trace/select/select.h trace/paraver/prv_source.h trace/replay/profile.h trace/paraver/paraver.h trace/report/report.h trace/report/info.h trace/report/cost.h trace/calls trace/diff/diff.h trace/draw/draw.h trace trace/export trace/tables/tables.h trace/follow/chosen.h trace/slowest/slowest.h trace/path/path.h trace/path/history.h trace/source trace/view/view.h weaver/input weaver/archive
'
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
	sed -n '/^No folders include each other/,/^#/p' docs/architecture.md | sed -n 's/[^`]*`\([a-z-]*\/[^`]*\)\.h`[^`]*/\1\n/gp' | grep . | sort
}
is 'the circles of includes are those that docs/architecture.md names' "$(circles)" "$(named)"

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
is 'and a circle of three' "$(cd "$work" && circles | tr '\n' ' ')" 'weaver/a weaver/b weaver/c '
finish
