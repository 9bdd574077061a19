#!/usr/bin/perl
# Rules that record less than all calls, with exact counts: sample, maxDepth, minDuration; recursion,
# exceptions, threads, virtual threads, captures, calls; compiled and not, through FFM or not.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use JSON::PP;
use Test::More;

compile("$work/classes", ['testdata/programs/acme/Spare.java']);
my $jar = jar("$work/Spare.jar", "$work/classes", 'acme.Spare');
my @javas = ([ 17, $E2E::default_java ]);
push @javas, [ 25, jdk25() ] if jdk25();
without25('the same');

# What work() calls, and how many of it N lets through for each of the five threads.
my %calls = (tick => 1000 + 66 + 20 + 30 * 2 + 9000 + 3, throwing => 100, named => 10, dive => 10 * 21, Made => 40);
sub one_of { my ($n, $every) = @_; return int(($n + $every - 1) / $every); }

my $rules = <<'END';
{ "jweave": 1, "rules": [
	{ "id": "work", "match": "acme.Spare#work" },
	{ "id": "ticks", "match": "acme.Spare#tick", "sample": { "every": 100 } },
	{ "id": "throwing", "match": "acme.Spare#throwing", "sample": { "every": 7 } },
	{ "id": "deep", "match": [ "acme.Spare#dive", "acme.Spare#ping", "acme.Spare#pong" ], "maxDepth": 3 },
	{ "id": "long", "match": "acme.Spare#lasting", "minDuration": "4ms",
		"capture": [ { "what": "arg1", "as": "value", "type": 300 } ] },
	{ "id": "named", "match": "acme.Spare#named", "sample": { "every": 3 }, "capture": [
		{ "what": "arg1", "type": 301 }, { "what": "return", "as": "string", "type": 302 } ] } ] }
END
my $woven = "$work/Spare-woven.jar";
weave_ok($jar, $rules, $woven, '--no-guard');

sub counts_of_work {
	my ($t, $threads, $name) = @_;
	my $all = sub { my ($method) = @_; $t->{calls}{"acme.Spare.$method"} // 0 };
	is($all->('work'), $threads, "$name: work is all there");
	is($all->('tick'), $threads * one_of($calls{tick}, 100), "$name: one of 100");
	is($all->('throwing'), $threads * one_of($calls{throwing}, 7), "$name: one of 7, exceptions and all");
	is($all->('named'), $threads * one_of($calls{named}, 3), "$name: one of 3");
	is($all->('dive'), $threads * 10 * 3, "$name: three deep");
	is($all->('ping') . ' ' . $all->('pong'), $threads * 10 . ' ' . $threads * 5, "$name: three deep by two methods");
}

# a machine that is busy may hold a short call up: those that last are there, of the others hardly one
sub only_long {
	my ($t, $threads, $name) = @_;
	my $n = $t->{calls}{'acme.Spare.lasting'} // 0;
	ok($n >= 2 * $threads && $n <= 4 * $threads, "$name: what lasts is there, what does not is not") or diag($n);
}

sub events {
	my ($base, $type) = @_;
	my %n;
	for (split /\n/, slurp("$base.prv")) {
		my ($kind, undef, undef, undef, undef, undef, @pairs) = split /:/;
		next unless $kind eq '2';
		while (my ($t, $v) = splice @pairs, 0, 2) {
			$n{$v}++ if $t == $type;
		}
	}
	return \%n;
}

for (@javas) {
	my ($version, $java) = @$_;
	for my $vm ([], ['-Xint'], $version >= 25 ? ['-Djweave.ffm=on'] : ()) {
		my $name = "$version @$vm";
		my $r = java([ @$vm, '-jar', $woven ], java => $java);
		is($r->{out}, "done\n", "$name: the program's output");
		unlike($r->{err}, qr/damaged|not whole|inferred|left out/, "$name: a recording without a flaw");
		my $t = trace($r->{trace}, $name);
		counts_of_work($t, 5, $name);
		only_long($t, 5, $name);
		next if @$vm;
		is(join(' ', map { "$_:" . (events($r->{trace}, 301)->{$_} // 0) } 0 .. 9),
			join(' ', map { "$_:" . ($_ % 3 ? 0 : $_ ? 5 : events($r->{trace}, 301)->{0}) } 0 .. 9),
			"$name: captures of what is recorded alone");
		my $inner = events($r->{trace}, 300);
		ok(($inner->{3} // 0) >= 5 && ($inner->{2} // 0) <= 5, "$name: captures of the short are taken back");
		my $pcf = slurp("$r->{trace}.pcf");
		like($pcf, qr/Spare\.tick \(1 of 100\) \[acme\.Spare\.tick/, "$name: the label says one of how many");
		like($pcf, qr/Spare\.dive \(depth 3\) \[/, "$name: or how deep");
		like($pcf, qr/Spare\.lasting \(from 4ms\) \[/, "$name: or how long");
		my $report = decode_json(sh([ $jweave, 'report', '--json', "$r->{trace}.prv" ])->{out});
		my ($tick) = grep { $_->{name} =~ /tick/ } @{ $report->{methods} };
		is($tick->{sampleEvery}, 100, "$name: the report, too");
		is($tick->{calls}, 5 * one_of($calls{tick}, 100), "$name: with the calls that are there");
		like(sh([ $jweave, 'report', "$r->{trace}.prv" ])->{out}, qr/\Q(1 of N): calls and times of those recorded\E/,
			"$name: and explains it");
	}
}

# a summary adds up calls of any length, and its labels do not say otherwise
{
	my $r = java([ '-jar', $woven ], env => { JWEAVE_MODE => 'summary' });
	my $report = decode_json(sh([ $jweave, 'report', '--json', "$r->{trace}.jwr" ])->{out});
	my %calls_of = map { $_->{name} => $_->{calls} } @{ $report->{methods} };
	is($calls_of{'Spare.tick (1 of 100)'}, 5 * one_of($calls{tick}, 100), 'summary: one of how many');
	cmp_ok($calls_of{'Spare.lasting'} // 0, '>', 5, 'summary: short calls, too') or diag(join ' ', %calls_of);
}

# constructors that fail inside super(...) have no end; what is around them has
{
	my $out = "$work/Made.jar";
	weave_ok($jar, '{ "jweave": 1, "rules": [ { "match": "acme.Spare#work" }, { "match": "acme.Spare#main", "maxDepth": 9 },
		{ "select": { "class": "acme.Spare$Made", "kind": "constructor" }, "sample": { "every": 4 } } ] }', $out);
	my $t = trace(java([ '-jar', $out ])->{trace}, 'constructors');
	is($t->{calls}{'acme.Spare$Made.<init>'}, 5 * 10, 'constructors: one of 4');
	is($t->{calls}{'acme.Spare.main'}, 1, 'constructors: main');
}

# what is plain inside what is short stays; the beginning of the short one is in a chunk by then
{
	my $out = "$work/plain.jar";
	weave_ok($jar, '{ "jweave": 1, "rules": [ { "match": [ "acme.Spare#tick", "acme.Spare#work" ] },
		{ "match": "acme.Spare#lasting", "minDuration": "1000s" } ] }', $out, '--no-guard');
	my $t = trace(java([ '-jar', $out ])->{trace}, 'plain in short');
	is($t->{calls}{'acme.Spare.tick'}, 5 * $calls{tick}, 'plain calls inside short ones stay');
	is($t->{calls}{'acme.Spare.lasting'} // 0, 0, 'the short ones are gone');
	is($t->{edges}{'acme.Spare.work -> acme.Spare.tick'}, 5 * ($calls{tick} - 66 - 20) + 5 * 86, 'and their callers have them');
}

# calls: each call site counts for itself
{
	my $out = "$work/calls.jar";
	weave_ok($jar, '{ "jweave": 1, "rules": [ { "match": "acme.Spare#work" },
		{ "on": "call", "match": "java.lang.System#nanoTime()", "sample": { "every": 10 }, "state": "io" } ] }', $out);
	my $r = java([ '-jar', $out ]);
	my $t = trace($r->{trace}, 'calls');
	my $n = $t->{calls}{'java.lang.System.nanoTime'};
	ok($n >= 5 * (one_of(33, 10) + one_of(33, 10)), 'calls: sampled') or diag($n);
	like(slurp("$r->{trace}.pcf"), qr/System\.nanoTime \(1 of 10\) \[/, 'calls: the label says so');
	# (the type of call sites names it, too)
	my ($functions) = slurp("$r->{trace}.pcf") =~ /60000019 .*?\nVALUES\n(.*?)\n\n/s;
	is(scalar(() = $functions =~ /System\.nanoTime/g), 2, 'calls: once');
}

# virtual threads go on elsewhere
if (jdk25()) {
	for my $case ([ '"sample": { "every": 3 }', 4 * one_of(20, 3) ], [ '"minDuration": "1000s"', 0 ], [ '"minDuration": "1ns"', 80 ]) {
		my ($keys, $steps) = @$case;
		my $out = "$work/virtual.jar";
		weave_ok($jar, qq({ "jweave": 1, "rules": [ { "match": "acme.Spare#sleepy" }, { "match": "acme.Spare#step", $keys },
			{ "match": "acme.Spare#tick", "sample": { "every": 7 } } ] }), $out, '--no-guard');
		my $t = trace(java([ '-jar', $out, 'virtual' ], java => jdk25())->{trace}, "virtual threads, $keys");
		is($t->{calls}{'acme.Spare.sleepy'}, 4, 'virtual threads: all of them');
		is($t->{calls}{'acme.Spare.step'} // 0, $steps, 'virtual threads: the calls that are wanted');
		is($t->{calls}{'acme.Spare.tick'}, 4 * one_of(40, 7), 'virtual threads: each counts for itself');
	}
}

# the answers before weaving say it, too
{
	my $file = spit("$work/rules.json", $rules);
	my $r = sh([ $jweave, 'list', '--no-guard', '-r', $file, $jar ]);
	like($r->{out}, qr/^ticks\s+\d+\s+acme\.Spare\s+tick\(int\):void \(1 of 100\)$/m, 'list');
	my ($tick) = grep { $_->{rule} eq 'ticks' } @{ decode_json(sh([ $jweave, 'list', '--json', '--no-guard', '-r', $file, $jar ])->{out}) };
	is($tick->{sampleEvery}, 100, 'list --json');
	$r = sh([ $jweave, 'explain', '-r', $file, $jar, 'acme.Spare#lasting' ]);
	like($r->{out}, qr/=> woven: .*, recording from 4ms, captures.*\n     long \(/, 'explain');
	my $x = decode_json(sh([ $jweave, 'explain', '--json', '-r', $file, $jar, 'acme.Spare#dive' ])->{out});
	is($x->[0]{maxDepth}, 3, 'explain --json');
}

done_testing();
