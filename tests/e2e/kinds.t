#!/usr/bin/perl
# Kinds of the program's own (subclasses whose methods call super or each other, generics with their bridges): what they do
# is one operation however many calls it takes, with one arrow to each wait from what ended it.
# Slow: 10 s, threads that wait for each other, on two JVMs.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use JSON::PP;
use Test::More;

my $n = 4;
my $woven = "$work/Kinds-woven.jar";
weave_ok(program('Kinds'), '{ "jweave": 1, "include": [ "preset:jdk-threads", "preset:io" ], "rules": [] }', $woven);

sub kinds {
	my ($name, %o) = @_;
	my $r = java([ '-jar', $woven, $n ], %o);
	is($r->{status}, 0, "$name: the program ran") or diag($r->{err});
	my %got;
	for (@{ fields($r->{trace}, '--arrows', $name) }) {
		my ($tag, undef, undef, $to) = @$_;
		$got{$to}{$tag}++ unless $tag == 102 && $to eq 'main';
	}
	my %want;
	while ($r->{out} =~ /^arrows (\d+) (\S+) (\d+)$/mg) {
		$want{$2}{$1} = $3;
	}
	cmp_ok(scalar(keys %want), '>', 16, "$name: all kinds");
	delete $got{$_}{702} for grep { !/permits/ } keys %got; # their turns
	delete $got{$_}{801} for 'worked';
	delete $got{$_}{105} for 'worked'; # told to stop
	delete @{ $got{$_} }{ 105, 402 } for 'pooled'; # its worker, if it had parked: the pool interrupts it for new limits
	for my $to (sort keys %want) {
		$want{$to}{101} //= 1 unless $to eq 'main';
		my @odd = grep { ($got{$to}{$_} // 0) != ($want{$to}{$_} // 0) } keys %{ $want{$to} }, keys %{ $got{$to} };
		is(join(', ', map { "$_ " . ($got{$to}{$_} // 0) . ' times, not ' . ($want{$to}{$_} // 0) } @odd), '', "$name: arrows to $to");
	}
	my %did = map { ("$_->[0] $_->[1]" => $_->[2]) } @{ fields($r->{trace}, '--operations', $name) };
	while ($r->{out} =~ /^calls (\S+) (\d+) (\S+)$/mg) {
		is($did{"$1 $3"}, $2, "$name: $1 does $3 so often");
	}
	my ($times, $bytes) = $r->{out} =~ /^wrote (\d+) (\d+)$/m;
	my $report = decode_json(sh([ $jweave, 'report', '--json', "$r->{trace}.prv" ])->{out});
	my ($main) = grep { $_->{name} eq 'main' } @{ $report->{threads} };
	my ($write) = grep { $_->{name} eq 'write' } @{ $main->{operations} };
	is("$write->{count} $write->{bytes}", "$times $bytes", "$name: what streams pass on is written once");
}

kinds('17');
SKIP: {
	my $java = jdk25() or skip 'no JDK 25', 1;
	kinds('25', java => $java);
}
done_testing();
