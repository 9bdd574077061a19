#!/usr/bin/perl
# What is taught with traces, exactly: pi in teams of threads, fork and join, producers and consumers. Calls and arrows
# are those that the program counts, the states of a thread sum to the time that the trace lasts, no arrow goes back.
# Slow: 15 s, pools of threads, on two JVMs.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use Test::More;

my $rules = <<'END';
{ "jweave": 1,
  "include": [ "preset:jdk-threads" ],
  "rules": [ { "select": { "class": "acme.Flow**", "kind": [ "method", "lambda" ] } } ] }
END

my $jar = program('Flow');
my $woven = "$work/Flow-woven.jar";
weave_ok($jar, $rules, $woven);

# When the trace ends, by its first line.
sub end_of {
	my ($trace) = @_;
	open my $in, '<', "$trace.prv" or die "$trace.prv: $!";
	return (<$in> =~ /\):(\d+)_ns:/)[0];
}

sub states_add_up {
	my ($trace, $name) = @_;
	my (%sum, %next);
	my $apart = 0;
	for (@{ fields($trace, '--states', $name) }) {
		my ($thread, $begin, $end) = @$_;
		$apart++ if $begin != ($next{$thread} // 0);
		$next{$thread} = $end;
		$sum{$thread} += $end - $begin;
	}
	my $end = end_of($trace);
	delete $sum{$_} for grep { !/^(main|pi-|put-|take-|ForkJoin)/ } keys %sum;
	is($apart, 0, "$name: no gaps between states, and none overlap");
	is((join ' ', grep { $sum{$_} != $end } sort keys %sum), '', "$name: the states of each thread sum to $end ns");
	return scalar keys %sum;
}

sub flow {
	my ($name, $args, %o) = @_;
	my $r = java([ '-jar', $woven, @$args ], %o);
	is($r->{status}, 0, "$name: the program runs") or diag($r->{err});
	my $arrows = fields($r->{trace}, '--arrows', $name);
	while ($r->{out} =~ /^arrows (\d+) (\S+) (\d+)$/mg) {
		my ($tag, $prefix, $n) = ($1, $2, $3);
		is((grep { $_->[0] == $tag && index($_->[3], $prefix) == 0 } @$arrows), $n, "$name: arrows $tag to $prefix");
	}
	is((grep { $_->[4] < $_->[2] } @$arrows), 0, "$name: no arrow goes back in time");
	my $operations = fields($r->{trace}, '--operations', $name);
	while ($r->{out} =~ /^calls (\S+) (\S+) (\d+)$/mg) {
		my ($label, $prefix, $n, $got) = ($1, $2, $3, 0);
		$got += $_->[2] for grep { $_->[1] eq $label && index($_->[0], $prefix) == 0 } @$operations;
		is($got, $n, "$name: $label by $prefix");
	}
	$r->{arrows} = $arrows;
	$r->{threads} = states_add_up($r->{trace}, $name);
	return $r;
}

sub queue {
	my ($name, $producers, $consumers, $items, $buffer, %o) = @_;
	$name = "$name: $producers+$consumers, buffer $buffer";
	my $r = flow($name, [ 'queue', $producers, $consumers, $items, $buffer ], %o);
	is($r->{threads}, $producers + $consumers + 1, "$name: a row a thread");
	like($r->{out}, qr/^0 left$/m, "$name: all is taken");
	my @waited = grep { $_->[0] == 801 } @{ $r->{arrows} };
	cmp_ok(scalar @waited, '<=', $producers * $items, "$name: an arrow for takes that waited");
	is((grep { $_->[1] !~ /^put-/ || $_->[3] !~ /^take-/ } @waited), 0, "$name: from who puts to who takes");
	unlink "$r->{trace}.prv";
}

sub flows {
	my ($name, %o) = @_;
	my $r = flow("$name: pi", ['pi'], %o);
	is($r->{threads}, 16, "$name: 15 threads and main");
	is((grep { $_->[0] == 101 || $_->[0] == 102 } @{ $r->{arrows} }), 30, "$name: 30 arrows");
	is((grep { ($_->[0] == 101 ? $_->[1] : $_->[3]) ne 'main' } @{ $r->{arrows} }), 0, "$name: all of main's");
	unlike($r->{out}, qr/not pi/, "$name: it is pi");
	flow("$name: fork and join", [ 'fork', 6 ], %o);
	queue($name, @$_, %o) for [ 1, 1, 400, 5 ], [ 2, 2, 200, 20 ], [ 4, 4, 100, 50 ], [ 2, 4, 200, 100 ];
}

flows('17');
queue('17', 1000, 1000, 4, 20, seconds => 300);
SKIP: {
	my $java = jdk25() or skip 'no JDK 25', 1;
	flows('25', java => $java);
}
done_testing();
