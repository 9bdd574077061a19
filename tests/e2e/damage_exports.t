#!/usr/bin/perl
# Damaged recordings, as in damage.t, in every format of export: a message says why there is nothing, or the tools that
# the format is for have nothing to complain about. JW_DAMAGES of them, from the seed JW_SEED.
# Slow: 40 s, a hundred recordings, each in eight formats.
use strict;
use warnings;
use lib 'tests/e2e';
use Damage;
use E2E;
use Exports;
use Test::More;

my $damages = $ENV{JW_DAMAGES} || 100;
my $seed = $ENV{JW_SEED} || 1;
my @recordings = recordings();
my (@bad, %made);
my @formats = formats();
for my $i ($seed .. $seed + $damages - 1) {
	my $r = damaged(\@recordings, $i, "$work/d.jwr");
	for my $format (@formats) {
		my $to = "$work/d$i.$format";
		my $p = sh([ $jweave, 'export', '-q', '-f', "--map=$r->{map}", $format, "$work/d.jwr", '-o', $to ]);
		if ($p->{status} == 4 && $p->{err} =~ /^jweave: /) { # refused, with a reason
			ok(!-e $to, "$i, $format: what is refused leaves nothing") if -e $to;
			next;
		}
		my $wrong = $p->{status} ? "status $p->{status}: $p->{err}" : complaints($format, $to);
		push @bad, "$r->{name}, seed $i, $format: $wrong" if $wrong ne '';
		$made{$format}++;
		sh([ 'rm', '-rf', $to ]);
	}
}
is(join("\n", map { substr $_, 0, 300 } @bad), '', "$damages damaged recordings, from seed $seed: nobody complains");
cmp_ok($made{$_} // 0, '>', $damages / 2, "most of them are made into $_") for @formats;

complaints_at_the_end();
done_testing();
