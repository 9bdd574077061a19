# JWEAVE_MODE=summary in a JVM: sums, of everything that threads call, whatever the end; dumps while the program
# runs; monitors, pauses of the collector, virtual threads.
# Slow: 10 s, many JVMs run one after the other.
use strict;
use warnings;
use JSON::PP;
use Test::More;
use lib 'tests/runtime-jni';
use Runtime;

my $jweave = "$build/jweave";
my %env = (JWEAVE_MODE => 'summary');

sub report {
	my ($what, $recording) = @_;
	my $text = `'$jweave' report --json --by=total --top=2000 '$recording' 2>/dev/null`;
	is($?, 0, "$what: jweave report");
	my $r = eval { decode_json($text) } || {};
	$r->{thread}{ $_->{name} } = $_ for @{ $r->{threads} };
	$r->{method}{ $_->{name} } = $_ for @{ $r->{methods} };
	return $r;
}

sub recording_in {
	my ($dir) = @_;
	my @all = grep { !/dump/ } glob "$dir/*.jwr";
	return $all[0] // 'none';
}

for my $jvm (jvms()) {
	my ($label, $java) = @$jvm;

	# each thread has more methods than its window has room for, and than a thread may keep (49,152)
	my $n = $label eq '17' ? 100000 : 20000;
	my ($status, $dump);
	my $got = run(java => $java, args => [ 'Ring', $n ], env => \%env, meanwhile => sub {
		my ($pid, $dir) = @_;
		$status = `'$jweave' ctl $pid`;
		chomp($dump = `'$jweave' ctl $pid dump`);
		open my $f, '>', "$dir/0";
	});
	is("$got->{status} $got->{signal}$got->{err}", '0 0', "$label: the program");
	like($status, qr/^mode +summary$/m, "$label: status tells the mode");
	my %made = $got->{out} =~ /^made (\d) (\d+)$/mg;
	my $r = report("$label", recording_in($got->{dir}));
	my $all = 0;
	for my $t (1 .. 4) {
		is($r->{thread}{"number $t"}{calls}, $made{$t}, "$label: thread $t: as many calls as it made");
		$all += $made{$t};
	}
	is($r->{calls}, $all + 2, "$label: all calls");
	is($r->{methodCount}, $all + 2, "$label: and as many methods, for each was called once");
	is($r->{thread}{early}{calls}, 1, "$label: a thread that has ended");
	is($r->{statesKnown}, JSON::PP::false, "$label: states are not known");
	like($dump, qr/-dump-1\.jwr$/, "$label: a dump has a name of its own");
	my $then = report("$label, dump", $dump);
	cmp_ok($then->{calls}, '>=', 4 * $n, "$label, dump: what was called before");
	cmp_ok($then->{calls}, '<=', $r->{calls}, "$label, dump: and not more than all");
	is($then->{method}{'unknown 0x1'}{calls}, 1, "$label, dump: the call that is open counts");
	cmp_ok($then->{method}{'unknown 0x1'}{inclusiveNs}, '>', 0, "$label, dump: and has taken until then");

	$got = run(java => $java, args => [ 'Ring', 20000 ], env => \%env, kill => 'KILL');
	$r = report("$label, kill -9", recording_in($got->{dir}));
	cmp_ok($r->{thread}{"number $_"}{calls}, '>=', 20000, "$label, kill -9: thread $_") for 1 .. 4;
	is($r->{thread}{early}{calls}, 1, "$label, kill -9: the thread that had ended");
	cmp_ok($r->{method}{'unknown 0x1'}{inclusiveNs}, '>', 0, "$label, kill -9: the call that was open has its time");

	my $rounds = 20;
	$got = run(java => $java, args => [ 'Events', 'exact', $rounds ], env => \%env);
	$r = report("$label, monitors", recording_in($got->{dir}));
	my @waits = sort map { "$_->{contended}{count}+$_->{waits}{count}" }
		grep { grep { $r->{threads}[ $_->{thread} - 1 ]{name} eq 'exact' } @{ $_->{threads} } } @{ $r->{monitors} };
	is("@waits", "0+1 0+$rounds 0+$rounds $rounds+0", "$label: waits and contention, by object");
	ok(!(grep { !$_->{class} } @{ $r->{monitors} }), "$label: of known classes");

	$got = run(java => $java, args => [ 'Events', 'gc', 6 ], env => \%env);
	$r = report("$label, gc", recording_in($got->{dir}));
	cmp_ok($r->{gcPauses}{count}, '>=', 6, "$label: pauses of the collector");
	cmp_ok($r->{gcPauses}{longestNs}, '<=', $r->{gcPauses}{ns}, "$label: and the longest");
	$got = run(java => $java, args => [ 'Events', 'gc', 6 ], env => { %env, JWEAVE_EVENTS => 'none' });
	is(report("$label, none", recording_in($got->{dir}))->{gcPauses}{count}, 0, "$label: none with JWEAVE_EVENTS=none");

	$got = run(java => $java, args => [ 'Threads', 'short', 1000 ], env => \%env);
	$r = report("$label, threads", recording_in($got->{dir}));
	is(scalar(grep { $_->{calls} == 1 && $_->{name} ne 'main' } @{ $r->{threads} }), 1000, "$label: 1,000 threads, a call each");
}

SKIP: {
	my ($jvm) = grep { $_->[0] eq '25' } jvms();
	skip 'no JDK 25: virtual threads are not tried', 6 unless $jvm;
	my $n = 100000;

	# without monitors: a carrier that waits for a class to be initialized by another one is rightly told as itself
	my %calls = (%env, JWEAVE_EVENTS => 'gc', JWEAVE_SUMMARY => 1);
	my $got = run(java => $jvm->[1], jvm => ['-Xmx1g'], args => [ 'Threads', 'virtual', $n ], env => \%calls);
	is($got->{status}, 0, 'virtual threads: the program');
	my $r = report('virtual threads', recording_in($got->{dir}));
	is($r->{thread}{"virtual threads ($n, all together)"}{calls}, $n, 'virtual threads: all their calls, on one row');
	is($r->{thread}{main}{calls}, 1, 'virtual threads: other threads are apart');
	is(join(' ', sort grep { $_ ne 'JVM' } map { $_->{name} =~ /^(\w+)/ } @{ $r->{threads} }), 'main virtual', 'virtual threads: nothing is said of their carriers');
	like($got->{err}, qr/^jweave: 100,001 threads, 100,001 calls, .*\.jwr$/m, 'virtual threads: the line at the end');
}
done_testing();
