# What the VM tells of itself: pauses of the collector on a row "JVM", monitors as states.
use strict;
use warnings;
use Test::More;
use lib 'tests/runtime-jni';
use Runtime;

my %on = (JWEAVE_CONVERT => 'on', JWEAVE_KEEP => 1);
my %told = (states => 1, events => [ 48000001, 48100001, 48100002 ]);

# total time by state of a row, where it ends, and how often its states leave a gap
sub sums {
	my ($t, $name) = @_;
	my ($at, $gaps, %sum) = (0, 0);
	for (@{ $t->{states}{$name} || [] }) {
		$gaps++ if $_->[0] != $at;
		$at = $_->[1];
		$sum{ $_->[2] } += $_->[1] - $_->[0];
		$sum{"n$_->[2]"}++;
	}
	return (\%sum, $at, $gaps);
}

sub values_of {
	my ($t, $name, $type) = @_;
	return map { $_->[2]{$type} } grep { $_->[1] eq $name && exists $_->[2]{$type} } @{ $t->{events} };
}

for my $jvm (jvms()) {
	my ($label, $java) = @$jvm;

	my $k = 6;
	for my $gc (qw(G1 Serial Parallel Z)) {
		my @options = ("-XX:+Use${gc}GC");
		next if system("$java @options -version >/dev/null 2>&1") != 0;
		my $what = "$label, $gc";
		my $got = run(java => $java, jvm => \@options, args => [ 'Events', 'gc', $k ], env => \%on);
		my $t = validate($got->{dir}, %told);
		ok($t, "$what: the trace is right") or next;
		my @pauses = values_of($t, 'JVM', 48000001);
		cmp_ok(scalar(grep { $_ == 1 } @pauses), '>=', $k, "$what: a pause for each System.gc()");
		is(join('', @pauses), '10' x (@pauses / 2), "$what: begin and end take turns");
		my ($vm) = sums($t, 'JVM');
		my ($main, $end, $gaps) = sums($t, 'main');
		ok($main->{15} && $main->{15} <= $vm->{15}, "$what: main shows Others in pauses");
		is($gaps, 0, "$what: without a gap");
	}

	my $got = run(java => $java, args => [ 'Events', 'gc', $k ], env => { %on, JWEAVE_EVENTS => 'monitor' });
	my $t = validate($got->{dir}, %told);
	is(join(' ', @{ $t->{names} }), 'main', "$label: without gc in JWEAVE_EVENTS there is no row of the VM");

	my ($threads, $rounds) = (4, 25);
	$got = run(java => $java, args => [ 'Events', 'monitors', $threads, $rounds ], env => \%on);
	$t = validate($got->{dir}, %told);
	ok($t, "$label: monitors: the trace is right");
	my ($blocked, $waits, $odd, %objects) = (0, 0, 0);
	for my $name (map { "fights-$_" } 0 .. $threads - 1) {
		my ($sum, $end, $gaps) = sums($t, $name);
		my @v = values_of($t, $name, 48100001);
		$blocked += grep { $_ == 1 } @v;
		$waits += grep { $_ == 2 } @v;
		$odd += $gaps + (grep { $v[$_] && !defined $v[ $_ + 1 ] } 0 .. $#v);
		$odd++ if ($sum->{n9} || 0) != grep { $_ == 1 } @v;
		$objects{$_}++ for grep { $_ } values_of($t, $name, 48100002);
	}
	cmp_ok($blocked, '>', 0, "$label: contended monitors are Blocked");
	cmp_ok($waits, '>', $rounds, "$label: waits are Synchronization");
	is($odd, 0, "$label: each ends, without a gap");
	ok(keys %objects >= 1, "$label: the objects are told (the VM may wait on more of its own)");

	$got = run(java => $java, jvm => ['-Xcheck:jni'], args => [ 'Events', 'failing' ], env => \%on);
	is("$got->{status} $got->{out}$got->{err}", "0 no monitor\nno time\n", "$label: waits that fail: the program runs, and the VM says nothing");
	$t = validate($got->{dir}, %told);
	is(join(' ', values_of($t, 'main', 48100001)), '', "$label: no wait has begun");

	# nothing by chance: each round the thread blocks once, is notified once, and waits once in vain
	$rounds = 20;
	$got = run(java => $java, args => [ 'Events', 'exact', $rounds ], env => { %on, JWEAVE_EVENTS => 'gc,monitor' });
	is("$got->{status} $got->{err}", '0 ', "$label, exact: the program runs");
	my %number = $got->{out} =~ /^(\w+) (\d+) -?\d+$/mg;
	my %class = $got->{out} =~ /^(\w+) \d+ (-?\d+)$/mg;
	$number{$_} = object_number($number{$_}, $class{$_}) for keys %class;
	$number{idle} = $got->{out} =~ /^idle (\d+)$/m ? 1 << 55 | $1 : 0;
	my $recording = only_recording($got->{dir});
	my ($thread) = grep { $_->{name} eq 'exact' } values %{ $recording->{threads} };
	my $want = join ' ', (map { ("24:at 8:lock 9:lock 24:at 10:bell 11:bell 24:at 10:never 14:never") } 1 .. $rounds), '24:at 10:idle 14:idle';
	my %name = reverse %number;
	my %place = map { ($_->[0] => [ @$_[ 1 .. 4 ] ]) } @{ $recording->{meta}{place} || [] };
	is(join(' ', map { "$_->[0]:" . ($_->[0] == 24 && $place{ $_->[1] } ? 'at' : $name{ $_->[1] } // $_->[1]) } grep { $_->[0] != 34 } @{ $thread->{told} }), $want,
		"$label, exact: contended, entered, wait, notified or timed out, each with its object, and before it where");
	my @at = map { $place{ $_->[1] } || [] } grep { $_->[0] == 24 } @{ $thread->{told} };
	is(scalar(grep { ($_->[0] // '') !~ /^Events\b/ || $_->[2] ne 'Events.java' || $_->[3] < 1 } @at), 0,
		"$label, exact: that is in the program, not in java.lang.Object, with its line") or diag explain \@at;
	$t = validate($got->{dir}, %told);
	my ($states, undef, $gaps) = sums($t, 'exact');
	is(join(' ', map { $states->{$_} // 0 } 'n9', 'n5') . " $gaps", join(' ', $rounds, 2 * $rounds + 1, 0),
		"$label, exact: as many states Blocked and Synchronization");

	$got = run(java => $java, args => [ 'Events', 'monitors', 2, 5 ], env => { %on, JWEAVE_EVENTS => 'none' });
	$t = validate($got->{dir}, %told);
	is(scalar(map { values_of($t, $_, 48100001) } @{ $t->{names} }), 0, "$label: none of it with JWEAVE_EVENTS=none");

	$got = run(java => $java, args => [ 'Events', 'arrays' ], env => { %on, JWEAVE_EVENTS => 'monitor' });
	is(join(' ', grep { /^int/ } sort map { $_->[1] } @{ only_recording($got->{dir})->{meta}{class} }), 'int[0] int[]',
		"$label: HotSpot's lock of a class that is being initialized, and an array of the program");

	# it tells only that this wait is over
	for my $events ('', 'monitor') {
		$got = run(java => $java, jvm => ['-Xcheck:jni'], args => [ 'Events', 'needs' ], env => { %on, $events ? (JWEAVE_EVENTS => $events) : () });
		is("$got->{status} $got->{out}", '0 ', "$label: a thread needs a class that another one initializes, and the VM says nothing");
		$recording = only_recording($got->{dir});
		my %lock = map { ($_->[0] => 1) } grep { $_->[1] eq 'int[0]' } @{ $recording->{meta}{class} };
		my ($main) = grep { $_->{name} eq 'main' } values %{ $recording->{threads} };
		my @told = map { $_->[0] } grep { $_->[0] == 24 || $lock{ $_->[1] >> 31 } } @{ $main->{told} };
		if ($events) {
			like("@told", qr/^11( 24 8 9)*( 24)?$/, "$label: where not all that threads wait for is told, only its end is");
			next;
		}
		like("@told", qr/^24 8 9( 24 8 9)*( 24)?$/, "$label: it waits for HotSpot's lock, at a place");
		$t = validate($got->{dir}, %told);
		my ($sum, undef, $gaps) = sums($t, 'main');
		cmp_ok($sum->{9} // 0, '>', 100e6, "$label: from when it needs it on");
		is($gaps, 0, "$label: without a gap");
	}

	$got = run(java => $java, args => [ 'Events', 'strangers' ], env => \%on);
	$t = validate($got->{dir}, %told);
	is(join(' ', grep { $_ ne 'JVM' } @{ $t->{names} }), 'main', "$label: a thread that only blocks has no row");
	like(join(' ', values_of($t, 'main', 48100001)), qr/^2 0( 2 0)?$/, "$label: the wait of the other one is there");
}
done_testing();
