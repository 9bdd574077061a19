#!/usr/bin/perl
# Lambda expressions as tasks, one expression for hundreds of them: the arrows to those that surely have one are as
# many as the program saw from inside, of those that may have one not more, and of others there is none.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use Test::More;

my $jar = program('Bodies');
my $woven = "$work/Bodies-woven.jar";
weave_ok($jar, '{ "jweave": 1, "include": [ "preset:jdk-threads" ], "rules": [] }', $woven);

sub bodies {
	my ($name, %o) = @_;
	my $r = java([ '-jar', $woven ], %o);
	is($r->{status}, 0, "$name: the program runs") or diag($r->{err});
	my (%ran, %may, %submitted, %let_go);
	while ($r->{out} =~ /^(ran|may) (\S+) (\S+) (\d+)$/mg) {
		($1 eq 'ran' ? \%ran : \%may)->{"$2 $3"} = $4;
	}
	cmp_ok(scalar keys %ran, '>=', 20, "$name: pairs of threads");
	for (@{ fields($r->{trace}, '--arrows', $name) }) {
		my ($tag, $from, undef, $to) = @$_;
		$submitted{"$from $to"}++ if $tag == 201;
		$let_go{"$to $from"}++ if $tag == 202;
	}
	is($submitted{$_} // 0, $ran{$_}, "$name: submitted: $_") for sort keys %ran;
	cmp_ok($submitted{$_} // 0, '<=', $may{$_}, "$name: may be submitted: $_") for sort keys %may;
	is(join(', ', grep { !$ran{$_} && !$may{$_} } sort keys %submitted), '', "$name: no others");
	for (sort keys %let_go) {
		cmp_ok($let_go{$_}, '<=', ($ran{$_} // 0) + ($may{$_} // 0), "$name: waited for: $_");
	}
	# those whose thread did nothing but wait
	is($let_go{$_} // 0, $ran{$_}, "$name: surely waited for: $_") for grep { /^(in|fail|timed)-/ } sort keys %ran;
}

bodies('17');
SKIP: {
	my $java = jdk25() or skip 'no JDK 25', 1;
	bodies('25', java => $java);
}
done_testing();
