#!/bin/sh
# jweave report: threads of one role share a line where there are more than are shown, and are one where many end waits.
. tests/cli/kit
cd "$dir" || exit 1

# thread N of a pool runs for N us, and then waits: 1 us, thread 20 in two parts
perl -e '
	my @names = ("main", (map { "pool-1-thread-$_" } 1 .. 20), (map { "pool-2-thread-$_" } 1 .. 3), "Reaper", "Reaper", "x9 y9z", map { "tick 7 of $_ s" } 1 .. 4);
	my $n = @names;
	open my $prv, ">", "many.prv" or die;
	print $prv "#Paraver (21/11/2025 at 10:00):100000_ns:1($n):1:1($n:1),0\n";
	my @lines;
	for my $i (1 .. $n) {
		my $run = $names[$i - 1] =~ /^pool-1-thread-(\d+)/ ? 1000 * $1 : 100000;
		my $end = $run < 100000 ? $run + 1000 : $run;
		push @lines, [0, "1:$i:1:1:$i:0:$run:1"];
		push @lines, [$run, "1:$i:1:1:$i:$run:" . ($end - ($i == 21 ? 500 : 0)) . ":5"] if $end > $run;
		push @lines, [$end - 500, "1:$i:1:1:$i:" . ($end - 500) . ":$end:9"] if $i == 21;
		push @lines, [$end, "1:$i:1:1:$i:$end:100000:2"] if $end < 100000;
	}
	print $prv map { "$_->[1]\n" } sort { $a->[0] <=> $b->[0] } @lines;
	open my $row, ">", "many.row" or die;
	print $row "LEVEL CPU SIZE 1\n1.node1\n\nLEVEL NODE SIZE 1\nnode1\n\nLEVEL THREAD SIZE $n\n", map { "$_\n" } @names;
	open my $pcf, ">", "many.pcf" or die;
	print $pcf "STATES\n0    Idle\n1    Running\n2    Not created\n5    Synchronization\n9    Blocked\n";
' || exit 1
table() { # table HEAD: the lines of the table whose head has the word HEAD
	printf '%s\n' "$out" | sed -n "/^ *$1 /,/^\$/p" | sed 's/  */ /g; s/^ //'
}
run report --busy=0 many.prv
is 'status' "$status$err" 0
is 'lives: sums, where the first of them is; few are told one by one' "$(table 'life ms')" 'life ms running ms use % in methods calls thread
0.100 0.100 100.0 0.000 0 main
0.530 0.510 96.2 0.000 0 pool-*-thread-* (23 threads)
0.100 0.100 100.0 0.000 0 Reaper
0.100 0.100 100.0 0.000 0 Reaper
0.100 0.100 100.0 0.000 0 x9 y9z
0.400 0.400 100.0 0.000 0 tick * of * s (4 threads)
threads that share a line have one name, but for its numbers; each: --top=31'
like 'states: the critical one is that of them all' "$(table 'Running ms')" '*
0.510 0.019\* 0.001 0.019 0.001 pool-*-thread-* (23 threads)
*'
run report --busy=0 --top=31 many.prv
like 'as many as there are: each' "$(table 'life ms')" '*
0.021 0.020 95.2 0.000 0 pool-1-thread-20
*'
is '... without a word' "$(printf '%s\n' "$out" | grep -c 'share a line')" 0
run report --busy=0 --top=3 many.prv
like 'fewer' "$(table 'life ms')" '*
0.100 0.100 100.0 0.000 0 Reaper
and 3 more (--top=N)
threads that share*'

# main is 100 us in a method, 30 threads of a role are for less than a hundredth of that each; so are two others
perl -e '
	my @names = ("main", (map { "small-$_" } 1 .. 30), "rare", "rarer");
	my $n = @names;
	open my $prv, ">", "few.prv" or die;
	print $prv "#Paraver (21/11/2025 at 10:00):100000_ns:1($n):1:1($n:1),0\n", map { "1:$_:1:1:$_:0:100000:1\n" } 1 .. $n;
	print $prv map { "2:$_:1:1:$_:0:60000019:1\n" } 1 .. $n;
	print $prv map { "2:$_:1:1:$_:900:60000019:0\n" } 2 .. $n;
	print $prv "2:1:1:1:1:100000:60000019:0\n";
	print $prv map { "2:1:1:1:1:100000:60000019:1:60000019:0\n" } 1 .. 200;
	open my $row, ">", "few.row" or die;
	print $row "LEVEL CPU SIZE 1\n1.node1\n\nLEVEL NODE SIZE 1\nnode1\n\nLEVEL THREAD SIZE $n\n", map { "$_\n" } @names;
	open my $pcf, ">", "few.pcf" or die;
	print $pcf "STATES\n0    Idle\n1    Running\n\nEVENT_TYPE\n0 60000019 User function\nVALUES\n0 End\n1 A.b [a.A.b():void A.java:1]\n";
' || exit 1
run report few.prv
is 'who does hardly anything counts with those of its role' "$(table 'life ms')" 'life ms running ms use % in methods calls thread
0.100 0.100 100.0 0.100 201 main
3.000 3.000 100.0 0.027 30 small-* (30 threads)
0.200 0.200 100.0 0.002 2 2 other threads: rare, rarer (--busy=0 shows each)
threads that share a line have one name, but for its numbers; each: --busy=0 --top=33'
run report --top=33 few.prv
like '... unless each is asked for' "$(table 'life ms')" '*
3.200 3.200 100.0 0.029 32 32 other threads: small-1, small-2, small-3 and 29 more (--busy=0 shows each)'

# main waits for a monitor that others have
waits() { # waits HOLDERS..: rows, one for each wait
	{
		sed 1q many.prv
		for i in $(seq 31); do echo "1:$i:1:1:$i:0:$([ "$i" = 1 ] && echo 1000 || echo 100000):1"; done
		at=1000
		for holder; do
			printf '%s\n' "1:1:1:1:1:$at:$((at + 100)):9" "2:1:1:1:1:$at:48100001:1:48100002:2147483655:48100020:1" \
				"2:1:1:1:1:$((at + 50)):48100040:$holder" "2:1:1:1:1:$((at + 100)):48100001:0:48100002:0:48100020:0" "1:1:1:1:1:$((at + 100)):$((at + 200)):1"
			at=$((at + 200))
		done
		echo "1:1:1:1:1:$at:100000:1"
	} >waits.prv
	cp many.row waits.row
	{
		cat many.pcf
		printf '9    Blocked at a monitor\n\n\nEVENT_TYPE\n0 48100001 Java monitor\nVALUES\n0 None\n1 Waiting to enter\n\n'
		printf '\nEVENT_TYPE\n0 48100002 Java monitor, object\n\n\nEVENT_TYPE\n0 48100020 Java monitor, class\nVALUES\n0 None\n1 a.Lock\n\n'
		printf '\nEVENT_TYPE\n0 48100040 Java monitor, held by the thread of this row\n'
	} >waits.pcf
	run report waits.prv
}
waits 2 3 23 25 2
like 'who had it: threads of one role' "$out" '*to enter a.Lock@7; held by pool-\*-thread-\* (4), Reaper (1)
*'
waits 2 3 2 2 3
like '... of few each' "$out" '*to enter a.Lock@7; held by pool-1-thread-1 (3), pool-1-thread-2 (2)
*'
waits 25 2 3 4 1 27 28 28
like '... and how many more' "$out" '*to enter a.Lock@7; held by pool-\*-thread-\* (3), tick 7 of 1 s (2), main (1) and 2 more
*'
# ---- threads keep their numbers, whatever is selected; who has no name has one that says so ----
{
	echo '#Paraver (1/1/2025 at 0:00):10000_ns:1(2):1:2(2:1,3:1),0'
	for thread in 1:1 1:2 2:1 2:2 2:3; do
		echo "1:1:1:$thread:0:10000:1"
	done
	echo 2:1:1:2:3:1000:48100001:1:48100002:77
	echo 2:1:1:2:3:2000:48100001:0
} >two.prv
printf 'LEVEL THREAD SIZE 5\nmain\n\nmain\nworker-1\nworker-2\n' >two.row
printf 'EVENT_TYPE\n0 48100001 Java monitor\nVALUES\n0 End\n1 Enter\n' >two.pcf
numbers() { # numbers OPTIONS..: task and number of each thread, and of the monitor and who waited
	"$jweave" report -q --json "$@" two.prv | perl -MJSON::PP -0777 -ne '$r = decode_json($_);
		print join(" ", map { "$_->{task}.$_->{thread}=$_->{name}" } @{ $r->{threads} }),
			map { " monitor of $_->{task}: $_->{threads}[0]{task}.$_->{threads}[0]{thread}" } @{ $r->{monitors} }'
}
is 'all' "$(numbers)" '1.1=main 1.2=unnamed 2 2.1=main 2.2=worker-1 2.3=worker-2 monitor of 2: 2.3'
is 'one process' "$(numbers --process=2)" '2.1=main 2.2=worker-1 2.3=worker-2 monitor of 2: 2.3'
is 'some threads' "$(numbers --thread='worker-2')" '2.3=worker-2 monitor of 2: 2.3'
is 'who has no name' "$(numbers --thread='unnamed*')" '1.2=unnamed 2'
# ---- short calls, and long ones: what the probes of all took ----
short() { # short NS: a report of 100 calls of NS each, in one
	perl -e '
	my $ns = shift;
	my $end = 100 * $ns + 200;
	open my $prv, ">", "short.prv" or die;
	print $prv "#Paraver (21/11/2025 at 10:00):${end}_ns:1(1):1:1(1:1),0\n1:1:1:1:1:0:$end:1\n2:1:1:1:1:100:60000019:1\n";
	for my $i (0 .. 99) {
		my ($from, $to) = (100 + $i * $ns, 100 + ($i + 1) * $ns - 1);
		print $prv "2:1:1:1:1:$from:60000019:2\n2:1:1:1:1:$to:60000019:0\n";
	}
	print $prv "2:1:1:1:1:", $end - 1, ":60000019:0\n";
	open my $row, ">", "short.row" or die;
	print $row "LEVEL THREAD SIZE 1\nmain\n";
	open my $pcf, ">", "short.pcf" or die;
	print $pcf "STATES\n0    Idle\n1    Running\n\nEVENT_TYPE\n0 60000019 User function\nVALUES\n0 End\n1 A.all [a.A.all():void A.java:1]\n2 A.b [a.A.b():void A.java:2]\n";
	' "$1" || exit 1
	run report short.prv
}
short 60
like 'of most of the time it is said that it is the probes' "$out" '*A.all
  about 75 % of the running time is that of the probes, at 45 ns a call: methods that are short and called often take less than it seems (jweave score)
*'
short 40
like '... that cost less than they may, but not more than all' "$out" '*about 100 % of the running time*'
short 1000
is '... of little not' "$(printf '%s' "$out" | grep -c probes)" 0
finish
