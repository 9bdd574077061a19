# Bench.pm: what the benchmarks against other tools share: jars of Maven Central, JDKs, commands measured in turns.
#
# What is measured is CPU time of whole processes, which other work on the machine changes least, and wall time. Commands take
# turns, every other round in the opposite order, so that a slow minute hits all alike.
package Bench;
use strict;
use warnings;
use Exporter 'import';
use File::Temp qw(tempdir);

our @EXPORT = qw($build $work artifact home_of_25 quiet text spit taken median spread java_of compiled jar_of);

our $build = $ENV{BUILD} || 'build';
our $work = tempdir('jweave-bench-XXXXXX', TMPDIR => 1, CLEANUP => 1);

sub text {
	open my $f, '<:raw', $_[0] or return '';
	local $/;
	return scalar(<$f>) // '';
}

sub spit {
	my ($file, $text) = @_;
	open my $f, '>', $file or die "$file: $!";
	print $f $text;
	close $f or die "$file: $!";
	return $file;
}

# Runs a command whose output goes to $work/out and $work/err: its exit status, 124 after TIMEOUT seconds (600).
sub quiet {
	my @command = @_;
	my $pid = fork() // die "fork: $!";
	if (!$pid) {
		open STDIN, '<', '/dev/null';
		open STDOUT, '>', "$work/out";
		open STDERR, '>', "$work/err";
		exec 'timeout', '-k', '5', $ENV{TIMEOUT} || 600, @command or exit 127;
	}
	waitpid $pid, 0;
	return $? >> 8 || $? & 127;
}

# The jar GROUP:NAME:VERSION[:CLASSIFIER] of Maven Central, in Maven's own repository, fetched by Maven where it is not there
# yet; undef: it cannot be had, which is said.
sub artifact {
	my ($group, $name, $version, $classifier) = split /:/, $_[0];
	my $repository = "$ENV{HOME}/.m2/repository/" . $group =~ tr{.}{/}r;
	my $file = "$repository/$name/$version/$name-$version" . ($classifier ? "-$classifier" : '') . '.jar';
	return $file if -s $file;
	my $what = "$group:$name:$version:jar" . ($classifier ? ":$classifier" : '');
	quiet('mvn', '-q', '-B', 'dependency:get', '-Dtransitive=false', "-Dartifact=$what");
	return $file if -s $file;
	print "absent: $_[0] (no Maven, or no network)\n";
	return;
}

sub home_of_25 {
	for my $home ($ENV{JW_JDK25} || (), glob '/usr/lib/jvm/*') {
		return $home if text("$home/release") =~ /^JAVA_VERSION="25/m;
	}
	return;
}

# The words of a release file that name a JDK.
sub java_of {
	my ($home) = @_;
	my ($version) = text("$home/release") =~ /^JAVA_VERSION="([^"]*)"/m;
	return "JDK $version";
}

# The folder of classes of FILES, compiled by the JDK in HOME.
sub compiled {
	my ($home, $dir, $path, @files) = @_;
	quiet("$home/bin/javac", '--release', '17', '-nowarn', '-g', ($path ? ('-cp', $path) : ()), '-d', $dir, @files) == 0
		or die "javac: " . text("$work/err");
	return $dir;
}

sub jar_of {
	my ($home, $file, $dir, $main) = @_;
	quiet("$home/bin/jar", '--create', '--file', $file, ($main ? ('--main-class', $main) : ()), '-C', $dir, '.') == 0
		or die "jar: " . text("$work/err");
	return $file;
}

sub one_run {
	my ($case, $taken) = @_;
	my $seconds = "$work/timed";
	unlink $seconds;
	$case->{before}->() if $case->{before};
	local %ENV = (%ENV, %{ $case->{env} || {} });
	my $status = quiet("$build/tests/bench/timed", $seconds, @{ $case->{command} });
	my ($wall, $cpu, $peak) = split ' ', text($seconds);
	if ($status || !defined $peak) {
		$case->{failed} = "exit status $status: " . ((grep { /\S/ } split /\n/, text("$work/err") . text("$work/out"))[-1] // 'silent');
		return;
	}
	my %got = (wall => $wall * 1e3, cpu => $cpu * 1e3, peak => $peak / 1024, $case->{after} ? $case->{after}->(text("$work/out")) : ());
	push @{ $taken->{$_} }, $got{$_} for keys %got;
}

# Runs the CASES ({ command => [..], env => {..}, before, after => sub of the output, which returns further figures, runs => N
# at most, cold => no round that does not count }) in turns; puts { wall, cpu, peak, ... => [ of each round ] } into each one's `taken`. The first round, which fills
# the caches of the disk, does not count. A case that fails is left out from then on; `failed` says why.
sub taken {
	my ($rounds, @cases) = @_;
	for my $round (0 .. $rounds) {
		for my $case ($round % 2 ? reverse @cases : @cases) {
			next if $case->{failed} || $round > ($case->{runs} // $rounds);
			next if !$round && $case->{cold};
			one_run($case, $round ? $case->{taken} //= {} : {});
		}
	}
}

sub median {
	my @v = sort { $a <=> $b } @_;
	return @v ? ($v[ $#v / 2 ] + $v[ @v / 2 ]) / 2 : undef;
}

# "median (least..most)"
sub spread {
	my ($format, @v) = @_;
	@v = sort { $a <=> $b } @v;
	return '-' unless @v;
	return sprintf "$format ($format..$format)", median(@v), $v[0], $v[-1];
}

1;
