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
of_recording=$out
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

  calls  exceptions  running ms  self ms  total ms   mean us  longest us  method
    600           2       2.000    2.000     2.000     3.333       5.000  Solver.step
      1           0       0.160    0.160     1.200  1200.100    1200.100  Main.run
   2000           0       0.040    0.040     0.040     0.020       0.020  Point.getX
  exceptions, by class: jweave run --preset=exceptions

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
like 'which is said' "$err" '*cut.pcf*shown as numbers*'
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

# threads that did hardly anything; wörker made 400 of 2,201 calls and ran nearly as long as main
run report --busy=99 run.prv
like '--busy: one line for those below' "$out" '*2201  main
        1.002         1.002   100.0         1.000          400  1 other thread: w*rker (--busy=0 shows it)'
run report --busy run.prv
like 'by default below a hundredth' "$out" '*400  w*rker*'
run report --json --busy=99% run.prv
is 'in the JSON' "$(json 'join " ", map { $_->{busy} ? 1 : 0 } @{ $r->{threads} }')" '1 0'
for wrong in -1 101 x; do
	run report --busy="$wrong" run.prv
	is "--busy=$wrong" "$status" 2
done
like 'which says what it takes' "$err" "*--busy takes a percentage from 0 to 100, not 'x'*"
run report --busy= run.prv
like 'an empty one' "$status$err" "2*option '--busy' has an empty value*"
run prv run.jwr --map run.map --busy=99 -o busy
like 'prv --busy says what it leaves out' "$err" '*1 row is left out, with all that they did: less than --busy asks for*'
is 'it is not there' "$(perl "$root/tests/paraver/validate.pl" busy.prv 2>&1) $(tail -1 busy.row)" ' main'
run report busy.prv
like 'nor what it did' "$out" '1 thread, 3 methods, 2201 calls*'
run report --by=total run.prv
like '--by=total: what is split' "$out" '*running ms and the columns beside it: of the total time*'

# CPU times, of a thread that ended and of one that lived, and where main waits
cp -r run.jwr cpu.jwr
printf 'cpu\t100\t50000000\nthread-cpu\t1\t700000\ncpu\t4000000\t60000000\nthread-cpu\tx\ny\n' >>cpu.jwr/meta
run prv cpu.jwr --map run.map -o cpu
for type in '48100026    Java thread, CPU time in ns' '48100027    Java process, CPU time in ns'; do
	ok "the trace has $type" "$(grep -q "^0    $type$" cpu.pcf; echo $?)"
done
is 'and is a good one' "$(perl "$root/tests/paraver/validate.pl" cpu.prv 2>&1)" ''
run report --map run.map cpu.jwr
of_recording=$out
like 'CPU times in the text' "$out" '*  CPU ms *0.700 *main*100.0                       1.000 *400  w*rker
  running ms: of 1.202 they had a CPU for 0.700; else others had it, or they waited where nothing tells it*'
sed 's/^thread-cpu.1.*/thread-cpu\t1\t1000000/' cpu.jwr/meta >meta && cp -r cpu.jwr fed.jwr && cp meta fed.jwr/meta
run report --map run.map fed.jwr
like 'who worked beside running' "$(sed 's/^thread-cpu.1.*/thread-cpu\t1\t3000000/' cpu.jwr/meta >meta && cp -r cpu.jwr io.jwr && cp meta io.jwr/meta && "$jweave" report -q --map run.map io.jwr 2>/dev/null)" \
	'*  CPU ms: 1.798 more than running ms: the CPU worked where threads count as waiting*'
is 'a thread that takes a millisecond more to begin and end has not' "$(sed 's/^thread-cpu.1.*/thread-cpu\t1\t2200000/' cpu.jwr/meta >meta && cp -r cpu.jwr start.jwr && cp meta start.jwr/meta && "$jweave" report -q --map run.map start.jwr 2>/dev/null | grep -c 'CPU worked')" 0
is 'who had it nearly all the time' "$(printf '%s\n' "$out" | grep -c 'had a CPU')" 0
run report --map run.map cpu.jwr
run report cpu.prv
is 'of the trace' "$out" "$of_recording"
run report --json cpu.prv
is 'in the JSON' "$(json 'join " ", $r->{cpuNs}, map { $_->{cpuNs} // "none" } @{ $r->{threads} }')" '60000000 700000 none'
for by in running calls blocked gc; do
	run report --by=$by run.prv
	is "--by=$by" "$status" 0
done

# virtual threads, pauses, and main waiting in a monitor that it has waited for
"$x" virtual.jwr virtual.map 10 5 || exit 1
run report --map virtual.map virtual.jwr
like 'pauses inside methods have a column' "$out" '*GC ms*'
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

# waits inside the JDK: a park that another thread ended, and one for work
cat >parks.prv <<'P'
#Paraver (1/1/2025 at 0:00):10000_ns:0:1:1(2:0),0
1:0:1:1:1:0:1000:1
1:0:1:1:2:0:10000:1
2:0:1:1:1:100:60000019:1
1:0:1:1:1:1000:1300:5
2:0:1:1:1:1000:48100028:1:48100002:2147483655:48100020:1:48100021:1
3:0:1:1:2:1290:1290:0:1:1:1:1300:1300:0:402
2:0:1:1:2:1290:48100029:1
1:0:1:1:1:1300:2000:1
2:0:1:1:1:1300:48100028:0:48100002:0:48100020:0:48100021:0
1:0:1:1:1:2000:9000:34
2:0:1:1:1:2000:48100028:2:48100021:2
1:0:1:1:1:9000:10000:1
2:0:1:1:1:9000:48100028:0:48100021:0
2:0:1:1:1:9500:60000019:0
P
printf 'EVENT_TYPE\n0 60000019 User function\nVALUES\n0 End\n1 A.g [a.A.g():void A.java:30]\n\nEVENT_TYPE\n0 48100020 Java monitor, class\nVALUES\n0 End\n1 a.Lock\n\nEVENT_TYPE\n0 48100021 Java monitor, where it is waited for\nVALUES\n0 End\n1 A.g (A.java:31)\n2 Pool.getTask (Pool.java:1)\n\n' >parks.pcf
printf 'LEVEL THREAD SIZE 2\nmain\nother\n' >parks.row
run report parks.prv
like 'parks, and waits for work' "$out" '*for work ms*wait, and where
*park for a.Lock@7 in A.g (A.java:31); ended by other (1)*
*wait for work, or for requests
*0.007 *0.007  for work in Pool.getTask (Pool.java:1)
*'
sed 's/48100028:2:48100021:2/48100028:2:48100002:2147483656:48100020:1:48100021:2/' parks.prv >at.prv && cp parks.pcf at.pcf && cp parks.row at.row
run report at.prv
like 'what work is waited for at' "$out" '*wait for work, or for requests
*0.007 *0.007  for work at a.Lock@8 in Pool.getTask (Pool.java:1)
*'
run report --json parks.prv
sed 's/^1 A.g \[a.A.g/1 B.h [a.B.h/' parks.pcf >called.pcf && cp parks.prv called.prv && cp parks.row called.row
run report called.prv
like 'what is not traced was called by something that is' "$out" '*park for a.Lock@7 in A.g (A.java:31), called by B.h; ended by other (1)
*'
unlike() { case $2 in $3) ok "$1" 1 "$2" ;; *) ok "$1" 0 ;; esac; }
unlike '... where it is not for work' "$out" '*getTask (Pool.java:1), called by*'
run report --json called.prv
of_one=$out
{
	sed 1q parks.prv
	printf '%s\n' 1:0:1:1:1:0:1000:1 1:0:1:1:2:0:10000:1
	at=1000
	for method in 2 1 3 2 4; do
		printf '%s\n' "2:0:1:1:1:$at:60000019:$method" "1:0:1:1:1:$at:$((at + 100)):5" "2:0:1:1:1:$at:48100028:1:48100002:2147483655:48100020:1:48100021:1" \
			"2:0:1:1:1:$((at + 100)):48100028:0:48100002:0:48100020:0:48100021:0" "2:0:1:1:1:$((at + 100)):60000019:0" "1:0:1:1:1:$((at + 100)):$((at + 200)):1"
		at=$((at + 200))
	done
	echo "1:0:1:1:1:$at:10000:1"
} >callers.prv
sed 's/^1 A.g \[a.A.g.*/1 A.g(int) [a.A.g(int):void A.java:30]\n2 B.h [a.B.h():void B.java:1]\n3 C.i [a.C.i():void C.java:1]\n4 D.j [a.D.j():void D.java:1]/' parks.pcf >callers.pcf && cp parks.row callers.row
run report callers.prv
like '... by several, of which one is the place' "$out" '*park for a.Lock@7 in A.g (A.java:31), called by B.h (2), C.i (1) and 1 more
*'
# ---- what does not go together, and what is there twice ----
run report --requests --sql callers.prv
is 'two reports at a time' "$status$err" "2jweave: error: --requests and --sql are reports of their own: ask for one at a time (see 'jweave help report')"
run report --slowest --by=calls callers.prv
is 'an option of the tables' "$status$err" "2jweave: error: --by is of the tables, in place of which --slowest reports (see 'jweave help report')"
run report --by=cpu callers.prv
like 'cpu is a word of diff' "$status$err" "2*option '--by' takes running|*|p99.9, not 'cpu'"
run report --top=1 --map run.map run.jwr "$PWD/run.jwr/"
like 'a recording that is given twice is taken once' "$status$err
$out" "0jweave: warning: '$PWD/run.jwr/' is given twice, and taken once
2 threads, 3 methods, 2601 calls *"
# two threads of one name end waits for a lock, one each
{
	printf '%s\n' '#Paraver (1/1/2025 at 0:00):10000_ns:0:1:1(3:0),0' 1:0:1:1:1:0:1000:1 1:0:1:1:2:0:10000:1 1:0:1:1:3:0:10000:1 2:0:1:1:1:100:60000019:1
	for at in 1000 2000; do
		printf '%s\n' "1:0:1:1:1:$at:$((at + 300)):5" "2:0:1:1:1:$at:48100028:1:48100002:2147483655:48100020:1:48100021:1" \
			"3:0:1:1:$((at / 1000 + 1)):$((at + 290)):$((at + 290)):0:1:1:1:$((at + 300)):$((at + 300)):0:402" "2:0:1:1:$((at / 1000 + 1)):$((at + 290)):48100029:1" \
			"1:0:1:1:1:$((at + 300)):$((at + 1000)):1" "2:0:1:1:1:$((at + 300)):48100028:0:48100002:0:48100020:0:48100021:0"
	done
	printf '%s\n' 1:0:1:1:1:3000:10000:1 2:0:1:1:1:9500:60000019:0
} >twins.prv
sed 's/a.Lock/a.ReentrantLock$NonfairSync/' parks.pcf >twins.pcf && printf 'LEVEL THREAD SIZE 3\nmain\ntwin\ntwin\n' >twins.row
run report twins.prv
like 'threads of one name' "$out" '*A.g (A.java:31); held by twin (2, 2 threads)
*'
like 'a lock, and the state of who waits for it' "$out" '*monitor or lock
*
  blocked ms of a lock of java.util.concurrent: its threads are parked then, in the state Synchronization*'
run report --slowest twins.prv
like '... in single calls' "$out" '*A.g (A.java:31); held by twin (2, 2 threads)*'
# ... of a process each
sed -E -e '1s/1\(3:0\)/3(1:0,1:0,1:0)/' -e 's/^([123]:0:1):1:([23]):/\1:\2:1:/' twins.prv >ranks.prv && cp twins.pcf ranks.pcf
printf 'LEVEL TASK SIZE 3\nrank 0\nrank 1\nrank 2\n\nLEVEL THREAD SIZE 3\nmain\nmain\nmain\n' >ranks.row
run report --slowest ranks.prv
like 'of which process who ends a wait is' "$out" '*A.g (A.java:31); held by main of rank 1 (1), main of rank 2 (1)*'
run report --slowest --json ranks.prv
like '... in JSON' "$out" '*"enders":\[{"task":2,"thread":1,"threadName":"main",*{"task":3,"thread":1,*'
run report --method='a.B#h()' callers.prv
like '... of fewer waits than there are, and what is counted' "$out" '*           5 *park for a.Lock@7 in A.g (A.java:31), called by B.h (2)*
  waits: all of these threads, in whatever method; (N): of them, in calls that are selected
*'
out=$of_one
is '... in the JSON' "$(json 'join ", ", map { my $w = $_; map { "$w->{wait} $_->{method} $_->{count} $_->{ns}" } @{ $w->{callers} } } @{ $r->{waits} }')" 'park B.h 1 300, work B.h 1 7000'
run report --json parks.prv
is 'parks in the JSON' "$(json 'join ", ", map { "$_->{wait} $_->{ns} " . join("+", map { "$_->{thread}:$_->{count}" } @{ $_->{enders} }) } @{ $r->{waits} }')" 'park 300 2:1, work 7000 '

sed 's/^2:0:1:1:1:2000:48100028:2:/2:0:1:1:1:2000:48100028:5:/' parks.prv >requests.prv && cp parks.pcf requests.pcf && cp parks.row requests.row
run report requests.prv
like 'so are waits for requests' "$out" '*wait for work, or for requests
*0.007 *0.007  for requests in Pool.getTask (Pool.java:1)
*'

run report --critical-path requests.prv
like 'a path of who waits for requests' "$out" '*  who asks, and when, is known with: jweave run --events=default,net
*'
run report --critical-path parks.prv
is '... of work: not' "$(printf '%s\n' "$out" | grep -c 'who asks')" 0

# reads of one jar, to load classes, are one line, wherever
cat >loads.prv <<'P'
#Paraver (1/1/2025 at 0:00):100000_ns:0:1:1(1:0),0
1:0:1:1:1:0:100000:1
2:0:1:1:1:0:60000019:1
P
at=1000
for read in 1:1:9000 2:1:5000 2:1:1000 3:1:2000 4:2:11000; do
	place=${read%%:*} ns=${read##*:} file=${read#*:}
	echo "2:0:1:1:1:$at:48100028:9:48100021:$place" >>loads.prv
	at=$((at + ns))
	echo "2:0:1:1:1:$at:48100030:${file%:*}:48100031:7:48100033:$ns:48100028:0:48100021:0" >>loads.prv
done
echo 2:0:1:1:1:100000:60000019:0 >>loads.prv
printf 'EVENT_TYPE\n0 48100030 Java connection or file\nVALUES\n1 /app/a.jar\n2 /app/b.jar\n3 /app/a.log\n\nEVENT_TYPE\n0 48100021 Java monitor, where it is waited for\nVALUES\n0 End\n1 A.f, which loads a class (A.java:1)\n2 A.g, which loads a class (A.java:2)\n3 A.h (A.java:3)\n4 A.i, which loads a class (A.java:4)\n\n' >loads.pcf
cp parks.row loads.row
run report loads.prv
like 'reads by which classes are loaded: a line for each jar' "$out" '*wait, and where
           3         0.015         0.009  read, /app/a.jar, in 2 places, to load classes
           1         0.011         0.011  read, /app/b.jar, in A.i, which loads a class (A.java:4), called by *
           1         0.002         0.002  read, /app/a.jar, in A.h (A.java:3), called by *'
run report --json loads.prv
is '... in the JSON each place' "$(json 'scalar @{ $r->{waits} }')" 4
# a thread that passes its life in one place is told of after those that have something to do
cat >timer.prv <<'P'
#Paraver (1/1/2025 at 0:00):10000_ns:0:1:1(2:0),0
1:0:1:1:1:0:1000:1
1:0:1:1:2:0:200:1
2:0:1:1:1:100:60000019:1
1:0:1:1:2:200:10000:5
2:0:1:1:2:200:48100028:3:48100021:2
1:0:1:1:1:1000:1300:5
2:0:1:1:1:1000:48100028:1:48100002:2147483655:48100020:1:48100021:1
1:0:1:1:1:1300:10000:1
2:0:1:1:1:1300:48100028:0:48100002:0:48100020:0:48100021:0
2:0:1:1:1:9500:60000019:0
2:0:1:1:2:10000:48100028:0:48100021:0
P
cp parks.pcf timer.pcf && cp parks.row timer.row
run report timer.prv
like 'who does little else is apart' "$out" '*wait, and where
*0.000 *0.000  park for a.Lock@7 in A.g (A.java:31)

*wait, by threads that do little else
*0.010 *0.010  Thread.sleep in Pool.getTask (Pool.java:1)
*'
{ cat timer.prv && echo 2:0:1:1:2:9900:48100026:5000000; } >worked.prv && cp parks.pcf worked.pcf && cp parks.row worked.row
run report worked.prv
like 'who worked where no operation was traced' "$out" '*  CPU ms: 5.000 more than running ms: the CPU worked where threads count as waiting
*'
printf '%s\n' 2:0:1:1:1:2000:48101001:3 2:0:1:1:1:2100:48101001:0 >>worked.prv
run report worked.prv
like 'who worked in calls that count as I/O' "$out" '*  CPU ms: 5.000 more than running ms: the CPU worked in calls that count as I/O or as waiting (preset:sql, preset:io)
*'
run report --json timer.prv
is 'and in the JSON' "$(json 'join ", ", map { "$_->{wait} $_->{littleElse}" } @{ $r->{waits} }')" 'park 0, sleep 1'
# for one object at two places, one after another; and for two objects
two_waits() { # two_waits NAME OBJECT
	sed "s/^1:0:1:1:2:200:10000:5/1:0:1:1:2:200:5200:5\\n1:0:1:1:2:5200:10000:5/;s/^2:0:1:1:2:200:.*/2:0:1:1:2:200:48100028:1:48100002:2147483656:48100020:1:48100021:2\\n2:0:1:1:2:5200:48100028:0:48100002:0:48100021:0:48100028:1:48100002:$2:48100021:3/" timer.prv >"$1.prv"
	sed 's/^2 Pool.*/&\n3 Pool.more (Pool.java:2)/' parks.pcf >"$1.pcf" && cp parks.row "$1.row"
	run report --json "$1.prv"
}
two_waits queue 2147483656
is 'one object, at two places' "$(json 'join ", ", map { "$_->{line} $_->{count} $_->{littleElse}" } @{ $r->{waits} }')" '31 1 0, 1 1 1, 2 1 1'
two_waits answers 2147483657
is 'two objects' "$(json 'join ", ", map { "$_->{line} $_->{count} $_->{littleElse}" } @{ $r->{waits} }')" '1 1 0, 2 1 0, 31 1 0'
# at one place for objects of one class: one by who does little else, one by who does not
sed 's/^2:0:1:1:\([12]\):\(1000\|200\):.*/2:0:1:1:\1:\2:48100028:1:48100002:214748365\1:48100020:1:48100021:2/;s/:1300:/:5000:/;s/:1300$/:5000/' timer.prv >both.prv
cp parks.pcf both.pcf && cp parks.row both.row
run report --json both.prv
is 'at one place' "$(json 'join ", ", map { "$_->{line} $_->{class} $_->{ns} $_->{littleElse}" } @{ $r->{waits} }')" '1 a.Lock 4000 0, 1 a.Lock 9800 1'
sed 's/^2:0:1:1:2:200:.*/2:0:1:1:2:200:48100028:1:48100002:2147483656:48100020:1:48100021:2/' timer.prv >lock.prv
sed 's/^1 a.Lock$/1 java.util.concurrent.locks.ReentrantLock$NonfairSync/' parks.pcf >lock.pcf && cp parks.row lock.row
run report lock.prv
is 'not who contends for a lock' "$(printf '%s\n' "$out" | grep -c 'little else')" 0
# a semaphore of one thread alone is what tells it that there is something to do; one of several has permits
sed 's/^1 a.Lock$/1 java.util.concurrent.Semaphore$NonfairSync/' parks.pcf >lock.pcf
run report lock.prv
is 'who waits for a semaphore of its own does little else' "$(printf '%s\n' "$out" | grep -c 'little else')" 1
sed 's/^\(1:0:1:1:1:\)1000:1300:5/\1200:9400:5/;s/^\(1:0:1:1:1:\)1300:/\19400:/;s/^\(2:0:1:1:1:\)1300:/\19400:/;s/^\(2:0:1:1:1:\)1000:\(48100028.*\)2147483655/\1200:\22147483656/' lock.prv >permits.prv
cp lock.pcf permits.pcf && cp parks.row permits.row
run report permits.prv
is 'who waits for one with others does' "$(printf '%s\n' "$out" | grep -c 'little else')" 0
sed 's/^\(1:0:1:1:2:200:\)10000:5/\18000:5\n1:0:1:1:2:8000:10000:1/;s/^2:0:1:1:2:10000:/2:0:1:1:2:8000:/' timer.prv >most.prv
cp parks.pcf most.pcf && cp parks.row most.row
run report most.prv
is 'nor who does something else' "$(printf '%s\n' "$out" | grep -c 'little else')" 0
# nor who has waited once, and then went on
sed 's/^\(1:0:1:1:2:200:\)10000:5/\19900:5\n1:0:1:1:2:9900:10000:1/;s/^2:0:1:1:2:10000:/2:0:1:1:2:9900:/' timer.prv >once.prv
cp parks.pcf once.pcf && cp parks.row once.row
run report once.prv
is 'nor who has waited once' "$(printf '%s\n' "$out" | grep -c 'little else')" 0
# three waits for one thing: each in a call of its own, as of requests for a connection of a pool; and all in one
three_waits() { # three_waits NAME BETWEEN [TAG]: events between two waits; an arrow from main ends each
	{
		sed '/^[12]:0:1:1:2:/d' timer.prv
		echo 2:0:1:1:2:100:60000019:1
		for from in 200 3400 6600; do
			echo "1:0:1:1:2:$from:$((from + 3100)):5"
			echo "2:0:1:1:2:$from:48100028:1:48100002:2147483656:48100020:1:48100021:2"
			[ -z "$3" ] || echo "3:0:1:1:1:$((from + 3050)):$((from + 3050)):0:1:1:2:$((from + 3100)):$((from + 3100)):0:$3"
			echo "2:0:1:1:2:$((from + 3100)):48100028:0:48100002:0:48100020:0:48100021:0$2"
		done
		echo 2:0:1:1:2:9900:60000019:0
	} >"$1.prv"
	cp parks.pcf "$1.pcf" && cp parks.row "$1.row"
	run report --json "$1.prv"
}
three_waits loop ''
is 'a loop that waits' "$(json 'join ", ", map { "$_->{wait} $_->{count} $_->{littleElse}" } @{ $r->{waits} }')" 'park 1 0, park 3 1'
three_waits requests_wait :60000019:0:60000019:1 402
is 'calls that come and go wait for something' "$(json 'join ", ", map { "$_->{wait} $_->{count} $_->{littleElse}" } @{ $r->{waits} }')" 'park 3 0, park 1 0'
three_waits polls :60000019:0:60000019:1
is 'but those that mostly wait in vain' "$(json 'join ", ", map { "$_->{wait} $_->{count} $_->{littleElse}" } @{ $r->{waits} }')" 'park 1 0, park 3 1'
# a loop that is traced: of a sleep the innermost method tells whether it comes and goes
three_waits items :60000019:0:60000019:3
sed 's/:48100028:1:48100002:2147483656:48100020:1:/:48100028:3:/;s/^2:0:1:1:2:100:60000019:1$/2:0:1:1:2:50:60000019:2\n&/;/^2:0:1:1:2:9900:/s/$/:60000019:0/' items.prv >sleeps.prv
cp parks.pcf sleeps.pcf && cp parks.row sleeps.row
run report --json sleeps.prv
is 'who sleeps for one item after another does something' "$(json 'join ", ", map { "$_->{wait} $_->{count} $_->{littleElse}" } @{ $r->{waits} }')" 'sleep 3 0, park 1 0'
three_waits naps ''
sed 's/:48100028:1:48100002:2147483656:48100020:1:/:48100028:3:/' naps.prv >naps2.prv
cp parks.pcf naps2.pcf && cp parks.row naps2.row
run report --json naps2.prv
is 'a timer does not' "$(json 'join ", ", map { "$_->{wait} $_->{count} $_->{littleElse}" } @{ $r->{waits} }')" 'park 1 0, sleep 3 1'

# a trace of two threads: main waits from 1000 to 1300 ns in STATE, as standard input says
one_wait() { # one_wait NAME STATE
	{
		sed 1q parks.prv
		printf '%s\n' 1:0:1:1:1:0:1000:1 1:0:1:1:2:0:10000:1 2:0:1:1:1:100:60000019:1 "1:0:1:1:1:1000:1300:$2"
		cat
		echo 2:0:1:1:1:9500:60000019:0
	} >"$1.prv"
	cp parks.pcf "$1.pcf"
	cp parks.row "$1.row"
}

# an Object.wait: a notify ends it, not whoever gives the monitor back meanwhile
one_wait wait 5 <<'P'
2:0:1:1:1:1000:48100001:2:48100002:2147483655:48100020:1:48100021:1
3:0:1:1:2:1200:1200:0:1:1:1:1300:1300:0:303
3:0:1:1:2:1250:1250:0:1:1:1:1300:1300:0:305
1:0:1:1:1:1300:10000:1
2:0:1:1:1:1300:48100001:0:48100002:0:48100020:0:48100021:0
P
run report wait.prv
like 'who ends an Object.wait' "$out" '*Object.wait of a.Lock@7 in A.g (A.java:31); ended by other (1)*'
run report --json wait.prv
is 'who notifies has not held the monitor' "$(json 'scalar grep { @{ $_->{owners} || [] } } @{ $r->{monitors} }')" 0

# a thread that was seen to have a monitor, and one that cannot be
one_wait held 9 <<'P'
2:0:1:1:1:1000:48100001:1:48100002:2147483655:48100020:1:48100021:1
2:0:1:1:1:1200:48100040:2
1:0:1:1:1:1300:1400:1
2:0:1:1:1:1300:48100001:0:48100002:0:48100020:0:48100021:0
1:0:1:1:1:1400:1500:9
2:0:1:1:1:1400:48100001:1:48100002:2147483655:48100020:1:48100021:1
2:0:1:1:1:1450:48100040:3
1:0:1:1:1:1500:10000:1
2:0:1:1:1:1500:48100001:0:48100002:0:48100020:0:48100021:0
P
run report held.prv
like 'who has a monitor' "$out" '*2 *to enter a.Lock@7 in A.g (A.java:31); held by other (1)*'
is '... of short waits it is no question' "$(printf '%s\n' "$out" | grep -c 'who has a monitor')" 0
# the same a hundred thousand times as long
sed 's/_ns:/_us:/; /48100040/d' held.prv | awk -F: -v OFS=: 'NR > 1 { n = $1 == 1 ? 7 : 6; for (i = 6; i <= n; i++) $i *= 100 } 1' | sed '1s/:10000_us/:1000000_us/' >long.prv
cp held.pcf long.pcf && cp held.row long.row
run report long.prv
like '... of long ones that nobody tells it of it is' "$out" '*to enter a.Lock@7 in A.g (A.java:31)
*who has a monitor: jweave run --preset=monitors*'
run report --slowest=3 held.prv
like 'slowest takes it, too' "$out" '*held by other*'
# several had it: main waits [1000, 2000), is told of other, which gets it at 1200 and gives it on at 1900
one_wait convoy 9 <<'P'
2:0:1:1:1:1000:48100001:1:48100002:2147483655:48100020:1:48100021:1
1:0:1:1:2:1000:1200:9
2:0:1:1:2:1000:48100001:1:48100002:2147483655:48100020:1:48100021:1
2:0:1:1:1:1200:48100040:2
2:0:1:1:2:1200:48100001:0:48100002:0:48100020:0:48100021:0
2:0:1:1:1:1900:48100040:0
2:0:1:1:1:2000:48100001:0:48100002:0:48100020:0:48100021:0
P
run report convoy.prv
like 'who had a monitor for most of a wait' "$out" '*2 *to enter a.Lock@7 in A.g (A.java:31); held by other (1)*'
run report --json convoy.prv
is '... and for how long, in it' "$(json 'join " ", map { "$_->{ns} " . join ",", map { "$_->{thread}:$_->{ns}" } @{ $_->{enders} } } grep { $_->{wait} eq "enter" } @{ $r->{waits} }') $(json 'join ",", map { "$_->{thread}:$_->{ns}" } @{ $r->{monitors}[0]{owners} }')" '1200 2:700 2:700'
run report --json --slowest=9 convoy.prv
is '... in single calls' "$(json 'join " ", map { my $c = $_; map { my $p = $_; map { "$c->{threadName} $p->{ns} $_->{threadName}:$_->{ns}" } @{ $p->{enders} } } @{ $_->{parts} } } @{ $r->{slowest} }')" 'main 1000 other:700'
# allocations that were sampled: one in how many
{ cat held.prv; echo 2:0:1:1:1:9600:48000003:4000:48100009:1; } >allocs.prv && cp held.pcf allocs.pcf && cp held.row allocs.row
run report -q allocs.prv
like 'allocations' "$out" '*           1           4000          1  a.Lock
  one in 512 KB is sampled, or in as many bytes as JWEAVE_ALLOC says: count times that is about what was allocated'
sed 's/^1 a.Lock$/1 int[0]/' held.pcf >class.pcf
cp held.prv class.prv
cp held.row class.row
run report class.prv
like 'who initializes a class' "$out" '*to enter a class that is being initialized (lock 7) in A.g (A.java:31)*'
like 'and the lock of that' "$out" '*  a class that is being initialized (lock 7)  by *'
sed '/^2:0:1:1:1:1400:/{p;s/1400:/1420:/;s/2147483655/2147483656/}' held.prv >class.prv
run report class.prv
like 'and of several classes' "$out" '*class of monitors*  a class that is being initialized'
finish
