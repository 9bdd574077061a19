#!/usr/bin/perl
# The end of a run: one line says what there is, one more what made tracing expensive, and none where
# JWEAVE_SUMMARY=0 asks for none.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use JSON::PP;
use Test::More;

my $jar = program('Dear');
my $woven = "$work/Dear-woven.jar";
weave_ok($jar, WHOLE, $woven, '--no-guard');

my $r = java([ '-jar', $woven ]);
like($r->{err}, qr/\Ajweave: 1 thread, [\d,]+ calls, \d+ methods in [\d.]+ s -> \S+\.prv\n/, 'a run of few calls: the line');
unlike($r->{err}, qr/tracing added/, 'and no word about the cost');

# A run of many calls. On a machine that is busy with other work it may take so long that tracing is cheap
# beside it, and has no line: it goes before that work, where it may, and then again.
sub hot {
	my ($r, @with) = (undef, @_);
	eval { setpriority(0, 0, -15) };
	for (1 .. 8) {
		$r = java([ '-jar', $woven, 'hot' ], @with);
		last if $r->{err} =~ /tracing added/;
	}
	eval { setpriority(0, 0, 0) };
	return $r;
}

$r = hot();
my @line = split /\n/, $r->{err};
my @cost = grep { /tracing added/ } @line;
is(scalar @cost, 1, 'a run of many: one line more') or diag($r->{err});
push @line, '' while @line < 2;
$line[1] = $cost[0] // '';
like($line[1], qr/^jweave: tracing added about \d+ % to the (?:CPU time of threads in traced methods|time in traced methods); \d+ % of the events are of /, 'the second has the cost');
my ($share) = $line[1] =~ /(\d+) % of the events/;
cmp_ok($share // 0, '>=', 99, 'the share of the methods named');
like($line[1], qr/Dear\.tiny, Dear\.small; jweave score \S+\.prv suggests what to leave out$/, 'the methods, and what to do');

$r = hot(env => { JWEAVE_KEEP => 1 });
my ($command) = $r->{err} =~ /; (jweave score \S+\.prv) suggests/;
ok($command, 'so it says where the recording is kept') or diag($r->{err});
my $s = sh([ $jweave, 'score', '--map', $woven, "$r->{trace}.jwr" ]);
like($s->{out}, qr/^ \* +1000000 .*Dear\.tiny$/m, 'jweave score takes it') or diag($s->{err});

# sums alone: the same figure as jweave score
$r = hot(env => { JWEAVE_MODE => 'summary' });
my ($added) = $r->{err} =~ /tracing added about (\d+) % to the time in traced methods/;
$s = decode_json(sh([ $jweave, 'score', '--json', '--map', $woven, "$r->{trace}.jwr" ])->{out} || '{}');
is($added, sprintf('%.0f', 100 * ($s->{wallOverhead} || 0)), 'a summary: both say what tracing added') or diag($r->{err});

$r = java([ '-jar', $woven, 'hot' ], env => { JWEAVE_SUMMARY => 0 });
is($r->{err}, '', 'JWEAVE_SUMMARY=0: nothing');
done_testing();
