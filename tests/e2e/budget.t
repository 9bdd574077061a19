#!/usr/bin/perl
# Recording within a share of the CPU time (JWEAVE_BUDGET): methods that are small and hot are closed while
# the program runs, and said to be; those that are not are recorded exactly.
# Slow: 30 s, programs that must use up a budget.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use Test::More;

compile("$work/classes", ['testdata/programs/acme/Hot.java']);
my $jar = jar("$work/Hot.jar", "$work/classes", 'acme.Hot');
my $rules = '{ "jweave": 1, "rules": [ { "id": "all", "match": "acme.**" } ] }';
weave_ok($jar, $rules, "$work/Hot-woven.jar", '--no-guard');
# of a folder methods have no numbers: their gates are those of other ids
weave_ok("$work/classes", $rules, "$work/woven-classes", '--no-guard');

my ($threads, $rounds, $steps) = (3, 100, 20000);
my $sum = sum();
sub sum {
	my $r = sh([ $E2E::default_java, '-cp', "$work/classes", 'acme.Hot' ]);
	return $r->{out};
}

sub meta { my ($base) = @_; return split /\n/, slurp("$base.jwr/meta"); }

sub judge {
	my ($name, $r) = @_;
	is($r->{out}, $sum, "$name: the program's output");
	unlike($r->{err}, qr/damaged|not whole|unknown kind/, "$name: a recording without a flaw");
	my $t = trace($r->{trace}, $name);
	my %calls = map { s/.*\.//r => $t->{calls}{$_} } keys %{$t->{calls}};
	is($calls{round}, $threads * $rounds, "$name: what is called seldom is recorded exactly");
	is($calls{work}, $threads, "$name: so is what lasts");
	my $all = $threads * $rounds * $steps;
	ok($calls{tiny} > 1000 && $calls{tiny} < $all, "$name: of what is small and hot, a part ($calls{tiny})");
	my @closed = grep { /^closed\t/ } meta($r->{trace});
	ok(@closed >= 1, "$name: meta says what was closed");
	my ($pcf) = slurp("$r->{trace}.pcf") =~ /EVENT_TYPE\n\S+\s+48100015 .*\nVALUES\n((?:\d.*\n)*)/;
	like($pcf, qr/^\d+\s+Hot\.tiny /m, "$name: the trace says it, by name");
	unlike($pcf, qr/^\d+\s+Hot\.(?:round|work|main) /m, "$name: and nothing of the others");
	like($r->{err}, qr/closed .*tiny/, "$name: the last lines say it, too");
	return $t;
}

for my $java ([ 17, $E2E::default_java ], jdk25() ? [ 25, jdk25() ] : ()) {
	my ($version, $command) = @$java;
	for my $vm ([], ['-XX:TieredStopAtLevel=1'], $version >= 25 ? ['-Djweave.ffm=on'] : ()) {
		judge("$version @$vm", java([ @$vm, '-jar', "$work/Hot-woven.jar" ], java => $command,
			env => { JWEAVE_BUDGET => '2%', JWEAVE_KEEP => 1 }));
	}
}
without25('the same');
judge('a folder', java([ '-cp', "$work/woven-classes", 'acme.Hot' ],
	env => { JWEAVE_BUDGET => '2%', JWEAVE_KEEP => 1 }));

# natives that the interpreter calls directly have no gates: there, they are not used
judge('-Xint', java([ '-Xint', '-jar', "$work/Hot-woven.jar" ], env => { JWEAVE_BUDGET => '2%', JWEAVE_KEEP => 1 }));

my $r = java([ '-jar', "$work/Hot-woven.jar" ], env => { JWEAVE_BUDGET => 'much', JWEAVE_MAX_SIZE => '64M' });
like($r->{err}, qr/JWEAVE_BUDGET is 'much', which is not none, or a percentage from 0.0001 to 99.9999, as 5% is/, 'a share that is none is named');
is($r->{out}, $sum, 'and the program runs');

$r = java([ '-jar', "$work/Hot-woven.jar" ], env => { JWEAVE_BUDGET => '2%', JWEAVE_MODE => 'summary', JWEAVE_KEEP => 1 });
is($r->{out}, $sum, 'a summary has no events to save');
ok(!(grep { /^closed\t/ } meta($r->{trace})), 'nothing is closed there');
like(slurp("$r->{trace}.jwr/meta"), qr/^note\tJWEAVE_BUDGET is for a stream of events: it does nothing here$/m, 'and that is noted');

# probes of an older jweave have no gates: whatever they record has to count
my ($probe) = glob "$work/woven-classes/acme/jweave/*/P.class";
my $class = slurp($probe);
is($class =~ s/\x00\x05gates/\x00\x05doors/, 1, 'a runtime without gates');
spit($probe, $class);
$r = java([ '-cp', "$work/woven-classes", 'acme.Hot' ], env => { JWEAVE_BUDGET => '2%', JWEAVE_KEEP => 1, JWEAVE_CONVERT => 'off' });
is($r->{out}, $sum, 'the program runs');
ok(!(grep { /^closed\t/ } meta($r->{trace})), 'nothing is closed');
like(slurp("$r->{trace}.jwr/meta"),
	qr/^note\tan archive was woven by an older jweave: no method is closed for the sake of JWEAVE_BUDGET$/m, 'which is noted');

done_testing;
