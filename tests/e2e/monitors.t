#!/usr/bin/perl
# Monitors that threads are blocked for: each contended enter is in the trace, with an arrow from the thread that gave
# the monitor back, by monitorexit, at the end of a synchronized method, by an exception, by Object.wait; none where
# code that is not woven held it.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use JSON::PP;
use Test::More;

my $rules = <<'END';
{ "jweave": 1,
  "include": [ "preset:jdk-threads", "preset:monitors" ],
  "exclude": [ "acme.Own$Unseen" ],
  "rules": [ { "select": { "class": "acme.Own**", "kind": [ "method", "lambda" ] } } ] }
END

my $jar = program('Own');
my $woven = "$work/Own-woven.jar";
weave_ok($jar, $rules, $woven);

sub own {
	my ($name, %o) = @_;
	my $r = java([ '-jar', $woven, 5 ], %o);
	is($r->{status}, 0, "$name: the program runs") or diag($r->{err});
	my $arrows = fields($r->{trace}, '--arrows', $name);
	while ($r->{out} =~ /^arrows (\d+) (\S+) (\d+)$/mg) {
		my ($tag, $prefix, $n) = ($1, $2, $3);
		is((grep { $_->[0] == $tag && index($_->[3], $prefix) == 0 } @$arrows), $n, "$name: arrows $tag to $prefix");
	}
	while ($r->{out} =~ /^from (\d+) (\S+) (\S+)$/mg) {
		my ($tag, $prefix, $from) = ($1, $2, $3);
		is((grep { $_->[0] == $tag && index($_->[3], $prefix) == 0 && $_->[1] ne $from } @$arrows), 0,
			"$name: arrows $tag to $prefix are all from $from");
	}
	is((grep { $_->[4] < $_->[2] } @$arrows), 0, "$name: no arrow goes back in time");
	# each of a chain has it from the one before: who gave it away never gives it again
	my %gave;
	$gave{ $_->[1] }++ for grep { $_->[0] == 305 && $_->[3] =~ /^cha-/ } @$arrows;
	is(join(' ', map { "$_ $gave{$_}" } grep { $gave{$_} != 1 } sort keys %gave), '', "$name: a chain of owners");
	my %blocked;
	for (@{ fields($r->{trace}, '--states', $name) }) {
		push @{ $blocked{ $_->[0] } }, $_->[2] - $_->[1] if $_->[3] eq 'Blocked';
	}
	while ($r->{out} =~ /^blocked (\S+) (\d+)$/mg) {
		my ($prefix, $n) = ($1, $2);
		my @threads = grep { index($_, $prefix) == 0 } keys %blocked;
		is(scalar @threads, $n, "$name: $n threads were blocked, $prefix");
		# threads that end at once may meet at the monitor of their group, for a moment
		my @odd = grep { 1 != grep { $_ >= 20e6 } @{ $blocked{$_} } } @threads;
		is(join(' ', map { "$_ @{ $blocked{$_} }" } @odd), '', "$name: once each for 20 ms or more, $prefix");
	}
	# whose monitors they were, who was blocked for them, and by whom
	my $report = decode_json(sh([ $jweave, 'report', '--json', "$r->{trace}.prv" ])->{out});
	my @threads = map { "$_->{task} $_->{thread} $_->{name}" } @{ $report->{threads} };
	my %name = map { /^(\d+ \d+) (.*)/ ? ($1 => $2) : () } @threads;
	my %held;
	for my $m (@{ $report->{monitors} }) {
		my $who = join ' ', sort map { $name{"$_->{task} $_->{thread}"} =~ s/\d+$//r } @{ $m->{threads} };
		my $owners = join ' ', sort map { $name{"$_->{task} $_->{thread}"} . " $_->{count}" } @{ $m->{owners} };
		$held{$owners} = $who if $m->{contended}{count};
	}
	like($held{'main 5'} // '', qr/^(?:met- ){4}met-$|^(?:cls- ){4}cls-$/, "$name: the report says who held it");
	my ($lock) = sort { $b->{contended}{count} <=> $a->{contended}{count} } @{ $report->{monitors} };
	is($lock->{contended}{count}, 5 + 2 + 2 + 5 + 2, "$name: how often one was contended");
	my ($main) = grep { $name{"$_->{task} $_->{thread}"} eq 'main' } @{ $lock->{owners} };
	cmp_ok($main->{count}, '>=', 5 + 2 + 2 + 1, "$name: and how often main held it");
	cmp_ok($main->{ns}, '>=', 20e6 * $main->{count}, "$name: for how long");
	return $r;
}

own('17');
SKIP: {
	my $java = jdk25() or skip 'no JDK 25', 1;
	own('25', java => $java);
}
done_testing();
