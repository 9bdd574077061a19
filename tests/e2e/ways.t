#!/usr/bin/perl
# The slowest calls and the critical path of programs where both are known: the call, who held what it waited for, and the
# sums of the path. All of it is compared with what the same run says of its methods, so that a busy machine is no matter.
# With the argument "half" (make bench-path, an idle machine) also: what the path says would be saved is what a run saves in
# which its first item takes half the time.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use JSON::PP;
use Test::More;

my $plain = program('Ways');
my $woven = "$work/woven.jar";
weave_ok($plain, <<'END', $woven);
{ "jweave": 1, "include": [ "preset:jdk-threads", "preset:monitors" ],
  "rules": [ { "select": { "class": "acme.Ways", "kind": [ "method", "lambda" ] } } ] }
END

sub report {
	my ($trace, @options) = @_;
	my $r = sh([ $jweave, 'report', '--json', @options, "$trace.prv" ]);
	is($r->{status}, 0, "report @options") or diag($r->{err});
	return decode_json($r->{out});
}

sub run_of {
	my ($java, $kind, $ms) = @_;
	my $r = java([ '-jar', $woven, $kind, $ms ], java => $java, env => { JWEAVE_EVENTS => 'gc,monitor,park,sleep' });
	is("$r->{status} $r->{out}", "0 done\n", "$kind $ms: the program runs") or diag($r->{err});
	return $r->{trace};
}

# A is B, but for a tenth, and what a thread takes to start.
sub near {
	my ($a, $b, $what) = @_;
	cmp_ok(abs($a - $b), '<=', 0.1 * $b + 5e6, sprintf '%s: %.1f ms of %.1f', $what, $a / 1e6, $b / 1e6);
}

# How long METHOD has waited in all, with what it calls.
sub waited {
	my ($trace, $name) = @_;
	my ($method) = grep { $_->{name} eq $name } @{ report($trace)->{methods} };
	return $method->{totalNs}{waiting};
}

# kind => [ ms, how often it is slept one after the other, in this method, by the path's threads ]
my %ways = (
	stages => [ 100, 8, 'Ways.first', 'first' ],
	convoy => [ 60, 12, 'Ways.hold', 'convoy-0 convoy-1 convoy-2 convoy-3' ],
	fork => [ 700, 1, 'Ways.straggler', 'part-2' ],
	holder => [ 700, 1, 'Ways.hold', 'holder' ],
);

sub path_of {
	my ($java, $jvm, $kind) = @_;
	my ($ms, $times, $method, $threads) = @{ $ways{$kind} };
	my $trace = run_of($java, $kind, $ms);
	# of the call: how long a JVM takes to start is no matter here
	my $path = report($trace, "--critical-path=acme.Ways#$kind");
	is($path->{call}, "Ways.$kind", "$jvm, $kind: it is the path of the call");
	my ($first) = sort { $b->{byNs}{waiting} <=> $a->{byNs}{waiting} } @{ $path->{methods} };
	my $sum = 0;
	$sum += $_->{ns} for @{ $path->{methods} };
	is($sum, $path->{ns}, "$jvm, $kind: the path covers each moment once");
	is($first->{name}, 'Ways.pause', "$jvm, $kind: it waits where it sleeps");
	is("$path->{waits}[0]{wait} $path->{waits}[0]{method}", 'sleep Ways.pause', "$jvm, $kind: nobody ends a sleep");
	my %on = map { $_->{name} => $_->{byNs}{waiting} } @{ $path->{threads} };
	my $slept = 0;
	$slept += $on{$_} // 0 for split / /, $threads;
	near($slept, waited($trace, $method), "$jvm, $kind: all that sleeps in $method");
	is(join(' ', grep { $_ ne 'main' && $on{$_} > 0.1 * $slept } sort keys %on), $threads, "$jvm, $kind: the threads of the path");
	return $path;
}

# Half the time of the first item: the call ends sooner by what was said. Threads may start late: the shortest of three runs
# counts then.
sub half_of {
	my ($java, $jvm, $kind) = @_;
	my ($ms, $times) = @{ $ways{$kind} };
	my $said = $ms * $times * 1e6 / 2;
	my $all = report(run_of($java, $kind, $ms), "--critical-path=acme.Ways#$kind")->{ns};
	my $half = report(run_of($java, $kind, $ms / 2), "--critical-path=acme.Ways#$kind")->{ns};
	for (1 .. 2) {
		last if abs($all - $half - $said) < 0.1 * $said;
		my ($a, $h) = map { report(run_of($java, $kind, $_), "--critical-path=acme.Ways#$kind")->{ns} } $ms, $ms / 2;
		$all = $a if $a < $all;
		$half = $h if $h < $half;
	}
	near($all - $half, $said, "$jvm, $kind: it saves what was said");
}

sub slowest {
	my ($java, $jvm) = @_;
	my ($slow) = @{ report(run_of($java, 'delayed', 300), '--slowest=1', '--method=acme.Ways#step')->{slowest} };
	is("$slow->{name} $slow->{stack}[-1] $slow->{parts}[0]{wait}", 'Ways.step Ways.delayed sleep', "$jvm: the one call in a thousand");
	cmp_ok($slow->{insideNs}{waiting}, '>=', 290e6, "$jvm: it slept");
	my $list = report(run_of($java, 'holder', 500), '--slowest=5')->{slowest};
	my ($held) = grep { $_->{name} eq 'Ways.request' } @$list;
	my $part = $held->{parts}[0];
	is(join(' ', @$part{qw(wait method class)}, @{ $part->{enders}[0] }{qw(threadName method)}), 'enter Ways.request java.lang.Object holder Ways.hold',
		"$jvm: who held the lock, and where") or diag(encode_json($list));
	is($held->{insideNs}{blocked}, $part->{ns}, "$jvm: that is all that it was blocked");
}

my $jdk25 = jdk25();
without25('slow calls and paths') if !$jdk25;
for ([ undef, 17 ], $jdk25 ? [ $jdk25, 25 ] : ()) {
	my ($java, $jvm) = @$_;
	slowest($java, $jvm);
	path_of($java, $jvm, $_) for sort keys %ways;
	half_of($java, $jvm, $_) for @ARGV && $ARGV[0] eq 'half' ? sort keys %ways : ();
}
done_testing();
