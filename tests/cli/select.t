#!/usr/bin/perl
# --from --to --around --thread --process --method --min-duration --max-depth: every one of them in every command
# that has it, of recordings and of their trace; ranges sum up to the whole; what cannot be selected is refused.
# Slow: 30 s, a thousand short commands.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use JSON::PP;
use Test::More;

my $n = 1000;
my $make = "$E2E::build/tests/cli/x_recording";
-x $make or plan skip_all => 'no x_recording';
sh([ $make, 'run.jwr', 'run.map', $n, 20 ], dir => $work);
sh([ $make, 'two.jwr', 'two.map', 10 ], dir => $work);
sh([ $jweave, 'prv', '-q', '--map=run.map', 'run.jwr', '-o', 'run' ], dir => $work);
my %inputs = (recording => [ '--map=run.map', 'run.jwr' ], trace => [ 'run.prv' ]);
my $python = sh([ 'python3', '--version' ])->{status} == 0;

sub jw { return sh([ $jweave, @_ ], dir => $work, env => { LC_ALL => 'C' }) }
sub report {
	my $r = jw('report', '--json', '-q', @_);
	return $r->{status} ? undef : decode_json($r->{out});
}
sub method {
	my ($report, $name) = @_;
	my ($m) = grep { $_->{name} eq $name } @{ $report->{methods} };
	return $m || { calls => 0, inclusiveNs => 0, exclusiveNs => 0 };
}

# ---- every option, in every command ----
# x_recording: main is Main.run { 1000 * Point.getX of 20 ns, 100 * Solver.step of 5 us }; the worker 100 times
# Solver.step of 5 us { Solver.step of 1 us }; 20 virtual threads call Point.getX once, each on a row of its own. All
# begins at 1 ns.
my $all = 1 + $n + $n / 10 + 2 * $n / 10 + 20;
my @options = (
	[ [ '--thread=main' ], 1 + $n + $n / 10 ],
	[ [ '--thread=w*rker' ], 2 * $n / 10 ],
	[ [ '--process=1' ], $all ],
	[ [ '--process=100', '--thread=*' ], $all, 'recording' ],
	[ [ '--process=node*' ], $all ],
	[ [ '--method=acme.Solver#step' ], 3 * $n / 10 ],
	[ [ '--method=acme.*#step(int, java.lang.String)' ], 3 * $n / 10 ],
	[ [ '--method=**.Main' ], 1 ],
	[ [ '--min-duration=500ns' ], 1 + 3 * $n / 10 ],
	[ [ '--min-duration=1us' ], 1 + 3 * $n / 10 ],
	[ [ '--min-duration=1001ns' ], 1 + 2 * $n / 10 ],
	[ [ '--min-duration=0.0001' ], 1 ],
	[ [ '--max-depth=1' ], 1 + $n / 10 + 20 ],
	[ [ '--max-depth=2' ], $all ],
	[ [ '--max-depth=1', '--method=acme.Solver#step' ], 2 * $n / 10 ],
	[ [ '--from=0', '--to=100%' ], $all ],
	[ [ '--to=1us' ], 0 ],
	[ [ '--from=1us', '--to=1.1us' ], 2 ],
	[ [ '--from=1081ns', '--to=1082ns' ], 2 ],
	[ [ '--from=1101ns', '--to=1102ns' ], 2 ], # the call before ends at 1101
	[ [ '--from=1081ns', '--to=1101ns' ], 2 ],
	[ [ '--around=acme.Main#run', '--thread=main' ], 1 + $n + $n / 10 ],
	[ [ '--around=acme.Main', '--thread=main', '--method=acme.Solver', '--min-duration=5us', '--max-depth=1' ], $n / 10 ],
);
for my $what (sort keys %inputs) {
	my @in = @{ $inputs{$what} };
	is(report(@in)->{calls}, $all, "$what: all of it");
	for my $row (@options) {
		my ($options, $calls, $only) = @$row;
		next if $only && $only ne $what;
		my $name = "$what: @$options";
		my $report = report(@$options, @in) or do { fail("$name: report"); next };
		is($report->{calls}, $calls, "$name: report");
		my $score = jw('score', '--json', '-q', @$options, @in);
		is($score->{status} ? $score->{err} : decode_json($score->{out})->{calls}, $calls, "$name: score");
		my $drawn = jw('draw', @$options, '-o', 'out.svg', @in);
		my ($shown) = $drawn->{out} =~ /, ([0-9]+) calls? in /;
		# the picture has levels, and leaves them out by itself
		is($shown, $calls, "$name: draw") unless "@$options" =~ /max-depth/;
		is($drawn->{status}, 0, "$name: draw ends well");
		my $export = jw('export', '-f', 'perfetto', @$options, '-o', 'out.pftrace', @in);
		is($export->{status}, 0, "$name: export") or diag($export->{err});
		spit("$work/report.json", jw('report', '--json', '-q', @$options, @in)->{out});
		my $view = jw('view', '-q', '--title=shop', @$options, '-o', 'out.html', @in);
		is($view->{status}, 0, "$name: view") or diag($view->{err});
		next unless $python;
		my $read = sh([ 'python3', "$E2E::root/tests/cli/perfetto.py", "$work/out.pftrace", "$work/report.json" ]);
		like($read->{out}, qr/^$calls calls, .*nothing is wrong/s, "$name: what is exported is what is reported");
		$read = sh([ 'python3', "$E2E::root/tests/cli/view.py", "$work/out.html", "$work/report.json" ]);
		like($read->{out}, qr/^$calls calls, .*nothing is wrong/s, "$name: and what is in the page");
	}
}

# ---- ranges sum up to the whole ----
sub sums { # by method or thread, of every figure: over REPORTS
	my %sum;
	for my $r (@_) {
		$sum{calls} += $r->{calls} - ($r->{cut}{before} || 0);
		$sum{durationNs} += $r->{durationNs};
		$sum{pausesNs} += $r->{gcPauses}{ns};
		$sum{thrown} += $_->{thrown} for @{ $r->{exceptions} };
		for my $m (@{ $r->{methods} }) {
			$sum{"$m->{full} calls"} += $m->{calls} - ($m->{cut}{before} || 0);
			$sum{"$m->{full} $_"} += $m->{$_} for qw(inclusiveNs exclusiveNs exceptional);
			for my $split (qw(selfNs totalNs)) {
				$sum{"$m->{full} $split $_"} += $m->{$split}{$_} for keys %{ $m->{$split} };
			}
		}
		for my $t (@{ $r->{threads} }) {
			$sum{"$t->{task}.$t->{thread} $_"} += $t->{$_} for qw(lifeNs runningNs insideNs);
			$sum{"$t->{task}.$t->{thread} state $_"} += $t->{states}{$_} for keys %{ $t->{states} };
		}
		for my $m (@{ $r->{monitors} }) {
			$sum{"$m->{class}\@$m->{object} $_"} += $m->{$_}{ns} for qw(contended waits);
		}
		for my $o (@{ $r->{operations} }) {
			$sum{"$o->{type}/$o->{name} $_"} += $o->{$_} for qw(ns bytes);
		}
	}
	return { map { $sum{$_} ? ($_ => $sum{$_}) : () } keys %sum };
}
# of each range: what its edges are
my @edges = ([ '0', '50%', '100%' ], [ '0', '1us', '1081ns', '1090ns', '1101ns', '3101ns', '3.3us', '40%', '41%', '100%' ],
	[ map { $_ * 12.5 . '%' } 0 .. 8 ]);
my $full = "$E2E::build/tests/cli/x_full_recording";
if (-x $full) {
	sh([ $full ], dir => $work);
	sh([ $jweave, 'prv', '-q', '--map=full.map', 'full.jwr', '-o', 'full' ], dir => $work);
	$inputs{'recording with all that there is'} = [ '--map=full.map', 'full.jwr' ];
	$inputs{'trace with all that there is'} = [ 'full.prv' ];
}
for my $what (sort keys %inputs) {
	for my $more ([], [ '--thread=main' ], [ '--max-depth=1' ], [ '--min-duration=1us' ], [ '--method=acme.**', '--min-duration=2us' ]) {
		my $whole = report(@$more, @{ $inputs{$what} }) or next;
		for my $e (@edges) {
			my @parts = map { report("--from=$e->[$_]", "--to=$e->[$_ + 1]", @$more, @{ $inputs{$what} }) } 0 .. $#$e - 1;
			is_deeply(sums(@parts), sums($whole), "$what: @$more: " . @parts . ' ranges sum up to the whole');
		}
	}
}

# ---- of two processes ----
my @two = ('--map=run.map', 'run.jwr', 'two.jwr');
is(report('--process=2', @two)->{calls}, 14, 'the second process');
is(report('--process=2', '--thread=main', @two)->{calls}, 12, 'a thread of it');
is(report('--process=?', @two)->{calls}, $all + 14, 'both');

# ---- what is said ----
my $part = report('--from=10%', '--to=20%', 'run.prv');
is($part->{beginNs}, int($part->{durationNs}), 'JSON: where the range begins');
is($part->{cut}{before}, 2, 'JSON: calls that began before');
is($part->{cut}{after}, 3, 'JSON: calls that went on after');
like(jw('report', '--from=10%', '--to=20%', 'run.prv')->{out}, qr/\nfrom 0\.000060 s to 0\.000121 s; of the calls 2 began before and 3 went on after\n/,
	'report: calls that are cut');
like(jw('export', '-f', 'perfetto', '--from=10%', '--to=20%', '-o', 'out.pftrace', 'run.prv')->{err},
	qr/note: of [0-9]+ calls 2 began before the range and 3 went on after it: of them the part inside counts\n/, 'export: likewise');
is(jw('draw', '--threads=main', '-o', 'old.svg', 'run.prv')->{status}, 0, 'the old word --threads');
is(jw('draw', '--threads', 'main', '-o', 'old.svg', 'run.prv')->{status}, 0, '... apart');
like(jw('draw', '--threadsx=main', 'run.prv')->{err}, qr/unknown option '--threadsx'/, '... alone');
my @refused = (
	[ [ '--from=1h' ], "option '--from' takes a time since the beginning (2.5, 300ms, 40us) or a share (25%), not '1h'" ],
	[ [ '--from=5s' ], 'the range begins at 5 s: the trace ends at ' ],
	[ [ '--from=50%', '--to=25%' ], 'the range is empty: from ' ],
	[ [ '--around=acme.Main', '--to=1us' ], '--around is a range of its own: leave out --from and --to, or --around' ],
	[ [ '--around=Main#run' ], "no method that was called is selected by 'Main#run': classes are named with their packages, as in '**.Main#run'" ],
	[ [ '--method=acme.Nobody' ], "no method that was called is selected by 'acme.Nobody': 'jweave report' names those that were" ],
	[ [ '--method=public acme.Main' ], "--method 'public acme.Main': a trace knows no modifiers and annotations: name class and method, as in 'com.acme.Shop#pay'" ],
	[ [ '--method=acme.Main#run(' ], '--method: ' ],
	[ [ '--around=acme.Main', '--thread=w*' ], "no thread that is selected calls 'acme.Main'" ],
	[ [ '--thread=x*' ], "no thread" ],
	[ [ '--process=7' ], "no process matches '7': " ],
	[ [ '--min-duration=5%' ], "option '--min-duration' takes a time above 0 (5ms, 40us, 2.5), not '5%'" ],
	[ [ '--min-duration=0' ], "option '--min-duration' takes a time above 0" ],
);
for my $row (@refused) {
	my ($options, $message) = @$row;
	for my $command ([ 'report' ], [ 'score' ], [ 'draw', '-o', 'refused.svg' ], [ 'export', 'perfetto', '-o', 'refused.pftrace' ]) {
		for my $in (@inputs{qw(recording trace)}) {
			my $r = jw(@$command, @$options, @$in);
			ok($r->{status} == 2 && index($r->{err}, $message) > 0, "$command->[0] @$options @$in: refused") or diag("$r->{status} $r->{err}");
		}
	}
}
SKIP: {
	skip('no x_full_recording', 1) unless -x $full;
	my @arrows = map { /^3:(?:\d+:){4}(\d+):\d+:(?:\d+:){4}(\d+)/ ? [ $1, $2 ] : () } split /\n/, slurp("$work/full.prv");
	my ($middle) = map { int(($_->[0] + $_->[1]) / 2) } grep { $_->[1] - $_->[0] > 1 } @arrows;
	my $over = grep { $_->[0] < $middle && $_->[1] >= $middle } @arrows;
	my $said = jw('export', '-f', 'perfetto', "--to=${middle}ns", '-o', 'cut.pftrace', 'full.prv')->{err};
	like($said, $over == 1 ? qr/note: 1 arrow is left out: an end is not in the range\n/ : qr/note: $over arrows are left out: an end is not in the range\n/,
		'arrows that are cut');
}
ok(!-e "$work/refused.svg" && !-e "$work/refused.pftrace", 'what is refused leaves nothing');
done_testing();
