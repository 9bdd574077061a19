#!/usr/bin/perl
# Two threads that take turns, by everything that one can wait by and another wake: the trace has an arrow for each turn,
# from the one that woke or interrupted, none else, none where time was over, and each wait for as long as it was at least.
# Slow: 15 s, threads that take turns, on two JVMs.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use Test::More;

my %woven;
for ('Pong', 'Stop') {
	$woven{$_} = "$work/$_-woven.jar";
	weave_ok(program($_), '{ "jweave": 1, "include": [ "preset:jdk-threads" ], "rules": [] }', $woven{$_});
}

# What leads to THREAD: "TAG FROM N", but for starts by main and what led to it before it had begun to play.
sub arrows_to {
	my ($to, $thread, @but) = @_;
	my $n = $to->{$thread} || {};
	my %but = map { ($_ => 1) } 101, @but;
	return join ', ', map { "$_ $n->{$_}" } grep { !$but{ (split)[0] } } sort keys %$n;
}

sub pong {
	my ($program, $name, %o) = @_;
	$name = "$name: $program";
	my $r = java([ '-jar', $woven{$program}, 3 ], %o);
	is($r->{status}, 0, "$name: the program runs") or diag($r->{err});
	my (%to, %long);
	my $back = 0;
	for (@{ fields($r->{trace}, '--arrows', $name) }) {
		my ($tag, $from, $send, $thread, $receive) = @$_;
		$to{$thread}{"$tag $from"}++;
		$back++ if $receive < $send;
	}
	is($back, 0, "$name: no arrow goes back in time");
	for (@{ fields($r->{trace}, '--states', $name) }) {
		$long{ $_->[0] }++ if $_->[3] =~ /^(?:Synchronization|Wait\/WaitAll|Blocked)$/ && $_->[2] - $_->[1] >= 3e6;
	}
	my $turns = 0;
	while ($r->{out} =~ /^pong (\d+) (\S+) (\d+)$/mg) {
		my ($tag, $what, $n) = ($1, $2, $3);
		is(arrows_to(\%to, "W-$what"), $tag ? "$tag K-$what $n" : '', "$name: $what, who woke");
		is(arrows_to(\%to, "K-$what"), '', "$name: $what, nobody else");
		cmp_ok($long{"W-$what"} // 0, '>=', $n, "$name: $what, how long");
		$turns++;
	}
	cmp_ok($turns, '>', 45, "$name: all ways");
	while ($r->{out} =~ /^task (\S+) (\d+) (\d+)$/mg) {
		my ($what, $n, $m) = ($1, $2, $3);
		# besides, threads park inside of the pool: for its lock, or (402) for what nothing tells of its tasks; shutdownNow interrupts (105)
		is(arrows_to(\%to, "P-$what", 402, 105), $n ? "201 G-$what $n" : '', "$name: $what, who handed over");
		is(arrows_to(\%to, "G-$what", 402), $m ? "202 P-$what $m" : '', "$name: $what, who was done");
		like(arrows_to(\%to, "G-$what"), qr/^402 P-$what \d/, "$name: $what, who let it go on") if !$m;
	}
	while ($r->{out} =~ /^held (\d+) (\S+) (\d+)$/mg) {
		my ($tag, $what, $n) = ($1, $2, $3);
		is(arrows_to(\%to, "L-$what"), "$tag H-$what $n", "$name: $what, who held it");
	}
}

pong($_, '17') for 'Pong', 'Stop';
SKIP: {
	my $java = jdk25() or skip 'no JDK 25', 1;
	pong($_, '25', java => $java) for 'Pong', 'Stop';
}
done_testing();
