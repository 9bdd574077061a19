#!/usr/bin/perl
# What fuzz.pl says of campaigns: by the logs of one that found nothing, one that found something,
# and one that was cut off.
use strict;
use warnings;
use File::Temp qw(tempdir);
use Test::More tests => 4;

my $work = tempdir(CLEANUP => 1);

sub log_of {
	my ($name, @lines) = @_;
	open my $out, '>', "$work/$name.log" or die $!;
	print $out map { "$_\n" } @lines;
	close $out;
	return "$work/$name.log";
}

my @grown = ("#2\tINITED cov: 10 ft: 20 corp: 1/1b", "#1500\tNEW    cov: 1234 ft: 30 corp: 2/9b",
	"#9000\tREDUCE cov: 1234 ft: 30 corp: 2/8b");
my $quiet = log_of('quiet', @grown, 'Done 1234567 runs in 601 second(s)');
my $crash = log_of('crash', @grown, '==7== ERROR: libFuzzer: deadly signal',
	'artifact_prefix=\'x-\'; Test unit written to x-crash-1');
my $cut = log_of('cut', @grown);

like(qx(perl tests/fuzz.pl '$quiet'),
	qr/^quiet +1,234,567 runs +10 minutes +1,234 edges, the last after 1,500 runs$/, 'runs, minutes, edges');
is($?, 0, 'nothing found');
my $said = qx(perl tests/fuzz.pl '$quiet' '$crash' '$cut');
isnt($?, 0, 'something was found');
like($said, qr/^crash +found x-crash-1\ncut +has not ended$/m, 'what, and what has not ended');
