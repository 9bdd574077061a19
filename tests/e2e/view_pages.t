#!/usr/bin/perl
# Fourteen programs with known calls, one whose small methods are closed while it runs, and jobs of two, as pages of
# `jweave view`, in a browser: all figures of overview, tables, percentiles, flame graph, waits, ranges, critical path and
# difference are those of `jweave report` and `jweave diff` (view_same.mjs).
# Slow: 120 s, since a browser opens fifteen pages and each tab of them.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use JSON::PP;
use Test::More;

my ($chromium) = grep { $_ ne '' } map { sh([ 'sh', '-c', "command -v $_" ])->{out} =~ s/\n//r } qw(chromium chromium-browser google-chrome);
plan skip_all => 'no chromium, node or npm' unless $chromium && sh([ 'npm', '--version' ])->{status} == 0;
plan skip_all => 'npm has no playwright-core: no network?' if sh([ qw(npm install --prefix), "$work/npm",
	qw(--no-audit --no-fund --silent playwright-core@1.65.1) ], seconds => 240)->{status};

my $rules = <<'R';
{ "jweave": 1, "include": [ "preset:jdk-threads", "preset:io", "preset:monitors", "preset:exceptions", "preset:sql" ],
  "exclude": [ "acme.Count", "acme.Progress" ],
  "rules": [ { "select": { "class": "acme.**", "kind": [ "method", "constructor", "clinit", "lambda" ] } },
	     { "on": "new", "match": "acme.**", "within": "acme.**" } ] }
R
mkdir "$work/io";
my @programs = (
	[ Own => 3 ], [ Tasks => 3 ], [ Meet => 3 ], [ Queues => 'array', 50 ], [ Io => "$work/io" ], [ Waits => "$work/file" ],
	[ Throws => 3 ], ['Makes'], ['Bodies'], [ Truth => 10 ], [ Exc => 2 ], [ Threads => 20 ], [ Ways => 'lock', 20 ], [ Sql => 4 ], ['Hot'],
);
my %env = (Hot => { JWEAVE_BUDGET => '2%' });
compile("$work/classes", [ map { "testdata/programs/acme/$_.java" } (map { $_->[0] } @programs), 'Count', 'Progress', 'Peers' ]);
weave_ok("$work/classes", $rules, "$work/woven", '--no-guard');

sub run {
	my ($program, $name, %env) = @_;
	my ($class, @args) = @$program;
	my $r = java([ '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp', "$work/woven", "acme.$class", @args ], trace => $name,
		env => { JWEAVE_KEEP => 1, JWEAVE_CONVERT => 0, %env });
	is($r->{status}, 0, "$name runs") or diag($r->{err});
	return $r;
}

# What jweave says with ARGS, as a file.
my $n = 0;
sub said {
	my (@args) = @_;
	my $file = "$work/said." . ++$n;
	my $r = sh([ $jweave, @args ], stdout => $file);
	is("$r->{status}$r->{err}", '0', "@args[0 .. 1] $args[-1]" =~ s/\Q$work\E//gr);
	return $file;
}

sub seconds { return sprintf '%d.%09d', $_[0] / 1_000_000_000, $_[0] % 1_000_000_000 }

# Everything that is to be the same of the recording, or the folder, NEW; OLD: an earlier run.
sub known {
	my ($name, $new, $old, $claimed) = @_;
	my %run = (name => $name, page => "$work/$name.html", claimed => $claimed, report => said('report', '-q', '--json', $new),
		tree => said('report', '-q', '--json', '--tree', $new), percentiles => said('report', '-q', '--json', '--percentiles', $new),
		path => said('report', '-q', '--json', '--critical-path', $new));
	$run{sql} = said('report', '-q', '--json', '--sql', $new);
	$run{requests} = said('report', '-q', '--json', '--requests', $new);
	$run{slowest} = said('report', '-q', '--json', '--slowest=50', $new);
	$run{diff} = said('diff', '-q', '--json', $old, $new) if $old;
	my $ns = decode_json(slurp($run{report}))->{durationNs};
	# the key R makes ranges from where a call begins to where it ends
	my @calls = grep { $_->{beginNs} && $_->{ns} } @{ decode_json(slurp($run{slowest}))->{slowest} };
	my @of_calls = map { [ $_->{beginNs}, $_->{beginNs} + $_->{ns} ] } @calls ? $calls[ $#calls / 2 ] : ();
	for ([ int(0.2 * $ns), int(0.6 * $ns) ], [ int(0.55 * $ns), int(0.95 * $ns) ], @of_calls) {
		my ($from, $to) = @$_;
		my @range = ('--from', seconds($from), '--to', seconds($to));
		push @{ $run{ranges} }, { from => $from, to => $to, report => said('report', '-q', '--json', @range, $new),
			tree => said('report', '-q', '--json', '--tree', @range, $new), percentiles => said('report', '-q', '--json', '--percentiles', @range, $new) };
	}
	my $r = sh([ $jweave, 'view', '-q', '--no-open', $new, '-o', $run{page}, $old ? ('--against', $old) : () ]);
	is("$r->{status}$r->{err}", '0', "$name: its page");
	return \%run;
}

my @runs;
for my $p (@programs) {
	my @env = %{ $env{ $p->[0] } // {} };
	my $old = run($p, "$p->[0]-old", @env);
	my $new = run($p, $p->[0], @env);
	my $claimed = claimed($new->{out});
	my %acme = map { ($_ => $claimed->{$_}) } grep { /^acme\./ } keys %$claimed;
	push @runs, known($p->[0], "$new->{trace}.jwr", "$old->{trace}.jwr", \%acme);
}
mkdir "$work/job";
run([ Meet => 3 ], 'executor', JWEAVE_OUTPUT => "$work/job/a", JWEAVE_ROLE => 'executor 1');
run([ Threads => 5 ], 'driver', JWEAVE_OUTPUT => "$work/job/b", JWEAVE_ROLE => 'driver');
push @runs, known('job', "$work/job", undef, {});
$runs[-1]{processes} = [ 'driver', 'executor 1' ];
mkdir "$work/pair";
run([ Peers => 'ask', 'http', 2, 20 ], 'pair', JWEAVE_OUTPUT => undef, JWEAVE_JOB => "$work/pair", JWEAVE_EVENTS => 'default,net');
mkdir "$work/pair-old";
run([ Peers => 'ask', 'http', 2, 20 ], 'pair-old', JWEAVE_OUTPUT => undef, JWEAVE_JOB => "$work/pair-old", JWEAVE_EVENTS => 'default,net');
push @runs, known('pair', "$work/pair", "$work/pair-old", {});

my $r = sh([ 'node', 'tests/cli/view_same.mjs', "$work/npm/node_modules/playwright-core/index.js", $chromium,
	spit("$work/runs.json", encode_json(\@runs)) ], seconds => 400);
is("$r->{status}$r->{err}", '0', 'the browser came to its end');
my @lines = split /\n/, $r->{out};
while (defined(my $line = shift @lines)) {
	next unless $line =~ /^(not )?ok \d+ - (.*)/;
	ok(!$1, "in the browser: $2") or diag(join "\n", grep { /^#/ } @lines[ 0 .. 1 ]);
}
done_testing();
