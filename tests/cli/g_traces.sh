#!/bin/sh
# What is told of recordings that are not whole, and of traces that are not: one line each, and the
# trace is made of what is there.
. tests/cli/kit
x=$BUILD/tests/cli/x_odd_recordings
[ -x "$x" ] && [ -x "$BUILD/tests/cli/x_recording" ] || skip_all 'x_odd_recordings is not built'
cd "$dir" || exit 1

t() {
	printf '$ jweave' >>got
	for word in "$@"; do printf ' %s' "$word" >>got; done
	echo >>got
	run "$@"
	cut -c1-300 .out .err >>got
	printf -- '-> %s\n\n' "$status" >>got
}
"$x"
"$BUILD/tests/cli/x_recording" run.jwr run.map 20
for name in stopped memory flight flight1 early clockless lost open headless empty damaged damaged2 paused pauses spoilt spoilts; do
	t prv $name.jwr
	[ ! -e $name.prv ] || is "$name: a trace that holds" "$(cd "$root" && perl tests/paraver/validate.pl "$dir/$name.prv" >/dev/null 2>&1; echo $?)" 0
done
cp -r stopped.jwr cut.jwr
perl -e 'truncate $ARGV[0], 90' cut.jwr/data
t prv cut.jwr
cp cut.jwr/data cut.jwr/data.1
t prv --force cut.jwr
t report deep.jwr
t report deeps.jwr
t prv nothing.jwr
t prv nothing.jwr lost.jwr -o some
t prv --lanes=2 crowd.jwr
t prv --force --lanes=5 crowd.jwr
run prv "$(printf '%04080d.jwr' 0)"
printf '$ jweave prv 000...0.jwr\n%s\n-> %s\n\n' "$(printf %s "$err" | sed 's/0\{20,\}/000/g')" "$status" >>got

run prv "$(printf './%.0s' $(seq 2042))run.jwr"
printf '$ jweave prv ././.../run.jwr\n%s\n-> %s\n\n' "$(printf %s "$err" | sed 's|\([./]\)[./]\{9,\}|\1...|g')" "$status" >>got

# ---- maps ----
printf 'jweave-map\t99\n' >newer.map
t prv --map=newer.map -o newer run.jwr
sed 's/getX/other/' run.map >twin.map
t prv --map=run.map --map=twin.map -o twin run.jwr
# the names of a jar's methods are in its classes: its map alone has none
printf 'jweave-map\t2\nr\tall\n' >alone.map
t prv --map=alone.map -o alone run.jwr
mkdir -p jar/META-INF/jweave
if command -v zip >/dev/null; then
	cp run.map jar/META-INF/jweave/1.map
	(cd jar && zip -qX ../run.jar META-INF/jweave/1.map)
	t prv --map=run.jar -o packed run.jwr
fi

# ---- traces ----
t prv -q --map=run.map -o run run.jwr
gzip -nc run.prv >cut.prv.gz
head -c $(($(wc -c <cut.prv.gz) * 2 / 3)) cut.prv.gz >half.prv.gz
cp run.pcf half.pcf && cp run.row half.row
run report half.prv.gz
printf '$ jweave report half.prv.gz\n%s\n-> %s\n\n' "$err" "$status" >>got
: >none.prv
t report none.prv
t info none.prv
printf '#Paraver (01/01/2026 at 00:00):10_ns:0:' >header.prv
t report header.prv
t info header.prv
printf '#Paraver (01/01/2026 at 00:00):10_ns:0:1:1(1:1' >short.prv
t report short.prv
cp run.prv run.txt
t info run.txt
# a packed trace takes the place of a plain one
t prv --map=run.map --gzip --force -o run run.jwr
# what is small and hot, and has no name that a rule could choose
t score run.jwr --suggest=s.json

# ---- processes ----
t ctl 4194304 status
sed -i '/^ /d; s/each tracing cost about .*/each tracing cost .../' got # (figures of a model, told in score.sh)
same_text traces.txt got
finish
