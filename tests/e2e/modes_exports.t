#!/usr/bin/perl
# Recordings that are no plain stream of a program, in every format of export: summaries are refused with what to do
# instead; of flight recordings, those that went round, too, and of a program of which nothing was recorded, each tool
# reads what is made without a complaint, and finds as many calls as the report.
# Slow: 30 s, five runs, each in eight formats.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use Exports;
use JSON::PP;
use Test::More;

my $rules = <<'R';
{ "jweave": 1, "include": [ "preset:jdk-threads", "preset:monitors", "preset:exceptions" ],
  "exclude": [ "acme.Count", "acme.Progress" ],
  "rules": [ { "select": { "class": "acme.**", "kind": [ "method", "constructor", "lambda" ] } } ] }
R
spit("$work/Many.java", <<'J');
package acme;
public class Many {
	static int n;
	static void one() { n++; if (n % 1000 == 0) try { fail(); } catch (IllegalStateException e) { n++; } }
	static void fail() { throw new IllegalStateException(); }
	static void run() { synchronized (Many.class) { for (int i = 0; i < 20000; i++) one(); } }
	public static void main(String[] a) throws Exception {
		Thread[] all = new Thread[a.length == 0 ? 0 : 3];
		for (int i = 0; i < all.length; i++) (all[i] = new Thread(Many::run, "many-" + i)).start();
		for (Thread t : all) t.join();
	}
}
J
compile("$work/classes", [ "$work/Many.java", map { "testdata/programs/acme/$_.java" } 'Waits', 'Count', 'Progress' ]);
weave_ok("$work/classes", $rules, "$work/woven", '--no-guard');

# The recording NAME of CLASS with ARGS.
sub recording {
	my ($name, $mode, $class, @args) = @_;
	my $r = java([ '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp', "$work/woven", "acme.$class", @args ], trace => $name,
		env => { JWEAVE_KEEP => 1, JWEAVE_CONVERT => 0, JWEAVE_MODE => $mode, JWEAVE_MAX_SIZE => '1M' });
	is($r->{status}, 0, "$name runs") or diag($r->{err});
	return "$r->{trace}.jwr";
}

# ---- summaries ----
my $sums = recording('sums', 'summary', 'Waits', "$work/file");
my $whole = recording('whole', 'stream', 'Waits', "$work/file");
for my $format (formats()) {
	for my $them ([$sums], [ $whole, $sums ]) {
		my $r = sh([ $jweave, 'export', $format, @$them, '-o', "$work/refused" ]);
		is($r->{status}, 4, "$format of a summary" . (@$them > 1 ? ' and a recording' : '') . ' is refused');
		like($r->{err}, qr/^jweave: error: .*'jweave report' shows .*\n\z/, '... it says why, and what to do') or diag($r->{err});
		ok(!-e "$work/refused", '... and leaves nothing');
	}
}

# ---- flight recordings, and nothing at all ----
my %of = (
	flight => recording('flight', 'flight-recorder', 'Waits', "$work/file"),
	round => recording('round', 'flight-recorder', 'Many', 'all'),
	rest => recording('rest', 'flight-recorder', 'Many'),
);
is(sh([ 'cp', '-r', $of{rest}, "$work/empty.jwr" ])->{status}, 0, 'one without records');
spit("$work/empty.jwr/data", '');
$of{empty} = "$work/empty.jwr";
for my $name (sort keys %of) {
	my $json = sh([ $jweave, 'report', '-q', '--json', $of{$name} ])->{out};
	my $report = decode_json($json || '{}');
	my $calls = $report->{calls} // 0;
	cmp_ok($calls, '>', 1000, "$name: it holds the latest of 60,000 calls") && cmp_ok($calls, '<', 60000, '... alone') if $name eq 'round';
	is(scalar(grep { $_->{cpuNs} } @{ $report->{threads} }, @{ $report->{processes} // [] }), 0, '... and no CPU time, which is of all of the run') if $name eq 'round';
	for my $format (formats()) {
		my $to = "$work/$name.$format";
		my $r = sh([ $jweave, 'export', '-q', $format, $of{$name}, '-o', $to ]);
		is($r->{status}, 0, "$name as $format") or next;
		like($r->{err}, $name eq 'round' ? qr/^jweave: warning: .* a flight recorder: .* made room for what came later\n/ : qr/^\z/,
			'... it says what is not there, if anything');
		is(counted($format, $to) // $calls, $calls, "$name: as many calls in $format as in the report");
		is(complaints($format, $to), '', "$name: nobody complains about $format");
	}
}

# How many calls FILE has; undef: it is not known.
sub counted {
	my ($format, $file) = @_;
	my %by = (
		otf2 => [ 'sh', '-c', 'otf2-print "$0/traces.otf2" | grep -c "^ENTER "', $file ],
		paje => [ 'sh', '-c', 'pj_dump "$0" | grep -c "^State, [^,]*, Method,"', $file ],
		sqlite => [ 'sqlite3', $file, 'select count(*) from call' ],
		tsv => [ 'sh', '-c', 'tail -n +2 "$0" | wc -l', $file ],
	);
	my $r = $by{$format} ? sh($by{$format}) : return undef;
	return $r->{out} =~ /^\s*(\d+)\s*$/ && $r->{err} eq '' ? $1 : undef;
}

complaints_at_the_end();
done_testing();
