# Whatever happens to a recording, the program prints and ends as without one, what was recorded is readable,
# and one line says what was lost. (Full disks, ulimit -f and read-only folders: places.t.)
# Slow: 12 s, many JVMs run one after the other.
use strict;
use warnings;
use Test::More;
use lib 'tests/runtime-jni';
use Runtime;

my $N = 30000;

# calls of method 5 in a recording
sub calls_in {
	my ($r) = @_;
	return 0 unless $r;
	my $n = 0;
	for my $t (values %{ $r->{threads} }) { $n += grep { $_->[0] == 1 && $_->[1] == 5 } @{ $t->{events} } }
	return $n;
}

sub behaves {
	my ($got, $out, $err, $what) = @_;
	is("$got->{status} $got->{signal}", '6 0', "$what: exit status");
	is($got->{out}, $out, "$what: output");
	like($got->{err}, $err, "$what: what is said");
}

# a library whose fork() makes a child that ends by exit(), with all its handlers
sub fork_library {
	my $c = "$work/fork.c";
	open my $f, '>', $c or die;
	print $f <<'END';
#include <jni.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
JNIEXPORT jint JNICALL Java_Hazards_fork(JNIEnv *env, jclass c, jint status)
{
	int s = 0;
	pid_t pid = fork();
	(void)env; (void)c;
	if (!pid)
		exit(status);
	waitpid(pid, &s, 0);
	return WEXITSTATUS(s);
}
END
	close $f;
	my ($home, $cc) = (java_home(), join ' ', cc());
	return system("$cc -shared -fPIC -I'$home/include' -I'$home/include/linux' -o '$work/libfork.so' '$c' 2>/dev/null") == 0
		? "$work/libfork.so" : undef;
}

# how little address space this java starts in, in KiB, to a step
sub least_space {
	my ($java) = @_;
	for (my $kib = 1500000; $kib < 8000000; $kib += 250000) {
		my $got = run(java => $java, args => [ 'Hazards', 'none', 10 ], sh => "ulimit -v $kib", env => { JWEAVE => 'off' });
		return $kib if $got->{status} == 6;
	}
	return undef;
}

for my $jvm (jvms()) {
	my ($label, $java) = @$jvm;

	# removed in mid-run, as a stream and as a ring
	for my $mode ('stream', 'flight-recorder') {
		my $got = run(java => $java, args => [ 'Hazards', 'wait', $N ], env => { JWEAVE_MODE => $mode, JWEAVE_CONVERT => 'auto' },
			meanwhile => sub {
				my ($pid, $dir) = @_;
				system('rm', '-rf', glob "$dir/*.jwr");
				open my $f, '>', "$dir/go";
			});
		behaves($got, "ready\ndone\n", qr/^(?:jweave: recording stopped: it was removed; the program runs on\n)?jweave: trace-.*\.jwr was removed, or moved, while the program ran: there is no trace\n\z/,
			"$label, $mode removed");
	}

	# no more files: from the start, and while it runs
	for my $n (7, 9, 12, 20, 40) {
		next if run(java => $java, args => [ 'Hazards', 'none', 10 ], sh => "ulimit -n $n", env => { JWEAVE => 'off' })->{status} != 6;
		my $got = run(java => $java, args => [ 'Hazards', 'none', $N ], sh => "ulimit -n $n");
		behaves($got, "ready\ndone\n", qr/^(?:jweave: [^\n]*\n)?\z/, "$label, ulimit -n $n");
		my $r = only_recording($got->{dir});
		my $off = $got->{err} =~ /tracing is off/;
		is(calls_in($r), $off ? 0 : 4 * $N, "$label, ulimit -n $n: " . ($off ? 'off' : 'all calls'));
	}
	my $got = run(java => $java, args => [ 'Hazards', 'files', $N ], sh => 'ulimit -n 60');
	behaves($got, "ready\nno more files\ndone\n", qr/^\z/, "$label, files eaten");
	is(calls_in(only_recording($got->{dir})), 4 * $N + 2000, "$label, files eaten: all calls");

	# little address space: what java needs, to a step, and a little more
	SKIP: {
		my $least = least_space($java) or skip 'java starts in no ulimit -v', 8;
		for my $more (500000, 1000000) {
			$got = run(java => $java, args => [ 'Hazards', 'none', $N ], sh => 'ulimit -v ' . ($least + $more));
			behaves($got, "ready\ndone\n", qr/^(?:jweave: [^\n]*\n)?\z/, "$label, ulimit -v +$more");
			my $off = $got->{err} =~ /tracing is off/;
			is(calls_in(only_recording($got->{dir})), $off ? 0 : 4 * $N, "$label, ulimit -v +$more: " . ($off ? 'off' : 'all calls'));
		}
	}

	# children: by ProcessBuilder, another program and this one; by fork() in native code
	$got = run(java => $java, args => [ 'Hazards', 'child', $N, $java ]);
	behaves($got, "ready\nready\ndone\nchild 6 7\ndone\n", qr/^(?:WARNING[^\n]*\n|\n)*\z/, "$label, child");
	my @all = glob "$got->{dir}/*.jwr";
	is(join(' ', map { calls_in(recording($_)) } @all), join(' ', (4 * $N) x 2), "$label, child: a recording each");
	SKIP: {
		my $library = fork_library() or skip 'no C compiler, or no JNI header', 4;
		$got = run(java => $java, args => [ 'Hazards', 'fork', $N, $library ]);
		behaves($got, "ready\nfork 9\ndone\n", qr/^\z/, "$label, fork");
		is(calls_in(only_recording($got->{dir})), 4 * $N, "$label, fork: the child stays out, the parent goes on");
	}

	# three at once want one name
	my $dir = fresh();
	my @pids;
	for my $i (1 .. 3) {
		my $pid = fork() // die $!;
		if (!$pid) {
			mkdir "$dir/$i";
			my $r = run(java => $java, args => [ 'Hazards', 'none', $N ], dir => "$dir/$i",
				env => { JWEAVE_OUTPUT => "$dir/same", JWEAVE_CONVERT => 'on', JWEAVE_KEEP => 1 });
			require POSIX;
			POSIX::_exit($r->{status} == 6 && $r->{out} eq "ready\ndone\n" ? 0 : 1);
		}
		push @pids, $pid;
	}
	my $bad = 0;
	for (@pids) { waitpid $_, 0; $bad++ if $? }
	is($bad, 0, "$label, one name for three: they end as ever");
	is(join(' ', map { s/.*\///r } sort glob "$dir/*.prv"), 'same-1.prv same-2.prv same.prv', "$label, one name for three: three traces");
	is(join(' ', map { calls_in(recording($_)) } glob "$dir/*.jwr"), join(' ', (4 * $N) x 3), "$label, one name for three: whole ones");
}
done_testing();
