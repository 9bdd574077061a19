#!/usr/bin/perl
# fuzz.pl LOG...: what campaigns of libFuzzer came to, one line each, by their logs NAME.log:
#
#     NAME  runs, minutes, edges, and after how many runs the last new edge was found
#
# Exit 1 when one found something, or has not ended.
use strict;
use warnings;
use File::Basename qw(basename);

die "usage: fuzz.pl LOG...\n" unless @ARGV;
my $failed = 0;

sub with_commas {
	my ($n) = @_;
	1 while $n =~ s/^(\d+)(\d{3})/$1,$2/;
	return $n;
}

sub summarize {
	my ($log) = @_;
	my ($runs, $seconds, $found, $edges, $last) = (0, undef, undef, 0, 0);
	open my $in, '<', $log or die "$log: $!\n";
	while (my $line = <$in>) {
		$found //= $1 if $line =~ /Test unit written to (\S+)/;
		($runs, $seconds) = ($1, $2) if $line =~ /^Done (\d+) runs in (\d+) second/;
		next unless $line =~ /^#(\d+)\s.*\bcov: (\d+)/;
		($last, $edges) = ($1, $2) if $2 > $edges;
	}
	my $name = basename($log, '.log');
	if ($found || !defined $seconds) {
		$failed = 1;
		printf "%-14s %s\n", $name, $found ? "found $found" : 'has not ended';
		return;
	}
	printf "%-14s %12s runs %6d minutes %8s edges, the last after %s runs\n", $name,
		with_commas($runs), ($seconds + 30) / 60, with_commas($edges), with_commas($last);
}

summarize($_) for @ARGV;
exit $failed;
