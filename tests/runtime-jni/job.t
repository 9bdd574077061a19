# A job: the recordings of all its processes in one folder; what is said where there is none; YARN.
use strict;
use warnings;
use Test::More;
use lib 'tests/runtime-jni';
use Runtime;

$ENV{JWEAVE_EVENTS} = "none";
my $java = (jvms())[0]->[1];

sub hello {
	return run(java => $java, args => [ 'Threads', 'hello' ], @_);
}

sub files {
	my ($dir) = @_;
	return join ' ', grep { !/^(out|err)\.txt$/ } map { s{.*/}{}r } sort glob "$dir/*";
}

sub meta {
	my ($recording, $item) = @_;
	return join ' ', map { $_->[0] } @{ $recording->{meta}{$item} || [] };
}

my $name = qr/[^\/]+-\d+-\d{8}T\d{6}-\d{3}/;

# ---- a folder ----
{
	my $job = fresh() . '/not/yet%p';
	my @env = (JWEAVE_JOB => "$job//", JWEAVE_CONVERT => undef, JWEAVE_KEEP => 0, JWEAVE_OUTPUT => 'elsewhere');
	my $got = hello(env => { @env, JWEAVE_SUMMARY => undef });
	is("$got->{status} $got->{out}", "0 hello\n", 'a job: the program does what it does');
	like($got->{err}, qr{^jweave: recording complete: \Q$job\E/$name\.jwr; with the others of its job: jweave report \Q$job\E\n\z},
		'a job: one line says where');
	is(files($got->{dir}), '', 'a job: nothing is where the program runs');
	like(files($job), qr/^$name\.jwr$/, 'a job: kept, not converted, in the folder that was missing');
	is((stat $job)[2] & 0777, 0700, 'a job: the folder is its user\'s alone');
	my ($folder) = glob "$job/*.jwr";
	my $recording = recording($folder);
	is(meta($recording, 'job'), $job, 'a job: the recording names it');
	is(meta($recording, 'main'), 'Threads hello', 'what was started, apart from the options of java');
	# (a native of a class that is not loaded is bound later; this one only where sockets or files are followed)
	like(meta($recording, 'tap'), qr/FileDescriptor\.close0/, 'a job: sockets tell by default');
	like(meta($recording, 'tap'), qr/FileOutputStream/, 'a job: files, too');
	hello(env => { @env, JWEAVE_ROLE => 'executor 7', JWEAVE_EVENTS => 'gc', SLURM_JOB_ID => '99', SLURM_PROCID => 3,
		SLURM_STEP_NUM_TASKS => 4, SLURM_NTASKS => 5 });
	my @both = glob "$job/*.jwr";
	is(scalar @both, 2, 'a second process has a name of its own');
	$recording = recording($both[0] eq $folder ? $both[1] : $both[0]);
	is(meta($recording, 'role'), 'executor 7', 'JWEAVE_ROLE is told');
	is(join(' ', meta($recording, 'application'), @{ $recording->{meta}{rank}[0] }), '99 3 4', 'so are the job and the rank of Slurm, of how many');
	is(meta($recording, 'tap'), '', 'events that are said are those');

	hello(jvm => ["-Djweave.job=$job/more", '-Djweave.role=x'], env => { JWEAVE_JOB => '/nowhere' });
	like(files("$job/more"), qr/^$name\.jwr$/, 'a property beats the environment');
}

# ---- no folder ----
{
	my $dir = fresh();
	open my $f, '>', "$dir/file" or die $!;
	for ([ 'relative', 'R', qr/JWEAVE_JOB is 'R', and a job's folder is absolute/ ],
		[ 'a file', "$dir/file", qr{cannot create the job's folder '\Q$dir\E/file': Not a directory} ],
		[ 'below a file', "$dir/file/R", qr{cannot create the job's folder '\Q$dir\E/file/R': Not a directory} ],
		[ 'nowhere to make one', '/proc/R', qr{cannot create the job's folder '/proc/R': } ],
		[ 'cannot be written', '/proc/self', qr{cannot create '/proc/self/} ],
		[ 'too long', '/x' x 3000, qr/the name of the job's folder is longer than/ ]) {
		my ($what, $job, $says) = @$_;
		my $got = hello(env => { JWEAVE_JOB => $job });
		is("$got->{status} $got->{out}", "0 hello\n", "$what: the program runs on");
		like($got->{err}, qr/^jweave: tracing is off: $says[^\n]*\n\z/, "$what: one line says why");
		is(files($got->{dir}), '', "$what: nothing is written");
	}
}

# ---- a container of YARN ----
{
	my $number = "9$$" . "0";
	my @own = map { "$_/jweave-$>" } qw(/var/tmp /tmp);
	my $application = "application_1${number}_0001";
	my $clean = sub { system 'rm', '-rf', map({ "$_/$application" } @own); rmdir for @own };
	my $got = hello(env => { CONTAINER_ID => "container_e17_1${number}_0001_01_000005" });
	my ($there) = grep { -d } map { "$_/$application" } @own;
	ok($there, 'YARN: outside of the container') or diag $got->{err};
	is(files($got->{dir}), '', 'YARN: nothing in the container');
	like($got->{err}, qr{^jweave: YARN deletes the folder of this container: the recording goes to \Q$there\E \(}, 'YARN: it is said');
	like(files($there), qr/^$name\.jwr$/, 'YARN: one recording');
	is(meta(recording(glob "$there/*.jwr"), 'application'), $application, 'YARN: the application is told');
	hello(env => { CONTAINER_ID => "container_1${number}_0001_02_000001", JWEAVE_OUTPUT => 'x' });
	is(scalar(() = glob "$there/*.jwr"), 2, 'YARN: an id without an epoch, and a name that is no place');
	$got = hello(env => { CONTAINER_ID => "container_1${number}_0001_02_000001", JWEAVE_OUTPUT => "$there/named" });
	ok(-d "$there/named.jwr" && $got->{err} eq '', 'YARN: a place that was named is taken');
	for my $id ('docker', 'container_', 'container_1_2_3', 'container_e1_2_3_4', 'container_1_2_3_4_5', 'container_1_2_3_4/../x', 'container_e_1_2_3_4') {
		$got = hello(env => { CONTAINER_ID => $id, JWEAVE_OUTPUT => 't' });
		is(files($got->{dir}) . $got->{err}, 't.jwr', "no container of YARN: $id");
	}
	$clean->();
	SKIP: {
		skip 'another user has such folders', 1 if grep { -e } @own;
		symlink '/nowhere', $_ for @own;
		$got = hello(env => { CONTAINER_ID => "container_1${number}_0001_02_000001" });
		unlink for @own;
		like($got->{err}, qr/^jweave: YARN deletes .*neither/, 'YARN: no folder of ours is had');
		like(files($got->{dir}), qr/\.jwr$/, 'YARN: then in the container');
	}
}

# ---- a long command is told whole ----
{
	my $long = join ':', map { "/opt/engine/lib/part-$_.jar" } 1 .. 1000;
	my $got = hello(jvm => ["-Dlong=$long"]);
	my $recording = only_recording($got->{dir});
	like(meta($recording, 'command'), qr/part-1000\.jar .*Threads hello$/, 'a long command is told whole');
}

done_testing;
