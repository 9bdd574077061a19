# A flight recorder keeps what was logged last, whole and within its bound: at the end, after kill -9, and in a
# dump while the program runs on. Names of threads are never lost.
# Slow: 15 s, many JVMs run one after the other.
use strict;
use warnings;
use Test::More;
use lib 'tests/runtime-jni';
use Runtime;

my $jweave = "$build/jweave";
my ($N, $MAX) = (60000, 3 << 20);

# The bytes of a recording.
sub bytes_of {
	my ($folder) = @_;
	my $sum = 0;
	$sum += -s $_ for grep { -f $_ } glob "$folder/*";
	return $sum;
}

# each numbered thread: its calls are those up to LAST (undef: not known), without a hole
sub is_ring {
	my ($r, $last, $what) = @_;
	my %by = map { $_->{name} => $_ } values %{ $r->{threads} };
	is(join(' ', sort grep { /^(early|main|number \d)$/ } keys %by), 'early main number 1 number 2 number 3 number 4', "$what: all names");
	my ($wrong, $all) = (0, 0);
	for my $t (1 .. 4) {
		my @e = @{ $by{"number $t"}{events} };
		shift @e if @e && $e[0][0] == 2; # the exit of a call whose enter was overwritten
		$all += @e;
		pop @e if @e % 2; # a call that was open
		my $first = @e ? $e[0][1] : 0;
		for my $i (0 .. $#e) { $wrong++ if $e[$i][0] != 1 + $i % 2 || $e[$i][1] != $first + ($i >> 1) }
		is(@e ? $e[-1][1] - $t * 100000000 : 0, $last->{$t} - 1, "$what: thread $t up to its last call") if $last;
	}
	is($wrong, 0, "$what: nothing is missing in between");
	cmp_ok($all, '>', 20000, "$what: a good part of what was logged");
	ok($r->{overwritten} && !$r->{gaps}, "$what: the oldest chunks are gone, no others");
}

for my $jvm (jvms()) {
	my ($label, $java) = @$jvm;
	my %env = (JWEAVE_MODE => 'flight-recorder', JWEAVE_MAX_SIZE => $MAX);
	my ($dump, $then, $status);
	my $got = run(java => $java, args => [ 'Ring', $N ], env => \%env, meanwhile => sub {
		my ($pid, $dir) = @_;
		$status = `'$jweave' ctl $pid`;
		chomp($dump = `'$jweave' ctl $pid dump`);
		$then = bytes_of($dump);
		cmp_ok(bytes_of((glob "$dir/trace*.jwr")[0]), '<', $MAX * 1.1, "$label: within its bound");
		open my $f, '>', "$dir/0";
	});
	is("$got->{status} $got->{signal}$got->{err}", '0 0', "$label: the program");
	like($status, qr/^mode +flight-recorder$/m, "$label: status tells the mode");
	my %made = $got->{out} =~ /^made (\d) (\d+)$/mg;
	my ($folder) = grep { $_ ne $dump } glob "$got->{dir}/*.jwr";
	is_ring(recording($folder), \%made, "$label, at the end");
	like($dump, qr/-dump-1\.jwr$/, "$label: a dump has a name of its own");
	is(bytes_of($dump), $then, "$label: a dump does not change any more");
	is_ring(recording($dump), undef, "$label, dump");
	for my $recording ($folder, $dump) {
		my $name = $recording eq $dump ? 'dump' : 'end';
		mkdir "$got->{dir}/$name";
		my $said = `'$jweave' prv '$recording' -o '$got->{dir}/$name/t' 2>&1`;
		is($?, 0, "$label, $name: converts");
		ok(validate("$got->{dir}/$name"), "$label, $name: a right trace");
		like($said, qr/older chunks, of up to 4096 events each, made room/, "$label, $name: says what was overwritten");
	}

	$got = run(java => $java, args => [ 'Ring', $N ], env => \%env, kill => 'KILL');
	is_ring(only_recording($got->{dir}), undef, "$label, kill -9");

	$got = run(java => $java, args => [ 'Ring', 20000 ], env => { %env, JWEAVE_CONVERT => 'on', JWEAVE_KEEP => 0 },
		meanwhile => sub { open my $f, '>', "$_[1]/0" });
	ok(validate($got->{dir}), "$label: the process converts what it holds");
	is_deeply([ glob "$got->{dir}/*.jwr" ], [], "$label: and removes all of the recording");
}
done_testing();
