#!/bin/sh
# jweave report --by-task, --by-stage, --by-executor, --by-host: the tasks of a job, and which took much longer than the
# others, with the reason; as text and as JSON.
. tests/cli/kit
. tests/cli/browser
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

mkdir S
cp -r R/* S
sed -i 's/^role	.*/role	worker/' S/*/meta
run report -q --top=2 --map R.map S
like 'a number is said once' "$out" '*  worker 100@node1; exit*  worker (worker 100@node1)*'
sed -i 's/^host	.*/host	node/; s/^\(end	.*	\)exit$/\1vm-death/' S/*/meta
run report -q --top=2 --map R.map S
like 'and where there is one host' "$out" '*  worker 100 @node; ended*  worker (worker 100)*'

run info S
like 'as a user understands it' "$status$out" '0*worker 100 *  ended*'
run info S/0.jwr
like '... of one recording' "$status$out" '0*ended by: the end of the JVM*'

mkdir E
cp -r R/* E
sed -n 's/^\(end	.*	\)exit$/\1vm-death/p' E/0.jwr/meta >>E/1.jwr/meta
run report -q --by-task --map R.map E
like 'a task that the end of its JVM cut off did not end' "$status$err$out" '0*task 12, stage 1, executor 1 @node2, did not end'

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
mkdir T
cp -r R/* T
for i in 0 1; do printf 'application\tapp-%s\n' $i >>T/$i.jwr/meta; done
run report -q --by-stage --by-executor --map R.map T
is 'several applications: of which a group is' "$status $(printf '%s\n' "$out" | sed -n 's/.*  \([^ ]* *[^ ]* of app-\)/\1/p' | tr '\n' ,)" \
	'0 0 of app-0,1 of app-1,executor 0 of app-0,executor 1 of app-1,'
like 'the table that is asked for comes before stragglers' "$out" '13 tasks of *median ms*of app-1*x median*'
run report -q --by-stage --json --map R.map T
is '... in the JSON' "$(json 'join " ", map { "$_->{name} $_->{application}" } @{ $r->{stages} }')" '0 app-0 1 app-1'
run report --by-task --from=0.3 --to=0.6 --map R.map R
like 'a range: what it cuts is told, and compared with nothing' "$status$err
$out" '0*4 tasks are cut by the range: of them the part inside is told, and nothing is compared with them
7 tasks of * 0 stragglers
*186.000 * task 10, stage 1, executor 1 @node2, cut by the range
*100.000 * task 9, stage 1, executor 1 @node2
*'
run report --by-task --from=0.7 --json --map R.map R
is '... in the JSON' "$(json 'join " ", map { $_->{task} } grep { $_->{cut} } @t')" '5 10'
run report -q --json --from=0.3 --to=0.6 --map R.map R
is 'the life of a process in a range' "$(json 'join " ", map { $_->{lifeNs} } @{ $r->{processes} }')" '300000000 300000000'
run report -q --by-host --process='executor 1' --map R.map R
like 'of one process' "$status$out" '0*7 tasks of 1 stage in *s, 2 stragglers*node2*'

run report -q --json --map R.map R
is 'JSON of the report: processes' "$(json 'join "; ", map { join " ", @$_{qw(role host pid lifeNs gcNs calls threads end)} } @{ $r->{processes} }')" \
	'executor 0 node1 100 1110001551 0 25 1 exit; executor 1 node2 101 1176000051 250000000 20 1 no end: killed, or still running'

# ---- who waits for tasks has them on no path ----
mkdir C
need "$x" C C.map C
run report -q --critical-path --map C.map C
like 'a client that sleeps: the path that leads on' "$status$out" "0critical path of * in main (client)*  to the end of one call: --critical-path=METHOD
  task 12, of executor 1, ended last before: --critical-path --process='executor 1'"
run report -q --critical-path --map C.map C/2.jwr
like '... none, where nobody ran tasks' "$status$out" '0*  to the end of one call: --critical-path=METHOD'

# ---- as tables ----
need "$jweave" export -q tsv --table=all --map R.map -o tables R
columns() { # columns TABLE NAME..: these columns of all rows, a row a line, with spaces
	awk -F '\t' -v want="$2" 'NR == 1 { n = split(want, w, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ for (i = 1; i <= n; i++) printf "%s%s", $at[w[i]], i < n ? " " : "\n" }' "tables/$1.tsv"
}
run report -q --by-task --json --map R.map R
is 'tables: the tasks of the report, in its order' "$(columns task 'name stage begin_ns duration_ns median_ns failed open straggler running_ns gc_ns lock_ns records_in')" \
	"$(json 'map { $t = $_; join(" ", (map { $t->{$_} } qw(task stage beginNs ns medianNs)), (map { $t->{$_} ? 1 : 0 } qw(failed open straggler)), (map { $t->{insideNs}{$_} } qw(running gc)), $t->{lockNs}, $t->{recordsIn} // "\\N"), "\n" } @t')"
is 'tables: where they were' "$(columns task 'name process thread' | sed -n 1,2p | tr '\n' ';') $(columns process 'id role host' | tr '\n' ';')" \
	'5 1 1;10 2 2; 1 executor 0 node1;2 executor 1 node2;'
is 'tables: why they took longer' "$(columns cause 'task place cause percent measure value median')" "1 1 skew 100 records_in 6000 1000
1 2 running 100 \\N 600000000 100000000
2 1 lock 100 \\N 300000000 0
3 1 gc 100 \\N 250000000 0"
run export -q tsv --table=task --map R.map R -o -
is 'tables: one, as a stream' "$out" "$(cat tables/task.tsv)"
if have python3 && [ -e "$(ldconfig -p 2>/dev/null | sed -n 's/.*libsqlite3\.so\.0 .*=> //p' | head -1)" ]; then
	need "$jweave" export -q sqlite --map R.map R -o R.db
	is 'views: tasks, stages' "$(python3 -c 'import sqlite3
db = sqlite3.connect("R.db")
for sql in "select name, executor, host, cause, percent from tasks where straggler", "select stage, tasks, failed, stragglers, longest_ns from stage_summary":
    for row in db.execute(sql): print(*row)')" "5 executor 0 node1 skew 100
10 executor 1 node2 lock 100
11 executor 1 node2 gc 100
0 6 0 1 600000000
1 7 1 2 400000000"
	is 'docs/sql.md: what is said of tasks is answered' "$(python3 - "$root/docs/sql.md" R.db <<'P'
import re, sqlite3, sys
text = open(sys.argv[1]).read().split('## Tasks of an engine')[1].split('\n## ')[0]
for sql in re.findall(r'^```sql\n(.*?)^```', text, re.M | re.S):
    for row in sqlite3.connect(sys.argv[2]).execute(sql):
        print(*row)
P
)" "5 0 executor 0 600.0 100.0 skew 100
10 1 executor 1 400.0 100.0 lock 100
11 1 executor 1 350.0 100.0 gc 100
10 enter 1 300000000"
else
	skip 'docs/sql.md: what is said of tasks is answered' "no python3, or no SQLite's library"
	skip 'views: tasks, stages' "no python3, or no SQLite's library"
fi

# ---- in Perfetto ----
if have python3; then
	need "$jweave" export -q perfetto --map R.map R -o R.pftrace
	for text in 'median of the others of its stage, ns' 'running, ns' 'GC, ns' 'locks, ns' 'waiting, ns' 'files, ns'; do
		ok "perfetto: what a task says: $text" "$(grep -qaF "$text" R.pftrace; echo $?)"
	done
	"$jweave" report -q --by-task --json --map R.map R >R.json 2>/dev/null
	out=$(cat R.json)
	python3 "$root/tests/cli/perfetto.py" R.pftrace R.json tasks >slices.txt 2>&1
	is 'perfetto: a slice for each task, on its thread' "$(sed 's/ records in.*//; s/None/0/' slices.txt | LC_ALL=C sort)" \
		"$(json 'map { "task $_->{task}, stage $_->{stage} on worker at $_->{beginNs} for $_->{ns}: " . ($_->{recordsIn} // 0) . "\n" } @t' | (echo nothing is wrong; cat) | LC_ALL=C sort)"
	is '... of which one failed, one did not end' "$(sed -n 's/,* stage[^;]* records in, /: /p' slices.txt)" 'task 8: failed
task 12: did not end'
	is '... with the reasons of the report' "$(sed -n 's/,* stage.* records in; /: /p' slices.txt)" \
		'task 5: skew: 6000 records in, median of the others 1000 (100 %); running: 600.000 ms, median of the others 100.000 ms (100 %)
task 10: lock: 300.000 ms, median of the others 0.000 ms (100 %)
task 11: garbage collection: 250.000 ms, median of the others 0.000 ms (100 %)'
else
	skip 'perfetto' 'no python3'
fi

# ---- in the page ----
need "$jweave" view -q --map R.map -o R.html R
is 'view: a section of tasks' "$(grep -c 'data-section="tasks"' R.html)" 1
need "$BUILD"/tests/cli/x_recording plain.jwr plain.map 10
need "$jweave" view -q --map plain.map -o plain.html plain.jwr
is 'view: none where there are none' "$(grep -c 'data-section="tasks"' plain.html)" 0
if have_browser 'view: tasks in a browser'; then
	"$jweave" report -q --by-task --json --map R.map R >R.json 2>/dev/null
	in_browser 'the browser came to its end' 120 view_tasks.mjs "$dir/R.html" R.json
fi

# ---- the labels are those of the presets ----
sed -n 's/^TRACE_FACT("\([A-Z][^"]*\)".*/\1/p' "$root/trace/engine/facts.def" | sort -u | while read -r label; do
	grep -q "\"label\": \"$label\"" "$root"/share/presets/*.json || echo "$label"
done >labels.txt
is 'each label of an engine is that of a preset' "$(cat labels.txt)" ''

# ---- without ----
run report --by-task R
is 'no names: what to do' "$status $err" "0 jweave: warning: 1 process did not end, or is still running: executor 1
jweave: warning: 10 of 10 methods have no name (shown as \"unknown 0x...\"): name the woven jar with --map
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
