#!/usr/bin/perl
# docs/case-spark.md, as a user reads it: share/examples/case-spark/run: the slow job's first straggler is the task of the large
# shop, by skew; in the mended one no task has nearly as much; both jobs have one result.
# Slow: 120 s, and needs Spark: JW_SPARK names its home (else that of python3's pyspark).
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use JSON::PP;
use Test::More;

my $home = $ENV{JW_SPARK} // sh([ 'python3', '-c', 'import pyspark; print(pyspark.__path__[0], end="")' ])->{out};
-d "$home/jars" or plan skip_all => 'no Spark: set JW_SPARK to its home, or pip install pyspark';
mkdir "$work/cache", 0700;
my $r = sh([ 'sh', 'share/examples/case-spark/run', "$work/case" ],
	env => { SPARK_HOME => $home, JWEAVE => $jweave, XDG_CACHE_HOME => "$work/cache", JWEAVE_JOB => undef }, seconds => 900);
is($r->{status}, 0, 'it runs') or diag($r->{out}, $r->{err});
my @results = $r->{out} =~ /^(\d+ shops)$/mg;
is("@results", '16 shops 16 shops', 'both jobs have one result') or diag($r->{out});

sub tasks { my ($job) = @_; return decode_json(sh([ $jweave, 'report', '-q', '--json', '--by-task', "$work/case/$job" ])->{out}) }

my ($slow, $salted) = map { tasks($_) } 'slow', 'salted';
my $first = $slow->{tasks}[0];
is("$first->{straggler} $first->{causes}[0]{cause}", '1 skew', 'slow: the first task is a straggler, by skew') or diag($r->{out});
cmp_ok($first->{causes}[0]{value}, '>', 5 * $first->{causes}[0]{median}, 'slow: it has many times the records of the others');
my ($before, $after) = map { my $job = $_; (sort { $b <=> $a } map { $_->{recordsIn} // 0 } grep { $_->{stage} eq $first->{stage} } @{ $job->{tasks} })[0] } $slow, $salted;
cmp_ok($after, '<', $before / 3, "salted: the most records of a task of that stage are less than a third ($after of $before)");
like($r->{out}, qr/^skew|skew: \d+ records in, median of the others \d+/m, 'the text says so');
ok(-s "$work/case/slow.html", 'there is a page');
like($r->{out}, qr/diff -q --top=10 slow salted/, 'and a comparison');

# the document has these commands
my $doc = slurp('docs/case-spark.md');
like($doc, qr/^jweave submit --job slow spark-submit .* --class Sales sales\.jar 100000$/m, 'docs/case-spark.md: the job');
like($doc, qr/^jweave report --by-task .*slow$/m, 'docs/case-spark.md: the question');
done_testing();
