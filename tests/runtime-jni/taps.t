# Waits inside the JDK (JWEAVE_EVENTS=park,sleep): natives that are bound anew tell of each, with its object, its place
# and who ended it; the program notices nothing.
use strict;
use warnings;
use Test::More;
use lib 'tests/runtime-jni';
use Runtime;

my $rounds = 20;

without_others('taps');
for my $jvm (jvms()) {
	my ($label, $java) = @$jvm;
	for my $options ([], ['-Xint'], ['-Xcheck:jni']) {
		my $what = join ' ', $label, @$options;
		my $got = run(java => $java, jvm => $options, args => [ 'Taps', $rounds ], env => { JWEAVE_EVENTS => 'park,sleep' });
		my $r = only_recording($got->{dir});
		like($got->{out}, qr/^interrupted true\nwoken sleep interrupted\nblocker \d+ -?\d+\nthread \d+\n\z/, "$what: the program runs as without");
		is("$got->{status} $got->{err}", '0 ', "$what: the VM says nothing");
		my ($hash, $class) = $got->{out} =~ /^blocker (\d+) (-?\d+)/m;
		my ($id) = $got->{out} =~ /^thread (\d+)/m;
		my $object = object_number($hash, $class);
		is(join(' ', sort map { $_->[0] } @{ $r->{meta}{tap} || [] }),
			join(' ', sort 'java.lang.Thread.' . ($label >= 22 ? 'sleepNanos0' : $label >= 19 ? 'sleep0' : 'sleep'), 'java.lang.Thread.start0', 'java.lang.Thread.interrupt0', 'jdk.internal.misc.Unsafe.park',
				'jdk.internal.misc.Unsafe.unpark', 'java.lang.ref.Reference.waitForReferencePendingList'),
			"$what: which natives are bound is told");
		is(scalar @{ $r->{meta}{'tap-refused'} || [] }, 0, "$what: none is refused");

		my ($thread) = grep { $_->{name} eq 'waits' } values %{ $r->{threads} };
		my ($main) = grep { $_->{name} eq 'main' } values %{ $r->{threads} };
		my %place = map { ($_->[0] => "$_->[1].$_->[2] $_->[3]") } @{ $r->{meta}{place} || [] };
		my @told = map { "$_->[0]:" . ($_->[0] == 24 ? $place{ $_->[1] } // '?' : $_->[1] == $object ? 'blocker' : $_->[1]) } @{ $thread->{told} };
		# a park may return for no reason: the loop parks again
		my $at = '24:Taps.waits Taps.java';
		my $one = qr/$at 25:blocker 26:0/;
		like("@told", qr/^$one(?: $one){@{[$rounds - 1]},} $at 25:0 26:0(?: $at 25:0 26:0)+ $at 28:1 29:1 $at 28:1 29:1$/,
			"$what: each park with its object, in vain, until the interrupt, each sleep; and before it where");
		my @unparks = grep { $_->[0] == 27 } @{ $main->{told} };
		is(scalar(grep { $_->[1] == (1 << 55 | $id) } @unparks), $rounds, "$what: each unpark, with its thread");
		is(join(' ', map { $_->[1] } grep { $_->[0] == 36 } @{ $main->{told} }), join(' ', (1 << 55 | $id) x 2), "$what: each interrupt, with its thread");
		is(arrows($got->{dir}, 105), '105:2', "$what: which lets the park go on, and the sleep");
		is(join(' ', sort grep { !/^JVM$/ } map { $_->{name} } values %{ $r->{threads} }), 'main waits', "$what: a thread that only parks has no row");
		is(scalar(grep { $_->{backwards} } values %{ $r->{threads} }), 0, "$what: in order");
	}

	my $got = run(java => $java, args => [ 'Taps', 2 ], env => { JWEAVE_EVENTS => 'gc,monitor' });
	my $r = only_recording($got->{dir});
	is(scalar(grep { $_->[0] >= 25 && $_->[0] <= 29 } map { @{ $_->{told} || [] } } values %{ $r->{threads} }), 0, "$label: nothing where it is not asked for");
	is(scalar @{ $r->{meta}{tap} || [] }, 0, "$label: and nothing is bound");

	# threads that come to a place at the same time all know it
	$got = run(java => $java, args => [ 'Taps', 'together' ], env => { JWEAVE_EVENTS => 'park' });
	my ($together, $placed) = (0, 0);
	for my $thread (grep { $_->{name} =~ /^together/ } values %{ only_recording($got->{dir})->{threads} }) {
		my @kinds = map { $_->[0] } @{ $thread->{told} };
		$together += grep { $_ == 25 } @kinds;
		$placed += grep { $kinds[$_] == 25 && $_ > 0 && $kinds[ $_ - 1 ] == 24 } 0 .. $#kinds;
	}
	cmp_ok($together, '>=', 160, "$label, together: all park");
	is($placed, $together, "$label, together: each park has its place");

	# classes keep apart also where all of them have the same identity hash
	for my $options ([], [ '-XX:+UnlockExperimentalVMOptions', '-XX:hashCode=2' ]) {
		my $what = join ' ', "$label, blockers", @$options;
		$got = run(java => $java, jvm => [ '-Dfile.encoding=UTF-8', '-Dstdout.encoding=UTF-8', @$options ], args => ['Blockers'], env => { JWEAVE_EVENTS => 'park', LC_ALL => 'C.UTF-8' });
		is("$got->{status} $got->{err}", '0 ', "$what: the program runs");
		my $r = only_recording($got->{dir});
		my @said = map { [split] } split /\n/, $got->{out};
		my %class = map { @$_ } @{ $r->{meta}{class} || [] };
		my @threads = grep { $_->{name} eq 'parks' } map { $r->{threads}{$_} } sort { $a <=> $b } keys %{ $r->{threads} };
		# (before 15 the VM has a name of its own for the class of a lambda)
		@said = map { $_->[2] eq 'lambda' && $label < 15 ? [] : $_ } @said;
		my @parks = map { grep { $_ } map { $_->[0] == 25 ? $_->[1] : 0 } @{ $_->{told} || [] } } @threads;
		is(join(' ', map { @{ $said[$_] } ? $parks[$_] : '?' } 0 .. $#said), join(' ', map { @$_ ? object_number($_->[0], $_->[1]) : '?' } @said), "$what: each object has its number");
		is(join(' ', map { $class{ $_ >> 31 } =~ s/.*Lambda.*/lambda/r } @parks), join(' ', map { $_->[2] // 'lambda' } @said), "$what: and its class a name");
	}

	# of all threads, where that is asked for
	$got = run(java => $java, args => [ 'Taps', 2 ], env => { JWEAVE_EVENTS => 'park', JWEAVE_ALL_THREADS => 1 });
	is("$got->{status} $got->{err}", '0 ', "$label, all threads: the program runs");
	my ($stranger) = grep { $_->{name} eq 'stranger' } values %{ only_recording($got->{dir})->{threads} };
	my @stranger = grep { $_->[0] >= 25 } @{ $stranger ? $stranger->{told} : [] };
	like(join(' ', map { $_->[0] } @stranger), qr/^(?:25 26 ?)+$/, "$label, all threads: one that only parks has a row");

	# who is asked for alone is bound alone
	$got = run(java => $java, args => [ 'Taps', 2 ], env => { JWEAVE_EVENTS => 'sleep' });
	$r = only_recording($got->{dir});
	is(scalar @{ $r->{meta}{tap} || [] }, 1, "$label: sleep alone binds one native");
	is(scalar(grep { $_->[0] >= 25 && $_->[0] <= 27 } map { @{ $_->{told} || [] } } values %{ $r->{threads} }), 0, "$label: and no park is told");

	# who puts something into a queue is told from who takes
	$got = run(java => $java, args => ['Taps', 'queues'], env => { JWEAVE_EVENTS => 'park' });
	is("$got->{status} $got->{err}", '0 ', "$label, queues: the program runs");
	$r = only_recording($got->{dir});
	my %does = map { ($_->[0] => "$_->[2] " . ($_->[5] // '')) } @{ $r->{meta}{place} || [] };
	my ($puts) = grep { $_->{name} eq 'main' } values %{ $r->{threads} };
	my @in_order = map { $does{ $_->[1] } // '?' } grep { $_->[0] == 24 } @{ $puts->{told} };
	like(join(', ', @in_order), qr/^(?:(?:gives put, )+(?:takes (?:, |$))+){5}$/, "$label, queues: of each kind");

	# a thread that has just waited elsewhere in the same method is not where it was then
	for my $how ([], ['-Xint']) {
		my $rounds = 300;
		$got = run(java => $java, jvm => $how, args => [ 'Taps', 'turns', $rounds ], env => { JWEAVE_EVENTS => 'park,sleep' });
		is("$got->{status} $got->{err}", '0 ', "$label, turns: the program runs @$how");
		$r = only_recording($got->{dir});
		my %line = map { ($_->[0] => $_->[4]) } @{ $r->{meta}{place} || [] };
		my ($waits) = grep { $_->{name} eq 'main' } values %{ $r->{threads} };
		my %times;
		$times{ $line{ $_->[1] } // '?' }++ for grep { $_->[0] == 24 } @{ $waits->{told} };
		is(join(' ', map { $times{$_} } sort keys %times), join(' ', ($rounds) x 4), "$label, turns: each line has its waits @$how");
	}

	# who reads from a pipe waits for it
	$got = run(java => $java, args => ['Taps', 'reads'], env => { JWEAVE_EVENTS => 'io' });
	is("$got->{status} $got->{out}", "0 -1\n", "$label, reads: the program runs");
	my ($reader) = grep { $_->{name} eq 'main' } values %{ only_recording($got->{dir})->{threads} };
	is(join(' ', map { "$_->[0]:" . ($_->[1] & 0xff) } grep { $_->[0] == 28 || $_->[0] == 29 } @{ $reader->{told} }), '28:6 29:6', "$label, reads: one wait");

	# many that are short: a budget leaves them out, not what waits long, nor who ended that
	my $parks = 1000000;
	$got = run(java => $java, args => [ 'Taps', 'storm', $parks ], env => { JWEAVE_EVENTS => 'park', JWEAVE_BUDGET => '5%' });
	is("$got->{status} $got->{err}", '0 ', "$label, budget: the program runs");
	$r = only_recording($got->{dir});
	my ($main) = grep { $_->{name} eq 'main' } values %{ $r->{threads} };
	my ($other) = grep { $_->{name} eq 'unparks' } values %{ $r->{threads} };
	cmp_ok(scalar(grep { $_->[0] == 25 } @{ $main->{told} }), '<', $parks / 2, "$label, budget: most parks are left out");
	cmp_ok(scalar @{ $r->{meta}{'short-waits'} || [] }, '>=', 1, "$label, budget: and that is said");
	my @objects = map { $_->[1] } grep { $_->[0] == 25 && !($_->[1] & 1 << 55) } @{ $main->{told} };
	is(scalar @objects, 1, "$label, budget: the long one is there");
	is(scalar(grep { $_->[0] == 27 } @{ $other->{told} }), 1, "$label, budget: and who ended it");
	is(scalar(grep { $_->[0] == 25 } @{ $main->{told} }), scalar(grep { $_->[0] == 26 } @{ $main->{told} }), "$label, budget: each has an end");
	is(scalar(grep { $_->{backwards} } values %{ $r->{threads} }), 0, "$label, budget: in order");

	# the sum of short ones is told, and what a thread waits for at the end
	$got = run(java => $java, args => [ 'Taps', 'shortly', 20000 ], env => { JWEAVE_EVENTS => 'park', JWEAVE_BUDGET => '0.5%' });
	like("$got->{status} $got->{out}", qr/^0 \d+$/, "$label, short: the program runs");
	$r = only_recording($got->{dir});
	my %told = (25 => 0, 37 => 0);
	for my $thread (grep { $_->{name} =~ /^short/ } values %{ $r->{threads} }) {
		$told{ $_->[0] } += $_->[0] == 37 ? ($_->[1] >> 1) / 1e6 : 1 for @{ $thread->{told} };
	}
	my $ms = $got->{out} / 1e6;
	cmp_ok($told{25}, '<', 130000, "$label, short: many are left out");
	cmp_ok($told{37}, '>', $ms * (1 - $told{25} / 160000) * 0.7, "$label, short: but their sum is told");
	cmp_ok($told{37}, '<', $ms * (1 - $told{25} / 160000) * 1.3, "$label, short: which is right");
	my ($stays) = grep { $_->{name} eq 'stays' } values %{ $r->{threads} };
	my @last = grep { $_->[0] >= 24 } @{ $stays->{told} };
	is(join(' ', map { $_->[0] } @last), '24 25', "$label, short: and who waits at the end");
	my ($where) = map { "$_->[1].$_->[2]" } grep { $_->[0] == $last[0][1] } @{ $r->{meta}{place} || [] };
	like($where, qr/^Taps\.lambda\$shortly/, "$label, short: where that is");
	my ($for) = map { $_->[1] } grep { $_->[0] == $last[1][1] >> 31 } @{ $r->{meta}{class} || [] };
	is($for, 'java.util.concurrent.atomic.AtomicLong', "$label, short: and for what");
	next if $label < 21;

	# a virtual thread tells the sum of all that it has no carrier for
	$got = run(java => $java, args => [ 'Taps', 'shortly', 20000, 'virtual' ], env => { JWEAVE_EVENTS => 'park', JWEAVE_BUDGET => '0.5%', JWEAVE_KEEP => 1 });
	like("$got->{status} $got->{out}", qr/^0 \d+$/, "$label, short, virtual: the program runs");
	$r = only_recording($got->{dir});
	my ($sums, $parks_told) = (0, 0);
	for my $thread (values %{ $r->{threads} }) {
		for my $counts (values %{ $thread->{virtual} || {} }) {
			$sums += $counts->{37} // 0;
			$parks_told += $counts->{25} // 0;
		}
	}
	cmp_ok($parks_told, '<', 130000, "$label, short, virtual: many are left out");
	cmp_ok($sums, '>', 1000, "$label, short, virtual: their sums are told");
}
done_testing();
