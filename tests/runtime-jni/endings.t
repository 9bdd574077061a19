# However a process ends, everything it logged is in its recording, and its exit status is its own.
# Slow: 20 s, many JVMs run one after the other.
use strict;
use warnings;
use Test::More;
use lib 'tests/runtime-jni';
use Runtime;

my $N = 20000;

# events of main as they must be: 1 enter, N numbered pairs, and its exit where it returned
sub is_whole {
	my ($r, $returned, $what) = @_;
	my ($main) = $r ? grep { $_->{name} eq 'main' } values %{ $r->{threads} } : ();
	my @e = $main ? @{ $main->{events} } : ();
	my $wrong = 0;
	for my $i (0 .. $N - 1) {
		my ($in, $out) = ($e[ 1 + 2 * $i ], $e[ 2 + 2 * $i ]);
		$wrong++ unless $in && $out && $in->[0] == 1 && $out->[0] == 2 && $in->[1] == 1000 + $i && $out->[1] == 1000 + $i;
	}
	my $want = 1 + 2 * $N + ($returned ? 1 : 0);
	ok(@e == $want && !$wrong && !$main->{backwards} && !$r->{gaps}, "$what: all events of main")
		or diag scalar(@e) . " events, want $want; $wrong wrong";
}

# name, program's mode, JVM options, signal, exit status, killed by, main returns, clean end (undef: 17
# leaves by exit(), 25 by _exit())
my @table = (
	[ 'main returns',   'return',   [], undef, 0,   0, 1, 1 ],
	[ 'System.exit',    'exit',     [], undef, 3,   0, 0, 1 ],
	[ 'Runtime.halt',   'halt',     [], undef, 4,   0, 0, 1 ],
	[ 'uncaught',       'uncaught', [], undef, 1,   0, 0, 1 ],
	[ 'out of memory',  'oom',      [], undef, 1,   0, 0, 1 ],
	[ 'exit on oom',    'oom', ['-XX:+ExitOnOutOfMemoryError'], undef, 3, 0, 0, undef ],
	[ 'crash on oom',   'oom', [ '-XX:+CrashOnOutOfMemoryError', '-XX:-CreateCoredumpOnCrash', '-XX:ErrorFile=/dev/null' ], undef, 1, 0, 0, 0 ],
	[ 'shutdown hook',  'hook',     [], undef, 0,   0, 1, 1 ],
	[ 'SIGTERM',        'signal',   [], 'TERM', 143, 0, 0, 1 ],
	[ 'SIGINT',         'signal',   [], 'INT',  130, 0, 0, 1 ],
	[ 'SIGHUP',         'signal',   [], 'HUP',  129, 0, 0, 1 ],
	[ 'kill -9',        'signal',   [], 'KILL', 0,   9, 0, 0 ],
	[ 'native SIGSEGV', 'segv', [ '-XX:-CreateCoredumpOnCrash', '-XX:ErrorFile=/dev/null' ], undef, 1, 0, 0, 0 ],
	[ 'interpreter',    'return',   ['-Xint'], undef, 0, 0, 1, 1 ],
	[ 'C1',             'return',   ['-XX:TieredStopAtLevel=1'], undef, 0, 0, 1, 1 ],
	[ '-Xcheck:jni',    'return',   ['-Xcheck:jni'], undef, 0, 0, 1, 1 ],
);

for my $jvm (jvms()) {
	my ($label, $java) = @$jvm;
	for (@table) {
		my ($name, $mode, $options, $kill, $status, $signal, $returned, $clean) = @$_;
		my $what = "$label, $name";
		my $got = run(java => $java, jvm => $options, args => [ 'Endings', $mode, $N ], kill => $kill);
		is("$got->{status} $got->{signal}", "$status $signal", "$what: exit status");
		my $r = only_recording($got->{dir});
		is_whole($r, $returned, $what);
		# (a VM of 11 that crashes without a core file ends as by exit())
		$clean = !!$r->{meta}{end} if !defined $clean || $label < 17 && $mode =~ /^(?:oom|segv)$/;
		is(!!$r->{meta}{end}, !!$clean, "$what: " . ($clean ? 'a clean end' : 'no end line'));
		is(-e $r->{meta}{windows}[0][0] ? 1 : 0, $clean ? 0 : 1, "$what: window file");
		is($got->{out}, '', "$what: nothing on stdout") unless $mode =~ /^(signal|segv|oom)$/;
		is($got->{err}, '', "$what: nothing on stderr") if $mode =~ /^(return|exit|halt|daemon|hook|signal)$/;
		my ($hook) = grep { $_->{name} eq 'hook' } values %{ $r->{threads} };
		is($hook ? scalar @{ $hook->{events} } : 0, 2, "$what: the hook's events") if $mode eq 'hook';
	}
}

# Threads that are still at it: the VM says that it dies, and stops them some time later. What each has
# counted is what it has logged, but for the one call that it was in.
for my $jvm (jvms()) {
	my ($label, $java) = @$jvm;
	for ([ 'return' ], [ 'exit' ], [ 'halt' ], [ 'uncaught' ], [ 'signal', 'TERM' ], [ 'signal', 'KILL' ]) {
		my ($mode, $kill) = @$_;
		my $what = "$label, daemons beside " . ($kill || $mode);
		my $got = run(java => $java, args => [ 'Endings', $mode, 10, 'daemons' ], kill => $kill,
			env => { JWEAVE_CONVERT => 'on', JWEAVE_KEEP => 1 });
		my $r = only_recording($got->{dir});
		my @counts = unpack 'Q<*', slurp("$got->{dir}/counts");
		for my $d (0 .. $#counts) {
			my @t = grep { $_->{name} eq "chatty-$d" } values %{ $r->{threads} };
			my $enters = @t == 1 ? grep { $_->[0] == 1 } @{ $t[0]{events} } : -1;
			ok($counts[$d] > 100 && ($enters == $counts[$d] || $enters == $counts[$d] + 1), "$what: all of thread $d")
				or diag("$enters events, $counts[$d] counted");
		}
	}
}

SKIP: {
	skip 'no JDK 25', 1 unless grep { $_->[0] eq '25' } jvms();
	pass('17 and 25 were run');
}
done_testing();
