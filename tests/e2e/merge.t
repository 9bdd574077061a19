#!/usr/bin/perl
# Two JVMs that run at once become one trace: two tasks in the order of their ranks, on one time axis. What
# the program does proves the axis: each question of the one holds the answer of the other. So too
# when the second claims another host, whose monotonic clock is another and drifts.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use JSON::PP;
use Test::More;

my $asked = 300;
my $jar = program('Relay');
my $woven = "$work/Relay-woven.jar";
weave_ok($jar, WHOLE, $woven, '--no-guard');

my $dir = "$work/both";
mkdir $dir;
my $r = java([ '-jar', $woven, 'ask', $asked ], dir => $dir,
	env => { JWEAVE_OUTPUT => "$dir/t-%p", JWEAVE_CONVERT => 'off', JWEAVE_TMP => undef, OMPI_COMM_WORLD_RANK => 1 });
my $sum = $asked * ($asked - 1) + $asked;
is("$r->{status} $r->{out}", "0 sum $sum status 0\n", 'the program runs') or diag($r->{err});
my @recordings = glob("$dir/t-*.jwr");
is(scalar @recordings, 2, 'two recordings, of one process each') or BAIL_OUT("@recordings $r->{err}");
my ($asker) = grep { slurp("$_/meta") =~ /^rank\t1$/m } @recordings;
my ($server) = grep { slurp("$_/meta") =~ /^rank\t0$/m } @recordings;
ok($asker && $server, 'the launcher gave them ranks') or BAIL_OUT('no ranks');

# { TASK => { METHOD => [ [begin, end] .. ] } } of the methods ask and serve
sub calls_of {
	my ($base) = @_;
	my (%name, %open, %calls);
	my ($pcf) = slurp("$base.pcf") =~ /^\S+\s+60000019\s.*\nVALUES\n((?:\d.*\n)*)/m;
	$name{$1} = $2 while $pcf =~ /^(\d+)\s+Relay\.(ask|serve) /mg;
	open my $in, '<', "$base.prv" or die "$base: $!";
	while (<$in>) {
		my (undef, undef, undef, $task, $thread, $time, @pairs) = split /:/ or next;
		next unless /^2/;
		while (my ($type, $value) = splice @pairs, 0, 2) {
			next unless $type == 60000019;
			my $stack = $open{"$task.$thread"} ||= [];
			if ($value > 0) { push @$stack, [ $name{$value + 0} // '', $time ]; next; }
			my ($method, $begin) = @{ pop @$stack };
			push @{ $calls{$task}{$method} }, [ $begin, $time ];
		}
	}
	return \%calls;
}

# How far, at worst, an answer is outside its question, in ns; undef: not so many of both.
sub outside {
	my ($calls) = @_;
	my ($serve, $ask) = ($calls->{1}{serve}, $calls->{2}{ask});
	return undef unless $serve && $ask && @$serve == $asked && @$ask == $asked;
	my $worst = 0;
	for my $i (0 .. $asked - 1) {
		for my $out ($ask->[$i][0] - $serve->[$i][0], $serve->[$i][1] - $ask->[$i][1]) {
			$worst = $out if $out > $worst;
		}
	}
	return $worst;
}

sub merge {
	my ($name, @recordings) = @_;
	my $p = sh([ $jweave, 'prv', '--json', '-o', "$work/$name", '--map', $woven, @recordings ]);
	is($p->{status}, 0, "$name: jweave prv merges them") or diag($p->{err});
	trace("$work/$name", $name);
	return decode_json($p->{out} || '{}');
}

for my $order ([ $asker, $server ], [ $server, $asker ]) {
	my $name = $order->[0] eq $asker ? 'asker first' : 'server first';
	my $summary = merge($name =~ tr/ /-/r, @$order);
	my $base = "$work/" . ($name =~ tr/ /-/r);
	is($summary->{lost} + $summary->{inferred}, 0, "$name: nothing lost, nothing inferred");
	is(outside(calls_of($base)), 0, "$name: each question holds its answer");
	like(slurp("$base.row"), qr/^LEVEL TASK SIZE 2\nrank 0\nrank 1$/m, "$name: tasks in the order of ranks");
}
is(slurp("$work/asker-first.prv"), slurp("$work/server-first.prv"), 'the trace is the same in any order of recordings');

# Another host: its monotonic clock began 1000 s before and runs 800 ppm fast; its wall clock is right.
# Clock points lie in meta and in the headers of chunks.
sub elsewhere {
	my ($from, $to) = @_;
	mkdir $to;
	my ($meta, $data) = map { slurp("$from/$_") } qw(meta data);
	my $first;
	my $point = sub {
		my ($tick, $mono, $wall) = @_;
		$first //= $mono;
		return ($tick, $mono + 1_000_000_000_000 + int(($mono - $first) * 8e-4), $wall);
	};
	$meta =~ s/^(clock-point|alive)\t(\d+)\t(\d+)\t(\d+)$/join "\t", $1, $point->($2, $3, $4)/mge;
	$meta =~ s/^host\t.*$/host\telsewhere/m;
	$meta =~ s/^boot\t\S+/boot\tanother/m;
	for (my $at = 0; $at + 64 <= length $data;) {
		my ($magic, undef, undef, $bytes, @points) = unpack 'a4VVVQ<6', substr $data, $at, 64;
		if ($magic ne 'JWR1') { $at += 512; next; }
		substr($data, $at + 16, 48) = pack 'Q<6', $point->(@points[0 .. 2]), $point->(@points[3 .. 5]);
		$at += int((64 + $bytes + 511) / 512) * 512;
	}
	spit("$to/meta", $meta);
	spit("$to/data", $data);
	return $to;
}
SKIP: {
	skip 'ticks are nanoseconds on this machine: another host cannot be made up', 4
		if slurp("$server/meta") =~ /^clock\tmonotonic/m;
	merge('hosts', $asker, elsewhere($server, "$work/elsewhere.jwr"));
	my $calls = calls_of("$work/hosts");
	my $worst = outside($calls);
	# two readings of the wall clock, each within some us; 800 ppm of the run would be far more
	my $run = $calls->{2}{ask}[-1][1] - $calls->{2}{ask}[0][0];
	cmp_ok($worst // 1e9, '<', 20_000, "another host: questions hold their answers but for $worst ns (drift alone: " . int($run * 8e-4) . ' ns)');
	like(slurp("$work/hosts.row"), qr/^LEVEL NODE SIZE 2\n/m, 'another host: two nodes');
}
done_testing();
