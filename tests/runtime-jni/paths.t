# Probes take other ways where those are cheaper: natives themselves in the interpreter, FFM on 22 and
# later. The recording is the same.
# Slow: 6 s, JVMs run one after the other.
use strict;
use warnings;
use Test::More;
use lib 'tests/runtime-jni';
use Runtime;

my $N = 5000;

# What main did after its first pair, as text, and as it must be.
sub said {
	my ($r) = @_;
	my ($main) = $r ? grep { $_->{name} eq 'main' } values %{ $r->{threads} } : ();
	return join ' ', map { "$_->[0]:$_->[1]" } $main ? (@{ $main->{events} }[ 2 .. $#{ $main->{events} } ]) : ();
}

sub expected {
	return join ' ', map { ("1:$_ 2:$_ 1:$_ 3:$_") } 0 .. $N - 1;
}

sub captured {
	my ($r, $out) = @_;
	my ($main) = grep { $_->{name} eq 'main' } values %{ $r->{threads} };
	my ($hash, $class) = $out =~ /^(\d+) (-?\d+)$/m;
	my $object = object_number($hash, $class);
	my @told = grep { $_->[0] == 12 || $_->[0] == 13 } @{ $main->{told} };
	my $wrong = @told == 5 * $N ? 0 : 1;
	for my $i (0 .. $N - 1) {
		my $got = join ' ', map { "$_->[0]:$_->[1]" } @told[ 5 * $i .. 5 * $i + 4 ];
		$wrong++ if $got ne "12:$object 13:" . 3 * $i . ' 13:7 13:4 13:0';
	}
	return $wrong;
}

sub busy {
	my ($r) = @_;
	my $wrong = 0;
	for my $i (0, 1) {
		my ($t) = grep { $_->{name} eq "busy-$i" } values %{ $r->{threads} };
		my $e = $t ? $t->{events} : [];
		$wrong += (@$e != 60000) + ($t ? $t->{lost} + $t->{backwards} : 1);
		$wrong += grep { $e->[$_][0] != 1 + ($_ & 1) || $e->[$_][1] != $i } 0 .. $#$e;
	}
	return $wrong;
}

sub whole {
	my ($what, %o) = @_;
	my $got = run(%o);
	is("$got->{status} $got->{err}", '0 ', "$what: the program runs, and says nothing");
	my $r = only_recording($got->{dir});
	ok(said($r) eq expected(), "$what: every enter, exit and failure");
	is(captured($r, $got->{out}), 0, "$what: every capture");
	is(busy($r), 0, "$what: two threads, window after window");
	return $r;
}

for my $jvm (jvms()) {
	my ($label, $java) = @$jvm;
	my $r = whole("$label, natives", java => $java, args => [ 'Paths', 'jni', $N ], env => { JWEAVE_FFM => 'off' });
	ok(!$r->{meta}{probes}, "$label, JWEAVE_FFM=off: no FFM");
	$r = whole("$label, interpreter", java => $java, jvm => ['-Xint'], args => [ 'Paths', 'jni', $N ], env => { JWEAVE_FFM => 1 });
	ok(!$r->{meta}{probes}, "$label, interpreter: no FFM, where it would cost most");
	whole("$label, interpreter and -Xcheck:jni", java => $java, jvm => [ '-Xint', '-Xcheck:jni' ], args => [ 'Paths', 'jni', $N ]);
	my $got = run(java => $java, jvm => ['-Xint'], args => [ 'Paths', 'jni', 5 ], env => { JWEAVE => 'off' });
	is("$got->{status} $got->{err}" . join('', glob "$got->{dir}/*.jwr"), '0 ', "$label, interpreter, off: nothing");
	next if $label ne '17';
	$r = whole("$label, JWEAVE_FFM=1", java => $java, args => [ 'Paths', 'jni', $N ], env => { JWEAVE_FFM => 1 });
	ok(!$r->{meta}{probes}, "$label, JWEAVE_FFM=1: this VM has no such calls, and nothing is said");
}

SKIP: {
	my ($jvm) = grep { $_->[0] eq '25' } jvms();
	skip 'no JDK 25: FFM is not tried', 10 unless $jvm;
	my $java = $jvm->[1];
	for my $options ([], ['-XX:TieredStopAtLevel=1'], ['-Xcheck:jni']) {
		my $what = "25, FFM @$options";
		my $r = whole($what, java => $java, jvm => $options, args => [ 'Paths', 'ffm', $N, 'virtual' ], env => { JWEAVE_FFM => 1 });
		is(scalar @{ $r->{meta}{probes} || [] }, 1, "$what: it is used");
		my ($wrong, %all) = (0);
		for my $t (values %{ $r->{threads} }) {
			for my $id (keys %{ $t->{virtual} || {} }) {
				$all{$id}{$_} += $t->{virtual}{$id}{$_} for keys %{ $t->{virtual}{$id} };
			}
		}
		$wrong++ for grep { $_->{1} != 3000 || $_->{2} != 3000 } values %all;
		is(scalar(keys %all) . " $wrong", '20 0', "$what: virtual threads keep their events");
		is(scalar(grep { $_->{name} eq 'jweave' } values %{ $r->{threads} }), 0, "$what: the thread that prepares it has no row");
	}
	# without the grant the VM warns of the library, once; FFM adds nothing to it
	my $got = run(java => $java, args => [ 'Paths', 'ffm', 10 ], grant => 0, env => { JWEAVE_FFM => 1 });
	is(scalar(() = $got->{err} =~ /restricted method/g), 1, '25, FFM, not granted: the one warning of System.load');
}
done_testing();
