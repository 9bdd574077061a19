#!/usr/bin/perl
# JWEAVE_MODE=summary: programs that count their own calls, and what jweave says of their sums; held against
# the same program recorded event by event.
# Slow: 30 s, JVMs of two versions, in every mode.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use JSON::PP;
use Test::More;

my %sums = (JWEAVE_MODE => 'summary');

sub report {
	my ($name, @what) = @_;
	my $p = sh([ $jweave, 'report', '--json', @what ]);
	is($p->{status}, 0, "$name: jweave report") or diag($p->{err});
	my $r = decode_json($p->{out} || '{}');
	my %of;
	for my $m (@{ $r->{methods} }) {
		my ($full) = $m->{full} =~ /^([^(]+)/;
		$of{$full}{calls} += $m->{calls};
		$of{$full}{exceptional} += $m->{exceptional};
		$of{$full}{$_} += $m->{$_} for qw(inclusiveNs exclusiveNs longestNs);
	}
	$r->{of} = \%of;
	$r->{err} = $p->{err};
	return $r;
}

# calls by method, as the program itself counts them
sub counted {
	my ($r, $claimed, $extra) = @_;
	my %got;
	for my $full (keys %{ $r->{of} }) {
		my $key = $full =~ /\.lambda\$[^.]*$/ && $claimed->{lambda} ? 'lambda' : $full;
		next if !exists $claimed->{$key} && $key =~ $extra;
		$got{$key} += $r->{of}{$full}{calls};
	}
	return \%got;
}

my @javas = ([ 17 => undef ], (jdk25() ? [ 25 => jdk25() ] : ()));
for (@javas) {
	my ($label, $java) = @$_;
	my @with = $java ? (java => $java) : ();
	for my $program ([ 'Exc', 3 ], [ 'Deep', 2000 ], [ 'Threads', 1000 ]) {
		my ($name, @args) = @$program;
		my $jar = program($name);
		my $woven = "$work/$name-woven.jar";
		weave_ok($jar, WHOLE, $woven, '--no-guard') unless -e $woven;
		my $r = same_runs("$label, $name", $jar, $woven, \@args, @with, env => \%sums);
		like($r->{err}, qr/^jweave: [\d,]+ threads?, [\d,]+ calls, [\d,]+ methods in [\d.]+ s -> \S+\.jwr\n(?:jweave: tracing added about .*\n)?jweave: sums alone, no events; to see them: jweave report \S+\.jwr$/m,
			"$label, $name: the lines at the end");
		is_deeply([ ls($r->{folder}) ], [ ($r->{trace} =~ s{.*/}{}r) . '.jwr' ], "$label, $name: nothing but the recording is left");
		my $sum = report("$label, $name", "$r->{trace}.jwr");
		my $claimed = claimed($r->{out});
		is_deeply(counted($sum, $claimed, qr/lambda\$|\.forever(Finally)?$/), $claimed, "$label, $name: calls are the program's own counts");

		my $s = java([ '-jar', $woven, @args ], @with, env => { JWEAVE_CONVERT => 'off', JWEAVE_KEEP => 1 });
		my $stream = report("$label, $name, stream", "$s->{trace}.jwr");
		my @chance = grep { /\.forever(Finally)?$/ } keys %{ $stream->{of} };
		delete $_->{of}{@chance} for $sum, $stream;
		for my $what (qw(calls exceptional)) {
			my %a = map { $_ => $sum->{of}{$_}{$what} } grep { !/forever/ } keys %{ $sum->{of} };
			my %b = map { $_ => $stream->{of}{$_}{$what} } grep { !/forever/ } keys %{ $stream->{of} };
			is_deeply(\%a, \%b, "$label, $name: $what as a stream has them");
		}
		my @odd = grep {
			my $m = $sum->{of}{$_};
			$m->{exclusiveNs} > $m->{inclusiveNs} + 1000 || $m->{inclusiveNs} > $sum->{durationNs} * $sum->{threadCount};
		} keys %{ $sum->{of} };
		is("@odd", '', "$label, $name: no method has more time than there was");
		is(scalar(@{ $sum->{threads} }), scalar(@{ $stream->{threads} }), "$label, $name: as many threads");
	}
}

# other ways into the recorder: through FFM, and natives in the interpreter
my $hot = "$work/Hot-woven.jar";
weave_ok(program('Dear'), WHOLE, $hot, '--no-guard');
my $ways = java([ '-Xint', '-jar', $hot ], env => \%sums);
my $plain = report('-Xint', "$ways->{trace}.jwr");
SKIP: {
	my $java = jdk25();
	skip 'no JDK 25: FFM is not tried', 4 unless $java;
	my %calls;
	for my $way (qw(off on)) {
		my $r = java([ '-jar', $hot, 'hot' ], java => $java, env => { %sums, JWEAVE_FFM => $way });
		$calls{$way} = report("FFM $way", "$r->{trace}.jwr")->{of};
		$calls{$way} = { map { $_ => $calls{$way}{$_}{calls} } keys %{ $calls{$way} } };
	}
	is($calls{on}{'acme.Dear.tiny'}, 1000000, 'FFM: calls are counted');
	is_deeply($calls{on}, $calls{off}, 'FFM: all of them');
}
my $c = java([ '-jar', $hot ], env => \%sums);
my $jit = report('compiled', "$c->{trace}.jwr");
is_deeply({ map { $_ => $plain->{of}{$_}{calls} } keys %{ $plain->{of} } }, { map { $_ => $jit->{of}{$_}{calls} } keys %{ $jit->{of} } },
	'-Xint: the same calls');

# killed
my $jar = program('Ends');
my $woven = "$work/Ends-woven.jar";
weave_ok($jar, WHOLE, $woven, '--no-guard');
my $r = java([ '-XX:-CreateCoredumpOnCrash', "-XX:ErrorFile=$work/hs", '-jar', $woven, 'segv', 30000, "$work/progress" ], env => \%sums);
my $done = unpack('Q<', slurp("$work/progress"));
my $sum = report('killed', "$r->{trace}.jwr");
ok($sum->{of}{'acme.Ends.step'}{calls} >= $done && $sum->{of}{'acme.Ends.step'}{calls} <= $done + 1, "killed: all $done steps are there")
	or diag("$r->{err} $sum->{of}{'acme.Ends.step'}{calls}");
is($sum->{of}{'acme.Ends.open'}{calls}, 6, 'killed: the calls that were open, too');
cmp_ok($sum->{of}{'acme.Ends.main'}{inclusiveNs}, '>=', $sum->{of}{'acme.Ends.step'}{inclusiveNs}, 'killed: and have taken their time');

# what is said of it
my $p = sh([ $jweave, 'prv', "$r->{trace}.jwr" ]);
is($p->{status}, 4, 'prv: refused');
like($p->{err}, qr/a summary \(JWEAVE_MODE=summary\) has no events to make a trace of: 'jweave report' shows its sums; a run without JWEAVE_MODE records events$/,
	'prv: says why, and what to do');
is_deeply([ grep { /\.(prv|pcf|row)/ } ls($r->{folder}) ], [], 'prv: leaves nothing');
$p = sh([ $jweave, 'info', "$r->{trace}.jwr" ]);
like($p->{out}, qr/^mode: summary: sums alone, no events\ncalls: \d+\nmethods: \d+$/m, 'info: calls and methods');
$p = sh([ $jweave, 'report', "$r->{trace}.jwr" ]);
like($p->{out}, qr/^ +life ms +in methods +calls  thread$/m, 'report: threads, without states');
$p = sh([ $jweave, 'score', "$r->{trace}.jwr" ]);
is($p->{status}, 0, 'score: takes it, too');

# jweave run
my $dir = "$work/run";
mkdir $dir;
$p = sh([ $jweave, 'run', '--', 'java', '-XX:-CreateCoredumpOnCrash', "-XX:ErrorFile=$work/hs", '-jar', $jar, 'segv', 1000, "$work/progress" ], dir => $dir, env => { %sums, XDG_CACHE_HOME => "$work/cache" });
like($p->{err}, qr/the program was killed before it could report: its sums, without events, are in '(trace-\S+\.jwr)'; to see them: jweave report \1/,
	'jweave run: a program that was killed') or diag($p->{err});
done_testing();
