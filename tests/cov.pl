#!/usr/bin/perl
# cov.pl BUILD GATE ROOM...: line coverage from the counters that the tests left under BUILD.
#
# One line a room, then one of the total; files of gated ROOMs are listed with what is missing most.
# Exit 1 when a gated room has less than GATE per cent.
#
# cov.pl BUILD --each PROGRAM...: runs each alone, and says how many lines it covered, of those in the
# files that it reached; then the lines of each room that all of them cover together. Exit 1 when one
# fails.
use strict;
use warnings;
use File::Basename qw(basename);
use File::Find;

my ($build, $gate, @names) = @ARGV;
die "usage: cov.pl BUILD GATE ROOM...\n       cov.pl BUILD --each PROGRAM...\n" unless @names;
my @rooms = qw(base cfr rules trace weaver cli);
my %file; # by name: its room, how many lines it has and how many ran

sub count_room {
	my ($room) = @_;
	# objects without a counter were never run: they count too
	my @notes;
	find({ no_chdir => 1, wanted => sub { push @notes, $_ if /\.gcno$/ } }, grep { -d } "$build/$room");
	for my $notes (@notes) {
		(my $object = $notes) =~ s/\.gcno$/.o/;
		my $report = qx(gcov -n -o '$object' '$notes' 2>/dev/null);
		while ($report =~ /^File '([^']+)'\nLines executed:([\d.]+)% of (\d+)/mg) {
			my ($name, $percent, $count) = ($1, $2, $3);
			next unless $name =~ m{^(?:\./)?$room/.+\.[ch]$};
			my $ran = int($percent * $count / 100 + 0.5);
			# a header is seen from many files: the best of them stands for it
			next if $file{$name} && $file{$name}{ran} >= $ran;
			$file{$name} = { room => $room, count => $count, ran => $ran };
		}
	}
}

# lines of those files that IS says yes to: how many there are, and how many ran
sub lines_of {
	my ($is) = @_;
	my ($count, $ran) = (0, 0);
	for my $f (grep { $is->($_) } values %file) {
		$count += $f->{count};
		$ran += $f->{ran};
	}
	return ($count, $ran);
}

sub forget {
	%file = ();
	find(sub { unlink if /\.gcda$/ }, $build);
}

# a line of PROGRAM alone; false when it fails
sub run_alone {
	my ($program) = @_;
	forget();
	if (system("'$program' >/dev/null") != 0) {
		print "$program failed\n";
		return 0;
	}
	count_room($_) for @rooms;
	my ($count, $ran) = lines_of(sub { $_[0]{ran} });
	printf "%-14s %6d of %6d lines\n", basename($program) =~ s/^f_//r, $ran, $count;
	return 1;
}

# a line a room, and one of all; false when one that %GATED has is below GATE per cent
sub put_rooms {
	my ($gate, %gated) = @_;
	my $good = 1;
	for my $room (@rooms) {
		my ($count, $ran) = lines_of(sub { $_[0]{room} eq $room });
		if (!$count) {
			print "   no counters  $room\n";
			$good = 0 if $gated{$room};
			next;
		}
		my $percent = 100 * $ran / $count;
		my $low = $gated{$room} && $percent < $gate;
		$good = 0 if $low;
		printf "%6.1f %%  %5d of %5d lines  %-8s%s\n", $percent, $ran, $count, $room,
			$low ? " below the gate of $gate %" : $gated{$room} ? " (gate $gate %)" : '';
	}
	my ($count, $ran) = lines_of(sub { 1 });
	printf "%6.1f %%  %5d of %5d lines  in total\n", $count ? 100 * $ran / $count : 0, $ran, $count;
	return $good;
}

if ($gate eq '--each') {
	my $failed = grep { !run_alone($_) } @names;
	forget();
	system("'$_' >/dev/null") for @names;
	count_room($_) for @rooms;
	print "all together:\n";
	put_rooms(0);
	forget();
	exit !!$failed;
}

my %gated = map { $_ => 1 } @names;
count_room($_) for @rooms;
for my $name (sort { $file{$b}{count} - $file{$b}{ran} <=> $file{$a}{count} - $file{$a}{ran} || $a cmp $b } keys %file) {
	my $f = $file{$name};
	next unless $f->{count};
	printf "%6.1f %%  %5d of %5d  %s\n", 100 * $f->{ran} / $f->{count}, $f->{ran}, $f->{count}, $name;
}
print "\n";
exit !put_rooms($gate, %gated);
