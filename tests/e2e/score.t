#!/usr/bin/perl
# The loop of jweave score: what a run cost, the rules that it suggests, and that weaving with these leaves
# out the small hot methods and nothing else.
# Slow: 35 s, programs run again, woven by what their first run suggests.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use JSON::PP;
use Test::More;

my $jar = program('Dear');
my $rules = spit("$work/rules.json", WHOLE);

sub run_of {
	my ($name, $rules) = @_;
	my $woven = "$work/Dear-$name.jar";
	weave_ok($jar, $rules, $woven, '--no-guard');
	my $r = java([ '-jar', $woven, 'hot' ], trace => $name, env => { JWEAVE_KEEP => 1 });
	is($r->{status}, 0, "$name: the program runs") or diag($r->{err});
	my $trace = trace($r->{trace}, $name, '--counts');
	return { %$r, calls => $trace->{calls}, woven => $woven, recording => "$r->{trace}.jwr" };
}

sub score_of {
	my ($run, @options) = @_;
	my $s = sh([ $jweave, 'score', '--json', '--target=0.5%', '--map', $run->{woven}, @options, $run->{recording} ]);
	is($s->{status}, 0, 'jweave score') or diag($s->{err});
	return decode_json($s->{out} || '{}');
}

my $first = run_of('all', $rules);
my $score = score_of($first, '-r', $rules, '--suggest', "$work/fewer.json");
my @skipped = map { $_->{name} =~ /^(\S+)/ } grep { $_->{skip} } @{ $score->{methods} };
is_deeply([ sort @skipped ], [ 'Dear.small', 'Dear.tiny' ], 'the small hot methods are to be skipped') or diag("@skipped");
cmp_ok($score->{overhead}, '>', $score->{target}, 'the estimated overhead is above the target');
cmp_ok($score->{overheadAfter}, '<=', $score->{target}, 'without them it is not');
my $check = sh([ $jweave, 'check', "$work/fewer.json" ]);
is("$check->{status}$check->{err}", 0, 'the suggested rules pass jweave check');

my $second = run_of('fewer', "$work/fewer.json");
my %left = %{ $first->{calls} };
delete @left{qw(acme.Dear.small acme.Dear.tiny)};
is_deeply($second->{calls}, \%left, 'woven with them, all others are traced as before, and these not at all');
is($second->{out}, $first->{out}, 'the program says the same');
my $again = score_of($second);
cmp_ok($again->{overhead}, '<=', $again->{target}, 'the estimated overhead is under the target now');
is(scalar(grep { $_->{skip} } @{ $again->{methods} }), 0, 'nothing more to skip');
unlike($second->{err}, qr/tracing added/, 'and the summary has no word about the cost');
done_testing();
