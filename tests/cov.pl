#!/usr/bin/perl
# cov.pl BUILD GATE ROOM...: line coverage from the counters that the tests left under BUILD.
#
# One line a room, then one of the total; files of gated ROOMs are listed with what is missing most.
# Exit 1 when a gated room has less than GATE per cent.
use strict;
use warnings;
use File::Find;

my ($build, $gate, @gated) = @ARGV;
die "usage: cov.pl BUILD GATE ROOM...\n" unless @gated;
my @rooms = qw(base cfr rules trace weaver cli);
my %gated = map { $_ => 1 } @gated;
my (%lines, %hit, %file);

for my $room (@rooms) {
	# objects without a counter were never run: they count too
	my @notes = glob("$build/$room/*.gcno");
	for my $notes (@notes) {
		(my $object = $notes) =~ s/\.gcno$/.o/;
		my $report = qx(gcov -n -o '$object' '$notes' 2>/dev/null);
		while ($report =~ /^File '([^']+)'\nLines executed:([\d.]+)% of (\d+)/mg) {
			my ($name, $percent, $count) = ($1, $2, $3);
			next unless $name =~ m{^(?:\./)?$room/[^/]+\.[ch]$};
			my $ran = int($percent * $count / 100 + 0.5);
			# a header is seen from many files: the best of them stands for it
			my $old = $file{$name};
			next if $old && $old->{ran} >= $ran;
			if ($old) { $lines{$room} -= $old->{count}; $hit{$room} -= $old->{ran}; }
			$file{$name} = { room => $room, count => $count, ran => $ran };
			$lines{$room} += $count;
			$hit{$room} += $ran;
		}
	}
}

my ($all, $all_hit, $failed) = (0, 0, 0);
for my $name (sort { $file{$b}{count} - $file{$b}{ran} <=> $file{$a}{count} - $file{$a}{ran} || $a cmp $b } keys %file) {
	my $f = $file{$name};
	next unless $f->{count};
	printf "%6.1f %%  %5d of %5d  %s\n", 100 * $f->{ran} / $f->{count}, $f->{ran}, $f->{count}, $name;
}
print "\n";
for my $room (@rooms) {
	my $count = $lines{$room} or do {
		print "   no counters  $room\n";
		$failed = 1 if $gated{$room};
		next;
	};
	my $percent = 100 * $hit{$room} / $count;
	my $low = $gated{$room} && $percent < $gate;
	$failed = 1 if $low;
	printf "%6.1f %%  %5d of %5d lines  %-8s%s\n", $percent, $hit{$room}, $count, $room,
		$low ? " below the gate of $gate %" : $gated{$room} ? " (gate $gate %)" : '';
	$all += $count;
	$all_hit += $hit{$room};
}
printf "%6.1f %%  %5d of %5d lines  in total\n", $all ? 100 * $all_hit / $all : 0, $all_hit, $all;
exit $failed;
