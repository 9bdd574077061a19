# E2E.pm: what the end-to-end tests share: compile, jar, weave, run, and read what the trace says.
#
# A test is a Perl program over Test::More, started in the project's root with BUILD in the
# environment. Everything it makes is in $E2E::work, which is removed at the end.
package E2E;
use strict;
use warnings;
use Cwd qw(abs_path getcwd);
use File::Temp qw(tempdir);
use Exporter 'import';
use Test::More;
use lib 'tests';
use Tools;

our @EXPORT = qw($work $jweave cc java_home compile jar program weave weave_ok java run_ok trace fields counts claimed reflection
	spit slurp sh ls slow_disk same_runs jdk25 without25 WHOLE);

our $root = getcwd();
our $build = $ENV{BUILD} || "$root/build";
our $jweave = "$build/jweave";
-x $jweave or BAIL_OUT("no $jweave: make, or set BUILD");
our $work = tempdir('jweave-e2e-XXXXXX', TMPDIR => 1, CLEANUP => 1);
our $java_home = java_home();
our $default_java = $java_home ne '' && -x "$java_home/bin/java" ? "$java_home/bin/java" : 'java';

# Everything of a test program but what counts it.
use constant WHOLE => <<'END';
{ "jweave": 1,
  "exclude": [ "acme.Count", "acme.Progress" ],
  "rules": [ { "select": { "class": "acme.**", "kind": [ "method", "constructor", "clinit", "lambda" ] } } ] }
END

# Runs COMMAND (a list) with ENV; { out, err, status, signal }. Never without a time limit.
sub sh {
	my ($command, %o) = @_;
	my $n = ++our $runs;
	my ($out, $err) = ("$work/out.$n", "$work/err.$n");
	my $pid = fork();
	die "fork: $!" unless defined $pid;
	if (!$pid) {
		for (keys %{ $o{env} || {} }) {
			if (defined $o{env}{$_}) { $ENV{$_} = $o{env}{$_}; } else { delete $ENV{$_}; }
		}
		if ($o{dir}) { chdir $o{dir} or die "$o{dir}: $!"; }
		open STDIN, '<', $o{in} || '/dev/null' or die;
		open STDOUT, '>', $o{stdout} || $out or die;
		open STDERR, '>', $err or die;
		# no file over 2 GiB, whatever goes wrong: a test must not fill the disk
		# (sanitized, all takes longer)
		exec 'timeout', '-k', '5', ($o{seconds} || 120) * ($ENV{SAN} ? 4 : 1), 'sh', '-c', 'ulimit -f 4194304; exec "$@"', 'sh', @$command
			or die "exec: $!";
	}
	waitpid $pid, 0;
	my ($status, $signal) = ($? >> 8, $? & 127);
	return { # as a shell says it: a crash is no success, also where nobody asks for the signal
		out => $o{stdout} ? '' : slurp($out), err => slurp($err), status => $signal ? 128 + $signal : $status,
		signal => $signal, command => "@$command",
	};
}

sub slurp {
	my ($file) = @_;
	open my $f, '<:raw', $file or return undef;
	local $/;
	my $text = <$f>;
	return defined $text ? $text : '';
}

sub spit {
	my ($file, $text) = @_;
	open my $f, '>:raw', $file or die "$file: $!";
	print $f $text;
	close $f or die "$file: $!";
	return $file;
}

sub ls {
	my ($dir) = @_;
	opendir my $d, $dir or return ();
	return sort grep { !/^\.\.?$/ } readdir $d;
}

# A library for LD_PRELOAD: each of CALLS (write), of a file whose path has SLOW_PATH in it, takes SLOW_US (200 ms) longer.
sub slow_disk {
	my @calls = @_ ? @_ : 'write';
	my %form = (
		write => 'ssize_t, write, (int fd, const void *p, size_t n), (fd, p, n)',
		read => 'ssize_t, read, (int fd, void *p, size_t n), (fd, p, n)',
		pread64 => 'ssize_t, pread64, (int fd, void *p, size_t n, off64_t at), (fd, p, n, at)',
		fsync => 'int, fsync, (int fd), (fd)',
		fdatasync => 'int, fdatasync, (int fd), (fd)',
	);
	spit("$work/slow.c", <<'C' . join '', map { "SLOW($form{$_})\n" } @calls);
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static void wait_for(int fd)
{
	const char *slow = getenv("SLOW_PATH"), *us = getenv("SLOW_US");
	char link[64], path[4096];

	if (!slow || fd <= 2)
		return;
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	ssize_t k = readlink(link, path, sizeof path - 1);
	path[k > 0 ? k : 0] = 0;
	if (strstr(path, slow))
		usleep(us ? (useconds_t)atol(us) : 200000);
}
#define SLOW(result, name, params, args) \
	result name params \
	{ \
		static result (*real) params; \
		if (!real) \
			real = (result (*) params)dlsym(RTLD_NEXT, #name); \
		wait_for(fd); \
		return real args; \
	}
C
	my $r = sh([ cc(), '-shared', '-fPIC', '-O2', '-o', "$work/slow.so", "$work/slow.c", '-ldl' ]);
	die $r->{err} if $r->{status};
	return "$work/slow.so";
}

sub tool {
	my ($name) = @_;
	return $java_home ne '' && -x "$java_home/bin/$name" ? "$java_home/bin/$name" : $name;
}

# For a JVM that runs a tool: C1 and one thread of the collector take half the CPU time.
my @SMALL = qw(-XX:TieredStopAtLevel=1 -XX:+UseSerialGC);

# Compiles FILES into DIR.
sub compile {
	my ($dir, $files, @options) = @_;
	mkdir $dir;
	my $r = sh([ tool('javac'), (map { "-J$_" } @SMALL), '-nowarn', '-g', '-parameters', @options, '-d', $dir, @$files ]);
	$r->{status} == 0 or BAIL_OUT("javac: $r->{err}");
	return $dir;
}

# A jar of the classes in DIR.
sub jar {
	my ($file, $dir, $main) = @_;
	my $r = sh([ tool('jar'), (map { "-J$_" } @SMALL), '--create', '--file', $file, ($main ? ('--main-class', $main) : ()), '-C', $dir, '.' ]);
	$r->{status} == 0 or BAIL_OUT("jar: $r->{err}");
	return $file;
}

# The jar of one program of testdata/programs/acme, and the classes that it needs.
sub program {
	my ($name) = @_;
	my $sources = "$root/testdata/programs/acme";
	compile("$work/$name.classes", [ map { "$sources/$_.java" } $name, 'Count', 'Progress' ]);
	return jar("$work/$name.jar", "$work/$name.classes", "acme.$name");
}

sub weave {
	my ($in, $rules, $out, @options) = @_;
	my $file = $rules =~ /^\s*\{/ ? spit("$work/rules-" . ++our $rule_files . '.json', $rules) : $rules;
	return sh([ $jweave, @options, $in, $file, $out ]);
}

sub weave_ok {
	my ($in, $rules, $out, @options) = @_;
	my $r = weave($in, $rules, $out, @options);
	is($r->{status}, 0, "weaves to " . ($out =~ s{.*/}{}r)) or diag($r->{err});
	return $r;
}

# Runs java with ARGS. In a folder of its own, where the trace NAME.prv is afterwards.
sub java {
	my ($args, %o) = @_;
	my $name = $o{trace} || 'trace-' . ++our $traces;
	my $dir = "$work/run.$name";
	mkdir $dir;
	my $r = sh([ $o{java} || $default_java, @{ $o{vm} || [] }, @$args ], %o, dir => $o{dir} || $dir,
		env => { JWEAVE_OUTPUT => "$dir/$name", JWEAVE_TMP => $dir, %{ $o{env} || {} } });
	$r->{trace} = "$dir/$name";
	$r->{folder} = $dir;
	return $r;
}

# The unwoven and the woven jar behave alike; the result of the woven run.
sub same_runs {
	my ($name, $plain, $woven, $args, %o) = @_;
	my $a = java([ '-jar', $plain, @$args ], %o, env => { %{ $o{env} || {} } });
	my $b = java([ '-jar', $woven, @$args ], %o);
	is($b->{out}, $a->{out}, "$name: the same output");
	is("$b->{status}/$b->{signal}", "$a->{status}/$a->{signal}", "$name: the same exit status");
	my @said = grep { !/^jweave: / } split /\n/, $b->{err};
	is(join("\n", @said) . "\n", $a->{err} eq '' ? "\n" : $a->{err}, "$name: the same messages") if $o{messages};
	$b->{plain} = $a;
	return $b;
}

# What a program printed of its own calls: { NAME => N }.
sub claimed {
	my ($out) = @_;
	my %n;
	$n{$1} += $2 while $out =~ /^count (\S+) (\d+)$/mg;
	return \%n;
}

# What the trace says, by the strict reader of tests/paraver, which also judges it: whatever it has to
# say about the format, or a frame left open, is a failure of the test NAME.
#     { threads => [names], calls => { METHOD => n }, by_thread => [ { METHOD => n } ], depth, enters,
#       edges => { "CALLER -> METHOD" => n } }      (edges with TREE alone)
sub trace {
	my ($base, $name, $mode) = @_;
	my $r = sh([ 'perl', "$root/tests/paraver/validate.pl", $mode // '--tree', '--long', "$base.prv" ],
		seconds => 900, stdout => "$work/validated");
	is($r->{status}, 0, ($name // $base =~ s{.*/}{}r) . ': the trace is valid, every frame closed')
		or diag(substr($r->{err}, 0, 2000));
	my %t = (threads => [], calls => {}, by_thread => [], edges => {}, depth => 0, enters => 0);
	open my $in, '<', "$work/validated" or die;
	my @stack;
	local $_; # a caller may loop by it
	while (<$in>) {
		chomp;
		if ($mode && $mode eq '--counts') {
			my ($thread, $full, $enters) = split /\t/;
			$t{calls}{ name_of($full) } += $enters;
			$t{enters} += $enters;
			next;
		}
		if (!/^\t(\d+)\t(.*)$/) {
			push @{ $t{threads} }, $_;
			push @{ $t{by_thread} }, {};
			@stack = ();
			next;
		}
		my ($depth, $method) = ($1, name_of($2));
		$#stack = $depth - 2;
		$t{calls}{$method}++;
		$t{by_thread}[-1]{$method}++;
		$t{edges}{ (@stack ? $stack[-1] : '') . " -> $method" }++;
		push @stack, $method;
		$t{enters}++;
		$t{depth} = $depth if $depth > $t{depth};
	}
	unlink "$work/validated";
	return \%t;
}

# "Storm.down [acme.exc.Storm.down(int):int Storm.java:31]" -> "acme.exc.Storm.down"
sub name_of {
	my ($label) = @_;
	return $label =~ /\[([^(\]]+)/ ? $1 : $label;
}

sub counts {
	my ($base) = @_;
	return trace($base)->{calls};
}

# The lines that the validator prints of TRACE with OPTION, cut into fields; it must have nothing to say.
sub fields {
	my ($trace, $option, $name) = @_;
	my $r = sh([ 'perl', "$root/tests/paraver/validate.pl", $option, "$trace.prv" ], seconds => 300);
	is($r->{status}, 0, "$name: the trace is valid, $option") or diag(substr $r->{err}, 0, 2000);
	return [ map { [ split /\t/ ] } split /\n/, $r->{out} ];
}

# The reflection view of every class of JAR, as text.
sub reflection {
	my ($jar, @needs) = @_;
	my $classes = "$work/compare.classes";
	compile($classes, [ map { "$root/testdata/programs/acme/$_.java" } qw(Compare Link) ]) unless -d $classes;
	my $r = sh([ $default_java, @SMALL, '-cp', $classes, 'acme.Compare', $jar, @needs ], seconds => 300, env => { JWEAVE => 'off' });
	return $r->{status} == 0 ? $r->{out} : "failed: $r->{err}";
}

# Links every class of JAR, so that the verifier reads every method; what Link printed.
sub link_all {
	my ($jar, $needs, %o) = @_;
	my $classes = "$work/compare.classes";
	compile($classes, [ map { "$root/testdata/programs/acme/$_.java" } qw(Compare Link) ]) unless -d $classes;
	my $r = sh([ $o{java} || $default_java, @SMALL, '-XX:+UnlockDiagnosticVMOptions', '-XX:+BytecodeVerificationLocal',
		'-XX:+BytecodeVerificationRemote', '-cp', $classes, 'acme.Link', $jar, @$needs ], seconds => 300);
	return $r->{out} . $r->{err};
}

# A java of JDK 25, or nothing.
sub jdk25 {
	for my $home ($ENV{JW_JDK25} || (), glob('/usr/lib/jvm/*')) {
		my $release = slurp("$home/release") // next;
		return "$home/bin/java" if $release =~ /^JAVA_VERSION="25/m && -x "$home/bin/java";
	}
	return;
}

# Where there is no JDK 25, a skipped test says what is not tried on it.
sub without25 {
	my ($what) = @_;
	Test::More->builder->skip('no JDK 25 in /usr/lib/jvm or JW_JDK25', "JDK 25: $what") unless jdk25();
}

1;
