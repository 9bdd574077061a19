#!/bin/sh
# What a trace and its report call things: all that a recording can hold, in one (x_full_recording.c).
. tests/cli/kit
x=$BUILD/tests/cli/x_full_recording
[ -x "$x" ] || skip_all 'x_full_recording is not built'
cd "$dir" || exit 1
t() {
	printf '$ jweave %s\n' "$*" >>got
	run "$@"
	cat .out .err >>got
	printf -- '-> %s\n\n' "$status" >>got
}
"$x"
t prv --map=full.map --lanes=2 full.jwr
is 'a trace that holds' "$(cd "$root" && perl tests/paraver/validate.pl "$dir/full.prv" >/dev/null 2>&1; echo $?)" 0
cat full.pcf full.row >>got
t info full.jwr
t info full.prv
t report --top=100 --map=full.map full.jwr
t report --by-thread --top=2 full.prv
t score --map=full.map --target=10000 --top=1 --suggest=s.json full.jwr
cat s.json >>got
"$BUILD/tests/cli/x_recording" run.jwr run.map 1000
t score --map=run.map --target=0.01 --suggest=small.json run.jwr
cat small.json >>got
t version
sed -i 's/^jweave [0-9].*/jweave VERSION/; s/traced on .*/traced on PLATFORMS/' got
same_text labels.txt got
finish
