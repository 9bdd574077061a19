#!/usr/bin/perl
# Threads of the JDK that wait in natives of their own are idle, not running, where they have a row; so is a worker whose
# first waits are known as a sum.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use JSON::PP;
use Test::More;

my $woven = "$work/Idle-woven.jar";
weave_ok(program('Idle'), WHOLE, $woven);

use constant { LEAST => 350e6, SLACK => 100e6 };

# Each of THREADS, by the begin of its name, has waited; it ran as long as its CPU time, and a bit. The one for
# references is in its native before anything is recorded.
sub idle {
	my ($name, $threads, %o) = @_;
	mkdir "$work/$name";
	my $r = java([ '-jar', $woven, "$work/$name" ], %o);
	is($r->{out}, "done\n", "$name: the program runs") or diag($r->{err});
	my $report = decode_json(sh([ $jweave, 'report', '--json', '--busy=0', "$r->{trace}.prv" ])->{out} || '{}');
	for my $begin (@$threads) {
		my ($t) = grep { index($_->{name}, $begin) == 0 } @{ $report->{threads} };
		ok($t, "$name: $begin has a row") or next;
		cmp_ok($t->{runningNs}, '<', ($t->{cpuNs} // 0) + SLACK, "$name: $begin hardly runs") if $begin ne 'Reference Handler';
		cmp_ok($t->{lifeNs} - $t->{runningNs}, '>', LEAST, "$name: it waits");
	}
}

my $jdk25 = jdk25();
without25('idle') if !$jdk25;
my @waiting = ('FileSystemWatch', 'process reaper', 'Reference Handler');
my @told = ('pool-1-thread-1', 'FileSystemWatch'); # what ran, and who unparks a thread of the program
my %all = (17 => \@waiting, 25 => [ @waiting, 'VirtualThread-unblocker' ]);
my %rows = (17 => \@told, 25 => [ @told, 'process reaper' ]);
for my $jvm ([ '17', undef ], $jdk25 ? [ '25', $jdk25 ] : ()) {
	my ($label, $java) = @$jvm;
	idle($label, $rows{$label}, java => $java);
	idle("$label-all", $all{$label}, java => $java, env => { JWEAVE_ALL_THREADS => 1 });
}
done_testing();
