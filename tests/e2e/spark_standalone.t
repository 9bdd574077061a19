#!/usr/bin/perl
# A job of Spark on a standalone cluster, a master and two workers that were started before and are not woven, by jweave
# submit: driver and executors are one trace, the job is as without.
# Slow: 60 s, and needs Spark: JW_SPARK names its home (else that of python3's pyspark).
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use Test::More;

my $home = $ENV{JW_SPARK} // sh([ 'python3', '-c', 'import pyspark; print(pyspark.__path__[0], end="")' ])->{out};
-d "$home/jars" or plan skip_all => 'no Spark: set JW_SPARK to its home, or pip install pyspark';

spit("$work/Sums.java", <<'J');
import java.util.Arrays;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;
public class Sums {
	public static void main(String[] a) {
		JavaSparkContext sc = new JavaSparkContext(new SparkConf().setAppName("sums"));
		System.out.println("sums " + sc.parallelize(Arrays.asList(1, 2, 3, 4, 5, 6), 6)
			.mapToPair(i -> new Tuple2<>(i % 2, i)).reduceByKey(Integer::sum, 2).sortByKey().collect());
		System.exit(a.length > 0 ? Integer.parseInt(a[0]) : 0);
	}
}
J
compile("$work/classes", ["$work/Sums.java"], '-cp', "$home/jars/*");
jar("$work/sums.jar", "$work/classes");
mkdir "$work/cache", 0700;

# ---- the cluster ----

my @servers;
END { kill KILL => map { -$_ } @servers; }

# Starts CLASS of Spark with ARGUMENTS, in a group of its own; returns what PATTERN catches of its log, once it is there.
sub server {
	my ($name, $pattern, $class, @arguments) = @_;
	my $pid = fork // die;
	if (!$pid) {
		setpgrp;
		open STDOUT, '>', "$work/$name.log";
		open STDERR, '>&', \*STDOUT;
		@ENV{qw(SPARK_HOME SPARK_LOCAL_IP)} = ($home, '127.0.0.1');
		delete $ENV{JWEAVE_JOB};
		exec 'timeout', 600, "$home/bin/spark-class", $class, '--host', '127.0.0.1', '--webui-port', 0, @arguments;
		exit 127;
	}
	push @servers, $pid;
	for (1 .. 600) {
		return $1 if (slurp("$work/$name.log") // '') =~ $pattern;
		select undef, undef, undef, 0.2;
	}
	return undef;
}

my $master = server('master', qr{(spark://127\.0\.0\.1:\d+)}, 'org.apache.spark.deploy.master.Master', '--port', 0);
ok($master, 'a master') or BAIL_OUT(slurp("$work/master.log"));
for my $n (1, 2) {
	ok(server("worker$n", qr/(Successfully registered)/, 'org.apache.spark.deploy.worker.Worker',
		'-c', 1, '-m', '1G', '-d', "$work/worker$n", $master), "worker $n");
}

# ---- the job ----

sub job {
	my ($before, @arguments) = @_;
	return sh([ @$before, "$home/bin/spark-submit", '--master', $master, '--conf', 'spark.ui.enabled=false',
		'--conf', 'spark.executor.memory=512m', '--class', 'Sums', "$work/sums.jar", @arguments ],
		env => { XDG_CACHE_HOME => "$work/cache", SPARK_HOME => $home, SPARK_LOCAL_IP => '127.0.0.1', JWEAVE_JOB => undef },
		dir => $work, seconds => 400);
}

my $run = job([ $jweave, 'submit', '--job', "$work/job" ], 3);
is("$run->{status} $run->{out}", "3 sums [(0,12), (1,9)]\n", 'result and status are the program\'s') or diag($run->{err});
like($run->{err}, qr/^jweave: note: 3 recordings in '\Q$work\E\/job': driver, executor 0, executor 1$/m, 'a driver, an executor of each worker');
like($run->{err}, qr/^jweave: note: on other hosts the executors need '/m, 'what other hosts would need is said');
my $again = job([ $jweave, 'submit', '--job', "$work/job2" ], 0);
is($again->{status}, 0, 'again');
like($again->{err}, qr/^jweave: note: traces .*, woven by an earlier run$/m, 'the second run weaves nothing');

my @recordings = map { "$work/job/$_" } grep { /\.jwr$/ } ls("$work/job");
is(sh([ $jweave, 'prv', '-q', '-o', "$work/all", @recordings ])->{status}, 0, 'one trace of them');
is(sh([ 'perl', 'tests/paraver/validate.pl', "$work/all.prv" ])->{status}, 0, 'which is valid');
like(slurp("$work/all.row"), qr/^LEVEL TASK SIZE 3\ndriver\nexecutor 0\nexecutor 1$/m, 'a task each');

# each task ran in an executor, and its number came from the driver: an arrow each
my ($report) = sh([ $jweave, 'report', "$work/job" ])->{out};
like($report, qr/^ +(\d+) +0 +0 +0 +0  spark\.task$/m, 'each launch of a task is received, none backwards');
done_testing();
