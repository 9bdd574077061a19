#!/usr/bin/perl
# Monitors that threads are blocked for: each contended enter is in the trace, with an arrow from the thread that gave
# the monitor back, by monitorexit, at the end of a synchronized method, by an exception, by Object.wait; none where
# code that is not woven held it.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use Test::More;

my $rules = <<'END';
{ "jweave": 1,
  "include": [ "preset:jdk-threads", "preset:monitors" ],
  "exclude": [ "acme.Own$Unseen" ],
  "rules": [ { "select": { "class": "acme.Own**", "kind": [ "method", "lambda" ] } } ] }
END

my $jar = program('Own');
my $woven = "$work/Own-woven.jar";
weave_ok($jar, $rules, $woven);

sub fields {
	my ($trace, $option, $name) = @_;
	my $r = sh([ 'perl', "$E2E::root/tests/paraver/validate.pl", $option, "$trace.prv" ], seconds => 300);
	is($r->{status}, 0, "$name: the trace is valid, $option") or diag(substr $r->{err}, 0, 2000);
	return [ map { [ split /\t/ ] } split /\n/, $r->{out} ];
}

sub own {
	my ($name, %o) = @_;
	my $r = java([ '-jar', $woven, 5 ], %o);
	is($r->{status}, 0, "$name: the program runs") or diag($r->{err});
	my $arrows = fields($r->{trace}, '--arrows', $name);
	while ($r->{out} =~ /^arrows (\d+) (\S+) (\d+)$/mg) {
		my ($tag, $prefix, $n) = ($1, $2, $3);
		is((grep { $_->[0] == $tag && index($_->[3], $prefix) == 0 } @$arrows), $n, "$name: arrows $tag to $prefix");
	}
	while ($r->{out} =~ /^from (\d+) (\S+) (\S+)$/mg) {
		my ($tag, $prefix, $from) = ($1, $2, $3);
		is((grep { $_->[0] == $tag && index($_->[3], $prefix) == 0 && $_->[1] ne $from } @$arrows), 0,
			"$name: arrows $tag to $prefix are all from $from");
	}
	is((grep { $_->[4] < $_->[2] } @$arrows), 0, "$name: no arrow goes back in time");
	# each of a chain has it from the one before: who gave it away never gives it again
	my %gave;
	$gave{ $_->[1] }++ for grep { $_->[0] == 305 && $_->[3] =~ /^cha-/ } @$arrows;
	is(join(' ', map { "$_ $gave{$_}" } grep { $gave{$_} != 1 } sort keys %gave), '', "$name: a chain of owners");
	my %blocked;
	for (@{ fields($r->{trace}, '--states', $name) }) {
		push @{ $blocked{ $_->[0] } }, $_->[2] - $_->[1] if $_->[3] eq 'Blocked';
	}
	while ($r->{out} =~ /^blocked (\S+) (\d+)$/mg) {
		my ($prefix, $n) = ($1, $2);
		my @threads = grep { index($_, $prefix) == 0 } keys %blocked;
		is(scalar @threads, $n, "$name: $n threads were blocked, $prefix");
		is((grep { @{ $blocked{$_} } != 1 || $blocked{$_}[0] < 20e6 } @threads), 0, "$name: once each, 20 ms at least");
	}
	return $r;
}

own('17');
SKIP: {
	my $java = jdk25() or skip 'no JDK 25', 1;
	own('25', java => $java);
}
done_testing();
