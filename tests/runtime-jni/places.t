# Where files cannot be: no place, no space, no right to execute. The program runs on, says its own
# output and ends with its own status; one line says what is missing.
use strict;
use warnings;
use File::Copy qw(copy);
use File::Path qw(make_path);
use Test::More;
use lib 'tests/runtime-jni';
use Runtime;

# events are counted to the last one: without waits for monitors, which come by chance
$ENV{JWEAVE_EVENTS} = "none";

my ($java, @mounted) = (jvms())[0]->[1];
END { system('umount', $_) for @mounted }

# A tmpfs of its own with OPTIONS; undef where that is not permitted.
sub tmpfs {
	my ($options) = @_;
	my $dir = fresh();
	return undef if system("mount -t tmpfs -o $options tmpfs $dir 2>/dev/null") != 0;
	push @mounted, $dir;
	return $dir;
}

sub hello {
	return run(java => $java, args => [ 'Threads', 'hello' ], @_);
}

# the program did what it does: hello() checks out and status; stderr is one line like LIKE, or empty
sub runs_on {
	my ($got, $like, $what) = @_;
	is("$got->{status} $got->{out}", "0 hello\n", "$what: the program runs on");
	my @lines = split /\n/, $got->{err};
	if ($like) {
		ok(@lines == 1 && $lines[0] =~ $like, "$what: one line says so") or diag $got->{err};
	} else {
		is($got->{err}, '', "$what: nothing on stderr");
	}
}

sub files {
	my ($dir) = @_;
	return join ' ', grep { !/^(out|err)\.txt$/ } map { s{.*/}{}r } sort glob "$dir/*";
}

# ---- off ----
{
	my $got = hello(env => { JWEAVE => 'off' });
	runs_on($got, undef, 'JWEAVE=off');
	is(files($got->{dir}), '', 'JWEAVE=off: nothing is written');
	$got = hello(jvm => ['-Djweave=off'], env => { JWEAVE_LIB => '/nowhere.so' });
	runs_on($got, undef, '-Djweave=off');

	# what set it is not the shell but a program that makes a VM: the process began without it
	SKIP: {
		open my $f, '>', "$work/launcher.c" or die;
		print $f <<'END';
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
__attribute__((constructor)) static void set(void)
{
	if (!strcmp(program_invocation_short_name, "java")) /* not in what starts it */
		setenv("JWEAVE", "off", 1);
}
END
		close $f;
		my $cc = join ' ', cc();
		skip 'no C compiler', 3 if system "$cc -shared -fPIC -o '$work/launcher.so' '$work/launcher.c' 2>/dev/null";
		$got = hello(env => { LD_PRELOAD => "$work/launcher.so" });
		runs_on($got, undef, 'JWEAVE=off, set by a launcher');
		is(files($got->{dir}), '', 'JWEAVE=off, set by a launcher: nothing is written');
	}
}

# ---- the library ----
{
	my $got = hello(env => { JWEAVE_LIB => '/nowhere/lib.so' });
	runs_on($got, qr{^jweave: tracing is off: .*/nowhere/lib\.so}, 'no library');
	is(files($got->{dir}), '', 'no library: nothing is written');
	$got = hello(env => { JWEAVE_LIB => undef });
	runs_on($got, qr{^jweave: tracing is off: no .*libjweave-rt\.so}, 'none in the class folder');
	copy('/bin/true', "$work/program.so") or die $!;
	$got = hello(env => { JWEAVE_LIB => "$work/program.so" });
	runs_on($got, qr{^jweave: tracing is off: }, 'not a library');
}

SKIP: {
	my $noexec = tmpfs('noexec,size=8m') or skip 'tmpfs cannot be mounted', 8;
	my ($jar, $cp) = ("$build/jweave-rt.jar", classes());
	my $app = "$work/app";
	make_path($app);
	copy($_, $app) for glob "$cp/Threads*.class";
	my $home = fresh();
	my @cp = (cp => "$app:$jar");
	my $got = hello(@cp, env => { JWEAVE_LIB => undef, XDG_CACHE_HOME => $home }, jvm => ["-Djava.io.tmpdir=$noexec"]);
	runs_on($got, undef, 'noexec temporary folder, usable cache');
	ok(only_recording($got->{dir}), 'noexec temporary folder: recorded all the same');
	is(files($noexec) . files($home), '', 'noexec temporary folder: nothing is left behind');
	$got = hello(@cp, env => { JWEAVE_LIB => undef, XDG_CACHE_HOME => $noexec }, jvm => ["-Djava.io.tmpdir=$noexec"]);
	runs_on($got, qr{^jweave: tracing is off: cannot load the recorder from \S+: \D+ \(JWEAVE_TMP names another place\)}, 'no place that can execute');
	is(files($noexec), '', 'no place that can execute: nothing is left behind');
	my $tmp = fresh();
	$got = hello(@cp, env => { JWEAVE_LIB => undef, JWEAVE_TMP => $tmp }, jvm => ["-Djava.io.tmpdir=$noexec"]);
	ok(only_recording($got->{dir}), 'JWEAVE_TMP comes first');
}

# ---- the output ----
{
	my $got = hello(env => { JWEAVE_OUTPUT => '/nowhere/trace' });
	runs_on($got, qr{^jweave: tracing is off: cannot create '/nowhere/trace\.jwr': No such file}, 'no such folder');

	my $dir = fresh();
	for (qw(t.prv t-2.row)) { open my $f, '>', "$dir/$_" or die $! }
	mkdir "$dir/t-1.jwr";
	$got = hello(dir => $dir, env => { JWEAVE_OUTPUT => 't', JWEAVE_CONVERT => 'on', JWEAVE_KEEP => 0 });
	is(files($dir), 't-1.jwr t-2.row t-3.pcf t-3.prv t-3.row t.prv', 'names that exist are left alone');
	is(-s "$dir/t.prv", 0, 'and so are their files');

	$dir = fresh();
	$got = hello(env => { JWEAVE_OUTPUT => "$dir/", JWEAVE_CONVERT => 'on', JWEAVE_KEEP => 0 });
	like(files($dir), qr/^(trace-\S+-\d+)\.pcf \1\.prv \1\.row$/, 'in a folder the usual name');

	for my $suffix ('.prv', '.prv.gz', '.jwr') {
		$got = hello(env => { JWEAVE_OUTPUT => "t$suffix", JWEAVE_CONVERT => 'on', JWEAVE_KEEP => 0 });
		is(files($got->{dir}), 't.pcf t.prv t.row', "a name with $suffix at its end");
	}
	$got = hello(env => { JWEAVE_OUTPUT => '.prv', JWEAVE_CONVERT => 'on', JWEAVE_KEEP => 0 });
	ok(-s "$got->{dir}/.prv.prv", 'a name that is nothing else');

	$got = hello(env => { JWEAVE_OUTPUT => 'environment' }, jvm => ['-Djweave.output=property-%p-%%-%h']);
	like(files($got->{dir}), qr/^property-\d+-%-.+\.jwr$/, 'a property beats the environment; %p %h %%');
	$got = hello(env => { JWEAVE_MAX_SIZE => 'much' });
	runs_on($got, qr/^jweave: JWEAVE_MAX_SIZE is 'much', which is not bytes/, 'a wrong value');
	ok(only_recording($got->{dir}), 'a wrong value: recorded with the default');
}

SKIP: {
	my $dir = tmpfs('size=4m') or skip 'tmpfs cannot be mounted', 2;
	system("mount -o remount,ro $dir") == 0 or skip 'tmpfs cannot be remounted', 2;
	my $got = hello(env => { JWEAVE_OUTPUT => "$dir/t" });
	runs_on($got, qr/^jweave: tracing is off: cannot create '.*': Read-only file system; name another place with JWEAVE_OUTPUT$/, 'read-only folder');
}

# ---- the conversion ----
{
	my $got = hello(env => { JWEAVE_OUTPUT => 't', JWEAVE_CONVERT => undef, JWEAVE_SUMMARY => undef });
	is(files($got->{dir}), 't.jwr t.pcf t.prv t.row', 'converted at the end, kept without names');
	like($got->{err}, qr/^jweave: the recording is kept for that: jweave prv t\.jwr --force --map WOVEN\.jar$/m, 'which is said');
	$got = hello(env => { JWEAVE_OUTPUT => 't', JWEAVE_CONVERT => undef, JWEAVE_SUMMARY => undef, JWEAVE_KEEP => 0 });
	is(files($got->{dir}), 't.pcf t.prv t.row', 'JWEAVE_KEEP=0: the recording is gone');
	unlike($got->{err}, qr/is kept/, 'and nothing is said of keeping');
	like($got->{err}, qr/^jweave: 1 thread, 1 call, 1 method in \d+\.\d\d s -> t\.prv$/m, 'a summary');
	is($got->{out}, "hello\n", 'standard output is the program\'s');
	$got = hello(env => { JWEAVE_OUTPUT => 't', JWEAVE_CONVERT => undef, JWEAVE_KEEP => 1 });
	is(files($got->{dir}), 't.jwr t.pcf t.prv t.row', 'JWEAVE_KEEP=1 keeps it');
	is($got->{err}, '', 'JWEAVE_SUMMARY=0 says nothing');
	$got = hello(env => { JWEAVE_OUTPUT => q{it's a}, JWEAVE_SUMMARY => undef });
	is($got->{err}, q{jweave: recording complete; to convert the recording: jweave prv 'it'\''s a.jwr' -o 'it'\''s a'} . "\n",
		'JWEAVE_CONVERT=off names the command');
}

# ---- limits: busy logs 2 * 400,000 events, 12.8 MB ----
sub busy {
	my %with = @_;
	# a collection, if there is one, is two events more
	return run(java => $java, args => [ 'Threads', 'busy', 2, 200000 ], %with,
		env => { JWEAVE_EVENTS => 'none', %{ $with{env} || {} } });
}

# every thread's events are a prefix of what it did, and with the lost ones they are all
sub is_prefix {
	my ($r, $what) = @_;
	my $all = 0;
	for my $t (values %{ $r->{threads} }) {
		my $e = $t->{events};
		my @wrong = grep { $e->[$_][0] != 1 + ($_ & 1) || $e->[$_][1] != $_ >> 1 } 0 .. $#$e;
		is(scalar @wrong, 0, "$what: $t->{name} is recorded from its beginning without gaps")
			or diag(scalar @$e, " events, $t->{lost} lost; wrong are ", join(', ', map { "$_ ($e->[$_][0] of $e->[$_][1])" } grep { defined } @wrong[ 0 .. 4 ]));
		$all += @$e + $t->{lost};
	}
	$all += $_->[1] for grep { $_->[0] == 0 } @{ $r->{meta}{lost} || [] };
	is($all, 800000, "$what: recorded and lost events are all events");
}

sub is_stopped {
	my ($got, $like, $what) = @_;
	is($got->{status}, 0, "$what: exit status");
	my $r = only_recording($got->{dir}) or return fail "$what: a recording";
	like($got->{err}, qr/^jweave: recording stopped: .*$like.*\n\z/, "$what: one line");
	like($r->{meta}{stop}[0][1], $like, "$what: the recording says why");
	ok($r->{meta}{end}, "$what: and has an end");
	is_prefix($r, $what);
	return $r;
}

{
	my $got = busy(env => { JWEAVE_MAX_SIZE => '4M' });
	is_stopped($got, qr/size limit \(JWEAVE_MAX_SIZE\)/, 'size cap');
	my $size = -s (glob "$got->{dir}/*.jwr/data")[0];
	ok($size <= 4 << 20 && $size > 3 << 20, "size cap: $size bytes");
	is_stopped(busy(sh => 'ulimit -f 8192'), qr/ulimit -f/, 'ulimit -f');
}
SKIP: {
	my $small = tmpfs('size=6m') or skip 'tmpfs cannot be mounted', 7;
	my $got = busy(dir => $small);
	is_stopped($got, qr/nearly full/, 'free-space floor');

	$small = tmpfs('size=6m');
	$got = busy(dir => $small, env => { JWEAVE_CONVERT => undef, JWEAVE_OUTPUT => 't' });
	is($got->{status}, 0, 'no room to convert: exit status');
	like($got->{err}, qr/too full to convert.*jweave prv t\.jwr -o t$/m, 'no room to convert: the command is named');

	$small = tmpfs('size=6m');
	$got = busy(dir => $small, env => { JWEAVE_MODE => 'flight-recorder', JWEAVE_CONVERT => undef, JWEAVE_OUTPUT => 't' });
	like($got->{err}, qr/too full to convert.*jweave prv t\.jwr -o t$/m, 'nor what a flight recorder has');

	$small = tmpfs('size=64k');
	$got = busy(env => { JWEAVE_CONVERT => undef, JWEAVE_OUTPUT => "$small/t" }); # (what it says needs room, too)
	like($got->{err}, qr/nearly full; the program runs on\njweave: no event could be recorded: there is no trace\n\z/, 'no room for one event: nothing to convert');

	# less than one slab of windows fits: they are in anonymous memory, and that is said
	$small = tmpfs('size=300k');
	$got = busy(dir => $small);
	is($got->{status}, 0, 'a very small disk: exit status');
	my $r = only_recording($small);
	ok((grep { $_->[0] eq 'anonymous' } @{ $r->{meta}{windows} || [] }), 'a very small disk: anonymous windows, said so');
	is_prefix($r, 'a very small disk');

	# slabs for 188 threads fit, and would leave less than the floor: the last one is in anonymous memory
	$small = tmpfs('size=13100k');
	$got = run(java => $java, args => [ 'Threads', 'alive', 180 ], dir => $small, env => { JWEAVE_EVENTS => 'none' });
	is($got->{status}, 0, 'windows down to the floor: exit status');
	$r = only_recording($small);
	ok((grep { $_->[0] eq 'anonymous' } @{ $r->{meta}{windows} || [] }), 'windows down to the floor: anonymous ones from there on');
	is(scalar(grep { $_->{name} =~ /^alive/ && @{ $_->{events} } == 4 } values %{ $r->{threads} }), 180,
		'windows down to the floor: all threads are recorded');

	# somebody else fills the disk while the program runs
	$small = tmpfs('size=6m');
	$got = busy(dir => $small, sh => "head -c 5500000 /dev/zero >$small/ballast");
	is($got->{status}, 0, 'a disk that is full already: exit status');
	is_prefix(only_recording($small), 'a disk that is full already') if only_recording($small);
}
done_testing();
