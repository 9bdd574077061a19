#!/usr/bin/perl
# Jobs of Flink on a cluster of their own, a JobManager and two TaskManagers that start-cluster.sh has started by jweave
# submit: three processes are one trace, the result is a job's own, tasks are those that Flink's REST API tells of,
# also where one fails, and the others are cancelled for it.
# Slow: 100 s, and needs Flink: JW_FLINK names its home. PyPI has one in two parts: apache-flink-libraries (deps/lib,
# deps/plugins, deps/bin/*.jar) and, in a wheel, apache-flink (pyflink/bin, pyflink/conf).
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use HTTP::Tiny;
use IO::Socket::INET;
use JSON::PP;
use Test::More;

my $home = $ENV{JW_FLINK} // '';
my ($dist) = glob "$home/lib/flink-dist*.jar";
$dist or plan skip_all => 'no Flink: set JW_FLINK to its home (see the head of this test)';

spit("$work/Words.java", <<'J');
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
public class Words {
	public static void main(String[] a) throws Exception {
		StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
		env.setRuntimeMode(RuntimeExecutionMode.STREAMING);
		env.setParallelism(2);
		String once = a[0], of = once.isEmpty() ? "" : " once";
		env.fromSequence(1, 70000).map(i -> {
			if (!once.isEmpty() && i == 2000 && new java.io.File(once).createNewFile())
				throw new IllegalStateException("planted");
			return Tuple2.of((int) (i % 7), 1L);
		}).returns(Types.TUPLE(Types.INT, Types.LONG)).name("pairs" + of)
			.keyBy(t -> t.f0).sum(1).name("sums" + of).filter(t -> t.f1 == 10000).map(t -> "seen " + t.f0).returns(Types.STRING).print();
		env.execute("words");
	}
}
J
compile("$work/classes", ["$work/Words.java"], '-cp', "$home/lib/*");
jar("$work/words.jar", "$work/classes");
mkdir "$work/$_", 0700 for qw(cache conf log pids);

# ---- the cluster ----

sub free_port {
	return IO::Socket::INET->new(Listen => 1, LocalAddr => '127.0.0.1')->sockport;
}

my ($rpc, $rest) = (free_port(), free_port());
spit("$work/conf/$_", slurp("$home/conf/$_")) for map { s{.*/}{}r } grep { -f } glob "$home/conf/*.properties $home/conf/masters";
spit("$work/conf/workers", "localhost\n" x 2);
my ($options) = (slurp("$home/conf/config.yaml") // '') =~ /^\s+all: (.*)/m;
spit("$work/conf/config.yaml", <<"Y");
env.java.opts.all: "$options"
jobmanager.rpc.address: localhost
jobmanager.rpc.port: $rpc
jobmanager.memory.process.size: 1024m
taskmanager.memory.process.size: 1024m
taskmanager.numberOfTaskSlots: 1
rest.address: localhost
rest.port: $rest
restart-strategy.type: fixed-delay
restart-strategy.fixed-delay.delay: 200 ms
Y
my %env = (XDG_CACHE_HOME => "$work/cache", FLINK_CONF_DIR => "$work/conf", FLINK_LOG_DIR => "$work/log",
	FLINK_PID_DIR => "$work/pids", JWEAVE_JOB => undef);

sub flink {
	my ($before, @words) = @_;
	return sh([ @$before, "$home/bin/$words[0]", @words[ 1 .. $#words ] ], env => \%env, dir => $work, seconds => 400);
}

# What Flink's REST API says.
sub ask {
	my ($path) = @_;
	my $r = HTTP::Tiny->new(timeout => 20)->get("http://127.0.0.1:$rest/$path");
	return $r->{success} ? decode_json($r->{content}) : undef;
}

my $up;
END { flink([], 'stop-cluster.sh') if $up; }
my $started = flink([ $jweave, 'submit', '--job', "$work/job" ], 'start-cluster.sh');
$up = 1;
is($started->{status}, 0, 'the cluster starts') or BAIL_OUT($started->{err});
like($started->{err}, qr/^jweave: note: what was started goes on; it records into '\Q$work\E\/job'/m, 'and is told to go on');
my $managers = 0;
for (1 .. 300) {
	my $seen = ask('taskmanagers');
	$managers = $seen ? @{ $seen->{taskmanagers} } : 0;
	last if $managers == 2;
	select undef, undef, undef, 0.3;
}
is($managers, 2, 'with two TaskManagers') or BAIL_OUT('no cluster');

# ---- the jobs ----

my %truth; # by the name of an attempt

# Runs Words with ARGUMENT, and asks for all attempts of its subtasks.
sub words {
	my ($argument) = @_;
	my $run = flink([], 'flink', 'run', '-c', 'Words', "$work/words.jar", $argument);
	my ($id) = $run->{out} =~ /JobID ([0-9a-f]+)/;
	for my $v (@{ ask("jobs/$id")->{vertices} }) {
		my $at = "jobs/$id/vertices/$v->{id}";
		my $of = ask($at);
		for my $s (@{ $of->{subtasks} }) {
			my $name = "$v->{name} (" . ($s->{subtask} + 1) . '/' . @{ $of->{subtasks} } . ')#';
			$truth{"$name$_"} = ask("$at/subtasks/$s->{subtask}/attempts/$_") for 0 .. $s->{attempt};
		}
	}
	return $run;
}

my $run = words('');
is($run->{status}, 0, 'the job runs') or diag($run->{err}, $run->{out});
my @seen = sort map { /(seen \d+)/g } map { slurp($_) // '' } glob "$work/log/*taskexecutor*.out";
is_deeply(\@seen, [ map { "seen $_" } 0 .. 6 ], 'its result is its own');
is(words("$work/once")->{status}, 0, 'a job of which a subtask fails runs');
is(flink([], 'stop-cluster.sh')->{status}, 0, 'the cluster stops');
for (1 .. 100) {
	last if !grep { kill 0, $_ } map { split } map { slurp($_) // '' } glob "$work/pids/*";
	select undef, undef, undef, 0.3;
}
$up = 0;

# ---- the trace ----

my $report = decode_json(sh([ $jweave, 'report', '-q', '--json', "$work/job" ])->{out});
is_deeply([ sort map { $_->{role} =~ s/ \d+$//r } @{ $report->{processes} } ], [ 'JobManager', 'TaskManager', 'TaskManager' ], 'three roles');
my ($info) = grep { $_->{full} =~ /\bTaskInfo\w*\.<init>/ } @{ $report->{methods} };
is($info && $info->{calls}, scalar(keys %truth), 'what a subtask is called is captured, once for each');
my $tasks = decode_json(sh([ $jweave, 'report', '-q', '--by-task', '--json', "$work/job" ])->{out})->{tasks};
is_deeply([ sort map { $_->{task} } @$tasks ], [ sort keys %truth ], 'all subtasks are there, as Flink calls them');
for my $state ('FAILED', 'CANCELED', 'FINISHED') {
	ok((grep { $_->{status} eq $state } values %truth), "some are $state");
}
my %told;
for my $t (@$tasks) {
	my $of = $truth{ $t->{task} } or next;
	my $ms = $t->{ns} / 1e6;
	# Flink counts from when it has a slot, and until it has heard of the end
	cmp_ok($ms, '<=', $of->{duration} + 1, "$t->{task}: within the time that Flink tells");
	cmp_ok($ms, '>=', $of->{duration} / 4 - 500, "$t->{task}: a good part of it");
	like($t->{executor}, qr/^TaskManager \d+$/, "$t->{task}: where it ran");
	my $state = $t->{failed} ? 'FAILED' : $t->{cancelled} ? 'CANCELED' : $t->{open} ? 'OPEN' : 'FINISHED';
	# An attempt that ended before it heard that it is to be cancelled has FINISHED; the JobManager calls it CANCELED.
	my $status = $state eq 'FINISHED' && $of->{status} eq 'CANCELED' ? $state : $of->{status};
	is("$state $t->{attempt}", "$status $of->{attempt}", "$t->{task}: how it ended, which attempt it was");
	$told{$state}++;
}
is_deeply([ sort keys %told ], [ 'CANCELED', 'FAILED', 'FINISHED' ], 'attempts of each kind are told');
cmp_ok($report->{sockets}{matched}, '>', 0, 'bytes between the processes have arrows');
is($report->{sockets}{unmatched}{missing}{bytes} + $report->{sockets}{unmatched}{otherWay}{bytes}, 0, 'none is missing');
# (Flink takes netty's own transport where it is there: it was loaded after the recording began)
is(scalar(grep { /^tap\tio\.netty\./m } map { slurp($_) // '' } glob "$work/job/*/meta"), 2, 'TaskManagers tell of it from their start');
done_testing();
