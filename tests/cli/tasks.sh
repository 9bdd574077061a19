#!/bin/sh
# jweave report --by-task, --by-stage, --by-executor, --by-host: the tasks of a job, and which took much longer than the
# others, with the reason; as text and as JSON.
. tests/cli/kit
x=$BUILD/tests/cli/x_tasks
[ -x "$x" ] || skip_all 'no x_tasks'
cd "$dir" || exit 1
mkdir R
need "$x" R R.map

run report -q --by-task --by-stage --by-executor --by-host --map R.map R
is 'status' "$status$err" '0jweave: warning: 1 process did not end, or is still running: executor 1'
cp .out tasks.txt
same_text tasks.txt tasks.txt

run report -q --top=2 --map R.map R
cp .out processes.txt
same_text processes.txt processes.txt

json() { # json PERL: evaluates it on $r, the result of the last run
	printf %s "$out" | perl -MJSON::PP -e 'local $/; $r = decode_json(<>); @t = @{ $r->{tasks} }; print '"$1"
}
run report -q --by-task --by-stage --json --map R.map R
is 'JSON: status' "$status" 0
is 'JSON: all of it' "$(json '"$r->{kind} $r->{taskCount} $r->{stageCount} $r->{stragglers}"')" 'tasks 13 2 3'
is 'JSON: stragglers first, with the reason' "$(json 'join " ", map { "$_->{task} $_->{causes}[0]{cause} $_->{causes}[0]{percent}" } grep { $_->{straggler} } @t')" \
	'5 skew 100 10 lock 100 11 gc 100'
is 'JSON: skew' "$(json 'join " ", @{ $t[0]{causes}[0] }{qw(measure value median)}')" 'recordsIn 6000 1000'
is 'JSON: a task' "$(json 'join " ", @{ $t[1] }{qw(stage executor ns medianNs lockNs recordsIn)}, $t[1]{insideNs}{blocked}')" \
	'1 executor 1 400000000 100000000 300000000 1000 300000000'
is 'JSON: one that failed' "$(json 'join " ", map { $_->{task} } grep { $_->{failed} } @t')" 8
is 'JSON: stages' "$(json 'join " ", map { "$_->{name} $_->{tasks} $_->{failed} $_->{stragglers} $_->{longestNs}" } @{ $r->{stages} }')" \
	'0 6 0 1 600000000 1 7 1 2 400000000'
run report -q --by-task --json --top=2 --map R.map R
is 'JSON: the first ones' "$(json 'scalar(@t)')" 2
run report -q --by-executor --json --map R.map R
is 'JSON: executors' "$(json 'scalar(@t), join " ", map { " $_->{name} $_->{tasks}" } @{ $r->{executors} }')" '0 executor 0 6  executor 1 7'
run report -q --by-host --process='executor 1' --map R.map R
like 'of one process' "$status$out" '0*7 tasks of 1 stage in *s, 2 stragglers*node2*'

run report -q --json --map R.map R
is 'JSON of the report: processes' "$(json 'join "; ", map { join " ", @$_{qw(role host pid lifeNs gcNs calls threads end)} } @{ $r->{processes} }')" \
	'executor 0 node1 100 1110001551 0 24 1 exit; executor 1 node2 101 1176000051 250000000 20 2 no end: killed, or still running'

# ---- the labels are those of the presets ----
sed -n 's/^TRACE_FACT("\([A-Z][^"]*\)".*/\1/p' "$root/trace/engine/facts.def" | sort -u | while read -r label; do
	grep -q "\"label\": \"$label\"" "$root"/share/presets/*.json || echo "$label"
done >labels.txt
is 'each label of an engine is that of a preset' "$(cat labels.txt)" ''

# ---- without ----
run report --by-task R
is 'no names: what to do' "$status $err" "0 jweave: warning: 1 process did not end, or is still running: executor 1
jweave: warning: 9 of 9 methods have no name (shown as \"unknown 0x...\"): name the woven jar with --map
jweave: warning: no capture says where a task begins: 'jweave submit', or --preset=spark, hadoop or flink, records tasks"
like 'no names' "$out" 'no tasks of an engine in * s'
need "$BUILD"/tests/cli/x_recording one.jwr one.map 10
run report --by-task --json --map one.map one.jwr
is 'no tasks, as JSON' "$(json '"$r->{taskCount} $r->{stragglers}"')" '0 0'
need "$jweave" prv -q --map R.map -o R.prv R
run report --by-task R.prv
is 'a trace' "$status $err" "4 jweave: error: 'R.prv' is a trace, which does not say which captures are of tasks: report the recordings (NAME.jwr, or the folder of the job)"
run report --by-task --by-stage=x R
like 'a flag has no value' "$status" 2
finish
