#!/usr/bin/perl
# Whatever the bytes of a recording are, what is made of it is a trace that holds: three real ones (waits, locks and
# I/O; exceptions and pauses; virtual threads), each with bytes of its kinds, payloads, ticks, headers and lines of meta
# changed. JW_DAMAGES of them, from the seed JW_SEED; each that fails is told by its seed.
# Slow: 20 s, each of many damaged recordings is converted and judged.
use strict;
use warnings;
use lib 'tests/e2e';
use Damage;
use E2E;
use Test::More;

my $damages = $ENV{JW_DAMAGES} || 200;
my $seed = $ENV{JW_SEED} || 1;
my @recordings = recordings();
my ($traces, @bad) = (0);
for my $i ($seed .. $seed + $damages - 1) {
	my $r = damaged(\@recordings, $i, "$work/d.jwr");
	my $said = `'$jweave' prv -q --force --map='$r->{map}' -o '$work/d' '$work/d.jwr' 2>&1`;
	my $status = $? >> 8;
	if ($status == 4 && $said =~ /^jweave: /) { # refused, with a reason
		next;
	} elsif ($status != 0) {
		push @bad, "$r->{name}, seed $i: status $status: $said";
		next;
	}
	$traces++;
	$said = `perl tests/paraver/validate.pl '$work/d.prv' 2>&1`;
	next if $? == 0;
	push @bad, "$r->{name}, seed $i: " . ($said =~ s{^\S*/}{}mgr);
	if ($ENV{JW_KEEP_BAD}) {
		system 'cp', '-r', "$work/d.jwr", "$ENV{JW_KEEP_BAD}/$i.jwr";
		system 'cp', $r->{map}, "$ENV{JW_KEEP_BAD}/$r->{name}.jar";
	}
}
is(join("\n", map { substr $_, 0, 300 } @bad), '', "$damages damaged recordings, from seed $seed: every trace of them holds");
cmp_ok($traces, '>', $damages / 2, 'most of them are converted');
done_testing();
