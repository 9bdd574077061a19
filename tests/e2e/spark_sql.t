#!/usr/bin/perl
# share/examples/spark-sql: its sums over 48 recordings are those of jweave report, to the nanosecond, from reports and from rows;
# two executors have half of the work each, by Spark's own log (which a busy machine does not change, as it does the time
# that it takes), and need no Python.
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

# The example on MASTER with ARGUMENTS.
sub example {
	my ($master, @arguments) = @_;
	return sh([ "$home/bin/spark-submit", '--master', $master, '--conf', 'spark.ui.enabled=false', '--conf', 'spark.sql.shuffle.partitions=4', @arguments ],
		env => { SPARK_HOME => $home, -x $python ? (PYSPARK_PYTHON => $python, PYSPARK_DRIVER_PYTHON => $python) : () }, dir => $work, seconds => 900);
}

# The rows of an answer, by the columns that are named.
sub table {
	my ($list, @columns) = @_;
	return [ sort map { join ' ', map { $_ // 'none' } @$_{@columns} } @$list ];
}

my ($report, @sums) = ("$root/share/examples/spark-sql/report.py", qw(name calls exceptional exclusiveNs longestNs));
my $want = decode_json(sh([ $jweave, 'report', '-q', '--json', '--map', $map, @recordings ])->{out});

# ---- sums of reports, by two executors ----

my $r = example('local-cluster[2,1,1024]', '--conf', 'spark.eventLog.enabled=true', '--conf', 'spark.eventLog.rolling.enabled=false', '--conf', 'spark.eventLog.compress=false',
	'--conf', "spark.eventLog.dir=file://$work/log", '--conf', 'spark.pyspark.python=/none', '--conf', "spark.pyspark.driver.python=$python", $report, '--json', "--jweave=$jweave", "--map=$map", "$work/R");
is($r->{status}, 0, 'the example runs') or do { diag($r->{err}); done_testing(); exit };
my $got = decode_json($r->{out});
is_deeply(table($got->{methods}, 'full', @sums), table($want->{methods}, 'full', @sums),
	'calls, exceptions, self time and the longest call of each method are those of jweave report');
is_deeply($got->{gcPauses}, [ $want->{gcPauses} ], 'pauses of the collector, too');
$_->{cpuNs} ||= undef for @{ $want->{processes} }; # (unknown)
is_deeply(table($got->{processes}, qw(host pid cpuNs calls)), table($want->{processes}, qw(host pid cpuNs calls)), 'and what each process did');
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

# ---- rows of export, as Parquet ----

my $rows = example('local[2]', $report, '--json', "--jweave=$jweave", "--map=$map", "--out=$work/parquet", "$work/R");
is($rows->{status}, 0, 'with rows') or do { diag($rows->{err}); done_testing(); exit };
my $of_rows = decode_json($rows->{out});
$_->{full} =~ s/ \S+$// for @{ $want->{methods} }; # (the place is in other columns there)
is_deeply(table($of_rows->{methods}, 'full', @sums), table($want->{methods}, 'full', @sums), 'the sums are the same');
is_deeply($of_rows->{gcPauses}, [ $want->{gcPauses} ], 'pauses, too');
is_deeply(table($of_rows->{processes}, qw(host pid calls callNs)), table($got->{processes}, qw(host pid calls callNs)), 'and processes');
is(join(' ', grep { -d "$work/parquet/table=$_" } qw(call gc method process thread)), 'call gc method process thread', 'the rows are there as Parquet');

# ---- one recording, none, and what is none ----

my ($quiet) = grep { /003\.jwr$/ } @recordings; # (of those without pauses)
my $text = example('local[1]', $report, "--jweave=$jweave", "--map=$map", $quiet);
is($text->{status}, 0, 'a recording without pauses of the collector') or diag($text->{err});
like($text->{out}, qr/^methods, 3:\nname\tfull\tcalls\texceptional\texclusiveNs\tlongestNs\n(?:\S.*\n){3}processes, 1:\n(?:.*\n){2}gcPauses, 1:\ncount\tns\tlongestNs\n0\t0\t0\n/,
	'has none in the text, either');

my $empty = example('local[1]', $report, "--jweave=$jweave", "$work/log");
like("$empty->{status} $empty->{out}$empty->{err}", qr/^1 .*no recordings \(NAME\.jwr\) in /s, 'a folder without recordings');
isnt(example('local[1]', $report, "--jweave=$work/none", @$_, "$work/R")->{status}, 0, 'a recording that cannot be read fails the job' . (@$_ ? ', with rows' : ''))
	for [], ["--out=$work/bad"];
done_testing();
