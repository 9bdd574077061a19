#!/usr/bin/perl
# An arrow is a fact: programs that know who let each of their threads go, also where many crowd around one
# lock, permit, barrier, exchanger or future, and overtake each other. Not every wait has an arrow; none has
# one from another thread.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use Test::More;

# When the calls of each operation end, by thread, as "TYPE NUMBER THREAD".
sub ends {
	my ($trace) = @_;
	my (@names, $rows, %ends, %open);
	for (split /\n/, slurp("$trace.row")) {
		if (/^LEVEL (\w+)/) { $rows = $1 eq 'THREAD' }
		elsif ($rows) { push @names, $_ }
	}
	open my $in, '<', "$trace.prv" or die "$trace.prv: $!";
	while (<$in>) {
		my ($kind, undef, undef, undef, $row, $time, @pairs) = split /[:\n]/;
		next unless $kind eq '2';
		while (my ($type, $value) = splice @pairs, 0, 2) {
			next unless $type > 48101000 && $type < 48102000;
			if ($value) { push @{ $open{"$row $type"} }, $value }
			else { push @{ $ends{"$type " . pop(@{ $open{"$row $type"} }) . " $names[$row - 1]"} }, $time }
		}
	}
	return \%ends;
}

my $jar = program('Truth');
my $woven = "$work/Truth-woven.jar";
weave_ok($jar, '{ "jweave": 1, "include": [ "preset:jdk-threads" ] }', $woven);

sub truth {
	my ($name, %o) = @_;
	my $p = java([ '-jar', $woven, 150 ], %o, trace => $name, seconds => 60);
	is($p->{status}, 0, "$name: the program ran") or diag($p->{err});
	my $arrows = fields($p->{trace}, '--arrows', $name);
	my $ends = ends($p->{trace});
	my %from = map { ("$_->[3] $_->[4]" => $_->[1]) } @$arrows;
	my (%right, @wrong);
	for (split /\n/, $p->{out}) {
		my ($type, $number, $thread, $k, $who) = split / /;
		my ($kind) = $thread =~ /^([a-z]+)/;
		my $arrow = $from{"$thread " . $ends->{"$type $number $thread"}[$k]} // next;
		if ($arrow eq $who) { $right{$kind}++ }
		else { push @wrong, "$thread, call $k of $type/$number: by $who, arrow from $arrow" }
	}
	is("@wrong[0 .. ($#wrong > 4 ? 4 : $#wrong)]", '', "$name: none is wrong");
	is($right{barrier}, 3 * 150, "$name: a barrier says itself who opened it, of the others it depends on how they meet");
}

truth('17');
SKIP: {
	my $java = jdk25() or skip 'no JDK 25', 1;
	truth('25', java => $java);
}
done_testing();
