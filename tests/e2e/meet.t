#!/usr/bin/perl
# Threads that wait for each other in every way: the trace has the calls that the program made, in the
# states that they mean, and an arrow for each wait from what ended it, and no other.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use Test::More;

my $rules = <<'END';
{ "jweave": 1,
  "include": [ "preset:jdk-threads" ],
  "rules": [ { "select": { "class": [ "acme.Meet", "!acme.Meet$Work" ], "kind": [ "method", "lambda" ] } } ] }
END

# How long THREAD was in STATE, in ns.
sub time_in {
	my ($states, $thread, $state) = @_;
	my $ns = 0;
	$ns += $_->[2] - $_->[1] for grep { $_->[0] eq $thread && $_->[3] eq $state } @$states;
	return $ns;
}

my $jar = program('Meet');
my $woven = "$work/Meet-woven.jar";
weave_ok($jar, $rules, $woven);

sub platform {
	my ($name, %o) = @_;
	my $r = same_status("$name", [ '-jar', $woven, 10 ], %o);
	my $arrows = fields($r->{trace}, '--arrows', $name);
	while ($r->{out} =~ /^arrows (\d+) (\S+) (\d+)$/mg) {
		my ($tag, $prefix, $n) = ($1, $2, $3);
		my $got = grep { ($tag == 0 || $_->[0] == $tag) && index($_->[3], $prefix) == 0 } @$arrows;
		is($got, $n, "$name: arrows $tag to $prefix");
	}
	is((grep { $_->[0] == 102 && $_->[1] =~ /^pi-/ } @$arrows), 15, "$name: 15 joins");
	is((grep { $_->[0] == 101 && $_->[1] eq 'main' && $_->[3] =~ /^pi-/ } @$arrows), 15, "$name: 15 starts, by main");
	my %who = map { ("$_->[0] $_->[1] $_->[3]" => 1) } @$arrows;
	is(join(' ', grep { /^302 .* pp-/ && !/pp-0 pp-1|pp-1 pp-0/ } sort keys %who), '', "$name: each notified by the other");
	ok($who{'703 main latch-0'} && !$who{'703 count-0 latch-0'}, "$name: the last to count down opens the latch");
	ok($who{"105 main int-$_"}, "$name: int-$_ was interrupted by main") for 0 .. 3;
	my $operations = fields($r->{trace}, '--operations', $name);
	while ($r->{out} =~ /^calls (\S+) (\S+) (\d+)$/mg) {
		my ($label, $prefix, $n, $got) = ($1, $2, $3, 0);
		$got += $_->[2] for grep { $_->[1] eq $label && index($_->[0], $prefix) == 0 } @$operations;
		is($got, $n, "$name: $label by $prefix");
	}
	my $states = fields($r->{trace}, '--states', $name);
	cmp_ok(time_in($states, 'sleep-0', 'Synchronization'), '>=', 30e6, "$name: a sleep inherited by a subclass");
	cmp_ok(time_in($states, 'time-0', 'Synchronization'), '>=', 120e6, "$name: seven timed waits");
	cmp_ok(time_in($states, 'time-0', 'Wait/WaitAll'), '>=', 20e6, "$name: and a join");
	cmp_ok(time_in($states, 'get-0', 'Wait/WaitAll'), '>=', 60e6, "$name: tasks of 20 ms are waited for");
	cmp_ok(time_in($states, 'pool-0', 'Synchronization'), '>=', 60e6, "$name: which sleep");
	cmp_ok(time_in($states, 'lock-0', 'Blocked'), '>', 0, "$name: a lock that another one holds");
}

# Lanes of virtual threads have no names of theirs: the sums must be right.
sub virtual {
	my ($name, %o) = @_;
	my $r = same_status($name, [ '-jar', $woven, 10, 'virtual' ], %o);
	my $arrows = fields($r->{trace}, '--arrows', $name);
	my (%want, %perhaps);
	while ($r->{out} =~ /^(arrows|perhaps) (\d+) \S+ (\d+)$/mg) {
		($1 eq 'arrows' ? \%want : \%perhaps)->{$2} += $3 if $2 > 102;
	}
	for my $tag (sort keys %want) {
		my $got = grep { $_->[0] == $tag } @$arrows;
		my $most = $want{$tag} + ($perhaps{$tag} // 0);
		ok($got >= $want{$tag} && $got <= $most, "$name: arrows $tag") or diag("$got: not $want{$tag} to $most");
	}
	my %n;
	$n{ $_->[0] }++ for grep { $_->[3] !~ /^VirtualThread-/ } @$arrows; # those of the JDK are not joined
	is($n{101}, $n{102}, "$name: as many starts as joins");
}

sub same_status {
	my ($name, $args, %o) = @_;
	my $r = java($args, %o);
	is($r->{status}, 0, "$name: the program runs") or diag($r->{err});
	return $r;
}

# Without a rules file: a pattern has who notifies as well.
sub pattern {
	my $by_pattern = "$work/Meet-pattern.jar";
	weave_ok($jar, 'match:acme.Meet,acme.Meet$**', $by_pattern);
	my $r = same_status('a pattern', [ '-jar', $by_pattern, 10 ]);
	my ($wanted) = $r->{out} =~ /^arrows 302 pp- (\d+)$/m;
	my $arrows = fields($r->{trace}, '--arrows', 'a pattern');
	is(scalar(grep { $_->[0] == 302 && $_->[3] =~ /^pp-/ } @$arrows), $wanted, 'a pattern: arrows of notify');
}

platform('17');
pattern();
SKIP: {
	my $java = jdk25() or skip 'no JDK 25', 1;
	platform('25', java => $java);
	virtual('virtual threads', java => $java);
}
done_testing();
