#!/bin/sh
# jweave export of text: speedscope, collapsed, chrome: what is in them, by the format (formats.py), equals what jweave
# report says; of recordings and of their trace, of two processes, of a part; odd names; limits.
. tests/cli/kit
x=$BUILD/tests/cli/x_recording
[ -x "$x" ] || skip_all 'no x_recording'
have python3 || skip_all 'no python3'
cd "$dir" || exit 1
need "$x" run.jwr run.map 300 5
need "$x" two.jwr two.map 10
need "$jweave" prv -q --map=run.map run.jwr -o run
need "$BUILD/tests/cli/x_full_recording"
need "$jweave" prv -q --map=full.map full.jwr -o full
both() { # both NAME FORMAT BY INPUT...: what is exported is what is reported
	what=$1 format=$2 by=$3
	shift 3
	"$jweave" report -q --json "$@" >report.json
	"$jweave" export -q "$format" $([ "$format" != collapsed ] || echo --by="$by") "$@" -o - >out.json 2>err
	like "$format $by: $what" "$(cat err; python3 "$root/tests/cli/formats.py" "$format" out.json report.json "$by" 2>&1)" '*nothing is wrong'
}
for format in speedscope chrome collapsed; do
	both 'a recording' $format self --map=run.map run.jwr
	both 'its trace' $format self run.prv
	both 'two processes' $format self --map=run.map run.jwr two.jwr
	both 'all that there is' $format self --map=full.map full.jwr
	both 'all that there is, a trace' $format self full.prv
	both 'a thread' $format self --thread=main run.prv
	both 'long calls' $format self --min-duration=1us run.prv
	run export $format run.prv
	is "$format: the name of its file" "$status$err" 0
	like "$format: it is said" "$out" 'run.*'
	run export $format run.prv
	like "$format: nothing is overwritten" "$status$err" "2*exists: choose another name with -o, or overwrite it with --force"
	"$jweave" export -q -f $format --from=20% --to=60% run.prv -o part.json
	check "$format: a range" test -s part.json
done
for by in calls exceptions running blocked waiting io; do
	both 'a recording' collapsed $by --map=full.map full.jwr
	both 'a trace' collapsed $by run.prv
done
"$jweave" export -q collapsed --by=total run.prv -o - >out
is 'total: all of the time of the outermost call' "$(sed -n 's/^main;acme.Main.run():void \([0-9]*\)$/\1/p' out)" \
	"$("$jweave" report --json -q run.prv | sed -n 's/.*"name":"Main.run".*"inclusiveNs":\([0-9]*\),"excl.*/\1/p')"
"$jweave" export -q collapsed --by=calls --reverse run.prv -o - >out
like 'reverse: the call first' "$(cat out)" '*acme.Point.getX():int;acme.Main.run():void;main 300
*'
run export collapsed --by=longest run.prv
is 'what is not counted' "$status$err" "2jweave: error: option '--by' takes self|total|calls|exceptions|running|blocked|waiting|io, not 'longest'"
run export chrome --by=calls run.prv
is '--by of another format' "$status$err" "2jweave: error: --by and --reverse are of stacks that are counted: the format 'collapsed'"

"$jweave" export -q chrome --map=full.map full.jwr -o - >out
check 'chrome: what is captured of a call' grep -q '"captured":{"captured 1234":42}' out
check 'chrome: events of the program have their names' grep -q '"cat":"event","name":"iteration","s":"t"' out
check '... or their type' grep -q '"cat":"event","name":"event 1001","s":"t"' out

run export --list
like 'the list: speedscope' "$out" '*NAME.speedscope.json for https://speedscope.app*'
like 'the list: collapsed' "$out" '*stacks with a number each, for flame graphs (--by, --reverse)*'
like 'the list: chrome' "$out" '*trace events as JSON, for chrome://tracing and others*'
check 'chrome: calls that an exception ended' grep -q ',"ended by an exception":true}}' run.trace.json

# ---- odd names: any bytes are valid text ----
long=$(printf 'x%.0s' $(seq 300))
cat >odd.prv <<'P'
#Paraver (1/1/2025 at 0:00):1000_ns:0:1:1(2:0),0
2:0:1:1:1:10:60000019:1
2:0:1:1:1:20:60000019:2
2:0:1:1:2:25:60000019:3
2:0:1:1:1:30:60000019:0
P
printf 'EVENT_TYPE\n0 60000019 User function\nVALUES\n0 End\n1 a"b\\c;d\n2 \355\240\200 \342\200\256rtl \001\n3 %s\n' "$long" >odd.pcf
printf 'LEVEL THREAD SIZE 2\n"quoted" ; name\nbroken \377\n' >odd.row
for format in speedscope chrome collapsed; do
	run export $format odd.prv -o odd.$format
	is "odd names: $format" "$status$err" 0
	check "odd names: $format is UTF-8" python3 -c 'import sys; open(sys.argv[1], encoding="utf-8").read()' odd.$format
done
check 'odd names: JSON' python3 -c 'import json, sys; [json.load(open(f, encoding="utf-8")) for f in sys.argv[1:]]' odd.speedscope odd.chrome
is 'odd names: a stack has a frame a name' "$(awk -F';' '{ print NF }' odd.collapsed | sort | tr '\n' ' ')" '2 2 3 '
printf '#Paraver (1/1/2025 at 0:00):1000_ns:0:1:1(1:0),0\n' >empty.prv
for format in speedscope chrome collapsed; do
	run export -q $format empty.prv -o empty.$format
	is "an empty trace: $format" "$status" 0
done
check 'an empty trace: JSON' python3 -c 'import json, sys; [json.load(open(f)) for f in sys.argv[1:]]' empty.speedscope empty.chrome

# ---- more than viewers hold ----
need "$x" large.jwr large.map 600000
run export speedscope --map=large.map large.jwr
is 'too much' "$status$err" "4jweave: error: 780001 slices are more than viewers of speedscope hold (600000): select a part, as by --min-duration=50ns (which leaves 180001 calls) or --to=69%, or write all of them with --force"
is 'too much: nothing is left' "$(ls large.spee* 2>/dev/null)" ''
run export -q speedscope --min-duration=50ns --map=large.map large.jwr
is 'what is proposed fits' "$status$err" 0
run export -q speedscope --force --map=large.map large.jwr
is '--force: all of it' "$status$err" 0
check '... which is more' test "$(wc -c <large.speedscope.json)" -gt 60000000
finish
