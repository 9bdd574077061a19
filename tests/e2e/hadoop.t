#!/usr/bin/perl
# A job of Hadoop MapReduce by jweave submit: client, ApplicationMaster, maps and reduces, in JVMs of their own, are one
# trace; the job is as without; the bytes shuffled are those of Hadoop's counters. Tasks that were made to take long are
# the first that report --by-task tells of, with the reason.
# Slow: 200 s, and needs a folder of jars, JW_HADOOP: org.apache.hadoop:hadoop-minicluster and hadoop-mapreduce-examples
# 3.3, junit:junit and org.mockito:mockito-core 2, by mvn dependency:copy-dependencies. A cluster and 11 JVMs are started.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use Cwd qw(abs_path);
use EngineTasks;
use JSON::PP;
use Test::More;

my $lib = $ENV{JW_HADOOP} // '';
my ($examples) = glob "$lib/hadoop-mapreduce-examples-*.jar";
$examples or plan skip_all => 'no Hadoop: set JW_HADOOP to a folder of its jars (see the head of this test)';
$lib = abs_path($lib);
my $all = join ',', sort glob "$lib/*.jar";

compile("$work/classes", ['share/examples/case-hadoop/Cluster.java'], '-cp', "$lib/*");
mkdir "$work/bin";
spit("$work/bin/hadoop", <<'S');
#!/bin/sh
[ "$1" != classpath ] || { echo "$HADOOP_CONF_DIR:$JW_HADOOP/*"; exit; }
[ "$1" != jar ] || shift
exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" -cp "${HADOOP_CLASSPATH:+$HADOOP_CLASSPATH:}$HADOOP_CONF_DIR:$JW_HADOOP/*" org.apache.hadoop.util.RunJar "$@"
S
chmod 0755, "$work/bin/hadoop";
mkdir "$work/in";
for my $i (1, 2) {
	spit("$work/in/$i.txt", join '', map { my $n = $_ * $i; join(' ', map { 'w' . ($n * $_ % 997) } 1 .. 12) . "\n" } 1 .. 5000);
}

# The cluster ends with this test: its standard input is a pipe from here.
pipe my $from, my $to or die;
my $cluster = fork() // die;
if (!$cluster) {
	close $to;
	open STDIN, '<&', $from or die;
	open STDOUT, '>', "$work/cluster.out" or die;
	open STDERR, '>', "$work/cluster.err" or die;
	chdir $work;
	exec 'timeout', '900', $E2E::default_java, '--add-opens=java.base/java.lang=ALL-UNNAMED', '-cp', "$work/classes:$lib/*", 'Cluster', $work, $all or die;
}
close $from;
for (1 .. 300) {
	last if -e "$work/up";
	select undef, undef, undef, 0.5;
}
END { close $to if $to; waitpid $cluster, 0 if $cluster; }
-e "$work/up" or do { diag(slurp("$work/cluster.err")); plan skip_all => 'the cluster does not start' };

sub job {
	my ($out, @before) = @_;
	return sh([ @before, "$work/bin/hadoop", 'jar', $examples, 'wordcount', '-D', 'mapreduce.job.reduces=2', "file://$work/in", "file://$work/$out" ],
		env => { XDG_CACHE_HOME => "$work/cache", HADOOP_CONF_DIR => "$work/conf", JW_HADOOP => $lib, JWEAVE_JOB => undef, HADOOP_CLASSPATH => undef },
		dir => $work, seconds => 400);
}
sub result { my ($out) = @_; return join '', map { slurp("$work/$out/$_") } grep { /^part/ } ls("$work/$out"); }
sub counter { my ($r, $name) = @_; return ("$r->{out}$r->{err}" =~ /^\s*\Q$name\E=(\d+)/m)[0]; }

mkdir "$work/cache", 0700;
my $plain = job('plain');
my $r = job('woven', $jweave, 'submit', '--job', "$work/job");
is($plain->{status}, 0, 'without: the job succeeds') or diag("$plain->{out}$plain->{err}");
is($r->{status}, 0, 'with: the job succeeds') or diag("$r->{out}$r->{err}");
is(result('woven'), result('plain'), 'the same words and counts');
for ('Map output records', 'Reduce input groups', 'Reduce shuffle bytes', 'Launched map tasks', 'Launched reduce tasks') {
	is(counter($r, $_), counter($plain, $_), "the same counter: $_");
}
like($r->{err}, qr/^jweave: note: 6 recordings in '[^']*': AM, attempt_\S+, attempt_/m, 'client, ApplicationMaster, two maps, two reduces') or diag($r->{err});
is(join(' ', grep { /^\./ } ls("$work/job")), '', 'the folder of configuration has gone');

my @recordings = map { "$work/job/$_" } grep { /\.jwr$/ } ls("$work/job");
is(sh([ $jweave, 'export', 'tsv', '--table=all', '-o', "$work/tables", @recordings ])->{status}, 0, 'one trace of them');
sub rows {
	my ($name) = @_;
	my ($head, @lines) = split /\n/, slurp("$work/tables/$name.tsv");
	my @names = split /\t/, $head;
	return map { my %row; @row{@names} = split /\t/, $_, -1; \%row } @lines;
}
my %name = map { $_->{id} => $_->{name} } rows('name');
my %method = map { $_->{id} => $_->{name} } rows('method');
my %calls;
$calls{ $method{ $_->{method} } }++ for rows('call');
is(($calls{'YarnChild.main'} // 0) . ($calls{'MapTask.run'} // 0) . ($calls{'ReduceTask.run'} // 0) . ($calls{'MRAppMaster.serviceStart'} // 0) .
	($calls{'Job.submit'} // 0), '42211', 'each process has done its part');
my $bytes = 0;
$bytes += $_->{value} for grep { ($name{ $_->{what} } // '') eq 'Hadoop bytes shuffled' } rows('event');
is($bytes, counter($r, 'Reduce shuffle bytes'), "the bytes shuffled are Hadoop's");

# ---- stragglers ----

# Six maps: one waits for a lock, one writes its output to a slow disk, one has the collector at work. Of four reduces
# one gets nearly all values.
spit("$work/Plant.java", <<'J');
import java.io.*;
import java.util.*;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.*;
import org.apache.hadoop.mapreduce.*;
import org.apache.hadoop.mapreduce.lib.input.*;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
public class Plant {
	static final Object gate = new Object();
	static volatile double sink;
	static void work(int n) { for (int i = 0; i < n; i++) sink += Math.sqrt(i); }
	static void waitForLock(long ms) throws InterruptedException {
		CountDownLatch in = new CountDownLatch(1);
		new Thread(() -> { synchronized (gate) { in.countDown(); try { Thread.sleep(ms); } catch (InterruptedException e) { } } }, "keeper").start();
		in.await();
		synchronized (gate) { sink++; }
	}
	static void makeGarbage(long ms) {
		List<byte[]> live = new ArrayList<>();
		for (long end = System.currentTimeMillis() + ms; System.currentTimeMillis() < end; ) {
			for (int i = 0; i < 1000; i++) live.add(new byte[2000]);
			if (live.size() > 100000) live.subList(0, 50000).clear();
		}
		sink += live.size();
	}
	public static class M extends Mapper<LongWritable, Text, IntWritable, Text> {
		@Override public void run(Context c) throws IOException, InterruptedException {
			int me = c.getTaskAttemptID().getTaskID().getId();
			if (me == 1) waitForLock(20000);
			if (me == 2) makeGarbage(20000);
			Text text = new Text("0123456789012345678901234567890123456789012345678901234567890123456789");
			for (int i = 0; i < 20000; i++) c.write(new IntWritable(i % 10 == 0 ? i : 2), text);
		}
	}
	public static class R extends Reducer<IntWritable, Text, IntWritable, IntWritable> {
		@Override public void reduce(IntWritable key, Iterable<Text> values, Context c) throws IOException, InterruptedException {
			int n = 0;
			for (Text t : values) { work(10000); n++; }
			c.write(key, new IntWritable(n));
		}
	}
	public static void main(String[] a) throws Exception {
		Job job = Job.getInstance(new Configuration(), "plant");
		job.setJarByClass(Plant.class);
		job.setMapperClass(M.class);
		job.setReducerClass(R.class);
		job.setMapOutputKeyClass(IntWritable.class);
		job.setMapOutputValueClass(Text.class);
		job.setOutputKeyClass(IntWritable.class);
		job.setOutputValueClass(IntWritable.class);
		job.setNumReduceTasks(4);
		FileInputFormat.addInputPath(job, new Path(a[0]));
		FileOutputFormat.setOutputPath(job, new Path(a[1]));
		System.exit(job.waitForCompletion(true) ? 0 : 1);
	}
}
J
compile("$work/plant", ["$work/Plant.java"], '-cp', "$lib/*");
jar("$work/plant.jar", "$work/plant");
my $slow = slow_disk();
mkdir "$work/six";
spit("$work/six/$_.txt", "line\n") for 1 .. 6;
my $conf = slurp("$work/conf/mapred-site.xml");
$conf =~ s{</configuration>}{<property><name>mapreduce.map.env</name><value>LD_PRELOAD=$slow,SLOW_PATH=_m_000004_</value></property></configuration>};
spit("$work/conf/mapred-site.xml", $conf);
my $planted = sh([ $jweave, 'submit', '--job', "$work/job2", "$work/bin/hadoop", 'jar', "$work/plant.jar", 'Plant', "file://$work/six", "file://$work/planted" ],
	env => { XDG_CACHE_HOME => "$work/cache", HADOOP_CONF_DIR => "$work/conf", JW_HADOOP => $lib, JWEAVE_JOB => undef, HADOOP_CLASSPATH => undef },
	dir => $work, seconds => 600);
is($planted->{status}, 0, 'a job with stragglers ends') or diag("$planted->{out}$planted->{err}");
job_ends("$work/job2");
my $tasks = decode_json(sh([ $jweave, 'report', '-q', '--json', '--by-task', '--by-stage', "$work/job2" ])->{out});
tasks_agree('in each tool', "$work/job2");
sh([ $jweave, 'prv', '-q', "$work/job2", '-o', "$work/job2" ]);
types_agree('Paraver', "$work/job2.pcf", 'hadoop');
is(join(' ', map { "$_->{name}:$_->{tasks}" } sort { $a->{name} cmp $b->{name} } @{ $tasks->{stages} }), 'MapTask:6 ReduceTask:4', 'all tasks, by stage');
my %planted = map { $_->{task} =~ /_([mr])_0*(\d+)_0$/ ? ("$1$2" => $_) : () } @{ $tasks->{tasks} };
is(scalar(keys %planted), 10, 'each by its attempt');
my @late = grep { $_->{straggler} && $_->{stage} eq 'MapTask' } @{ $tasks->{tasks} };
sub told { my ($t) = @_; return "$t->{task}: " . join ', ', map { "$_->{cause} $_->{percent} $_->{of}" } @{ $t->{causes} }; }
is($planted{m1}{causes}[0]{cause}, 'lock', 'a map that waited for a lock') or diag(told($planted{m1}));
is($planted{m1}{causes}[0]{of}, 'java.lang.Object', 'for which');
is($planted{m2}{causes}[0]{cause}, 'gc', 'a map whose collector was at work') or diag(told($planted{m2}));
is($planted{m4}{causes}[0]{cause}, 'disk', 'a map whose disk was slow') or diag(told($planted{m4}));
is(join(' ', sort map { $_->{task} =~ /_m_0*(\d+)_/ } @late[0 .. 2]), '1 2 4', 'they are the first of the maps') or diag(map { told($_) . "\n" } @late);
my ($skewed) = grep { $_->{straggler} && $_->{stage} eq 'ReduceTask' } @{ $tasks->{tasks} };
is($skewed->{causes}[0]{cause}, 'skew', 'a reduce that got most values') or diag(told($skewed));
is($skewed->{task}, $planted{r2}{task}, 'is the first of the reduces');
my $shuffled = 0;
$shuffled += $_->{bytesIn} for grep { $_->{stage} eq 'ReduceTask' } @{ $tasks->{tasks} };
is($shuffled, counter($planted, 'Reduce shuffle bytes'), "bytes shuffled are Hadoop's");
# Hadoop's own history of that job: what each attempt was, and has counted. It counts from the start of the JVM.
# Its server moves the files when it gets to it: one that was found may be elsewhere by the time that it is read.
my (%history, @texts);
for (1 .. 40) {
	@texts = map { slurp($_) } sh([ 'find', $work, '-name', '*.jhist' ])->{out} =~ /(\S+)/g;
	last if @texts && !grep { !defined } @texts;
	select undef, undef, undef, 0.5;
}
for my $text (@texts) {
	for my $event (map { decode_json($_) } grep { /^\{"type"/ } split /\n/, $text) {
		my ($of) = values %{ $event->{event} };
		my $id = $of->{attemptId} or next;
		$history{$id}{begin} = $of->{startTime} if $event->{type} =~ /ATTEMPT_STARTED/;
		next if $event->{type} !~ /ATTEMPT_FINISHED/;
		$history{$id}{end} = $of->{finishTime};
		$history{$id}{ $_->{name} } = $_->{value} for map { @{ $_->{counts} } } @{ $of->{counters}{groups} };
	}
}
my ($number) = $tasks->{tasks}[0]{task} =~ /^attempt_(\d+_\d+)_/;
is_deeply([ sort map { $_->{task} } @{ $tasks->{tasks} } ], [ sort grep { /^attempt_${number}_/ } keys %history ], "the attempts are those of Hadoop's history");
for my $t (@{ $tasks->{tasks} }) {
	my $of = $history{ $t->{task} } or next;
	my ($ms, $all) = ($t->{ns} / 1e6, $of->{end} - $of->{begin});
	cmp_ok($ms, '<=', $all + 1, "$t->{task}: within the time of the history");
	cmp_ok($ms, '>', $all - 15000, "$t->{task}: all of it but the start and end of a JVM");
	is($t->{bytesIn}, $of->{REDUCE_SHUFFLE_BYTES}, "$t->{task}: bytes shuffled") if $t->{stage} eq 'ReduceTask';
	cmp_ok(abs($t->{insideNs}{gc} / 1e6 - $of->{GC_TIME_MILLIS}), '<=', 20 + 0.1 * $of->{GC_TIME_MILLIS}, "$t->{task}: time of the collector")
		if ($t->{causes}[0]{cause} // '') eq 'gc';
}
my $spilled = 0;
$spilled += $_->{bytesSpilled} for grep { $_->{stage} eq 'MapTask' } @{ $tasks->{tasks} };
cmp_ok($spilled, '>', 6 * 20000, 'and maps have spilled what they made');
done_testing();
