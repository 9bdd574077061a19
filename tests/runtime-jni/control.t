# A running process is asked, paused, resumed and converted by jweave ctl; what was paused is missing,
# marked as such, and nothing else is.
use strict;
use warnings;
use Cwd ();
use IO::Socket::UNIX;
use Test::More;
use lib 'tests/runtime-jni';
use Runtime;

my $jweave = "$build/jweave";
my $N = 100;

sub ctl {
	my ($pid, $request) = @_;
	my $said = `'$jweave' ctl $pid $request 2>&1`;
	return ($said, $? >> 8);
}

# what the process answers, without jweave ctl
sub asked {
	my ($dir, $request) = @_;
	my ($recording) = glob "$dir/*.jwr";
	my $was = Cwd::getcwd();
	chdir $recording or die;
	my $socket = IO::Socket::UNIX->new(Peer => 'control');
	chdir $was;
	return 'no socket' unless $socket;
	print $socket "$request\n";
	$socket->flush;
	return scalar <$socket>;
}

# lets the program into its next phase, and waits until it is there
sub next_phase {
	my ($dir, $k) = @_;
	open my $f, '>', "$dir/$k" or die $!;
	close $f;
	for (1 .. 300) {
		return if slurp("$dir/out.txt") =~ /^phase @{[ $k + 1 ]}$/m;
		select undef, undef, undef, 0.02;
	}
}

# calls by method id of all threads of a trace
sub calls_of {
	my ($t) = @_;
	my %n;
	for my $row (values %{ $t->{calls} }) {
		for (keys %$row) { $n{ hex $1 } += $row->{$_} if /unknown 0x(\w+)/ }
	}
	return \%n;
}

sub convert {
	my ($dir, $name) = @_;
	my ($recording) = grep { !/dump/ } glob "$dir/*.jwr";
	mkdir "$dir/$name";
	my $said = `'$jweave' prv '$recording' -o '$dir/$name/t' 2>&1`;
	is($?, 0, "$name: converts") or diag $said;
	my $t = validate("$dir/$name", states => 1);
	ok($t, "$name: a right trace");
	return ($t || { calls => {}, states => {} }, $said);
}

for my $jvm (jvms()) {
	my ($label, $java) = @$jvm;
	my ($asked, $live);
	my $got = run(java => $java, args => [ 'Phases', 4, $N ], meanwhile => sub {
		my ($pid, $dir) = @_;
		($asked) = ctl($pid, 'status');
		is_deeply([ ctl($pid, 'stop') ], [ "paused\n", 0 ], "$label: stop");
		is_deeply([ ctl($pid, 'stop') ], [ "paused\n", 0 ], "$label: stop again");
		next_phase($dir, 0);
		like((ctl($pid, 'status'))[0], qr/^state +paused$/m, "$label: status says paused");
		is_deeply([ ctl($pid, 'start') ], [ "recording\n", 0 ], "$label: start");
		next_phase($dir, 1);
		my ($folder) = ctl($pid, 'dump');
		is($folder, (glob "$dir/*.jwr")[0] . "\n", "$label: dump names the recording");
		($live) = convert($dir, 'live');
		next_phase($dir, 2);
		next_phase($dir, 3);
	});
	is("$got->{status} $got->{signal}$got->{err}", '0 0', "$label: the program ends as ever");
	like($asked, qr/^state +recording\nmode +stream\nrecording +\/.*\.jwr\nbytes +\d+\nthreads +\d+\nlost +0\n$/, "$label: status");
	my ($t, $said) = convert($got->{dir}, 'whole');
	my $n = calls_of($t);
	is_deeply([ map { $n->{ 1000 + $_ } || 0 } 0 .. 3 ], [ $N, 0, $N, $N ], "$label: calls of main by phase");
	is_deeply([ map { $n->{ 2000 + $_ } || 0 } 0 .. 3 ], [ $N, 0, $N, $N ], "$label: calls of workers by phase");
	is_deeply([ map { calls_of($live)->{ 1000 + $_ } || 0 } 0 .. 3 ], [ $N, 0, $N, 0 ], "$label: while it ran");
	is_deeply([ map { $n->{$_} || 0 } 1, 100 .. 103 ], [ 1, 1, 0, 1, 1 ], "$label: calls across phases");
	like($said, qr/: 2 calls were open where recording was paused/, "$label: cut calls are counted");
	like($said, qr/: 2 exits of calls whose beginning was not recorded/, "$label: exits without a beginning are counted");
	is(scalar(grep { $_->[2] == 14 } @{ $t->{states}{main} }), 1, "$label: Tracing Disabled while paused");
	ok(!grep({ $_ eq 'worker 1' } @{ $t->{names} }), "$label: who lived only then has no row");
	ok(!-e (glob "$got->{dir}/*.jwr")[0] . '/control', "$label: the socket is gone");

	$got = run(java => $java, args => [ 'Phases', 2, $N ], env => { JWEAVE_START => 'paused' }, meanwhile => sub {
		my ($pid, $dir) = @_;
		ctl($pid, 'start');
		next_phase($dir, 0);
		next_phase($dir, 1);
	});
	$n = calls_of((convert($got->{dir}, 'whole'))[0]);
	is_deeply([ map { $n->{ 1000 + $_ } || 0 } 0 .. 1 ], [ 0, $N ], "$label: paused from the start");

	$got = run(java => $java, args => [ 'Phases', 1, $N ], env => { JWEAVE_CONTROL => 0 }, meanwhile => sub {
		my ($pid, $dir) = @_;
		my ($answer, $status) = ctl($pid, 'status');
		is($status, 4, "$label: JWEAVE_CONTROL=0: no answer");
		like($answer, qr/records nothing/, "$label: and why");
		ok(!-e (glob "$dir/*.jwr")[0] . '/control', "$label: no socket");
		next_phase($dir, 0);
	});
}

# what is answered where nothing can be done
{
	my ($java) = (jvms())[0][1];
	run(java => $java, args => [ 'Phases', 1, 100000 ], env => { JWEAVE_MAX_SIZE => '64K' }, meanwhile => sub {
		my ($pid, $dir) = @_;
		my $why = "stopped: the recording has reached its size limit (JWEAVE_MAX_SIZE)";
		is_deeply([ ctl($pid, 'start') ], [ "jweave: error: process $pid: recording has $why\n", 1 ], 'it cannot go on');
		is(asked($dir, 'start'), "error: recording has $why\n", 'and so it answers');
		next_phase($dir, 0);
	});
	run(java => $java, args => [ 'Phases', 1, 1 ], env => { JWEAVE_MODE => 'flight-recorder', JWEAVE_OUTPUT => 'x' x 250 }, meanwhile => sub {
		my ($pid, $dir) = @_;
		is_deeply([ ctl($pid, 'dump') ], [ "jweave: error: process $pid: no dump: File name too long\n", 1 ], 'no dump');
		is(asked($dir, 'dump'), "error: no dump: File name too long\n", 'and so it answers');
		is(asked($dir, 'halt'), "error: this runtime knows no request 'halt'\n", 'a newer jweave asks what it does not know');
		next_phase($dir, 0);
	});
}

is_deeply([ ctl('x', '') ], [ "jweave: error: 'x' is not the number of a process (see 'jweave help ctl')\n", 2 ], 'no number');
is((ctl(999999999, ''))[1], 4, 'no such process');

# another user is refused, as by the kernel
SKIP: {
	skip 'needs root and a user nobody', 2 unless $> == 0 && getpwnam('nobody') && -x '/usr/bin/setpriv';
	my ($java) = (jvms())[0][1];
	run(java => $java, args => [ 'Phases', 1, 1 ], meanwhile => sub {
		my ($pid, $dir) = @_;
		my $said = `setpriv --reuid=nobody --clear-groups '$jweave' ctl $pid stop 2>&1`;
		isnt($? >> 8, 0, 'another user may not');
		like($said, qr/[Pp]ermission denied|cannot/, 'and is told');
		next_phase($dir, 0);
	});
}
done_testing();
