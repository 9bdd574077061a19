# Threads in the recording: all of them, under their names, on few windows.
# Slow: 60 s, JVMs run one after the other.
use strict;
use warnings;
use JSON::PP;
use Test::More;
use lib 'tests/runtime-jni';
use Runtime;

sub by_name {
	my ($r) = @_;
	return { map { $_->{name} => $_ } values %{ $r->{threads} } };
}

sub sequence {
	my ($t) = @_;
	return $t ? join ' ', map { "$_->[0]:$_->[1]" } @{ $t->{events} } : 'no such thread';
}

sub attach_library {
	my $lib = "$work/libattach.so";
	return $lib if -e $lib;
	my $home = java_home();
	system(cc(), '-std=c11', '-D_XOPEN_SOURCE=700', '-I.', '-fPIC', '-shared', "-I$home/include", "-I$home/include/linux",
		'-o', $lib, 'tests/runtime-jni/attach.c', '-lpthread') == 0 or die 'no libattach.so';
	return $lib;
}

for my $jvm (jvms()) {
	my ($label, $java) = @$jvm;

	my $n = 10000;
	my $got = run(java => $java, args => [ 'Threads', 'short', $n ], env => { JWEAVE_MAX_SIZE => '64M' });
	my $r = only_recording($got->{dir});
	my $t = by_name($r);
	my $wrong = grep { my $x = $t->{"short-$_"}; !$x || sequence($x) ne "1:$_ 2:$_" || $x->{start} == 0 } 0 .. $n - 1;
	is($wrong, 0, "$label: $n short threads, each with its name, start and events");
	is($got->{status}, 0, "$label: short threads: exit status");
	ok(!$r->{meta}{stop}, "$label: windows are given back (64 MiB hold 10,000 threads)");

	my $alive = $label eq '17' ? 5000 : 500;
	$got = run(java => $java, args => [ 'Threads', 'alive', $alive ]);
	$r = only_recording($got->{dir});
	$t = by_name($r);
	$wrong = grep { sequence($t->{"alive-$_"}) ne "1:$_ 2:$_ 1:$_ 2:$_" } 0 .. $alive - 1;
	is("$got->{status} $wrong", '0 0', "$label: $alive threads alive at once");

	# threads of native code: each time one is attached it is a thread of its own
	$got = run(java => $java, jvm => ['-Xcheck:jni'], args => [ 'Attach', attach_library(), 8, 20 ]);
	$r = only_recording($got->{dir});
	$t = by_name($r);
	$wrong = grep { my ($i, $k) = @$_; my $id = $i * 1000 + $k; sequence($t->{"native-$i-$k"}) ne "1:$id 2:$id" }
		map { my $i = $_; map { [ $i, $_ ] } 0 .. 19 } 0 .. 7;
	is("$got->{status} $wrong " . grep({ /^(main$|native)/ } map { $_->{name} } values %{ $r->{threads} }), '0 0 161', "$label: 8 native threads, attached 20 times each");
	# each has the CPU time of its own, not what the system's thread had before: then it would never fall
	my %cpu = map { ($_->[2] => $_->[3]) } grep { $_->[2] =~ /^native/ } @{ $r->{meta}{'thread-end'} };
	my $fell = grep { my $me = $_; grep { $cpu{"native-$me-$_"} < $cpu{"native-$me-" . ($_ - 1)} } 1 .. 19 } 0 .. 7;
	is($fell, 8, "$label: their CPU times are their own");
	is($got->{err}, '', "$label: native threads: -Xcheck:jni is silent");

	$got = run(java => $java, args => [ 'Threads', 'renamed' ]);
	$r = only_recording($got->{dir});
	$t = by_name($r);
	is($t->{before} && $t->{before}{end_name}, 'after', "$label: a renamed thread has both names");
	is($t->{main} && $t->{main}{end_name}, 'main at the end', "$label: so has one that is alive at the end");
	my $odd = "tab\there \xc3\xa9\xf0\x9f\x98\x80 \0 \\";
	ok($t->{$odd}, "$label: odd characters are UTF-8, escaped") or diag explain [ keys %$t ];
	is($t->{main} && $t->{main}{start}, 0, "$label: main was there before");

	$got = run(java => $java, args => [ 'Threads', 'late' ]);
	$r = only_recording($got->{dir});
	my ($main) = grep { $_->{name} eq 'main' } values %{ $r->{threads} };
	my ($cpu) = map { $_->[-1] / 1e6 } grep { $main && $_->[0] == $main->{uid} } map { @{ $r->{meta}{$_} || [] } } 'thread-end', 'thread-cpu';
	cmp_ok($cpu || 0, '>=', 200, "$label: a thread's CPU time since it is in the recording");
	cmp_ok($cpu || 9999, '<', 1000, "$label: not what it had before");

	# a pool's thread, which its tasks name: seen when its window is full; "(idle)", its last name, only at its end
	$got = run(java => $java, jvm => ['-Xcheck:jni'], args => [ 'Threads', 'pool' ], env => { JWEAVE_CONVERT => 'on', JWEAVE_KEEP => 1 });
	$r = only_recording($got->{dir});
	my ($worker) = grep { $_->{name} eq 'pool-1-thread-1' } values %{ $r->{threads} };
	my @seen = map { $_->[2] } grep { $worker && $_->[0] == $worker->{uid} } @{ $r->{meta}{'thread-name'} || [] };
	is("@seen", 'task [1] task [2]', "$label: a worker's names are seen while it works");
	is($worker && $worker->{end_name}, '(idle)', "$label: and at its end");
	is($got->{err}, '', "$label: names: -Xcheck:jni is silent");
	my $trace = validate($got->{dir}, events => [48100014]);
	ok($trace, "$label: names: the trace is right");
	my ($row) = grep { /^task \[[12]\]$/ } @{ $trace->{names} };
	ok($row, "$label: the row has the name that it had longest") or diag explain $trace->{names};
	my @values = map { $_->[2]{48100014} } grep { defined $_->[2]{48100014} } @{ $trace->{events} };
	is("@values", '1 2 3 0', "$label: all names are events"); # the last two at one instant: only the latter is kept here

	$got = run(java => $java, args => [ 'Threads', 'busy', 2, 200000 ]);
	$r = only_recording($got->{dir});
	$t = by_name($r);
	for my $i (0, 1) {
		my $e = $t->{"busy-$i"}{events};
		my $bad = grep { my $k = $_ >> 1; $e->[$_][0] != 1 + ($_ & 1) || $e->[$_][1] != $k } 0 .. $#$e;
		ok(@$e == 400000 && !$bad && !$t->{"busy-$i"}{backwards}, "$label: busy thread $i, every event in order");
	}
	is($r->{gaps} || 0, 0, "$label: no chunk is missing");
}

SKIP: {
	my ($jvm) = grep { $_->[0] eq '25' } jvms();
	skip 'no JDK 25: virtual threads are not tried', 32 unless $jvm;
	my $n = 100000;
	my $got = run(java => $jvm->[1], jvm => ['-Xmx1g'], args => [ 'Threads', 'virtual', $n ],
		env => { JWEAVE_CONVERT => 'on', JWEAVE_KEEP => 1, JWEAVE_SUMMARY => 1 });
	my $r = only_recording($got->{dir});
	is($got->{status}, 0, 'virtual threads: the program runs on');
	is(sequence(by_name($r)->{main}), '1:6 2:6', 'virtual threads: other threads stay whole');
	my %all;
	for my $t (values %{ $r->{threads} }) {
		for my $id (keys %{ $t->{virtual} || {} }) {
			$all{$id}{$_} += $t->{virtual}{$id}{$_} for keys %{ $t->{virtual}{$id} };
		}
	}
	my @wrong = grep { my $v = $all{$_}; ($v->{1} || 0) != 1 || ($v->{2} || 0) != 1 || ($v->{5} || 0) > 1 } sort keys %all;
	is(scalar(keys %all) . ' ' . @wrong, "$n 0", "virtual threads: each has its enter and its exit")
		or diag explain { map { $_ => $all{$_} } @wrong[0 .. ($#wrong < 5 ? $#wrong : 5)] };
	# main has seen their last event, not their end: the program's own end may come before that
	cmp_ok(scalar(grep { !$_->{5} } values %all), '<=', $n / 1000, 'virtual threads: and its end');
	my $own = grep { $_->{name} !~ /^(main|JVM)$/ && sequence($_) ne '' } values %{ $r->{threads} };
	is($own, 0, 'virtual threads: nothing is said of their carriers');
	my $lost = 0;
	$lost += $_->{lost} for values %{ $r->{threads} };
	is($lost, 0, 'virtual threads: nothing is lost');
	my $t = validate($got->{dir});
	ok($t, 'virtual threads: the trace is right');
	is(scalar(grep { !/^(main|JVM|virtual \d+|virtual \(more\))$/ } @{ $t->{names} }), 0, 'virtual threads: no row of a carrier');
	my $shown = 0;
	$shown += $_ for map { values %{ $t->{calls}{$_} } } grep { /^virtual/ } keys %{ $t->{calls} };
	is($shown, $n, 'virtual threads: every call is in the trace');
	like($got->{err}, qr/^jweave: 100,001 threads, 100,001 calls, /m, 'virtual threads: every call is counted');

	# few at a time fit their lanes; names of those that own one alone
	$got = run(java => $jvm->[1], args => [ 'Threads', 'named', 40 ], env => { JWEAVE_CONVERT => 'on' });
	$t = validate($got->{dir});
	ok($t, 'named virtual threads: the trace is right');
	my $named = grep { ($t->{calls}{"named-$_"}{'unknown 0x7'} || 0) == 1 } 0 .. 39;
	is($named, 40, 'named virtual threads: each has a row of its name, with its call');

	# one after another: where rows suffice, each has its own
	$got = run(java => $jvm->[1], args => [ 'Threads', 'queue', 300 ], env => { JWEAVE_CONVERT => 'on' });
	$t = validate($got->{dir});
	is(scalar(grep { /^virtual \d+$/ } @{ $t->{names} }), 300, 'virtual threads, one after another: a lane each');
	is(scalar(grep { ($t->{calls}{"virtual $_"}{'unknown 0x8'} || 0) == 1 } 1 .. 300), 300,
		'virtual threads, one after another: its call on it');

	# who sleeps is told apart from who parks, at one place of the program or at two
	for my $how ('nappers', 'pinned') {
		$got = run(java => $jvm->[1], args => [ 'Threads', $how, 20 ], env => { JWEAVE_CONVERT => 'on', JWEAVE_EVENTS => 'park,sleep' });
		ok(validate($got->{dir}), "virtual threads that sleep, $how: the trace is right");
		my ($rows) = slurp(glob "$got->{dir}/*.row") =~ /^LEVEL THREAD SIZE \d+\n(.*)/ms;
		my @rows = split /\n/, $rows;
		my %waits;
		for (grep { /^2:/ } split /\n/, slurp(glob "$got->{dir}/*.prv")) {
			my ($row, $kind) = ((split /:/)[4], /:48100028:(\d+)/);
			$waits{$kind}++ if defined $kind && $rows[ $row - 1 ] =~ /^virtual/;
		}
		is($waits{3}, 10, "virtual threads that sleep, $how: each sleep is one");
		is($waits{1}, 10, "virtual threads that sleep, $how: each park is one");
	}

	# who parks until there is something to read waits for that, at a connection; who has accepted it waits for requests
	for my $events ('park,sleep,io', 'park,sleep,io,net') {
		$got = run(java => $jvm->[1], args => [ 'Threads', 'talkers', 20 ], env => { JWEAVE_CONVERT => 'on', JWEAVE_EVENTS => $events });
		is("$got->{status}$got->{err}", '0', "virtual threads that read, $events: the program is as without");
		ok(validate($got->{dir}), "virtual threads that read, $events: the trace is right");
		my $report = decode_json(scalar `'$build/jweave' report -q --json '@{[ glob "$got->{dir}/*.prv" ]}'`);
		my ($requests, $polls, @others) = map { my $how = $_; grep { $_->{wait} eq $how && $_->{channel} =~ /^tcp 127\.0\.0\.1:\d+ [<>] / && $_->{ns} > 1e6 } @{ $report->{waits} } } 'requests', 'poll';
		# (on a busy machine one may be there already)
		ok($requests && $requests->{count} <= 20 && $requests->{count} >= 15 && $requests->{channel} =~ / < /, "virtual threads that read, $events: the server waits for each request") or diag(explain($report->{waits}));
		ok(!@others && (!$polls || $polls->{channel} =~ / > / && $polls->{count} <= 20), "virtual threads that read, $events: and the client for answers") or diag(explain($polls, \@others));
		# (a permit of the poller's that nobody took may end one of both)
		my @parks = grep { $_->{wait} eq 'park' && $_->{method} eq 'Threads.talk' && $_->{ns} > 4e6 } @{ $report->{waits} };
		is(join(' ', map { $_->{channel} } @parks), '', "virtual threads that read, $events: a park is at none");
		is(scalar(@parks), 1, "virtual threads that read, $events: and is told");
	}
}
done_testing();
