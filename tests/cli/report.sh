#!/bin/sh
# jweave report: the known profile of a recording, the same from its trace, and from damaged ones.
. tests/cli/kit
x=$BUILD/tests/cli/x_recording
[ -x "$x" ] || skip_all 'no x_recording'
cd "$dir" || exit 1
"$x" run.jwr run.map 2000 || exit 1
run prv run.jwr --map run.map
gzip -c run.prv >packed.prv.gz
cp run.pcf packed.pcf
cp run.row packed.row

json() { # json PERL: evaluates it on $r, the result of the last run
	printf %s "$out" | perl -MJSON::PP -e 'local $/; binmode STDOUT, ":utf8"; $r = decode_json(<>);
		%m = map { $_->{name} => $_ } @{ $r->{methods} }; %t = map { $_->{name} => $_ } @{ $r->{threads} };
		print '"$1"
}
run report --json --map run.map run.jwr
is 'report --json: status' "$status$err" 0
is 'totals' "$(json 'join " ", @$r{qw(kind calls methodCount threadCount durationNs)}')" 'report 2601 3 2 1202101'
is 'calls and exceptions' "$(json 'join " ", map { "$_ $m{$_}{calls}/$m{$_}{exceptional}" } sort keys %m')" \
	'Main.run 1/0 Point.getX 2000/0 Solver.step 600/2'
is 'self and total' "$(json 'join " ", map { "$_ $m{$_}{exclusiveNs}/$m{$_}{inclusiveNs}" } sort keys %m')" \
	'Main.run 160100/1200100 Point.getX 40000/40000 Solver.step 2000000/2000000'
is 'sorted by self' "$(json 'join " ", map { $_->{name} } @{ $r->{methods} }')" 'Solver.step Main.run Point.getX'
is 'full names' "$(json '$m{"Solver.step"}{full}')" 'acme.Solver.step(int, java.lang.String):void X.java:12'
is 'threads' "$(json 'join " ", map { "$_ $t{$_}{calls} $t{$_}{lifeNs} $t{$_}{insideNs}" } sort keys %t')" \
	'main 2201 1202101 1200100 wörker 400 1002000 1000000'
is 'states' "$(json '$r->{states}{1} . $t{main}{states}{1}')" Running1202101
is 'they sum to the wall time' "$(json 'join " ", map { my $n = 0; $n += $_ for values %{ $_->{states} }; $n } values %t')" '1202101 1202101'
is 'utilization, and no critical state' "$(json 'join " ", map { $t{$_}{utilization}, $t{$_}{criticalState} // "none" } sort keys %t')" '1 none 1 none'
is 'methods by thread' "$(json 'join ", ", map { join " ", @$_{qw(thread calls exceptional inclusiveNs exclusiveNs)} } @{ $m{"Solver.step"}{threads} }')" \
	'1 200 2 1000000 1000000, 2 400 0 1000000 1000000'
of_recording=$(printf '%s\n' "$out" | sed 's/"exceptional":[0-9]*,//g; s/\(exceptions\|sites\)Known":true/\1Known":false/')
run report --json run.prv
is 'a trace gives the same' "$out" "$of_recording"
run report --json packed.prv.gz
is 'compressed, too' "$status$err$out" "0$of_recording"
run report --json --by=calls --top=1 run.prv
is '--by=calls --top=1' "$(json 'join " ", (map { $_->{name} } @{ $r->{methods} }), $r->{methodCount}')" 'Point.getX 3'
run report --json --by=total run.prv
is '--by=total' "$(json '$r->{methods}[0]{name}')" Solver.step

run report --map run.map run.jwr
is 'text' "$status
$out" '0
2 threads, 3 methods, 2601 calls in 0.001 s

       calls  exceptions       self ms      total ms      mean us   longest us  method
         600           2         2.000         2.000        3.333        5.000  Solver.step
           1           0         0.160         1.200     1200.100     1200.100  Main.run
        2000           0         0.040         0.040        0.020        0.020  Point.getX

      life ms    running ms   use %    in methods        calls  thread
        1.202         1.202   100.0         1.200         2201  main
        1.002         1.002   100.0         1.000          400  wörker'
run report --top=1 run.prv
like '--top=1 says what it leaves out' "$out" '*Solver.step
  and 2 more (--top=N)
*main
  and 1 more (--top=N)'
sed 's/:1$/:5/; /^2:/!s/^\(1:2:.*\):5$/\1:9/' run.prv >states.prv
cp run.pcf states.pcf
cp run.row states.row
run report states.prv
like 'states have columns' "$out" '*Synchronization ms*Blocked ms*critical ms*longest ms  thread*'
is 'aligned' "$(printf '%s\n' "$out" | grep -A2 'Blocked ms' | perl -CSD -ne 'print /^(.*?)[ *] (?:thread|main|w.rker)$/ ? length $1 : "?", " "')" '60 60 60 '

head -c 1500 run.prv >cut.prv
run report cut.prv
is 'a trace without .pcf and .row' "$status" 0
like 'which is said' "$err" '*cut.pcf*numbered*'
head -c 3000 packed.prv.gz >half.prv.gz
run report half.prv.gz
is 'a cut .gz: what is there' "$status" 0
like 'which is said, too' "$err" '*half.prv.gz*cut short*'
printf 'PK\3\4' >zip.prv
run report zip.prv
is 'no trace' "$status$err" "4jweave: error: 'zip.prv': no Paraver trace: it does not begin with \"#Paraver (\""
run report nowhere.prv
is 'no file' "$status" 4
mkdir folder.prv
run report folder.prv
is 'a folder' "$status" 4
run report run.prv packed.prv.gz
is 'one trace at a time' "$status" 2
run report --top=0 run.prv
is '--top=0' "$status" 2

# virtual threads, pauses, and main waiting in a monitor that it has waited for
"$x" virtual.jwr virtual.map 10 5 || exit 1
run report --json --map virtual.map virtual.jwr
is 'waits: status' "$status$err" 0
is 'the monitor that main waited for' "$(json 'join ", ", map { join " ", $_->{object}, $_->{contended}{count}, $_->{waits}{count}, @{ $_->{threads}[0] }{qw(thread count)} } @{ $r->{monitors} }')" \
	"$(json 'join ", ", map { join " ", $_->{object}, 1, 1, 1, 2 } @{ $r->{monitors} }[0]')"
is 'its time is the time of the states' "$(json 'join " ", $r->{monitors}[0]{contended}{ns} - $t{main}{states}{9}, $r->{monitors}[0]{waits}{ns} - $t{main}{states}{5}')" '0 0'
is 'states sum to the wall time with lanes and pauses, too' \
	"$(json 'join " ", grep { $_ } map { my $n = -$r->{durationNs}; $n += $_ for values %{ $_->{states} }; $n } @{ $r->{threads} }')" ''
run report --by-thread --map run.map run.jwr
like '--by-thread' "$out" '*method, in thread main
*2  *Solver.step*method, in thread wörker
*400 *0 *1.000 *1.000  Solver.step'
finish
