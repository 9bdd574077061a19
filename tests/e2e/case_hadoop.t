#!/usr/bin/perl
# docs/case-hadoop.md, as a user reads it: share/examples/case-hadoop/run: the slow job's first straggler is the reduce of the cheap
# orders, by skew; in the mended one no reduce has nearly as much; both jobs have one result.
# Slow: 150 s, and needs a folder of jars, JW_HADOOP (see hadoop.t).
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use Cwd qw(abs_path);
use JSON::PP;
use Test::More;

my $lib = $ENV{JW_HADOOP} // '';
glob("$lib/hadoop-minicluster-*.jar") or plan skip_all => 'no Hadoop: set JW_HADOOP to a folder of its jars (see the head of hadoop.t)';
mkdir "$work/cache", 0700;
my $r = sh([ 'sh', 'share/examples/case-hadoop/run', "$work/case" ],
	env => { HADOOP_JARS => abs_path($lib), JWEAVE => $jweave, XDG_CACHE_HOME => "$work/cache", JWEAVE_JOB => undef, HADOOP_CLASSPATH => undef },
	seconds => 900);
is($r->{status}, 0, 'it runs') or diag($r->{out}, $r->{err});
like($r->{out}, qr/^both jobs have one result$/m, 'both jobs have one result');

sub reduces {
	my ($job) = @_;
	my $all = decode_json(sh([ $jweave, 'report', '-q', '--json', '--by-task', "$work/case/$job" ])->{out})->{tasks};
	return grep { $_->{stage} eq 'ReduceTask' } @$all;
}

my ($first) = my @slow = reduces('slow');
my @even = reduces('even');
is(scalar(@slow) . scalar(@even), '44', 'four reduces each');
is("$first->{straggler} $first->{causes}[0]{cause}", '1 skew', 'slow: the first reduce is a straggler, by skew') or diag($r->{out});
my ($before, $after) = map { my $most = 0; $most = $_->{bytesIn} > $most ? $_->{bytesIn} : $most for @$_; $most } \@slow, \@even;
cmp_ok($after, '<', 0.4 * $before, "even: the most bytes of a reduce are less than four tenths ($after of $before)");
my @counted = $r->{out} =~ /^Reduce shuffle bytes=(\d+)/mg;
my @told = map { my $sum = 0; $sum += $_->{bytesIn} for @$_; $sum } \@slow, \@even;
is("@told", "@counted", "the bytes shuffled are Hadoop's");
ok(-s "$work/case/slow.html", 'there is a page');
like($r->{out}, qr/diff -q --top=10 slow even/, 'and a comparison');

# the document has these commands
my $doc = slurp('docs/case-hadoop.md');
like($doc, qr/^jweave submit --job slow hadoop jar sort\.jar Sort /m, 'docs/case-hadoop.md: the job');
like($doc, qr/^jweave report --by-task .*slow$/m, 'docs/case-hadoop.md: the question');
done_testing();
