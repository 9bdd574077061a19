#!/usr/bin/perl
# --from --to --around --thread --process --method --min-duration --max-depth in every format of `jweave export` and
# in every question of `jweave report`: a part has the calls and times that the report has of it (select.t has those),
# of a recording as of its trace; and ranges sum up to the whole.
# Slow: 20 s, every format of every selection.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use JSON::PP;
use List::Util qw(sum0);
use Test::More;

my $make = "$E2E::build/tests/cli/x_recording";
-x $make or plan skip_all => 'no x_recording';
sh([ $make, 'run.jwr', 'run.map', 400, 20 ], dir => $work);
sh([ $jweave, 'prv', '-q', '--map=run.map', 'run.jwr', '-o', 'run' ], dir => $work);
my %inputs = (recording => [ '--map=run.map', 'run.jwr' ], trace => [ 'run.prv' ]);
my @options = ([], [ '--from=10%', '--to=20%' ], [ '--from=33%' ], [ '--to=12us' ], [ '--around=acme.Main' ], [ '--thread=w*rker' ],
	[ '--process=1' ], [ '--method=acme.Solver' ], [ '--min-duration=1001ns' ], [ '--max-depth=1' ],
	[ '--from=5us', '--to=80%', '--thread=main', '--method=acme.*#step', '--min-duration=100ns', '--max-depth=2' ]);
my @edges = qw(0 12us 10% 41% 77.7% 100%);

sub jw { return sh([ $jweave, @_ ], dir => $work, env => { LC_ALL => 'C' }) }
sub report {
	my $r = jw('report', '--json', '-q', @_);
	return $r->{status} ? { calls => $r->{err} } : decode_json($r->{out});
}

# ---- formats: how many calls, and the time of all threads in calls, as one that reads the format alone finds them ----

# of [ opens, time ], in the order of one thread
sub walk {
	my ($calls, $inside, $depth, $since) = (0, 0, 0, 0);
	for (@_) {
		my ($opens, $time) = @$_;
		$since = $time if $opens && !$depth;
		$depth += $opens ? 1 : -1;
		$calls += $opens;
		$inside += $time - $since if !$depth;
	}
	return ($calls, $inside);
}

sub walk_all { # of [ thread, opens, time ]
	my (%of, @sum);
	push @{ $of{ $_->[0] } }, [ @$_[ 1, 2 ] ] for @_;
	for (values %of) {
		my @one = walk(@$_);
		$sum[$_] += $one[$_] for 0, 1;
	}
	return join ' ', map { $_ // 0 } @sum[ 0, 1 ];
}

sub nanoseconds { return int($_[0] * 1e9 + 0.5) }

sub of_tsv {
	my ($head, @rows) = map { [ split /\t/ ] } split /\n/, slurp($_[0]);
	my %at = map { $head->[$_] => $_ } 0 .. $#$head;
	return @rows . ' ' . sum0(map { $_->[ $at{self_ns} ] } @rows);
}

sub of_sqlite {
	my $read = 'import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).execute("select count(*), total(self_ns) from call").fetchone())';
	my ($calls, $inside) = split ' ', sh([ 'python3', '-c', $read, $_[0] ])->{out};
	return $calls . ' ' . int $inside;
}

sub of_chrome { # whole events, in any order
	my (%of, @sum);
	for (grep { ($_->{cat} // '') eq 'call' } @{ decode_json(slurp($_[0]))->{traceEvents} }) {
		my ($begin, $ns) = map { int($_ * 1000 + 0.5) } @$_{qw(ts dur)};
		push @{ $of{"$_->{pid} $_->{tid}"} }, [ $begin, $ns ];
	}
	for (values %of) {
		my $end = 0;
		for (sort { $a->[0] <=> $b->[0] || $b->[1] <=> $a->[1] } @$_) {
			$sum[0]++;
			next if $_->[0] < $end;
			$sum[1] += $_->[1];
			$end = $_->[0] + $_->[1];
		}
	}
	return join ' ', map { $_ // 0 } @sum[ 0, 1 ];
}

sub of_speedscope {
	my $file = decode_json(slurp($_[0]));
	return walk_all(map { my $p = $_; map { [ "$p", $_->{type} eq 'O', $_->{at} ] } @{ $p->{events} } } @{ $file->{profiles} });
}

sub of_paje {
	my $text = slurp($_[0]);
	my ($method) = $text =~ /^[0-9]+ (\S+) T "Method"$/m; # (pauses of the collector are pushed, too)
	my (%kind, @events);
	$kind{$2} = $1 while $text =~ /^%EventDef\s+(Paje(?:Push|Pop)State)\s+([0-9]+)$/mg;
	for (split /\n/, $text) {
		my ($number, $time, $type, $container) = split ' ';
		push @events, [ $container, $kind{$number} eq 'PajePushState', nanoseconds($time) ] if defined $number && $kind{$number} && $type eq $method;
	}
	return walk_all(@events);
}

sub of_otf2 {
	my $printed = sh([ 'otf2-print', "$_[0]/traces.otf2" ])->{out};
	my @events;
	push @events, [ $2, $1 eq 'ENTER', $3 ] while $printed =~ /^(ENTER|LEAVE)\s+([0-9]+)\s+([0-9]+)/mg;
	return walk_all(@events);
}

sub of_collapsed { # a number each: it is written twice
	my ($file, $by_calls) = @_;
	return join ' ', map { sum0(slurp($_) =~ /([0-9]+)$/mg) } $by_calls, $file;
}

sub on_path {
	my ($tool) = @_;
	return scalar grep { -x "$_/$tool" } split /:/, $ENV{PATH};
}

my %formats = (
	tsv => [ \&of_tsv ],
	chrome => [ \&of_chrome ],
	speedscope => [ \&of_speedscope ],
	collapsed => [ \&of_collapsed ],
	paje => [ \&of_paje ],
	sqlite => [ \&of_sqlite, 'python3' ],
	otf2 => [ \&of_otf2, 'otf2-print' ],
);
my ($list) = jw('export', '--list')->{out};
my @known = $list =~ /^(\S+)/mg;
is(join(' ', sort grep { $_ ne 'perfetto' } @known), join(' ', sort keys %formats), 'a reader for each format (select.t has perfetto)');
for my $format (sort keys %formats) {
	my (undef, $tool) = @{ $formats{$format} };
	my $without = $list =~ /^$format .*not built in/m ? 'it is not built in' : $tool && !on_path($tool) ? "no $tool" : undef;
	next if !$without;
	SKIP: { skip("$format: $without", 1) }
	delete $formats{$format};
}

sub exported {
	my ($format, @args) = @_;
	my ($read) = @{ $formats{$format} };
	my @by = $format eq 'collapsed' ? qw(self calls) : undef;
	my @files;
	for my $by (@by) {
		push @files, "$work/out-" . ($by // 'all') . ".$format";
		my $r = jw('export', '-q', '-f', $format, $by ? "--by=$by" : (), @args, '-o', $files[-1]);
		return "status $r->{status}: $r->{err}" if $r->{status};
	}
	return $read->(@files);
}

my %whole;
for my $what (sort keys %inputs) {
	my @in = @{ $inputs{$what} };
	for my $options (@options) {
		my $report = report(@$options, @in);
		my $want = $report->{calls} . ' ' . sum0(map { $_->{exclusiveNs} } @{ $report->{methods} });
		like($want, qr/^[1-9][0-9]* [1-9][0-9]*$/, "$what @$options: there is something");
		is(exported($_, @$options, @in), $want, "$what @$options: $_") for sort keys %formats;
		$whole{$what} = $want if !@$options;

		# the questions of the report
		my $tree = report('--tree', @$options, @in);
		is(sum0(map { $_->{calls} } @{ $tree->{tree} }) . ' ' . sum0(map { $_->{selfNs} } @{ $tree->{tree} }), $want, "$what @$options: --tree");
		my $callers = report('--callers=**', @$options, @in);
		my ($root) = grep { !defined $_->{parent} } @{ $callers->{tree} };
		is("$root->{calls} $root->{selfNs}", $want, "$what @$options: --callers");
		for my $question ('--percentiles', '--histogram=**') {
			my $r = report($question, @$options, @in);
			is(sum0(map { $_->{calls} } @{ $r->{methods} }) . ' ' . sum0(map { $_->{selfNs} } @{ $r->{methods} }), $want, "$what @$options: $question");
		}
		my @lasting = report('--histogram=**', @$options, @in);
		my $counted = sum0(map { map { $_->{calls} } @{ $_->{classes} } } @{ $lasting[0]{methods} });
		cmp_ok($counted, '>=', $report->{calls} - ($report->{cut}{before} || 0) - ($report->{cut}{after} || 0), "$what @$options: whole calls have a duration");
		my $path = report('--critical-path', @$options, @in);
		is($path->{ns}, $path->{endNs} - $path->{beginNs}, "$what @$options: --critical-path");
		is(sum0(map { $_->{ns} } @{ $path->{$_} }), $path->{ns}, "... sums by $_") for qw(methods threads);
		my ($begin, $end) = ($report->{beginNs} || 0, ($report->{beginNs} || 0) + $report->{durationNs});
		ok($path->{beginNs} >= $begin && $path->{endNs} <= $end, "... inside of what is selected");
		# ('--method' asks --slowest for such calls)
		my $slowest = report('--slowest=10000', @$options, @in);
		is(scalar(grep { $_->{beginNs} < $begin || $_->{beginNs} + $_->{ns} > $end } @{ $slowest->{slowest} }), 0, "$what @$options: --slowest");
		my ($thread) = map { /^--thread=(.*)/ ? $1 : () } @$options;
		is(scalar(grep { defined $thread && $_->{threadName} !~ ($thread eq 'main' ? qr/^main$/ : qr/^w.*rker$/) } @{ $slowest->{slowest} }), 0,
			'... threads that are selected');
		my ($least) = map { /^--min-duration=([0-9]+)ns/ ? $1 : () } @$options;
		is(scalar(grep { $least && $_->{ns} < $least && !$_->{open} && $_->{beginNs} > $begin && $_->{beginNs} + $_->{ns} < $end } @{ $slowest->{slowest} }), 0,
			'... long enough');
	}

	# ---- ranges sum up to the whole ----
	my @ranges = map { [ "--from=$edges[$_]", "--to=$edges[$_ + 1]" ] } 0 .. $#edges - 1;
	my @before = map { my $r = report(@$_, @in); $r->{cut}{before} || 0 } @ranges;
	for my $format (sort keys %formats) {
		my @sum = (-sum0(@before), 0);
		for my $range (@ranges) {
			my @one = split ' ', exported($format, @$range, @in);
			$sum[$_] += $one[$_] for 0, 1;
		}
		is("@sum", $whole{$what}, "$what: " . @ranges . " ranges sum up to the whole: $format");
	}
	my @paths = map { report('--critical-path', @$_, @in) } [], @ranges;
	my $run = shift @paths;
	is(sum0(map { $_->{ns} } @paths), $run->{ns}, "$what: ... and their critical paths to its");
	my @trees = map { sum0(map { $_->{selfNs} } @{ report('--tree', @$_, @in)->{tree} }) } [], @ranges;
	my $all = shift @trees;
	is(sum0(@trees), $all, "$what: ... and their trees");
}

# ---- a call that a range cuts has no duration ----
my @cut = ('--from=10%', '--to=20%', '--method=acme.Main#run', 'run.prv');
my ($only) = @{ report('--percentiles', @cut)->{methods} };
is_deeply([ @$only{qw(name calls shortestNs p50Ns p999Ns longestNs)} ], [ 'Main.run', 1, (undef) x 4 ], 'JSON: no percentiles');
like(jw('report', '--percentiles', @cut)->{out}, qr/^ +1 +0( +-){5}  Main\.run$/m, 'nor in the text');
like(jw('report', '--histogram=**', @cut)->{out}, qr/^Main\.run\n0 calls that the range does not cut\n/m, 'and no histogram');
done_testing();
