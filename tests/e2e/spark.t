#!/usr/bin/perl
# A job of Spark by jweave submit: driver and executors are one trace, the job is as without, and the trace says of each
# task what Spark's own event log says. Tasks that were made to take long are the first of report --by-task, with the reason.
# Slow: 150 s, and needs Spark: JW_SPARK names its home (else that of python3's pyspark). Jobs start JVMs five times.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use JSON::PP;
use Test::More;

my $home = $ENV{JW_SPARK} // sh([ 'python3', '-c', 'import pyspark; print(pyspark.__path__[0], end="")' ])->{out};
-d "$home/jars" or plan skip_all => 'no Spark: set JW_SPARK to its home, or pip install pyspark';

spit("$work/Job.java", <<'J');
import java.util.*;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.*;
import scala.Tuple2;
public class Job {
	public static void main(String[] a) {
		JavaSparkContext sc = new JavaSparkContext(new SparkConf().setAppName("job"));
		List<Integer> seeds = Arrays.asList(1, 2, 3, 4);
		JavaPairRDD<Integer, Integer> words = sc.parallelize(seeds, 4).flatMapToPair(s -> {
			List<Tuple2<Integer, Integer>> l = new ArrayList<>();
			for (int i = 0; i < 20000; i++) l.add(new Tuple2<>((int) (i * 2654435761L * s >>> 20 & 0xfff), 1));
			return l.iterator();
		});
		JavaPairRDD<Integer, Integer> sums = words.reduceByKey(Integer::sum, 3);
		System.out.println("keys " + sums.count() + " most " + sums.values().reduce(Math::max));
		sc.stop();
		System.exit(3);
	}
}
J
compile("$work/classes", ["$work/Job.java"], '-cp', "$home/jars/*");
jar("$work/job.jar", "$work/classes");
mkdir "$work/log";
my $log = 0;

# Runs the job with WORDS before it.
sub job {
	my (@before) = @_;
	my $dir = "$work/log/" . ++$log;
	mkdir $dir;
	my $r = sh([ @before, "$home/bin/spark-submit", '--master', 'local-cluster[2,1,1024]', '--conf', 'spark.ui.enabled=false',
		'--conf', 'spark.eventLog.enabled=true', '--conf', 'spark.eventLog.rolling.enabled=false', '--conf', 'spark.eventLog.compress=false', '--conf', "spark.eventLog.dir=file://$dir", '--class', 'Job', "$work/job.jar" ],
		env => { XDG_CACHE_HOME => "$work/cache", SPARK_HOME => $home, JWEAVE_JOB => undef }, dir => $work, seconds => 400);
	my ($file) = map { "$dir/$_" } ls($dir);
	$r->{log} = [ map { decode_json($_) } split /\n/, slurp($file // '/dev/null') // '' ];
	return $r;
}

mkdir "$work/cache", 0700;
my $plain = job();
my $job = "$work/job1";
my $r = job($jweave, 'submit', '--job', $job);
like($plain->{out}, qr/^keys \d+ most \d+$/, 'without: a result') or diag($plain->{err});
is("$r->{status} $r->{out}", "$plain->{status} $plain->{out}", 'result and status are as without') or diag($r->{err});
is($r->{status}, 3, 'the status is the program\'s');
like($r->{err}, qr/^jweave: note: wove \d+ of \d+ methods .*jars and folders$/m, 'what was woven');
like($r->{err}, qr/^jweave: note: 3 recordings in '\Q$job\E': driver, executor 0, executor 1$/m, 'a driver and two executors');
like(job($jweave, 'submit', '--job', "$work/job2")->{err}, qr/^jweave: note: traces .*, woven by an earlier run$/m, 'the second run weaves nothing');

# ---- the trace: rows of tables ----

my @recordings = map { "$job/$_" } grep { /\.jwr$/ } ls($job);
is(sh([ $jweave, 'export', 'tsv', '--table=all', '-o', "$work/tables", @recordings ])->{status}, 0, 'one trace of them');

sub rows {
	my ($name) = @_;
	my ($head, @lines) = split /\n/, slurp("$work/tables/$name.tsv");
	my @names = split /\t/, $head;
	return map { my %row; @row{@names} = split /\t/, $_, -1; \%row } @lines;
}
my %name = map { $_->{id} => $_->{name} } rows('name');
my %method = map { $_->{id} => $_->{name} } rows('method');
my %call = map { $_->{id} => $_ } rows('call');
my %captured; # call => { label => value }
for (rows('event')) {
	my $label = $name{ $_->{what} } // '';
	$captured{ $_->{call} }{$label} = $_->{value} if $label =~ /^Spark /;
}

# The outermost call around CALL of METHOD, or nothing.
sub around {
	my ($call, $method) = @_;
	for (my $c = $call{$call}; $c; $c = $call{ $c->{parent} }) {
		return $c if $method{ $c->{method} } eq $method;
	}
	return undef;
}

my (%task, %runner, %ended, %metrics);
for my $id (keys %call) {
	my ($method, $c) = ($method{ $call{$id}{method} }, $captured{$id});
	if ($method eq 'Task.run') {
		$task{ $c->{'Spark TID'} } = $call{$id};
		my $outer = around($id, 'Executor$TaskRunner.run') or next;
		$runner{ $outer->{id} } = $c->{'Spark TID'};
	}
	$ended{ $c->{'Spark TID ended'} } = $call{$id} if $method eq 'TaskSetManager.handleSuccessfulTask';
}
for my $id (keys %captured) {
	my $outer = around($id, 'Executor$TaskRunner.run') or next;
	for (grep { /^Spark task .*(?:ms|bytes|records|bytes \w+|records \w+)$/ } keys %{ $captured{$id} }) {
		$metrics{ $runner{ $outer->{id} } }{$_} = $captured{$id}{$_};
	}
}

# ---- the truth: Spark's own log ----

my %end = map { $_->{'Task Info'}{'Task ID'} => $_ } grep { $_->{Event} eq 'SparkListenerTaskEnd' } @{ $r->{log} };
cmp_ok(scalar(keys %end), '>=', 10, 'Spark ran ' . keys(%end) . ' tasks');
my $tids = join ' ', sort { $a <=> $b } keys %end;
like($tids, qr/^0 /, 'the first of them is 0');
is(join(' ', sort { $a <=> $b } keys %task), $tids, 'each task has run in an executor');
is(join(' ', sort { $a <=> $b } keys %ended), $tids, 'and ended in the driver');
my %process = map { $_->{id} => $_->{process} } rows('thread');
is(scalar(keys %{ { map { $process{ $_->{thread} } => 1 } values %task } }), 2, 'in two processes');

my %truth;
for my $tid (keys %end) {
	my $m = $end{$tid}{'Task Metrics'};
	my ($in, $out) = ($m->{'Shuffle Read Metrics'}, $m->{'Shuffle Write Metrics'});
	$truth{$tid} = {
		'Spark task run ms' => $m->{'Executor Run Time'},
		'Spark task GC ms' => $m->{'JVM GC Time'},
		'Spark task fetch wait ms' => $in->{'Fetch Wait Time'},
		'Spark task shuffle bytes read' => $in->{'Remote Bytes Read'} + $in->{'Local Bytes Read'},
		'Spark task shuffle records read' => $in->{'Total Records Read'},
		'Spark task shuffle bytes written' => $out->{'Shuffle Bytes Written'},
		'Spark task shuffle records written' => $out->{'Shuffle Records Written'},
	};
	for (keys %{ $metrics{$tid} }) {
		delete $metrics{$tid}{$_} unless exists $truth{$tid}{$_};
	}
}
is_deeply(\%metrics, \%truth, 'bytes, records, times and pauses of each task are those of the log');
cmp_ok((sort { $b <=> $a } map { $_->{'Spark task shuffle bytes read'} } values %truth)[0], '>', 1000, 'there was a shuffle');

# Spark's times have milliseconds: one offset between both clocks puts them where the trace says that they were taken.
my ($least, $most) = (-9e18, 9e18);
sub not_before { my ($wall_ms, $ns) = @_; $least = $wall_ms - 1 - $ns / 1e6 if $wall_ms - 1 - $ns / 1e6 > $least; }
sub not_after { my ($wall_ms, $ns) = @_; $most = $wall_ms + 1 - $ns / 1e6 if $wall_ms + 1 - $ns / 1e6 < $most; }
for my $tid (grep { $task{$_} && $ended{$_} } keys %end) {
	my $info = $end{$tid}{'Task Info'};
	not_before($info->{'Launch Time'}, $task{$tid}{begin_ns});
	not_after($info->{'Finish Time'}, $task{$tid}{begin_ns} + $task{$tid}{duration_ns});
	not_after($info->{'Finish Time'}, $ended{$tid}{begin_ns});
	not_before($info->{'Finish Time'}, $ended{$tid}{begin_ns} + $ended{$tid}{duration_ns});
}
cmp_ok($least, '<=', $most, 'starts and ends of all tasks agree with the log, within its millisecond');
my ($start) = map { $_->{value} } grep { $_->{key} eq 'wall_start' } rows('meta');
cmp_ok(abs(($least + $most) / 2 / 1000 - $start), '<', 1.1, 'and are at the right time of the day');

# ---- arrows ----

my %messages = map { /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(spark\.\w+)$/ ? ($6 => "$1 $2 $3 $4 $5") : () }
	split /\n/, sh([ $jweave, 'report', $job ])->{out};
is($messages{'spark.task'}, keys(%end) . ' 0 0 0 0', 'each task has an arrow from the driver, none backwards');
is($messages{'spark.status'}, 2 * keys(%end) . ' 0 0 0 0', 'and two back');
like($messages{'spark.chunk'}, qr/^[1-9]\d* 0 0 0 0$/, 'chunks of shuffles have theirs');

# ---- stragglers ----

# Stages of eight tasks, in each of which one takes long: by the collector, a lock, a slow disk, a key of most records, no CPU.
spit("$work/Plant.java", <<'J');
import java.util.*;
import java.util.concurrent.CountDownLatch;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.*;
import scala.Tuple2;
public class Plant {
	static final Object gate = new Object();
	static volatile double sink;
	static volatile boolean over;
	static int work(int n) { for (int i = 0; i < n; i++) sink += Math.sqrt(i); return n; }
	static boolean is(int partition) { return TaskContext.getPartitionId() == partition; }
	static int waitForLock(long ms) throws InterruptedException {
		CountDownLatch in = new CountDownLatch(1);
		new Thread(() -> { synchronized (gate) { in.countDown(); try { Thread.sleep(ms); } catch (InterruptedException e) { } } }, "keeper").start();
		in.await();
		synchronized (gate) { return 1; }
	}
	static int makeGarbage(long ms) {
		List<byte[]> live = new ArrayList<>();
		for (long end = System.currentTimeMillis() + ms; System.currentTimeMillis() < end; ) {
			for (int i = 0; i < 1000; i++) live.add(new byte[2000]);
			if (live.size() > 120000) live.subList(0, 60000).clear();
		}
		return live.size();
	}
	/* With less weight than threads that compute on all CPUs. */
	static int starve() throws Exception {
		String[] self = java.nio.file.Files.readSymbolicLink(java.nio.file.Paths.get("/proc/thread-self")).toString().split("/");
		over = false;
		for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
			Thread t = new Thread(() -> { double x = 0; while (!over) x = Math.sqrt(x + 1); sink += x; });
			t.setDaemon(true);
			t.start();
		}
		new ProcessBuilder("renice", "-n", "5", "-p", self[self.length - 1]).start().waitFor();
		work(20000000);
		over = true;
		return 1;
	}
	static List<String> lines(int seed) {
		List<String> l = new ArrayList<>();
		for (int i = 0; i < 5000; i++) l.add("line " + i + " of " + seed);
		return l;
	}
	static List<Tuple2<Integer, Integer>> pairs() {
		List<Tuple2<Integer, Integer>> l = new ArrayList<>();
		for (int i = 0; i < 4000; i++) l.add(new Tuple2<>(i % 8 == 0 ? i / 8 : 6, i));
		return l;
	}
	public static void main(String[] a) {
		JavaSparkContext sc = new JavaSparkContext(new SparkConf().setAppName("plant"));
		JavaRDD<Integer> seeds = sc.parallelize(Arrays.asList(0, 1, 2, 3, 4, 5, 6, 7), 8);
		seeds.map(s -> work(100000)).count();
		seeds.map(s -> is(3) ? makeGarbage(12000) : work(100000)).count();
		seeds.map(s -> is(2) ? waitForLock(9000) : work(100000)).count();
		seeds.flatMap(s -> lines(s).iterator()).saveAsTextFile(a[0]);
		seeds.flatMapToPair(s -> pairs().iterator()).groupByKey(8).mapValues(v -> { for (Integer i : v) work(20000); return 1; }).count();
		seeds.map(s -> is(4) ? starve() : work(100000)).count();
		sc.stop();
	}
}
J
compile("$work/plant", ["$work/Plant.java"], '-cp', "$home/jars/*");
jar("$work/plant.jar", "$work/plant");
my $slow = slow_disk();
my $planted = sh([ $jweave, 'submit', '--job', "$work/job3", "$home/bin/spark-submit", '--master', 'local-cluster[2,2,1024]', '--conf', 'spark.ui.enabled=false',
	'--conf', "spark.executorEnv.LD_PRELOAD=$slow", '--conf', 'spark.executorEnv.SLOW_PATH=part-00005', '--conf', 'spark.executorEnv.SLOW_US=5000000',
	'--class', 'Plant', "$work/plant.jar", "file://$work/saved" ],
	env => { XDG_CACHE_HOME => "$work/cache", SPARK_HOME => $home, JWEAVE_JOB => undef }, dir => $work, seconds => 600);
is($planted->{status}, 0, 'a job with stragglers ends') or diag($planted->{err});
my $tasks = decode_json(sh([ $jweave, 'report', '-q', '--json', '--by-task', "$work/job3" ])->{out});
my @stages = (undef, [ 'gc', 3 ], [ 'lock', 2 ], [ 'disk', 5 ], undef, [ 'skew', 6 ], [ 'cpu', 4 ]);
is($tasks->{taskCount}, 56, 'all tasks are there');
my %first;
$first{ $_->{stage} } //= $_ for @{ $tasks->{tasks} };
for my $stage (grep { $stages[$_] } 0 .. $#stages) {
	my ($cause, $partition) = @{ $stages[$stage] };
	my $t = $first{$stage};
	is("$t->{partition} $t->{straggler} $t->{causes}[0]{cause}", "$partition 1 $cause", "the straggler of stage $stage is its first task, by $cause")
		or diag(join ', ', map { "$_->{cause} $_->{percent} $_->{of}" } @{ $t->{causes} });
}
ok($stages[ $tasks->{tasks}[0]{stage} ], 'one of them is the first of all tasks');
like($first{2}{causes}[0]{of}, qr/^java\.lang\.Object$/, 'the class of the lock is told');
like($first{3}{causes}[0]{of}, qr/part-00005/, 'and the file');
like(sh([ $jweave, 'report', '-q', '--by-task', "$work/job3" ])->{out}, qr/ files ms .* write ms /, 'in the text, too');
my %records;
$records{ $_->{stage} } += $_->{recordsIn} // 0 for @{ $tasks->{tasks} };
is($records{5}, 8 * 4000, 'and records add up');

# ---- Python ----

SKIP: {
	-d "$home/python/lib" or skip 'this Spark has no Python', 3;
	spit("$work/job.py", <<'P');
from pyspark import SparkContext
sc = SparkContext(appName="py")
print("sum", sorted(sc.parallelize(range(1000), 3).map(lambda x: (x % 3, x)).reduceByKey(lambda a, b: a + b).collect()))
P
	my $py = sh([ $jweave, 'submit', '--job', "$work/py", "$home/bin/spark-submit", '--master', 'local[2]', '--conf', 'spark.ui.enabled=false',
		"$work/job.py" ], env => { XDG_CACHE_HOME => "$work/cache", SPARK_HOME => $home, JWEAVE_JOB => undef }, dir => $work, seconds => 300);
	is($py->{status}, 0, 'a program in Python runs') or diag($py->{err});
	is($py->{out}, "sum [(0, 166833), (1, 166167), (2, 166500)]\n", 'with its result');
	like($py->{err}, qr/^jweave: note: 1 recording in/m, 'and is recorded');
}
done_testing();
