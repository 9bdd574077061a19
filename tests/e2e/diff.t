#!/usr/bin/perl
# jweave diff on real runs: the same program twice never differs in calls; one call more in a million, one new exception,
# and one method that became 20 % slower are found; a refactoring that renames lambdas changes no calls.
# Slow: 10 s, fifty-five JVMs.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use JSON::PP;
use Test::More;

# SHOP, with a lambda in front of the others and four lines more where CHANGED is 1
sub source {
	my ($changed) = @_;
	my $more = $changed ? "\t\tRunnable first = () -> sum.incrementAndGet();\n\n\t\tfirst.run();\n\n" : '';
	return <<"END";
package acme;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicLong;
public class Shop {
	static final AtomicLong sum = new AtomicLong();
	static void tick(int n) { if (n % 7 == 0) sum.addAndGet(n); }
	static void slow(long ms) throws InterruptedException { Thread.sleep(ms); }
	static void check(int n) { if (n < 0) throw new IllegalStateException("below"); }
	static void serve(ExecutorService pool) throws Exception {
${more}		Callable<Long> one = () -> sum.addAndGet(3);
		Runnable two = () -> { for (int i = 0; i < 5; i++) check(i); };
		for (int i = 0; i < 4; i++) { pool.submit(one).get(); pool.submit(two).get(); }
	}
	public static void main(String[] a) throws Exception {
		int ticks = Integer.parseInt(a[0]);
		ExecutorService pool = Executors.newFixedThreadPool(2);
		for (int i = 0; i < ticks; i++) tick(i);
		serve(pool);
		slow(Long.parseLong(a[1]));
		try { check(a.length > 2 ? -1 : 1); } catch (IllegalStateException e) { sum.incrementAndGet(); }
		pool.shutdown();
		System.out.println(sum.get() > 0);
	}
}
END
}

sub shop {
	my ($name, $changed) = @_;
	mkdir "$work/$name.src";
	my $jar = jar("$work/$name.jar", compile("$work/$name.classes", [ spit("$work/$name.src/Shop.java", source($changed)) ]), 'acme.Shop');
	weave_ok($jar, '{ "jweave": 1, "rules": [ { "match": "acme.**" } ] }', "$work/$name-woven.jar", '--no-guard');
	return "$work/$name-woven.jar";
}

my $runs = 0;
# run_of WOVEN, ARGS: the trace of a run; a recording when MODE is "summary"
sub run_of {
	my ($woven, $args, %env) = @_;
	my $r = java([ '-jar', $woven, @$args ], trace => 'r' . ++$runs,
		vm => [ '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC' ], env => { JWEAVE_CONVERT => 'off', %env });
	is("$r->{status}$r->{out}", "0true\n", "run $runs") or diag($r->{err});
	return "$r->{trace}.jwr";
}

# a folder of RECORDINGS
sub folder {
	my ($name, @recordings) = @_;
	mkdir "$work/$name";
	symlink $recordings[$_], "$work/$name/$_.jwr" or die "$!" for 0 .. $#recordings;
	return "$work/$name";
}

# diff_of MAPS, A, B, OPTIONS: the JSON, with the status and the pairs of methods by label
sub diff_of {
	my ($maps, $a, $b, @options) = @_;
	my $r = sh([ $jweave, 'diff', '--json', (map { "--map=$_" } @$maps), @options, $a, $b ]);
	my $json = $r->{out} =~ /^\{/ ? decode_json($r->{out}) : BAIL_OUT("diff: $r->{err}");
	return { %$json, status => $r->{status}, m => { map { $_->{label} => $_ } @{ $json->{methods} } } };
}
sub changed {
	my ($diff, @figures) = @_;
	return join ' ', map { my $m = $_; map { "$m->{label}:$_" } grep { $m->{$_}{verdict} eq 'changed' } @figures } @{ $diff->{methods} };
}
my @counts = qw(calls exceptions);
my @times = qw(self total mean longest);
my @gates = ('--fail-on=calls!=0', '--fail-on=new-exceptions', '--fail-on=exceptions!=0');

my $shop = shop('shop', 0);

# the same program, twenty pairs
my @same = map { run_of($shop, [ 1000, 1 ]) } 1 .. 40;
for my $i (0 .. 19) {
	my $d = diff_of([$shop], $same[2 * $i], $same[2 * $i + 1], @gates);
	is("$d->{status} " . changed($d, @counts, @times), '0 ', "pair $i: nothing has changed, no gate fails");
}
my $d = diff_of([$shop], folder('even', @same[ map { 2 * $_ } 0 .. 19 ]), folder('odd', @same[ map { 2 * $_ + 1 } 0 .. 19 ]), @gates);
is("$d->{status} " . changed($d, @counts), '0 ', 'nor do they of twenty runs a side');
my ($role) = grep { $_->{label} eq 'pool-*-thread-*' } @{ $d->{roles} };
is($role->{threads}{b}, 2, 'the two threads of the pool are one role');

# one call more in a million: sums tell it, too
my ($less, $more) = map { run_of($shop, [ $_, 1 ], JWEAVE_MODE => 'summary') } 1_000_000, 1_000_001;
$d = diff_of([$shop], $less, $more, '--fail-on=calls>0');
is("$d->{status} " . changed($d, @counts), '5 Shop.tick:calls', 'one call more in a million is found');
is($d->{m}{'Shop.tick'}{calls}{change}, 1, 'and it is one');
is(join(' ', map { "$_->{label} $_->{a} $_->{b}" } @{ $d->{gates}[0]{lines} }), 'Shop.tick 1000000 1000001', 'the line that decides');

# one new exception, against a baseline
my $r = sh([ $jweave, 'diff', "--map=$shop", '--save', "$work/base.json", $same[0] ]);
is($r->{status}, 0, 'a baseline is saved') or diag($r->{err});
cmp_ok(-s "$work/base.json", '<', 4000, 'and small');
my $fails = run_of($shop, [ 1000, 1, 'fail' ]);
$r = sh([ $jweave, 'diff', "--map=$shop", '--baseline', "$work/base.json", '--fail-on', 'new-exceptions', $fails ]);
is($r->{status}, 5, 'one new exception fails');
like($r->{out}, qr/^FAILED  --fail-on 'new-exceptions'\n  exceptions 0 -> 1 \(\+1\)  Shop\.check$/m, 'and is named');
$r = sh([ $jweave, 'diff', "--map=$shop", '--baseline', "$work/base.json", @gates, $same[1] ]);
is($r->{status}, 0, 'without it nothing fails');

# one method that takes 20 % more, the sides in turn
my (@before, @after);
for (1 .. 5) {
	push @before, run_of($shop, [ 10, 300 ]);
	push @after, run_of($shop, [ 10, 360 ]);
}
$d = diff_of([$shop], folder('before', @before), folder('after', @after), '--fail-on=self(acme.Shop#slow)>10%', '--fail-on=calls!=0');
is($d->{m}{'Shop.slow'}{self}{verdict}, 'changed', '20 % more in one method are found') or diag(encode_json($d->{m}{'Shop.slow'}));
is($d->{status} . changed($d, @counts), 5, 'the gate on its time fails, no calls have changed');
is_deeply([ map { $_->{failed} ? 1 : 0 } @{ $d->{gates} } ], [ 1, 0 ], 'only that gate');

# lambdas that were renamed
my $new = shop('new', 1);
my $old_run = $same[0];
my $new_run = run_of($new, [ 1000, 1 ]);
$d = diff_of([ $shop, $new ], $old_run, $new_run);
my %was = map { $_->{name} => $_->{was} // '' } grep { $_->{name} =~ /^lambda/ } @{ $d->{methods} };
is_deeply(\%was, { 'lambda$serve$0' => '', 'lambda$serve$1' => 'lambda$serve$0', 'lambda$serve$2' => 'lambda$serve$1' },
	'each is found again under its new name') or diag(explain(\%was));
is(changed($d, @counts), 'Shop.lambda$serve$0:calls', 'only the one that is new has other calls');
done_testing();
