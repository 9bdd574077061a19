#!/bin/sh
# jweave report --slowest, --critical-path: the longest calls, and what took the time, of a trace and of recordings, as
# text and as JSON.
. tests/cli/kit
x=$BUILD/tests/cli/x_recording
[ -x "$x" ] || skip_all 'no x_recording'
cd "$dir" || exit 1

json() { # json PERL: evaluates it on $r, the result of the last run
	printf %s "$out" | perl -MJSON::PP -e 'local $/; binmode STDOUT, ":utf8"; $r = decode_json(<>); @c = @{ $r->{slowest} }; print '"$1"
}

# main: handle [1 ms, 9 ms) with take [1.5 ms, 5.5 ms), which is blocked; then it sleeps, and fails
cat >known.prv <<'END'
#Paraver (1/1/2025 at 0:00):10000000_ns:0:1:1(2:0),0
1:0:1:1:1:0:2000000:1
1:0:1:1:2:50000:6000000:1
2:0:1:1:2:100000:60000019:2
2:0:1:1:1:1000000:60000019:1
2:0:1:1:1:1500000:60000019:3
1:0:1:1:1:2000000:5000000:9
2:0:1:1:1:2000000:48100001:1:48100002:2147483655:48100020:1:48100021:1
3:0:1:1:2:4990000:4990000:0:1:1:1:5000000:5000000:0:305
1:0:1:1:1:5000000:8000000:1
2:0:1:1:1:5000000:48100001:0:48100002:0:48100020:0:48100021:0
2:0:1:1:2:5010000:60000019:0
2:0:1:1:1:5500000:60000019:0
1:0:1:1:1:8000000:8900000:5
2:0:1:1:1:8000000:48100028:3
1:0:1:1:1:8900000:9500000:1
2:0:1:1:1:8900000:48100028:0
2:0:1:1:1:9000000:48100024:1:60000019:0
END
cat >known.pcf <<'END'
EVENT_TYPE
0    60000019    User function
VALUES
0   End
1   Api.handle [a.Api.handle():void Api.java:1]
2   Pool.hold [a.Pool.hold():void]
3   Pool.take [a.Pool.take(int):void Pool.java:9]
4   Ghost.walk [a.Ghost.walk():void]

EVENT_TYPE
0    48100020    Java monitor, class
VALUES
1   a.Lock

EVENT_TYPE
0    48100021    Java monitor, where it is waited for
VALUES
1   Pool.take (Pool.java:10)
END
printf 'LEVEL THREAD SIZE 2\nmain\nworker\n' >known.row
run report --slowest=2 known.prv
is 'text' "$status$err
$out" '0
the 2 slowest calls of 3 calls in 0.010 s: none took twice as long as is usual

   1  8.000 ms  Api.handle  at 0.001000 s, main, ended by an exception
      running 4.100 ms (51 %), blocked 3.000 ms (38 %), waiting 0.900 ms (11 %)
             3.000 ms to enter a.Lock@7 in Pool.take (Pool.java:10); held by worker in Pool.hold
             0.900 ms Thread.sleep in Api.handle

   2  4.910 ms  Pool.hold  at 0.000100 s, worker
      running 4.910 ms (100 %)'
sed /48100028/d known.prv >untold.prv; for f in pcf row; do cp known.$f untold.$f; done
run report --slowest=1 untold.prv
like 'a wait that its state alone tells' "$out" '*
             0.900 ms waits in Api.handle*'
# methods of one name are told apart by their types, as the tables of report do it
sed 's/^3   Pool.take.*/&\n5   Pool.take [a.Pool.take(java.lang.String):void Pool.java:9]/;s/a.Api.handle/a.Pool.take/;s/^1   Api.handle/1   Pool.take/' known.pcf >types.pcf
cp known.prv types.prv && cp known.row types.row
run report --slowest=3 types.prv
like 'overloads' "$status$out" '0*  Pool.take()  at 0.001000 s*  Pool.take(int)  at 0.001500 s*
      called by Pool.take()
*'
run report --critical-path types.prv
like '... on the critical path' "$status$out" '0*  Pool.take()
*  Pool.take(int)
*'
sed 's/^2:0:1:1:1:9000000:.*/2:0:1:1:1:8600000:60000019:3\n2:0:1:1:1:8700000:60000019:0\n2:0:1:1:1:8800000:60000019:1\n2:0:1:1:1:8900000:60000019:0\n&/' types.prv >types2.prv
cp types.pcf types2.pcf && cp types.row types2.row
run diff types.prv types2.prv
like '... of two runs' "$status$out" '0*  Pool.take()
*  Pool.take(int)
*'
run diff --json types.prv types2.prv
is '... in the JSON' "$(json 'join ", ", sort map { "$_->{label} $_->{title}" } grep { $_->{name} eq "take" } @{ $r->{methods} }')" 'Pool.take Pool.take(), Pool.take Pool.take(int)'

# microseconds over what is usual do not lead where another call took seconds
{
	echo '#Paraver (1/1/2025 at 0:00):2000000000_ns:0:1:1(2:0),0'
	echo 2:0:1:1:2:0:60000019:2
	for at in 1 2 3 4 5 6; do
		printf '%s\n' "2:0:1:1:1:${at}000000:60000019:4" "2:0:1:1:1:${at}00$((at == 4))100:60000019:0"
	done
	echo 2:0:1:1:2:1500000000:60000019:0
} >trifle.prv
cp known.pcf trifle.pcf && cp known.row trifle.row
run report --slowest=2 trifle.prv
like 'microseconds do not lead' "$status$out" '0the 2 slowest calls of 7 calls in 2.000 s: those longer than is usual took microseconds

   1  1500.000 ms  Pool.hold *
   2  0.100 us  Ghost.walk *
those that took much longer than is usual

   3  0.001 ms  Ghost.walk *; usually 0.100 us (6 calls)*'

# long waits for a monitor that nobody is known to have held
sed '1s/_ns:/_us:/;/^3:/d' known.prv >unheld.prv && cp known.pcf unheld.pcf && cp known.row unheld.row
for asks in --slowest --critical-path; do
	run report -q $asks unheld.prv
	is "who may have a monitor is told once: $asks" "$(printf '%s\n' "$out" | grep -c '^  who has a monitor: jweave run --preset=monitors$')" 1
done
run report -q --slowest known.prv
is '... but not of short ones' "$(printf '%s\n' "$out" | grep -c 'who has a monitor')" 0

run report --slowest=5 --method='a.Pool#take(int)' --json known.prv
is 'a method: status' "$status$err" 0
is 'the call' "$(json 'join " ", $r->{kind}, $r->{calls}, scalar(@c), map { @$_{qw(name beginNs ns threadName stackDepth)}, @{ $_->{stack} } } @c')" \
	'slowest 1 1 Pool.take 1500000 4000000 main 1 Api.handle'
is 'its time' "$(json 'join " ", map { "$_ $c[0]{insideNs}{$_}" } sort keys %{ $c[0]{insideNs} }')" \
	'blocked 3000000 forWork 0 gc 0 io 0 other 0 running 1000000 waiting 0'
is 'what it waited for' "$(json 'join " ", map { @$_{qw(wait class object method line count ns)}, map { @$_{qw(threadName method count ns)} } @{ $_->{enders} } } @{ $c[0]{parts} }')" \
	'enter a.Lock a.Lock@7 Pool.take 10 1 3000000 worker Pool.hold 1 3000000'
run report --slowest=2 known.prv
two=$out
run report --slowest 2 known.prv
is 'the number may be the next word' "$status$err$out" "0$two"
run report --slowest known.prv
ten=$out
run report known.prv --slowest
is 'or there is none: the same at the end' "$status$err$out" "0$ten"
run report --slowest=10 known.prv
is '... which is 10' "$status$err$out" "0$ten"
run report --slowest= known.prv
is 'but it is not empty' "$status$err" "2jweave: error: option '--slowest' has an empty value"
run report --slowest 0 known.prv
is 'nor 0' "$status$err" "2jweave: error: option '--slowest' takes a number from 1 to 10000, not '0'"
run report --slowest=5 --method='a.Pool#nothing' known.prv
is 'no such method' "$status$err" "2jweave: error: no method that ran matches 'a.Pool#nothing': 'jweave report' names them"
sed 's/Pool.take (Pool.java:10)/Depot.get (Depot.java:10)/' known.pcf >depot.pcf && cp known.prv depot.prv && cp known.row depot.row
for asks in '--slowest --method=a.Depot#get' --critical-path=Depot.get --method=Depot.get --around=Depot.get --callers=a.Depot#*; do
	run report $asks depot.prv
	like "where threads waited, but nothing traced: $asks" "$status$err" "2jweave: error: *: Depot.get was seen only where threads waited, or made a call: the rules did not trace it (jweave run -r 'match:CLASS#METHOD')"
done
run report '--callers=**take' known.prv
is 'a method without #' "$status$err" "2jweave: error: --callers '**take': it selects none of the 3 methods that ran; '**#take' selects by the name of the method"
run report --slowest=5 --method='a.Pool#(' known.prv
like 'no pattern' "$status$err" "2jweave: error: PATTERN 'a.Pool#('*"
run report --critical-path known.prv
is 'the critical path, as text' "$status$err
$out" '0
critical path of 10.000 ms, to its end in main; 1 change of threads
what would take no time ends it so much earlier, at most:

          ms      %     running     waiting       other   hand-over  method on the path
       4.890   48.9       4.890       0.000       0.000       0.000  Pool.hold
       3.500   35.0       2.600       0.900       0.000       0.000  Api.handle
       1.100   11.0       0.550       0.000       0.550       0.000  (outside of traced methods)
       0.510    5.1       0.500       0.000       0.000       0.010  Pool.take

          ms      %     running     waiting       other   hand-over  thread on the path
       5.010   50.1       3.600       0.900       0.500       0.010  main
       4.990   49.9       4.940       0.000       0.050       0.000  worker

          ms      %  wait on the path that nobody is known to have ended
       0.900    9.0  Thread.sleep in Api.handle, main'
printf '#Paraver (1/1/2025 at 0:00):10000000_ns:0:1:1(1:0),0\n1:0:1:1:1:0:1000000:1\n2:0:1:1:1:0:60000019:1\n1:0:1:1:1:1000000:10000000:5\n2:0:1:1:1:10000000:60000019:0\n' >alone.prv
run report -q --critical-path alone.prv
like 'that of a thread which mostly waits for its end leads elsewhere' "$status$err$out" '0*
       9.000   90.0  waits in function 1, unnamed 1
  to the end of one call: --critical-path=METHOD'
printf 'LEVEL TASK SIZE 2\ndriver\nexecutor 1\n\nLEVEL THREAD SIZE 2\nmain\nmain\n' >driver.row
{ echo '#Paraver (1/1/2025 at 0:00):10000000_ns:0:1:2(1:0,1:0),0'; sed 1d alone.prv; echo '1:0:1:2:1:0:1000000:1'; } >driver.prv
run report -q --critical-path driver.prv
cat >driver.want <<'END'
  to the end of one call: --critical-path=METHOD; of a query of Spark: --critical-path='SQLExecution$.withNewExecutionId', of a job: --critical-path=DAGScheduler.runJob
END
is 'of a driver of Spark' "$status$(printf '%s\n' "$out" | tail -1)" "0$(cat driver.want)"
run report --critical-path='a.Pool#take' --json known.prv
is 'of the longest call of a method' "$status$err $(json 'join " ", @$r{qw(kind call beginNs endNs threadName hops)}, map { "$_->{name} $_->{ns}" } @{ $r->{methods} }')" \
	'0 criticalPath Pool.take 1500000 5500000 main 1 Pool.hold 3490000 Pool.take 510000'
is 'its segments' "$(json 'join ", ", map { join " ", @$_{qw(beginNs endNs thread kind method)} } @{ $r->{segments} }')" \
	'1500000 4990000 2 runs Pool.hold, 4990000 5000000 1 handOver Pool.take, 5000000 5500000 1 runs Pool.take'
run report --critical-path=a.Ghost known.prv
is 'a method that has a name, but did not run' "$status$err" "2jweave: error: no call of 'a.Ghost' is in it"
run report --critical-path='a.Pool#nothing' known.prv
is 'no such method to end at' "$status$err" "2jweave: error: no method that ran matches 'a.Pool#nothing': 'jweave report' names them"
run report --critical-path --from=2ms --to=80% --json known.prv
is 'the path in a part of the run' "$status $(json 'join ", ", map { join " ", @$_{qw(beginNs endNs thread kind method)} } @{ $r->{segments} }')" \
	'0 2000000 4990000 2 runs Pool.hold, 4990000 5000000 1 handOver Pool.take, 5000000 8000000 1 runs Api.handle'
run report --critical-path='a.Pool#take' --thread=main --json known.prv
is 'of one thread: nobody else is there' "$status $(json 'join ", ", map { join " ", @$_{qw(beginNs endNs thread kind method)} } @{ $r->{segments} }')" \
	'0 1500000 2000000 1 runs Pool.take, 2000000 5000000 1 waits Pool.take, 5000000 5500000 1 runs Pool.take'
# a thread that sleeps nearly all its life is in no slow call; who reads a connection all its life, and never writes
# there, neither, but who has asked there
cat >timer.prv <<'END'
#Paraver (1/1/2025 at 0:00):10000000_ns:0:1:1(2:0),0
1:0:1:1:1:0:10000000:1
2:0:1:1:1:1000000:60000019:1
2:0:1:1:1:2000000:60000019:0
2:0:1:1:2:0:60000019:2
1:0:1:1:2:0:100000:1
1:0:1:1:2:100000:10000000:5
2:0:1:1:2:100000:48100028:3
2:0:1:1:2:10000000:48100028:0
END
cp known.row timer.row
run report -q --slowest=2 timer.prv
like 'what a thread does all its life comes last' "$status$err
$out" '0*
the 2 slowest calls *
   1  1.000 ms  function 1  at 0.001000 s, main
*
   2  10.000 ms  function 2  at 0.000000 s, worker, not over at the end, whose thread does little else
      running 0.100 ms (1 %), waiting 9.900 ms (99 %)
             9.900 ms Thread.sleep in function 2'
# in calls that come and go that is no loop: the request is slow
{
	sed '/^[12]:0:1:1:2:/d' timer.prv
	for from in 0 3300000 6600000; do
		echo "1:0:1:1:2:$from:$((from + 3300000)):5"
		echo "2:0:1:1:2:$from:60000019:2:48100028:3"
		echo "2:0:1:1:2:$((from + 3300000)):48100028:0:60000019:0"
	done
} >requests.prv
cp known.row requests.row
run report -q --json --slowest=2 requests.prv
is 'who waits in one call after another' "$(json 'join ", ", map { "$_->{name} $_->{ns} $_->{littleElse}" } @c')" 'function 2 3300000 0, function 2 3300000 0'
# nor where the loop of a worker is traced, too: one item of eight takes long
{
	sed '/^[12]:0:1:1:2:/d' timer.prv
	echo 2:0:1:1:2:0:60000019:3
	at=0
	for ns in 500000 500000 500000 5000000 500000 500000 500000 500000; do
		echo "1:0:1:1:2:$at:$((at + ns)):5"
		echo "2:0:1:1:2:$at:60000019:2:48100028:3"
		at=$((at + ns))
		echo "2:0:1:1:2:$at:48100028:0:60000019:0"
	done
} >items.prv
cp known.row items.row
run report -q --json --slowest=2 items.prv
is 'who sleeps for one item after another' "$(json 'join ", ", map { "$_->{name} $_->{ns} $_->{usualNs} $_->{littleElse}" } $c[0]')" 'function 2 5000000 500000 0'
# where it does little else, as it waits to be told, the heading says which calls it is not about
{
	sed '/^[12]:0:1:1:2:/d;/:60000019:/d' timer.prv
	echo 2:0:1:1:2:0:60000019:3
	sed -n 's/:48100028:3$/:48100001:2:48100002:2147483655/;s/:48100028:0:6/:48100001:0:48100002:0:6/;/^[12]:0:1:1:2:[0-9]*:\([0-9]*:5\|60000019:2\|48100001:0\)/p' items.prv
} >told.prv
cp known.row told.row
run report -q --slowest=2 told.prv
like 'a wait to be told that took long' "$out" '*: none took twice as long as is usual, but waits of threads that do little else
*5.000 ms  function 2 *, whose thread does little else; usually 0.500 ms (8 calls)
*'
# an operation that slept, and whose thread got a CPU late, has waited once
cat >late.prv <<'END'
#Paraver (1/1/2025 at 0:00):10000_ns:0:1:1(1:0),0
1:0:1:1:1:0:10000:1
2:0:1:1:1:100:60000019:1
1:0:1:1:1:200:9000:5
2:0:1:1:1:200:60000019:2:48100023:1
2:0:1:1:1:300:48100028:3
2:0:1:1:1:1300:48100028:0
2:0:1:1:1:9000:48100023:0:60000019:0
2:0:1:1:1:9500:60000019:0
END
run report -q --json --slowest=2 late.prv
is 'a sleep is one wait' "$(json 'join ", ", map { my $c = $_; map { "$c->{name} $_->{wait} $_->{ns}" } @{ $c->{parts} } } $c[0]')" 'function 1 sleep 1000'
{
	sed '/^[12]:0:1:1:2:100000*:/d' timer.prv
	cat <<'END'
1:0:1:1:2:100000:9900000:12
2:0:1:1:2:100000:48100028:9
1:0:1:1:2:9900000:10000000:1
2:0:1:1:2:9900000:48100030:1:48100031:5:48100033:9900000:48100028:0
END
} >reader.prv
cp known.row reader.row
run report -q --json --slowest=2 reader.prv
is 'a reader' "$(json 'join ", ", map { "$_->{name} $_->{littleElse}" } @c')" 'function 1 0, function 2 1'
{
	cat reader.prv
	echo 2:0:1:1:2:9950000:48100028:10
	echo 2:0:1:1:2:9960000:48100030:1:48100032:5:48100033:10000:48100028:0
} >talker.prv
cp known.row talker.row
run report -q --json --slowest=2 talker.prv
is 'who writes there, too' "$(json 'join ", ", map { "$_->{name} $_->{littleElse}" } @c')" 'function 2 0, function 1 0'
printf 'EVENT_TYPE\n0 48100030 Java connection or file\nVALUES\n1 tcp a < b\n' >talker.pcf
run report -q --json --slowest=2 talker.prv
is 'but not who has accepted it, and answers' "$(json 'join ", ", map { "$_->{name} $_->{littleElse}" } @c')" 'function 1 0, function 2 1'
rm known.pcf
run report -q --slowest=5 --method='a.Pool#take' known.prv
like 'without names' "$status$err" "2*'a.Pool#take' chooses methods by their names, and none are known"
run report -q --slowest=1 known.prv
like 'they are numbers' "$out" '*function 1 *'
run report --slowest=0 known.prv
like 'none are too few' "$status$err" '2*'
run report -q --slowest=9 --thread=worker --to=50% known.prv
like 'of a part' "$status$out" '0*the slowest call of 1 call in 0.005 s*4.900 ms*at 0.000100 s, worker*'

# two that take turns for so long that not every turn is kept
perl -e '
	my ($n, $step) = (70000, 5000);
	printf "#Paraver (1/1/2025 at 0:00):%d_ns:0:1:1(2:0),0\n", $n * $step;
	print "2:0:1:1:1:0:60000019:1\n2:0:1:1:2:0:60000019:2\n1:0:1:1:1:0:$step:1\n1:0:1:1:2:0:$step:5\n";
	for my $i (1 .. $n - 1) {
		my ($t, $from, $to) = ($i * $step, ($i + 1) % 2 + 1, $i % 2 + 1);
		my $end = $t + $step;
		my $sent = $t - 1;
		print "3:0:1:1:$from:$sent:$sent:0:1:1:$to:$t:$t:0:402\n1:0:1:1:$from:$t:$end:5\n1:0:1:1:$to:$t:$end:1\n";
	}' >turns.prv
run report --critical-path --json turns.prv
like 'parts of a very long path become one' "$status$err" '0*jweave: note: the path has very many parts: those shorter than * ms are told by their sums alone'
is 'its sums stay exact' "$(json 'join " ", $r->{ns}, map { $_->{ns} } sort { $a->{thread} <=> $b->{thread} } @{ $r->{threads} }')" \
	'350000000 175005000 174995000'
like 'it has several threads in one' "$out" '*"kind":"mixed"*'

run report -q --critical-path turns.prv
like 'how often the thread changes' "$out" '*; * changes of threads
*'

# one call that goes on to the end, blocked at eight monitors, each of CLASSES in turn
eight() { # eight NAME CLASSES
	echo '#Paraver (1/1/2025 at 0:00):10000000_ns:0:1:1(1:0),0'
	echo '2:0:1:1:1:0:60000019:1'
	for i in 1 2 3 4 5 6 7 8; do
		echo "1:0:1:1:1:${i}000000:${i}50000$i:9"
		echo "2:0:1:1:1:${i}000000:48100001:1:48100002:$(((i % $2 + 1) * 2147483648 + i))"
		echo "2:0:1:1:1:${i}50000$i:48100001:0:48100002:0"
	done
} >"$1.prv"
eight many 8
run report -q --slowest=1 many.prv
like 'a call that goes on' "$out" '*function 1  at 0.000000 s, unnamed 1, not over at the end*'
like 'who held it is unknown' "$out" '* 0.500 ms to enter class 1@8 in function 1; holder unknown*'
is 'six are told, and the time of the others' "$(printf '%s\n' "$out" | grep -c 'to enter') $(printf '%s\n' "$out" | tail -1)" \
	'6              1.000 ms in others (--json)'
eight one 1
run report -q --slowest=1 one.prv
like 'one line tells what it did in one place' "$out" '*
             4.000 ms (8 times, the longest 0.500 ms) to enter class 1 in function 1; holder unknown'
# what calls have captured, and events of the program's own: counted, but once where calls around one another say it
cat >said.prv <<'END'
#Paraver (1/1/2025 at 0:00):10000000_ns:0:1:1(1:0),0
1:0:1:1:1:0:10000000:1
2:0:1:1:1:0:60000019:1:1000:3
2:0:1:1:1:100000:60000019:2:48110000:1
2:0:1:1:1:200000:60000019:2:48110000:1
2:0:1:1:1:300000:48110000:0:60000019:0
2:0:1:1:1:400000:60000019:0
2:0:1:1:1:500000:60000019:2:48110000:1
2:0:1:1:1:600000:60000019:0
2:0:1:1:1:700000:60000019:2:48110000:2
2:0:1:1:1:800000:60000019:0
2:0:1:1:1:900000:1000:4:1001:9000000000:1002:5:1002:6:1002:7:1002:8
2:0:1:1:1:10000000:60000019:0
END
cat >said.pcf <<'END'
EVENT_TYPE
0    60000019    User function
VALUES
1   Api.handle [a.Api.handle():void]
2   Connection.prepareStatement [java.sql.Connection.prepareStatement(String):PreparedStatement]

EVENT_TYPE
0    48110000    SQL (48110000)
VALUES
0      End
1      select name (of all) from item
2      commit

EVENT_TYPE
0    1000    step
VALUES
3      load
END
run report -q --slowest=1 said.prv
is 'what it captured' "$(printf '%s\n' "$out" | sed -n '/with /,$p')" '      with step: load
           SQL: select name (of all) from item (2 times)
           SQL: commit
           step: 4
           event 1001: 9000000000
           event 1002: 5
           and 3 more (--json)'
run report -q --slowest=1 --json said.prv
is '... as JSON' "$(json 'join ", ", map { join " ", $_->{label}, $_->{text} // "-", $_->{value}, $_->{count} } @{ $c[0]{captured} }[0 .. 3]')" \
	'step load 3 1, SQL select name (of all) from item 1 2, SQL commit 2 1, step - 4 1'
# of the nearest caller that had captured something when it began
run report -q --slowest=9 --json --method='java.sql.**' said.prv
is 'what callers had captured' "$(json 'join ", ", map { $a = $_->{around}; join " ", $_->{beginNs}, $a->{name}, map { "$_->{label} " . ($_->{text} // $_->{value}) } @{ $a->{captured} } } sort { $a->{beginNs} <=> $b->{beginNs} } @c')" \
	'100000 Api.handle step load, 200000 Connection.prepareStatement SQL select name (of all) from item, 500000 Api.handle step load, 700000 Api.handle step load'
run report -q --slowest=1 --method='java.sql.**' said.prv
is '... as text' "$(printf '%s\n' "$out" | grep 'with ')" '      with SQL: select name (of all) from item
      in Api.handle with step: load'
run report -q --slowest=1 --json said.prv
is '... the outermost has no caller' "$(json 'exists $c[0]{around} ? 1 : 0')" 0
perl -e '
	print "#Paraver (1/1/2025 at 0:00):10000000_ns:0:1:1(1:0),0\n2:0:1:1:1:0:60000019:1\n";
	for my $i (1 .. 40) { print "2:0:1:1:1:${i}000:60000019:2:1000:$i\n2:0:1:1:1:${i}500:60000019:0\n" }' >much.prv
run report -q --slowest=1 --json much.prv
is 'of very many values the first' "$(json 'join " ", map { $_->{value} } @{ $c[0]{captured} }')" '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16'

# a chosen method that passes its time on
cat >deep.prv <<'END'
#Paraver (1/1/2025 at 0:00):10000000_ns:0:1:1(1:0),0
1:0:1:1:1:0:10000000:1
2:0:1:1:1:0:60000019:1
2:0:1:1:1:100000:60000019:2
2:0:1:1:1:200000:60000019:3
2:0:1:1:1:9800000:60000019:0
2:0:1:1:1:9900000:60000019:0
2:0:1:1:1:10000000:60000019:0
END
cat >deep.pcf <<'END'
EVENT_TYPE
0    60000019    User function
VALUES
1   Api.handle [a.Api.handle():void]
2   Pool.hold [a.Pool.hold():void]
3   Pool.take [a.Pool.take():void]
END
run report -q --slowest=1 --method='a.Api#handle' deep.prv
like 'what a chosen call passed its time on to' "$status$out" '0*10.000 ms  Api.handle *
      9.600 ms in Pool.take < Pool.hold
*'
mkdir sums.jwr
printf 'jweave-recording\t2\nmode\tsummary\npid\t7\nthread\t1\t0\t1\t1\t1\t-\tmain\n' >sums.jwr/meta
run report --slowest=1 sums.jwr
is 'a summary' "$status$err" \
	"2jweave: error: 'sums.jwr' is a summary (JWEAVE_MODE=summary), which knows no single calls: record events for this"

"$x" run.jwr run.map 2000 || exit 1
run prv run.jwr --map run.map
run report --slowest=7 --json --map run.map run.jwr
of_recording=$out
is 'of a recording' "$status$err $(json 'join " ", $r->{calls}, map { "$_->{name} $_->{ns}" } @c[0 .. 2]')" \
	'0 2601 Main.run 1200100 Solver.step 5000 Solver.step 5000'
run report --slowest=7 --json run.prv
is 'its trace says the same' "$out" "$of_recording"
head -c 3000 run.prv >cut.prv
run report -q --slowest=3 cut.prv
is 'a damaged trace: what is there, two unusual calls and three others' "$status$(printf '%s\n' "$out" | grep -c ' ms  ')" 05
like '... by how much longer' "$out" 'the 2 slowest calls of *, by how much longer they took than is usual*'
like '... then the others' "$out" '*
the longest of the others: the start, loops, or always that long
*'
run report -q --slowest=7 run.prv
like 'a first call is said to be one' "$out" '*; usually 0.005 ms (200 calls), its first*'
run report -q --slowest=1 --method='acme.Point' run.prv
like 'what takes less than a microsecond has digits' "$out" '*   1  0.020 us  Point.getX  at *; usually 0.020 us (* calls)*'
finish
