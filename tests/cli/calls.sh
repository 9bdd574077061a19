#!/bin/sh
# jweave report --tree, --callers, --percentiles, --histogram: of a trace that is known, as text and as JSON; of programs
# that run with a known tree and known durations, on JDK 17 and 25, one process and three.
# Slow: 30 s, JVMs of two versions.
. tests/cli/kit
cd "$dir" || exit 1

json() { # json PERL: evaluates it on $r, the result of the last run
	printf %s "$out" | perl -MJSON::PP -e 'local $/; binmode STDOUT, ":utf8"; $r = decode_json(<>); %n = map { $_->{id} => $_ } grep { defined $_->{id} } @{ $r->{tree} || [] };
		sub way { my $t = shift; my $p = $t->{parent}; (defined $p ? way($n{$p}) : ""), $t->{folded} ? "~" : $t->{name} // () } print '"$1"
}

# w-1: run [0, 10 ms), which calls step three times, 1 ms each (the last one fails), and step calls sub once (0.4 ms,
# blocked for 0.1 ms); w-2: sub alone, 2 ms
cat >known.prv <<'END'
#Paraver (1/1/2025 at 0:00):10000000_ns:0:1:1(2:0),0
1:0:1:1:1:0:3200000:1
1:0:1:1:2:0:10000000:1
2:0:1:1:1:0:60000019:1
2:0:1:1:1:1000000:60000019:2
2:0:1:1:1:2000000:60000019:0
2:0:1:1:2:2500000:60000019:3
2:0:1:1:1:3000000:60000019:2
2:0:1:1:1:3100000:60000019:3
1:0:1:1:1:3200000:3300000:9
1:0:1:1:1:3300000:10000000:1
2:0:1:1:1:3500000:60000019:0
2:0:1:1:1:4000000:60000019:0
2:0:1:1:2:4500000:60000019:0
2:0:1:1:1:5000000:60000019:2
2:0:1:1:1:6000000:48100024:1:60000019:0
END
cat >known.pcf <<'END'
EVENT_TYPE
0    60000019    User function
VALUES
0   End
1   Main.run [a.Main.run():void Main.java:1]
2   Main.step [a.Main.step():void Main.java:5]
3   Io.sub [a.Io.sub(int):void Io.java:9]

EVENT_TYPE
0    48100024    Exit by an exception
VALUES
0   End
1   yes
END
printf 'LEVEL THREAD SIZE 2\nw-1\nw-2\n' >known.row

run report --tree known.prv
is 'tree' "$status$err
$out" '0
3 methods, 6 calls in 0.010 s

       calls  exceptions      total ms total %       self ms    running ms  method, and what it calls
           1           0        10.000    83.3         7.000         7.000  Main.run
           3           1         3.000    25.0         2.600         2.600    Main.step
           1           0         0.400     3.3         0.400         0.300      Io.sub
           1           0         2.000    16.7         2.000         2.000  Io.sub'
run report --tree --threshold=4% known.prv
is 'what is below the threshold is folded' "$(printf '%s\n' "$out" | tail -4)" \
	'           3           1         3.000    25.0         2.600         2.600    Main.step
           1           0         0.400     3.3         0.400         0.300      (1 more)
           1           0         2.000    16.7         2.000         2.000  Io.sub
  the longest 3 of 4 ways to a method (--top=N, --threshold=PERCENT)'
run report --tree --top=1 known.prv
is 'so is what is beyond --top' "$(printf '%s\n' "$out" | tail -4)" \
	'           1           0        10.000    83.3         7.000         7.000  Main.run
           4           1         3.000    25.0         3.000         2.900    (1 more)
           1           0         2.000    16.7         2.000         2.000  (1 more)
  the longest 1 of 4 ways to a method (--top=N, --threshold=PERCENT)'
run report --callers='a.Io#sub' known.prv
is 'callers' "$status$err
$(printf '%s\n' "$out" | tail -4)" '0
       calls  exceptions      total ms total %       self ms    running ms  method, and who calls it
           2           0         2.400   100.0         2.400         2.300  Io.sub
           1           0         0.400    16.7         0.400         0.300    by Main.step
           1           0         0.400    16.7         0.400         0.300      by Main.run'
known=$out
for said in Io.sub a.Io.sub; do
	run report --callers=$said known.prv
	is "callers of $said, as it is printed" "$out" "$known"
done
run report --callers='Main.<init>' known.prv
like 'a constructor as it is printed' "$status$err" "2*--callers 'Main.<init>': it selects none of the 3 methods that ran*"
run report --tree --json known.prv
is 'JSON: what there is' "$status$err $(json 'join " ", @$r{qw(kind durationNs calls totalNs nodes foldedCalls)}')" '0 tree 10000000 6 12000000 4 0'
is 'each way' "$(json 'join " ", map { join("/", way($_)) . " $_->{calls} $_->{exceptional} $_->{totalNs} $_->{selfNs}" } @{ $r->{tree} }')" \
	' 0 0 12000000 0 /Main.run 1 0 10000000 7000000 /Main.run/Main.step 3 1 3000000 2600000 /Main.run/Main.step/Io.sub 1 0 400000 400000 /Io.sub 1 0 2000000 2000000'
is 'by what threads did' "$(json 'join " ", map { "$_->{self}{running}+$_->{self}{blocked}" } @{ $r->{tree} }')" '0+0 7000000+0 2600000+0 300000+100000 2000000+0'
run report --tree --by-thread --json known.prv
is 'by role of threads' "$(json 'join " ", map { $_->{threads} // () } @{ $r->{tree} }')" 'w-*'
run report --tree --by-thread known.prv
like 'as text, too' "$out" '*method, and what it calls, in threads w-\**'
run report --callers='a.Io#*' --json known.prv
is 'JSON of callers' "$(json 'join " ", $r->{callers}, map { join("/", way($_)) . " $_->{totalNs}" } @{ $r->{tree} }')" \
	'a.Io#*  2400000 /Io.sub 2400000 /Io.sub/Main.step 400000 /Io.sub/Main.step/Main.run 400000'

run report --percentiles --by=calls known.prv
is 'percentiles' "$status$err
$(printf '%s\n' "$out" | tail -4)" '0
       calls  exceptions       p50 us       p90 us       p99 us     p99.9 us   longest us  method
           3           1     1000.000     1000.000     1000.000     1000.000     1000.000  Main.step
           2           0      400.000     2000.000     2000.000     2000.000     2000.000  Io.sub
           1           0    10000.000    10000.000    10000.000    10000.000    10000.000  Main.run'
run report --percentiles --json --by=p50 known.prv
is 'their JSON' "$(json 'join " ", @$r{qw(kind exactUpTo error)}, map { @$_{qw(name calls exceptional shortestNs p50Ns p90Ns p99Ns p999Ns longestNs)} } @{ $r->{methods} }')" \
	'percentiles 128 0.015625 Main.run 1 0 10000000 10000000 10000000 10000000 10000000 10000000 Main.step 3 1 1000000 1000000 1000000 1000000 1000000 1000000 Io.sub 2 0 400000 400000 2000000 2000000 2000000 2000000'
run report --histogram='a.Io#*' known.prv
is 'histogram' "$status$err
$(printf '%s\n' "$out" | tail -10)" '0
Io.sub
2 calls: p50 400.000 us, p90 2000.000 us, p99 2000.000 us, p99.9 2000.000 us, longest 2000.000 us
     400 us ..    500 us            1   50.00 %  ########################################
     500 us ..    600 us            0   50.00 %
     600 us ..    800 us            0   50.00 %
     800 us ..      1 ms            0   50.00 %
       1 ms ..    1.2 ms            0   50.00 %
     1.2 ms ..    1.5 ms            0   50.00 %
     1.5 ms ..      2 ms            0   50.00 %
       2 ms ..    2.5 ms            1  100.00 %  ########################################'
run report --histogram='a.Main#step' --json known.prv
is 'its JSON' "$(json 'join " ", map { map { "$_->{fromNs}-$_->{toNs}:$_->{calls}" } @{ $_->{classes} } } @{ $r->{methods} }')" '1000000-1200000:3'
run report --by=p99.9 --top=1 known.prv
like '--by takes percentiles, and shows them' "$out" '*p99.9 us*10000.000*'
run report --percentiles --from=0.0015 --to=0.005 known.prv
like 'calls that a range cuts have no duration' "$out" '*calls that the range cuts are among the calls, and have no duration*'
gzip -k known.prv
run report --tree --percentiles --json known.prv.gz
like 'one JSON at a time' "$status$err" '2*--json takes one of --tree, --callers, --percentiles and --histogram*'
run report --tree --percentiles --histogram='**' known.prv.gz
is 'as text, all of them' "$status$err$(printf '%s\n' "$out" | grep -c '^ *calls')" 02
run report --callers='a.None' known.prv
is 'a pattern that selects nothing' "$status$out$err" "2jweave: error: --callers 'a.None': it selects none of the 3 methods that ran"
run report --histogram='public a.Io' known.prv
like 'a trace knows no modifiers' "$status$err" "2jweave: error: --histogram 'public a.Io': a trace knows no modifiers*"
cp known.prv bare.prv
run report -q --callers='a.Io' bare.prv
like 'without names nothing is selected' "$status$err" "2*jweave: error: --callers 'a.Io': methods are selected by their names, and none are known"
run report --tree --threshold=101 known.prv
like 'a threshold is a percentage' "$status$err" '2*--threshold takes a percentage from 0 to 100*'
run report --threshold=5 known.prv
like 'of a tree' "$status$err" '2*--threshold is of --tree or --callers*'

# one method calls itself 70 times; then 100,000 others run once
perl -e 'print "#Paraver (1/1/2025 at 0:00):10000000_ns:0:1:1(1:0),0\n";
	$t = 0;
	print "2:0:1:1:1:", $t++, ":60000019:1\n" for 1 .. 70;
	print "2:0:1:1:1:", $t++, ":60000019:0\n" for 1 .. 70;
	print "2:0:1:1:1:", $t++, ":60000019:$_\n2:0:1:1:1:", $t++, ":60000019:0\n" for 2 .. 100001' >many.prv
cat >many.pcf <<'END'
EVENT_TYPE
0    60000019    User function
VALUES
0   End
1   Deep.down [a.Deep.down():void Deep.java:1]
END
run report -q --callers='a.Deep#down' --top=1000 --threshold=0 many.prv
is 'callers have 64 levels, then they are folded' "$(printf '%s\n' "$out" | grep -c 'by Deep.down') $(printf '%s\n' "$out" | grep -c '(callers further away)')" '64 1'
like 'deep levels are figures' "$out" '* 40: by Deep.down*'
run report -q --tree --top=3 many.prv
like 'beyond 100,000 nodes calls are folded' "$out" '*there are more than 100000 ways to a method: 70 calls of others are folded below their callers*'
run report -q --tree --json many.prv
is 'none of them is lost' "$(json 'join " ", @$r{qw(nodes foldedCalls)}, eval { my $n = 0; $n += $_->{calls} for @{ $r->{tree} }; $n }')" '100000 70 100070'
run report -q --tree --top=100000 --threshold=0 many.prv
like 'a line tells them' "$out" '*(calls that are folded)*'

# 1,000 calls of 1 us to 1 ms
perl -e 'print "#Paraver (1/1/2025 at 0:00):1000000000_ns:0:1:1(1:0),0\n";
	$t = 0;
	print "2:0:1:1:1:$t:60000019:1\n2:0:1:1:1:", $t += 1000 * $_, ":60000019:0\n" for 1 .. 1000' >even.prv
run report -q --percentiles even.prv
like 'what is not exact says so' "$out" '*of more than 128 calls, percentiles are within 1.6 %; the longest is exact*'
run report -q --percentiles --json even.prv
is 'within 1/64' "$(json 'join " ", map { my $m = $_; $m->{longestNs}, map { abs($m->{ $_->[0] } / $_->[1] - 1) <= 1 / 64 ? "near" : $m->{ $_->[0] } } [p50Ns => 500e3], [p90Ns => 900e3], [p99Ns => 990e3], [p999Ns => 999e3] } @{ $r->{methods} }')" \
	'1000000 near near near near'

# ---- programs ----

jdk() { # jdk RELEASE: its folder
	for release in ${JW_JDK25:+"$JW_JDK25/release"} /usr/lib/jvm/*/release; do
		[ -r "$release" ] && grep -q "^JAVA_VERSION=\"$1[.\"]" "$release" && [ -x "${release%/release}/bin/javac" ] &&
			{ echo "${release%/release}"; return; }
	done
}
mkdir -p src app
cat >src/Shop.java <<'END'
package acme;
/* 2 threads, 1,000 requests each: each calls find twice and pay once; 1 of 1,000 sleeps for 500 ms in pay. */
public class Shop {
	static void find(int i) { if (i < 0) throw new IllegalArgumentException(); }
	static void pay(int i) throws Exception { if (i == 500) Thread.sleep(500); find(i); }
	static void request(int i) throws Exception {
		find(i);
		try { find(i % 10 == 0 ? -1 : i); } catch (IllegalArgumentException e) { }
		pay(i);
	}
	static int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }
	public static void main(String[] args) throws Exception {
		Thread[] all = new Thread[2];
		for (int t = 0; t < all.length; t++) {
			all[t] = new Thread(() -> { try { for (int i = 0; i < 1000; i++) request(i); } catch (Exception e) { throw new Error(e); } }, "till-" + t);
			all[t].start();
		}
		for (Thread t : all) t.join();
		depth(20);
	}
}
END
printf '{"jweave":1,"rules":[{"match":["acme.**"]}]}' >rules.json
for release in 17 25; do
	home=$(jdk $release)
	if [ -z "$home" ]; then
		skip "JDK $release: a program" "there is no JDK $release"
		continue
	fi
	rm -rf app run.*.jwr
	"$home/bin/javac" --release 17 -d app src/Shop.java && "$jweave" -q app rules.json "woven$release" || exit 1
	for i in 1 2 3; do
		JWEAVE_OUTPUT=$dir/run.$i JWEAVE_BUDGET=none JWEAVE_CONVERT=off timeout 100 "$home/bin/java" -cp "woven$release" acme.Shop 2>"$dir/.java" || exit 1
	done
	for runs in 1 3; do
		set -- run.1.jwr
		[ $runs = 1 ] || set -- run.1.jwr run.2.jwr run.3.jwr
		run report --tree --json "$@"
		is "JDK $release, $runs: the tree" "$status $(json 'join " ", sort map { my $w = join "/", way($_); $w =~ s/lambda\$\w+\$\d+/body/; $_->{name} && $w !~ m{depth/} ? "$w:$_->{calls}:$_->{exceptional}" : () } @{ $r->{tree} }')" \
			"0 /Shop.body/Shop.request/Shop.find:$((4000 * runs)):$((200 * runs)) /Shop.body/Shop.request/Shop.pay/Shop.find:$((2000 * runs)):0 /Shop.body/Shop.request/Shop.pay:$((2000 * runs)):0 /Shop.body/Shop.request:$((2000 * runs)):0 /Shop.body:$((2 * runs)):0 /Shop.main/Shop.depth:$runs:0 /Shop.main:$runs:0"
		is "JDK $release, $runs: a recursion has a node a level" "$(json 'scalar grep { join("/", way($_)) =~ m{depth} } @{ $r->{tree} }')" 21
		run report --percentiles --json "$@"
		is "JDK $release, $runs: the delay is beyond p99, and the longest call" "$(json 'map { $_->{name} eq "Shop.pay" ? join(" ", $_->{calls}, $_->{p99Ns} < 200e6 ? "short" : "long", $_->{longestNs} >= 400e6 ? "long" : "short") : () } @{ $r->{methods} }')" \
			"$((2000 * runs)) short long"
		run report --histogram='acme.Shop#pay' --json "$@"
		is "JDK $release, $runs: $((2 * runs)) calls are apart from the others" "$(json 'eval { my $n = 0; $_->{fromNs} >= 200e6 and $n += $_->{calls} for @{ $r->{methods}[0]{classes} }; $n >= '$((2 * runs))' && $n < 100 }')" 1
	done
	JWEAVE_OUTPUT=$dir/sums$release JWEAVE_MODE=summary timeout 100 "$home/bin/java" -cp "woven$release" acme.Shop 2>/dev/null
	run report --tree "sums$release.jwr"
	like "JDK $release: a summary has no tree" "$status$err" "4*'sums$release.jwr' is a summary, which has sums of calls, but no tree and no durations: record events (without --summary)"
	run prv -q run.1.jwr -o "shop$release"
	run report --tree --json run.1.jwr
	of_recording=$out
	run report --tree --json "shop$release.prv"
	is "JDK $release: the trace says the same" "$out" "$of_recording"
done
# calls of which each is nearly all in the next are one line, which does not count to --top; so many at least
nested() { # nested DEPTH: functions 1 to DEPTH, each in the one before, and two in the last
	{
		echo '#Paraver (1/1/2025 at 0:00):1000000_ns:0:1:1(1:0),0'
		echo '1:0:1:1:1:0:1000000:1'
		for i in $(seq "$1"); do echo "2:0:1:1:1:$i:60000019:$i"; done
		printf '2:0:1:1:1:%d:60000019:%d\n' 100 21 500000 0 500000 22 900000 0
		for i in $(seq "$1"); do echo "2:0:1:1:1:$((1000000 - $1 + i)):60000019:0"; done
	} >nested.prv
}
tree() { printf '%s\n' "$out" | sed -n 's/^ *[0-9]* .*[0-9]\.[0-9]*  \( *[^ ].*\)/\1/p'; }
nested 6
run report -q --tree --top=4 nested.prv
is 'a chain of four' "$(tree)" 'function 1
  ... 4 levels, each nearly all in the next
    function 6
      function 21
      function 22'
run report -q --tree --top=4 --threshold=0 nested.prv
is '... where all is asked for' "$(tree)" 'function 1
  function 2
    function 3
      function 4
        (1 more)'
run report -q --tree --json nested.prv
is '... and in the JSON' "$(json 'scalar @{ $r->{tree} }')" 9
nested 5
run report -q --tree nested.prv
is 'three are none' "$(tree | grep -c '\.\.\.')" 0
finish
