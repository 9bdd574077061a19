#!/usr/bin/perl
# A process that is killed before a window is full has seen its clocks at the start only. The reader
# asks them again, if it runs before the machine is booted anew: durations are then right.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use Test::More;

my $jar = program('Nap');
my $woven = "$work/Nap-woven.jar";
weave_ok($jar, WHOLE, $woven, '--no-guard');

my ($r, $inside, $outside, $meta);
sub take_nap {
	$r = java([ '-jar', $woven ], env => { JWEAVE_CONTROL => 0 }); # else it says now and then that it lives, and when
	($inside, $outside) = $r->{out} =~ /^nap (\d+) (\d+)$/m or BAIL_OUT("no nap: $r->{out} $r->{err}");
	$meta = slurp("$r->{trace}.jwr/meta");
}
take_nap();
is($r->{signal}, 9, 'the program was killed');
is(scalar(() = $meta =~ /^clock-point\t/mg), 1, 'its recording knows the clocks of its start only');

sub convert {
	return sh([ $jweave, 'prv', '--force', "$r->{trace}.jwr", '-o', "$work/$_[0]", '--map', $woven ]);
}
sub nap_of {
	my ($name, $said) = @_;
	my $p = convert($name);
	is($p->{status}, 0, "$name: jweave prv converts it") or diag($p->{err});
	($said ? \&like : \&unlike)->($p->{err}, qr/only at the start/, "$name: a rough clock is " . ($said ? 'named' : 'not at issue'));
	my $v = sh([ 'perl', 'tests/paraver/validate.pl', '--times', "$work/$name.prv" ]);
	my ($ns) = $v->{out} =~ /\bNap\.nap\t\d+\t(\d+)/;
	return $ns // 0;
}

SKIP: {
	skip 'no boot id here', 4 unless $meta =~ /^boot\t\S/m;
	my $ns = nap_of('same', 0);
	my $slack = 100000;
	cmp_ok($ns, '>', $inside - $slack, "the nap is not shorter than it was inside ($ns, $inside ns)");
	cmp_ok($ns, '<', $outside + $slack, "the nap is not longer than it was outside ($ns, $outside ns)");
	skip 'ticks are nanoseconds on this machine, never rough', 3 if $meta =~ /^clock\tmonotonic/m;
	# of another boot: the clocks of now say nothing about it. On a busy machine a thread may begin so
	# late that its window is a second look at the clocks: again, then
	for my $try (1 .. 10) {
		$meta =~ s/^boot\t./boot\tx/m;
		spit("$r->{trace}.jwr/meta", $meta);
		last if convert('other')->{err} =~ /only at the start/;
		take_nap() if $try < 10;
	}
	my $rough = nap_of('other', 1);
	cmp_ok(abs($rough - $inside), '<', 0.05 * $inside, "another boot: a rough figure ($rough ns)");
}
done_testing();
