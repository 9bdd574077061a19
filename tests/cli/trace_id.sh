#!/bin/sh
# jweave report --trace-id: the calls of a trace of OpenTelemetry, of two processes, as text and as JSON; the same in
# tables, in a .prv and in parts of a run.
. tests/cli/kit
. tests/cli/browser
x=$BUILD/tests/cli/x_spans
[ -x "$x" ] || skip_all 'no x_spans'
cd "$dir" || exit 1
mkdir R
need "$x" R R.map
id=4bf92f3577b34da6a3ce929d0e0e4736

json() { # json PERL: evaluates it on $r, the result of the last run
	printf %s "$out" | perl -MJSON::PP -e 'local $/; $r = decode_json(<>); @c = @{ $r->{calls} }; print '"$1"
}
run report -q --trace-id=$id --map R.map R
is 'status' "$status$err" 0
cp .out trace_id.txt
same_text trace_id.txt trace_id.txt
run report -q --trace-id=4BF92F35 --top=1 --map R.map R
is 'several traces: status' "$status" 0
cp .out trace_ids.txt
same_text trace_ids.txt trace_ids.txt

run report -q --json --trace-id=$id --map R.map R
is 'JSON: status' "$status" 0
is 'JSON: all of it' "$(json '"$r->{kind} $r->{traceId} $r->{callCount}"')" "trace $id 6"
is 'JSON: calls' "$(json 'join "; ", map { join " ", map { $_ // "" } @$_{qw(process pid host thread spanId beginNs ns depth method)} } @c')" \
	'executor 0 100 node1 main 00f067aa0ba902b7 1500001 500000 0 Spans.step; executor 0 100 node1 main 00f067aa0ba902b7 2500001 5500000 0 Spans.serve; executor 0 100 node1 main 1111111111111111 3500001 1000000 1 Spans.step; executor 0 100 node1 pool-1 00f067aa0ba902b7 6500001 1000000 0 Spans.serve; executor 1 101 node2 http-1 2222222222222222 4500001 2000000 0 Spans.serve; executor 1 101 node2 http-1 2222222222222222 5000001 1000000 1 Spans.step'
is 'JSON: one failed' "$(json 'join " ", map { $_->{failed} ? 1 : 0 } @c')" '0 0 0 1 0 0'
is 'JSON: spans' "$(json 'join "; ", map { join " ", @$_{qw(thread spanId beginNs endNs calls)} } @{ $r->{spans} }')" \
	'main 00f067aa0ba902b7 1000001 3000001 2; main 1111111111111111 3000001 5000001 1; main 00f067aa0ba902b7 5000001 9000001 0; pool-1 00f067aa0ba902b7 6000001 12001001 1; http-1 2222222222222222 4000001 7000001 2'
run report -q --json --top=2 --trace-id=$id --map R.map R
is 'JSON: the first ones' "$(json 'scalar(@c) . " of $r->{callCount}"')" '2 of 6'
run report -q --json --from=3ms --to=6ms --trace-id=$id --map R.map R
is 'a range: calls that begin in it' "$(json 'join " ", map { "$_->{thread}:$_->{method}" } @c')" \
	'main:Spans.step http-1:Spans.serve http-1:Spans.step'
run report -q --json --thread=pool-1 --trace-id=$id --map R.map R
is 'one thread' "$(json 'join " ", map { "$_->{thread}:$_->{method}" } @c')" 'pool-1:Spans.serve'

run prv -q R --map R.map -o run
is 'a trace: status' "$status" 0
run report -q --json --trace-id=$id run.prv
is 'a trace: the same calls' "$(json 'join " ", map { "$_->{thread}:$_->{spanId}:$_->{beginNs}" } @c')" \
	'main:00f067aa0ba902b7:1500001 main:00f067aa0ba902b7:2500001 main:1111111111111111:3500001 pool-1:00f067aa0ba902b7:6500001 http-1:2222222222222222:4500001 http-1:2222222222222222:5000001'
like 'a trace: names of the types' "$(cat run.pcf)" '*48100036*Trace context: trace id, hex digits 1 to 12*48100037*Trace context: trace id, hex digits 13 to 24*48100038*Trace context: trace id, hex digits 25 to 32; span id, 1 to 4*48100039*Trace context: span id, hex digits 5 to 16*'

# ---- as tables ----
need "$jweave" export -q tsv --table=all --map R.map -o tables R
is 'tables' "$(sed 's/	/ /g' tables/trace_context.tsv | LC_ALL=C sort -r)" "thread begin_ns duration_ns trace_id span_id
3 4000001 3000000 $id 2222222222222222
2 6000001 6001000 $id 00f067aa0ba902b7
1 5000001 4000000 $id 00f067aa0ba902b7
1 3000001 2000000 $id 1111111111111111
1 1000001 2000000 $id 00f067aa0ba902b7
1 10000001 1000000 4bf92f35000000000000000000000001 0000000000000002"
if command -v sqlite3 >/dev/null; then
	need "$jweave" export -q sqlite --map R.map -o run.db R
	is 'the view of its calls' "$(sqlite3 run.db "select thread_name, span_id, begin_ns, method_name from trace_calls where trace_id = '$id' order by thread, begin_ns" | tr '\n' ' ')" \
		'main|00f067aa0ba902b7|1500001|Spans.step main|00f067aa0ba902b7|2500001|Spans.serve main|1111111111111111|3500001|Spans.step pool-1|00f067aa0ba902b7|6500001|Spans.serve http-1|2222222222222222|4500001|Spans.serve http-1|2222222222222222|5000001|Spans.step '
else
	skip 'the view of its calls' 'no sqlite3'
fi

# ---- in the page ----
need "$jweave" view -q --map R.map -o R.html R
is 'view: a section of traces' "$(grep -c 'data-section="contexts"' R.html)" 1
need "$BUILD"/tests/cli/x_recording plain.jwr plain.map 3 1
need "$jweave" view -q --map plain.map -o plain.html plain.jwr
is 'view: none where there are none' "$(grep -c 'data-section="contexts"' plain.html)" 0
if have_browser 'view: traces in a browser'; then
	"$jweave" report -q --trace-id=$id --json --map R.map R >R.json 2>/dev/null
	in_browser 'the browser came to its end' 120 view_traces.mjs "$dir/R.html" R.json
fi

# ---- nothing, too much, and what is no id ----
run report --trace-id=deadbeef --map R.map R
is 'another id' "$status $out" '0 no trace whose id begins with deadbeef in 0.012 s'
like 'another id: others are there' "$err" '*others are in it: 6 times another trace became current*'
mkdir none
need "$x" none none.map 1000001
run report -q --trace-id=$id --map none.map none
like 'too many' "$err" '*too many calls to tell: 7 are only counted*'
like 'too many: counted' "$out" "trace $id: 1000007 calls in 3 threads of 2 processes, *"
run report --trace-id=$id --map plain.map plain.jwr
like 'none at all' "$status$err" '0*no trace of OpenTelemetry is in it: --preset=otel records which are current*'
for bad in 4bf92f3 4bf92f3g ${id}0; do
	run report --trace-id=$bad R
	like "no id: $bad" "$status$err" '2*--trace-id is 8 to 32 hex digits, the first ones of a trace id*'
done
finish
