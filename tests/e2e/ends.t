#!/usr/bin/perl
# However the process ends, what was recorded before is in the trace: from the run itself where it
# could still convert, else from `jweave prv` on the recording that it left.
# Slow: 50 s, JVMs that end in every way.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use POSIX qw(:sys_wait_h);
use Test::More;

use constant STEPS => 30000; # several windows' worth
my $jar = program('Ends');
my $woven = "$work/Ends-woven.jar";
weave_ok($jar, WHOLE, $woven, '--no-guard');

sub progress {
	my ($file) = @_;
	return unpack('Q<', slurp($file));
}

# The trace of a run: what the run converted, else what jweave prv makes of its recording.
sub trace_of {
	my ($r, $name) = @_;
	if (!-e "$r->{trace}.prv") {
		ok(-e "$r->{trace}.jwr", "$name: the recording is there") or return;
		my $p = sh([ $jweave, 'prv', "$r->{trace}.jwr", '-o', $r->{trace}, '--map', $woven ]);
		is($p->{status}, 0, "$name: jweave prv converts it") or diag($p->{err});
	}
	return trace($r->{trace}, $name);
}

sub complete {
	my ($t, $name, $done, $slack) = @_;
	my $steps = $t->{calls}{'acme.Ends.step'} || 0;
	ok($steps >= $done && $steps <= $done + $slack, "$name: $done steps were done, the trace has $steps");
	my $inner = $t->{calls}{'acme.Ends.inner'} || 0;
	ok($inner >= $done && $inner <= $done + $slack, "$name: and their callees ($inner)") unless $name =~ /daemon/;
}

for my $how (qw(return exit uncaught halt oom)) {
	for my $daemon ($how =~ /exit|return/ ? (0, 1) : 0) {
		my $name = $how . ($daemon ? ' beside a daemon thread' : '');
		my @vm = $how eq 'oom' ? ('-Xmx64m') : ();
		my @args = ($how, STEPS, "$work/progress", $daemon ? 'daemon' : ());
		my $plain = java([ @vm, '-jar', $jar, @args ]);
		my $r = java([ @vm, '-jar', $woven, @args ]);
		is($r->{out}, $plain->{out}, "$name: the same output");
		is($r->{status}, $plain->{status}, "$name: the same exit status ($plain->{status})");
		is(progress("$work/progress"), STEPS, "$name: all steps done");
		my $t = trace_of($r, $name) or next;
		complete($t, $name, STEPS, 0);
		is($t->{calls}{'acme.Ends.open'}, 6, "$name: the frames that were open are there");
		is($t->{edges}{'acme.Ends.open -> acme.Ends.end'}, 1, "$name: and lie in each other");
	}
}

# Signals, while the program is at work.
sub killed {
	my ($signal, $how) = @_;
	my $name = "SIG$signal, program in $how";
	my $dir = "$work/run.$signal.$how";
	mkdir $dir;
	unlink "$work/progress";
	my $pid = fork();
	if (!$pid) {
		$ENV{JWEAVE_OUTPUT} = "$dir/t";
		$ENV{JWEAVE_TMP} = $dir;
		chdir $dir;
		open STDIN, '<', '/dev/null';
		open STDOUT, '>', "$dir/out";
		open STDERR, '>', "$dir/err";
		exec $E2E::default_java, '-XX:-CreateCoredumpOnCrash', '-jar', $woven, $how, STEPS, "$work/progress" or die;
	}
	my $ready = 0;
	for (1 .. 600) {
		last if $ready = (slurp("$dir/out") // '') =~ /ready/;
		last if waitpid($pid, WNOHANG) == $pid;
		select undef, undef, undef, 0.05;
	}
	ok($ready, "$name: the program is at work") or diag(slurp("$dir/err"));
	select undef, undef, undef, $how eq 'wait' ? 2.5 : 0.3;
	my $before = progress("$work/progress");
	kill $signal, $pid;
	for (1 .. 400) {
		last if waitpid($pid, WNOHANG) == $pid;
		select undef, undef, undef, 0.05;
		kill 'KILL', $pid if $_ == 400;
	}
	my $done = progress("$work/progress");
	cmp_ok($done, '>=', STEPS, "$name: $done steps before the end");
	my $t = trace_of({ trace => "$dir/t" }, $name) or return;
	cmp_ok($done, '>=', $before, "$name: it was at work to the last");
	if ("$signal $how" eq 'KILL wait') {
		my ($end) = slurp("$dir/t.prv") =~ /^#Paraver \([^)]*\):(\d+)_ns/;
		cmp_ok($end, '>', 1.5e9, "$name: what it was waiting in lasts as long as it was seen");
	}
	complete($t, $name, $done, 1);
}
killed('KILL', 'wait');
killed('KILL', 'spin');
killed('TERM', 'spin');
killed('SEGV', 'spin');
killed('ABRT', 'spin');

# A crash of its own: a native store to nowhere.
{
	my $r = java([ '-XX:-CreateCoredumpOnCrash', '-jar', $woven, 'segv', STEPS, "$work/progress" ]);
	isnt("$r->{status}/$r->{signal}", '0/0', 'SIGSEGV in native code: the program died');
	my $t = trace_of($r, 'native SIGSEGV');
	complete($t, 'native SIGSEGV', STEPS, 0) if $t;
	is($t->{calls}{'acme.Ends.segv'}, 1, 'native SIGSEGV: the frame that crashed is there');
}
done_testing();
