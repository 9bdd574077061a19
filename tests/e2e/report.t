#!/usr/bin/perl
# jweave report on a program whose waits, operations, bytes and exceptions are known: by thread, by state, by
# monitor and class, by call site; of the recording and of its trace.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use JSON::PP;
use Test::More;

my $jar = program('Waits');
my $woven = "$work/Waits-woven.jar";
my $rules = <<'END';
{ "jweave": 1,
  "include": [ "preset:jdk-threads", "preset:io" ],
  "exclude": [ "acme.Count" ],
  "rules": [ { "select": { "class": "acme.**", "kind": [ "method", "lambda" ] } } ] }
END
weave_ok($jar, $rules, $woven, '--no-guard');
my $r = java([ '-jar', $woven, "$work/file" ], env => { JWEAVE_KEEP => 1 });
is($r->{out}, "read 1057\ncount entered 2\ncount failed 3\n", 'the program runs') or diag($r->{err});

sub report {
	my ($name, @what) = @_;
	my $p = sh([ $jweave, 'report', '--json', @what ]);
	is($p->{status}, 0, "$name: jweave report") or diag($p->{err});
	my $report = decode_json($p->{out} || '{}');
	$report->{thread}{ $_->{name} } = $_ for @{ $report->{threads} };
	$report->{method}{ $_->{name} } = $_ for @{ $report->{methods} };
	return $report;
}

# { OPERATION => [count, bytes] } of a list of operations
sub operations {
	return { map { ("$_->{type}/$_->{name}" => [ $_->{count}, $_->{bytes} ]) } @_ };
}

my $MS = 1_000_000;
for my $from ([ 'recording', '--map', $woven, "$r->{trace}.jwr" ], [ 'trace', "$r->{trace}.prv" ]) {
	my ($name, @what) = @$from;
	my $report = report($name, @what);
	my ($t, $m) = ($report->{thread}, $report->{method});

	my @wrong = grep {
		my $sum = 0;
		$sum += $_ for values %{ $_->{states} };
		$sum != $report->{durationNs};
	} @{ $report->{threads} };
	is(scalar @wrong, 0, "$name: the states of every thread sum to the wall time");

	# critical state: the one that each thread is made for
	my %critical = ('blocked 1' => [ 9, 100 ], 'blocked 2' => [ 9, 100 ], waiter => [ 5, 110 ], napper => [ 5, 95 ]);
	for my $thread (sort keys %critical) {
		my ($state, $least) = @{ $critical{$thread} };
		my $one = $t->{$thread} || {};
		is($one->{criticalState}, $state, "$name: the critical state of $thread");
		cmp_ok($one->{criticalNs} // 0, '>=', $least * $MS, "$name: it has been in it for $least ms");
		is($one->{criticalNs}, $one->{states}{$state}, "$name: as its states say");
		ok($one->{criticalLongestNs} > 0 && $one->{criticalLongestNs} <= $one->{criticalNs}, "$name: at most so long without a break");
		cmp_ok($one->{utilization} // 1, '<', 0.5, "$name: it was hardly running");
	}

	# monitors
	my ($gate) = grep { $_->{contended}{count} && @{ $_->{threads} } == 2 } @{ $report->{monitors} };
	is($gate && $gate->{contended}{count}, 2, "$name: one monitor was contended by two threads");
	is_deeply([ sort map { $report->{threads}[ $_->{thread} - 1 ]{name} } @{ $gate->{threads} || [] } ], [ 'blocked 1', 'blocked 2' ],
		"$name: by these");
	cmp_ok($gate->{contended}{ns}, '>=', 200 * $MS, "$name: for more than 200 ms in all");
	my ($bell) = grep { $_->{waits}{count} == 4 } @{ $report->{monitors} };
	ok($bell, "$name: another was waited for four times");
	cmp_ok($bell->{waits}{ns} // 0, '>=', 4 * 29 * $MS, "$name: for 30 ms each") if $bell;
	is($gate->{class}, 'acme.Waits$Gate', "$name: the class of the one");
	is($bell->{class}, 'acme.Waits$Bell', "$name: of the other");
	my ($class) = grep { $_->{class} eq 'acme.Waits$Gate' } @{ $report->{classes} };
	is_deeply($class && [ $class->{objects}, $class->{contended} ], [ 1, $gate->{contended} ], "$name: by class");

	# waits: where, and for what
	my ($entered) = grep { $_->{wait} eq 'enter' && $_->{class} eq 'acme.Waits$Gate' } @{ $report->{waits} };
	is($entered && $entered->{object}, $gate->{object}, "$name: the wait to enter is at that monitor") or diag(explain($report->{waits}));
	is($entered && "$entered->{method} $entered->{source}", 'Waits.enter Waits.java', "$name: and says where");
	is_deeply($entered && [ @$entered{qw(objects count ns)} ], [ 1, 2, $gate->{contended}{ns} ], "$name: how many, and how long");
	like((split /\n/, slurp('testdata/programs/acme/Waits.java'))[ ($entered->{line} || 1) - 1 ], qr/synchronized|enter/, "$name: on which line");
	my ($rung) = grep { $_->{wait} eq 'wait' && $_->{class} eq 'acme.Waits$Bell' } @{ $report->{waits} };
	is_deeply($rung && [ @$rung{qw(count ns)} ], [ 4, $bell->{waits}{ns} ], "$name: the wait for the bell");
	cmp_ok($rung->{longestNs}, '>=', 29 * $MS, "$name: the longest");

	cmp_ok($report->{cpuNs}, '>', 20 * $MS, "$name: the CPU time of the process");
	cmp_ok($t->{napper}{cpuNs} // 1e12, '<', $t->{napper}{lifeNs} / 2, "$name: who naps takes little of it");
	cmp_ok($t->{napper}{cpuNs} // 0, '>', 0, "$name: but some");

	# what methods do: a thread that is blocked, waits or reads is not running
	for my $method (@{ $report->{methods} }) {
		for my $kind ([ 'selfNs', 'exclusiveNs' ], [ 'totalNs', 'inclusiveNs' ]) {
			my $sum = 0;
			$sum += $_ for values %{ $method->{ $kind->[0] } };
			next if $sum == $method->{ $kind->[1] };
			fail("$name: $method->{name}: parts of $kind->[1] make $sum, not $method->{ $kind->[1] }");
		}
	}
	is($m->{'Waits.enter'}{selfNs}{blocked}, $gate->{contended}{ns}, "$name: who entered was blocked meanwhile");
	cmp_ok($m->{'Waits.nap'}{totalNs}{waiting}, '>=', 5 * 19 * $MS, "$name: who napped was waiting");
	cmp_ok($m->{'Waits.nap'}{totalNs}{running}, '<', 50 * $MS, "$name: and not running");

	# operations and bytes
	my $done = operations(@{ $t->{copier}{operations} });
	is_deeply($done->{'io/write'}, [ 18, 1057 ], "$name: what the copier wrote") or diag(explain($done));
	is_deeply($done->{'io/read'}, [ 12, 1057 ], "$name: what it read, the end of the file included");
	is_deeply(operations(@{ $t->{napper}{operations} }), { 'thread/sleep' => [ 5, 0 ], 'task/run' => [ 1, 0 ] }, "$name: what the napper did");
	is_deeply(operations(@{ $t->{waiter}{operations} }), { 'monitor/wait' => [ 4, 0 ], 'task/run' => [ 1, 0 ] }, "$name: what the waiter did");
	my $main = operations(@{ $t->{main}{operations} });
	is_deeply([ map { $main->{"thread/$_"}[0] } qw(start join) ], [ 6, 6 ], "$name: what main did");
	my ($all) = grep { $_->{type} eq 'io' && $_->{name} eq 'write' } @{ $report->{operations} };
	is_deeply([ @$all{qw(count bytes)} ], [ 18, 1057 ], "$name: all writes together");

	# the profile by method and thread
	my $fail = $m->{'Waits.fail'};
	is_deeply([ map { "$report->{threads}[$_->{thread} - 1]{name} $_->{calls}" } @{ $fail->{threads} } ], ['main 9'], "$name: main has called fail");
	my %by = map { ($report->{threads}[ $_->{thread} - 1 ]{name} => $_->{calls}) } @{ $m->{'Waits.enter'}{threads} };
	is_deeply(\%by, { 'blocked 1' => 1, 'blocked 2' => 1 }, "$name: who has called enter");
	is($fail->{exceptional}, 3, "$name: three calls failed");
	is($fail->{threads}[0]{exceptional}, 3, "$name: in main");
	my @writes = map { [ @$_{qw(caller count bytes exceptional)} ] }
		sort { $a->{line} <=> $b->{line} } grep { $_->{operation} eq 'io/write' } @{ $report->{sites} };
	is_deeply(\@writes, [ [ 'Waits.copy', 10, 1000, 0 ], [ 'Waits.copy', 7, 7, 0 ], [ 'Waits.copy', 1, 50, 0 ] ],
		"$name: three calls write, at three places") or diag(explain(\@writes));
	my ($sleep) = grep { $_->{callee} eq 'Thread.sleep' && $_->{caller} eq 'Waits.nap' } @{ $report->{sites} };
	is($sleep && $sleep->{count}, 5, "$name: the call that naps");
	cmp_ok($sleep->{ns}, '>=', 5 * 19 * $MS, "$name: how long");
	my $source = slurp('testdata/programs/acme/Waits.java');
	my @lines = split /\n/, $source;
	like($lines[ $sleep->{line} - 1 ], qr/Thread\.sleep\(20\)/, "$name: on which line");
	is($sleep->{source}, 'Waits.java', "$name: of which file");
	is_deeply([ map { [ $report->{threads}[ $_->{thread} - 1 ]{name}, $_->{count}, $_->{ns} ] } @{ $sleep->{threads} } ],
		[ [ 'napper', 5, $sleep->{ns} ] ], "$name: in which thread");
}

my $text = sh([ $jweave, 'report', '--map', $woven, "$r->{trace}.jwr" ])->{out};
like($text, qr/^ +10 +0 +[\d.]+ +1000  \S+\.write in Waits\.copy \(Waits\.java:\d+\)$/m, 'text: a call site') or diag($text);
like($text, qr/^ +2 +[\d.]+ +0 +0\.000  acme\.Waits\$Gate\@[0-9a-f]+  by blocked [12], blocked [12], held by holder$/m, 'text: a monitor');
like($text, qr/^ +18 +[\d.]+ +1057  io\/write$/m, 'text: an operation');
unlike($text, qr/in thread/, 'text: nothing by thread, unless it is asked for');
$text = sh([ $jweave, 'report', '--by-thread', '--map', $woven, "$r->{trace}.jwr" ])->{out};
my ($copier) = $text =~ /(^ +count +ms +bytes  operation, in thread copier\n.*?)(?:^ +calls|\z)/ms;
like($copier, qr/^ +18 +[\d.]+ +1057  io\/write$/m, 'text by thread: an operation of the copier') or diag($text);
like($copier, qr/^ +count +exceptions +ms +bytes  call, in thread copier\n(?:.*\n)*? +10 +0 +[\d.]+ +1000  \S+\.write in Waits\.copy \(Waits\.java:\d+\)$/m,
	'text by thread: a call of it');
unlike($copier, qr/sleep/, 'text by thread: none of others');
done_testing();
