#!/usr/bin/perl
# Waits inside the JDK (JWEAVE_EVENTS=park): what parks is counted as the JDK's own recorder counts it; each call of a queue
# that has parked has one arrow, from a call of the other side; workers that have nothing to do wait for work.
# Slow: 30 s, every way to wait, on two JVMs.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use JSON::PP;
use Test::More;

my $n = 60;
my $plain = program('Queues');
my %woven = (calls => "$work/calls.jar", methods => "$work/methods.jar");
weave_ok($plain, '{ "jweave": 1, "include": [ "preset:jdk-threads" ], "rules": [] }', $woven{calls});
weave_ok($plain, WHOLE, $woven{methods});
weave_ok(program('Woken'), '{ "jweave": 1, "rules": [ { "select": { "class": "acme.Woken", "method": "await" } } ] }', $woven{woken} = "$work/woken.jar");
for ('Pong', 'Freed') {
	$woven{ lc $_ } = "$work/$_.woven.jar";
	weave_ok(program($_), WHOLE, $woven{ lc $_ });
}

use constant { WAIT => 48100028, QUEUE => 48101008, PARK => 1, FOR_WORK => 2, SLEEP => 3 };

# name => [ [ time, { type => value } ].. ]
sub events {
	my ($trace) = @_;
	my ($names) = slurp("$trace.row") =~ /^LEVEL THREAD SIZE \d+\n(.*)/ms;
	my (%events, @names) = ();
	@names = split /\n/, $names;
	for (split /\n/, slurp("$trace.prv")) {
		my @f = split /:/;
		push @{ $events{ $names[ $f[4] - 1 ] } }, [ $f[5], { @f[ 6 .. $#f ] } ] if $f[0] eq '2';
	}
	return \%events;
}

# the waits of a thread inside the JDK, without I/O: [ begin, end, kind ]; of these its parks
sub waits {
	my ($events) = @_;
	my ($since, $kind, @parks) = (0, 0);
	for (@$events) {
		my ($time, $e) = @$_;
		my $now = $e->{ +WAIT } // next;
		push @parks, [ $since, $time, $kind ] if $kind;
		($since, $kind) = ($time, $now);
	}
	return grep { $_->[2] <= SLEEP } @parks;
}
sub parks { return grep { $_->[2] <= FOR_WORK } waits(@_) }

# the calls of queues: [ begin, end ]
sub calls {
	my ($events) = @_;
	my ($since, @calls) = (0);
	for (@$events) {
		my $now = $_->[1]{ +QUEUE } // next;
		push @calls, [ $since, $_->[0] ] if !$now;
		$since = $_->[0];
	}
	return @calls;
}

# what JFR says: name => { n, ns }
sub oracle {
	my ($java, $file) = @_;
	(my $jfr = $java) =~ s/java$/jfr/;
	my $r = sh([ $jfr, 'print', '--json', '--events', 'jdk.ThreadPark', $file ]);
	my %of;
	for (@{ decode_json($r->{out})->{recording}{events} }) {
		my $v = $_->{values};
		my ($s) = $v->{duration} =~ /^PT([\d.]+)S$/ or next;
		push @{ $of{ $v->{eventThread}{javaName} } }, $s * 1e9;
	}
	return \%of;
}

sub inside {
	my ($time, @spans) = @_;
	return grep { $_->[0] <= $time && $time <= $_->[1] } @spans;
}

sub queue {
	my ($java, $kind, $jvm) = @_;
	my $name = "$jvm, $kind";
	my %env = (JWEAVE_EVENTS => 'gc,monitor,park,sleep');
	my $r = java([ '-jar', $woven{calls}, $kind, $n ], java => $java, env => \%env);
	is("$r->{status} $r->{out}", "0 done\n", "$name: the program runs") or diag($r->{err});
	my $events = events($r->{trace});
	my %calls = map { ($_ => [ calls($events->{$_}) ]) } keys %$events;
	my (%arrows, $parked, @odd);
	push @{ $arrows{ $_->[3] } }, [ @$_[ 1, 2, 4, 0 ] ] for @{ fields($r->{trace}, '--arrows', $name) };
	for my $thread (map { ("P-$_", "C-$_") } 0, 1) {
		my @parks = parks($events->{$thread});
		for my $call (@{ $calls{$thread} }) {
			my @in = grep { $_->[0] >= $call->[0] && $_->[1] <= $call->[1] } @parks;
			my @to = grep { inside($_->[2], $call) && $_->[3] != 101 } @{ $arrows{$thread} };
			$parked++ if @in;
			push @odd, "$thread $call->[0]: " . @to . " arrows after " . @in . " parks" if @in && @to != 1 || @to > 1;
			push @odd, "$thread $call->[0]: from $_->[0] outside of its calls" for grep { !inside($_->[1], @{ $calls{ $_->[0] } }) } @to;
		}
	}
	cmp_ok($parked, '>', $n / 6, "$name: calls have parked, full and empty"); # how many depends on who runs when
	is(join("\n", @odd), '', "$name: each has one arrow, from a call");
}

sub counts_of_jfr {
	my ($java, $jvm) = @_;
	my $file = "$work/$jvm.jfr";
	my $r = java([ "-XX:StartFlightRecording=filename=$file,settings=none,+jdk.ThreadPark#enabled=true,+jdk.ThreadPark#threshold=0ns",
		'-jar', $woven{methods}, 'array', $n ], java => $java, env => { JWEAVE_EVENTS => 'park' });
	is($r->{status}, 0, "$jvm, JFR: the program runs") or diag($r->{err});
	my $events = events($r->{trace});
	my $jfr = oracle($java, $file);
	for my $thread (map { ("P-$_", "C-$_") } 0, 1) {
		my @parks = parks($events->{$thread} || []);
		my @ns = sort { $a <=> $b } map { $_->[1] - $_->[0] } @parks;
		my @want = sort { $a <=> $b } @{ $jfr->{$thread} || [] };
		is(scalar(@ns), scalar(@want), "$jvm, JFR: $thread parks as often");
		# JFR's span is inside ours, so ours is longer whatever happens to the thread in between; by some
		# microseconds, in which JFR writes its event, as long as the thread keeps its processor. On a busy
		# machine many threads lose it there: the tenth of all that were hindered least decides.
		my @more = map { ($ns[$_] // 0) - $want[$_] } 0 .. $#want;
		is(scalar(grep { $more[$_] < -0.01 * $want[$_] - 1000 } 0 .. $#want), 0, "$jvm, JFR: none is shorter");
		my ($least) = (sort { $a <=> $b } @more)[ @more / 10 ];
		cmp_ok($least, '<=', 0.01 * ($want[ @want / 2 ] // 0) + 20_000, "$jvm, JFR: nor longer, as a rule");
		is(scalar(grep { $_->[2] == FOR_WORK } @parks), 0, "$jvm: $thread works meanwhile");
	}
	my @pool = map { parks($_) } map { $events->{$_} } grep { /^pool-1-thread/ } keys %$events;
	cmp_ok(scalar(grep { $_->[2] == FOR_WORK } @pool), '>=', 8, "$jvm: workers wait for work");
}

# { TO => { "TAG FROM" => n } } of a trace, without starts of threads.
sub arrows {
	my ($trace, $name) = @_;
	my %to;
	for (@{ fields($trace, '--arrows', $name) }) {
		my ($tag, $from, undef, $thread) = @$_;
		$to{$thread}{"$tag $from"}++ if $tag != 101;
	}
	return \%to;
}

sub list {
	my ($n) = @_;
	return join ', ', map { "$_ $n->{$_}" } sort keys %{ $n || {} };
}

# Two threads that take turns, by everything that parks, while no call of the JDK is traced: who let go on is known all the same.
sub turns {
	my ($java, $jvm) = @_;
	my $name = "$jvm, turns";
	my $r = java([ '-jar', $woven{pong}, 3 ], java => $java);
	is($r->{status}, 0, "$name: the program runs") or diag($r->{err});
	my ($to, $turns, @odd) = (arrows($r->{trace}, $name), 0);
	while ($r->{out} =~ /^(?:pong|held) (\d+) (\S+) (\d+)$/mg) {
		my ($tag, $what, $n) = ($1, $2, $3);
		next if int($tag / 100) == 3 || $what eq 'semTwo'; # monitors do not park; each of two releases wakes
		my ($waits, $wakes) = $tag == 503 ? ("L-$what", "H-$what") : ("W-$what", "K-$what");
		my $got = list($to->{$waits});
		push @odd, "$waits: $got" if $got ne "402 $wakes $n";
		push @odd, "$wakes: " . list($to->{$wakes}) if $to->{$wakes};
		$turns++;
	}
	cmp_ok($turns, '>', 75, "$name: all ways");
	is(join("\n", @odd), '', "$name: one arrow each, from who let it go on");
}

# The same in pools, chains of futures, and whatever else is done by lambdas; and in no case where nobody does.
sub freed {
	my ($java, $jvm) = @_;
	my ($name, $n) = ("$jvm, freed", 4);
	my $scopes = $jvm eq '25';
	my $r = java([ $scopes ? '--enable-preview' : (), '-jar', $woven{freed}, $n, $scopes ? 'scopes' : () ], java => $java);
	is($r->{status}, 0, "$name: the program runs") or diag($r->{err});
	my ($to, $ways, @odd) = (arrows($r->{trace}, $name), 0);
	while ($r->{out} =~ /^(freed|pool) (\S+) (\d+)$/mg) {
		my ($how, $what, $count) = ($1, $2, $3);
		my $got = list($to->{"W-$what"});
		# who submits may wait for a lock of the pool that its worker holds, too
		my $more = $how eq 'pool' && $got =~ /^402 K-\Q$what\E (\d+)$/ && $1 > $count;
		my $want = $what eq 'interrupt' ? "105 K-interrupt $n" : $count ? "402 K-$what $count" : '';
		push @odd, "W-$what: $got" if !$more && $got ne $want;
		# main interrupts workers in the end (shutdownNow)
		push @odd, map { "K-$what: $_" } grep { $how ne 'pool' || !/^(?:402 W-\Q$what\E|(?:402|105) main)$/ } keys %{ $to->{"K-$what"} || {} };
		$ways++;
	}
	cmp_ok($ways, '>', 25, "$name: all ways");
	is(join("\n", @odd), '', "$name: one arrow each, from who let it go on");
	is(scalar(grep { /^402 virtual \d+$/ } keys %{ $to->{'W-scope'} || {} }), $n, "$name: scopes, by the last thread that ends") if $scopes;
	my (%lives, %sum, %waited, %idle);
	for (@{ fields($r->{trace}, '--states', $name) }) {
		my ($thread, $from, $until, $state) = @$_;
		$sum{$thread} += $until - $from;
		$lives{$thread} = $until;
		$waited{$thread} += $until - $from if $state eq 'Synchronization';
		$idle{$thread} += $until - $from if $state eq 'Waiting for work';
	}
	my ($late, $ns) = $r->{out} =~ /^late (\S+) (\d+)$/m;
	cmp_ok($idle{$late} // 0, '>=', $ns, "$name: what a worker has waited for its first task");
	my $events = events($r->{trace});
	while ($r->{out} =~ /^virtual (\S+) (\d+) (\d+)$/mg) { # a virtual thread may wait for its turn, too
		my ($thread, $times, $ns) = ($1, $2, $3);
		my @waits = waits($events->{$thread});
		cmp_ok(scalar(@waits), '>=', $times, "$name: $thread waits");
		is(scalar(grep { $_->[2] == SLEEP } @waits), $thread eq 'V-sleep' ? $times : 0, "$name: $thread: which of them are sleeps");
		cmp_ok($waited{$thread} // 0, '>=', $ns, "$name: $thread waits so long");
	}
	is(join(' ', grep { $sum{$_} != $lives{$_} } sort keys %sum), '', "$name: states leave no gap");
}

# A summary counts waits, too, by class, but knows no place.
sub summary {
	my ($java, $jvm) = @_;
	my $r = java([ '-jar', $woven{methods}, 'array', $n ], java => $java, env => { JWEAVE_MODE => 'summary' });
	is($r->{status}, 0, "$jvm, summary: the program runs") or diag($r->{err});
	my $waits = decode_json(sh([ $jweave, 'report', '--json', "$r->{trace}.jwr" ])->{out})->{waits};
	my %count;
	$count{"$_->{wait} $_->{class}"} += $_->{count} for @$waits;
	my $condition = 'java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject';
	is($count{'sleep '}, 2 * $n + 10, "$jvm, summary: every sleep");
	cmp_ok($count{"park $condition"} // 0, '>', $n, "$jvm, summary: parks of those that put and take");
	cmp_ok($count{"work $condition"} // 0, '>=', 8, "$jvm, summary: workers wait for work");
	is(scalar(grep { !$_->{count} || $_->{longestNs} > $_->{ns} || $_->{method} } @$waits), 0, "$jvm, summary: how long, but not where");
}

# A thread without a traced call has a row from when it lets one go on that has a row; others have none.
sub woken {
	my ($java, $jvm) = @_;
	my $name = "$jvm, woken";
	my $r = java([ '-jar', $woven{woken}, $n ], java => $java);
	is($r->{status}, 0, "$name: the program runs") or diag($r->{err});
	my ($names) = slurp("$r->{trace}.row") =~ /^LEVEL THREAD SIZE \d+\n(.*)/ms;
	like($names, qr/^giver$/m, "$name: who gives permits has a row");
	unlike($names, qr/stranger/, "$name: who lets threads without a row go on has none");
	my @arrows = grep { $_->[3] eq 'main' && $_->[1] eq 'giver' && $_->[0] != 102 } @{ fields($r->{trace}, '--arrows', $name) };
	is(scalar(@arrows), $n, "$name: one arrow a permit");
	my ($wait) = grep { $_->{class} && $_->{class} =~ /Semaphore/ } @{ decode_json(sh([ $jweave, 'report', '--json', "$r->{trace}.prv" ])->{out})->{waits} };
	is_deeply([ map { $_->{count} } @{ $wait->{enders} } ], [ $n ], "$name: one thread ended all waits");
}

my $jdk25 = jdk25();
without25('parks') if !$jdk25;
for my $jvm ([ '17', undef ], $jdk25 ? [ '25', $jdk25 ] : ()) {
	my ($label, $java) = @$jvm;
	queue($java, $_, $label) for qw(array transfer synchronous);
	turns($java, $label);
	freed($java, $label);
	woken($java, $label);
	summary($java, $label);
	counts_of_jfr($java || $E2E::default_java, $label);
}
done_testing();
