#!/usr/bin/perl
# share/examples/spark-sql: its sums over 48 recordings are those of jweave report, to the nanosecond; two executors have
# half of the work each, by Spark's own log (which a busy machine does not change, as it does the time that it takes).
# Slow: 120 s, and needs Spark with Python: JW_SPARK names its home (else that of python3's pyspark).
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use Cwd qw(getcwd);
use JSON::PP;
use Test::More;

my $home = $ENV{JW_SPARK} // sh([ 'python3', '-c', 'import pyspark; print(pyspark.__path__[0], end="")' ])->{out};
-d "$home/jars" && -d "$home/python/lib" or plan skip_all => 'no Spark with Python: set JW_SPARK to its home, or pip install pyspark';
my $maker = "$E2E::build/tests/cli/x_recording";
-x $maker or plan skip_all => 'no x_recording';
my ($root, $map, $n) = (getcwd(), "$work/one.map", 48);

mkdir "$work/R";
is(scalar(grep { sh([ $maker, sprintf('%03d.jwr', $_), $map, 100 + 10 * ($_ % 50), $_ % 3 ? 5 : () ], dir => "$work/R")->{status} == 0 } 1 .. $n), $n,
	"$n recordings");
my @recordings = map { "$work/R/$_" } ls("$work/R");
my $python = (glob "$home/../../../../bin/python3")[0] // 'python3'; # that of a venv that has it, or the system's
mkdir "$work/log";
my $r = sh([ "$home/bin/spark-submit", '--master', 'local-cluster[2,1,1024]', '--conf', 'spark.ui.enabled=false', '--conf', 'spark.eventLog.enabled=true',
	'--conf', "spark.eventLog.dir=file://$work/log", '--conf', 'spark.sql.shuffle.partitions=4', "$root/share/examples/spark-sql/report.py",
	'--json', "--jweave=$jweave", "--map=$map", "--out=$work/parquet", "$work/R" ],
	env => { SPARK_HOME => $home, -x $python ? (PYSPARK_PYTHON => $python, PYSPARK_DRIVER_PYTHON => $python) : () }, dir => $work, seconds => 900);
is($r->{status}, 0, 'the example runs') or do { diag($r->{err}); done_testing(); exit };
my $got = decode_json($r->{out});
my $want = decode_json(sh([ $jweave, 'report', '-q', '--json', '--map', $map, @recordings ])->{out});

sub sums {
	my ($list) = @_;
	return { map { ($_->{full} =~ s/ \S+$//r) => join ' ', map { $_ // 'none' } @$_{qw(name calls exceptional exclusiveNs longestNs)} } @$list };
}
is_deeply({ map { $_->{full} => join ' ', @$_{qw(name calls exceptional exclusiveNs longestNs)} } @{ $got->{methods} } }, sums($want->{methods}),
	'calls, exceptions, self time and the longest call of each method are those of jweave report');
is_deeply($got->{gcPauses}, [ $want->{gcPauses} ], 'pauses of the collector, too');
my ($calls, $processes) = (0, scalar @{ $got->{processes} });
$calls += $_->{calls} for @{ $got->{processes} };
is("$processes $calls", "$n $want->{calls}", 'and the calls of all processes');
my (%tasks, %ms);
for my $line (map { split /\n/, slurp("$work/log/$_") } ls("$work/log")) {
	my $e = $line =~ /"SparkListenerTaskEnd"/ ? decode_json($line) : next;
	my $executor = $e->{'Task Info'}{'Executor ID'};
	$tasks{$executor}++;
	$ms{$executor} += $e->{'Task Metrics'}{'Executor Run Time'};
}
my ($most) = sort { $b <=> $a } values %ms;
my $all = 0;
$all += $_ for values %ms;
diag(join ', ', map { "executor $_: $tasks{$_} tasks, $ms{$_} ms" } sort keys %ms);
cmp_ok($most, '<=', 0.6 * $all, 'two executors have half of the work each');
is(join(' ', grep { -d "$work/parquet/table=$_" } qw(call gc method process thread)), 'call gc method process thread', 'the rows are there as Parquet');

sub alone {
	my (@arguments) = @_;
	return sh([ "$home/bin/spark-submit", '--master', 'local[1]', '--conf', 'spark.ui.enabled=false', "$root/share/examples/spark-sql/report.py", @arguments ],
		env => { SPARK_HOME => $home, -x $python ? (PYSPARK_PYTHON => $python, PYSPARK_DRIVER_PYTHON => $python) : () }, dir => $work, seconds => 300);
}

my ($quiet) = grep { /003\.jwr$/ } @recordings; # (of those without pauses)
my $text = alone("--jweave=$jweave", "--map=$map", "--out=$work/one", $quiet);
is($text->{status}, 0, 'a recording without pauses of the collector') or diag($text->{err});
like($text->{out}, qr/^methods, 3:\nname\tfull\tcalls\texceptional\texclusiveNs\tlongestNs\n(?:\S.*\n){3}processes, 1:\n(?:.*\n){2}gcPauses, 1:\ncount\tns\tlongestNs\n0\t0\t0\n/,
	'has none in the text, either');

my $bad = alone("--jweave=$work/none", "--out=$work/bad", "$work/R");
isnt($bad->{status}, 0, 'a recording that cannot be read fails the job');
done_testing();
