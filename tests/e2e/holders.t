#!/usr/bin/perl
# Who has the monitor that others wait for, without a rule that says so: jweave run on a program as it is, then report.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use JSON::PP;
use Test::More;

my ($jar, $loading, $coming) = (program('Holder'), program('Loading'), program('Again'));
my $MS = 1500;
my $jdk25 = jdk25();
without25('who has a monitor') if !$jdk25;
for ([ $E2E::default_java, 17 ], $jdk25 ? [ $jdk25, 25 ] : ()) {
	my ($java, $jvm) = @$_;
	my $r = sh([ $jweave, 'run', '-q', '-o', "held$jvm", '--', $java, '-Xcheck:jni', '-cp', $jar, 'acme.Holder', $MS ], dir => $work);
	is("$r->{status} $r->{out}", "0 done\n", "$jvm: the program runs, and the VM says nothing") or diag($r->{err});

	$r = sh([ $jweave, 'report', '-q', "held$jvm.prv" ], dir => $work);
	like($r->{out}, qr/^ +2 .* to enter java\.lang\.Class\@[0-9a-f]+ in Holder\.guarded \(Holder\.java:[0-9]+\), called by Holder\.want; held by owner \(2\)$/m,
		"$jvm: who had the monitor of a method") or diag($r->{out});
	like($r->{out}, qr/^ +1 .* to enter java\.lang\.Class\@[0-9a-f]+ in Holder\.block \(Holder\.java:[0-9]+\); held by owner \(1\)$/m,
		"$jvm: and of a block");
	$r = sh([ $jweave, 'report', '-q', '--slowest=9', "held$jvm.prv" ], dir => $work);
	is(scalar(() = $r->{out} =~ /held by owner in Holder\.guarded$/mg), 3, "$jvm: and in which method") or diag($r->{out});
	unlike($r->{out}, qr/holder unknown/, "$jvm: of each long wait");

	my $report = decode_json(sh([ $jweave, 'report', '-q', '--json', "held$jvm.prv" ], dir => $work)->{out});
	my %number = map { ($_->{name} => $_->{thread}) } @{ $report->{threads} };
	is(join(' ', map { "$_->{thread}:$_->{count}" } @{ $report->{monitors}[0]{owners} }), "$number{owner}:3", "$jvm: the monitor's owners");
	$r = sh([ $jweave, 'report', '-q', '--thread=wanter*', "held$jvm.prv" ], dir => $work);
	unlike($r->{out}, qr/held by/, "$jvm: one that is not shown is not named");
	$r = sh([ $jweave, 'report', '-q', '--thread=*er*', "held$jvm.prv" ], dir => $work);
	like($r->{out}, qr/held by owner \(2\)/, "$jvm: one that has another row is") or diag($r->{out});

	# of five that have it in turns, none had it in a wait for longer than it had it
	$r = sh([ $jweave, 'run', '-q', '-o', "convoy$jvm", '--', $java, '-cp', $jar, 'acme.Holder', 300, 'convoy' ], dir => $work);
	is("$r->{status} $r->{out}", "0 done\n", "$jvm, convoy: the program runs") or diag($r->{err});
	$r = decode_json(sh([ $jweave, 'report', '-q', '--json', "convoy$jvm.prv" ], dir => $work)->{out});
	my ($wait) = grep { $_->{wait} eq 'enter' && $_->{method} eq 'Holder.guarded' } @{ $r->{waits} };
	is($wait->{count}, 4, "$jvm, convoy: four wait");
	my @had = map { $_->{ns} / $_->{count} / 1e6 } @{ $wait->{enders} };
	ok(@had && !(grep { $_ < 100 || $_ > 600 } @had), "$jvm, convoy: each had it for a turn") or diag("@had");

	# nobody tells who unparks a virtual thread: who had the lock when it began to wait does
	for my $owner ($jvm == 25 ? qw(virtual carriers) : ()) {
		$r = sh([ $jweave, 'run', '-q', '-o', $owner, '--', $java, '-Xcheck:jni', '-cp', $jar, 'acme.Holder', 300, $owner ], dir => $work);
		is("$r->{status} $r->{out}", "0 done\n", "$owner: the program runs, and the VM says nothing") or diag($r->{err});
		$r = sh([ $jweave, 'report', '-q', "$owner.prv" ], dir => $work);
		like($r->{out}, qr/^ +2 .* park for java\.util\.concurrent\.locks\.ReentrantLock\$NonfairSync\@[0-9a-f]+ in Holder\.locked \(Holder\.java:[0-9]+\); held by owner \(2\)$/m,
			"$owner: who had the lock") or diag($r->{out});
		$r = sh([ $jweave, 'report', '-q', '--slowest=9', "$owner.prv" ], dir => $work);
		is(scalar(() = $r->{out} =~ / held by owner in Holder\.locked$/mg), 2, "$owner: and in which method") or diag($r->{out});
	}

	# it has not lasted for a second when the program ends
	$r = sh([ $jweave, 'run', '-q', '-o', "both$jvm", '--', $java, '-cp', $jar, 'acme.Holder', 400, 'monitors' ], dir => $work);
	is("$r->{status} $r->{out}", "0 done\n", "$jvm: threads that wait for each other: the program ends");
	like($r->{err}, qr/deadlock: (left|right) waits for java\.lang\.Object\@[0-9a-f]+, which (left|right) has; (?!\1)(left|right) waits for /,
		"$jvm: ... which is told") or diag($r->{err});

	$r = sh([ $jweave, 'run', '-q', '-o', "ends$jvm", '--', $java, '-cp', $jar, 'acme.Holder', 300, 'ends' ], dir => $work);
	is("$r->{status} $r->{out}", "0 done\n", "$jvm: threads that join each other: the program ends");
	for my $of ('run', 'report') {
		$r = sh([ $jweave, 'report', '-q', "ends$jvm.prv" ], dir => $work) if $of eq 'report';
		like($r->{err}, qr/deadlock: (left|right) waits for the end of (left|right); \2 waits for the end of \1$/m, "$jvm: ... which is told, $of") or diag($r->{err});
	}

	if ($jvm == 25) {
		$r = sh([ $jweave, 'run', '-q', '-o', 'dead', '--', $java, '-cp', $jar, 'acme.Holder', 300, 'deadlock' ], dir => $work);
		is("$r->{status} $r->{out}", "0 done\n", 'virtual threads that wait for each other: the program ends');
		$r = sh([ $jweave, 'report', '-q', 'dead.prv' ], dir => $work);
		like($r->{err}, qr/deadlock: (left|right) waits for java\.util\.concurrent\.locks\.ReentrantLock\$NonfairSync\@[0-9a-f]+, which (left|right) has; (?!\1)(left|right) waits for /,
			'... which is told') or diag($r->{err});
		# the VM does not say who has a monitor where that is a virtual thread; woven code does
		for my $half ('', 'half-') {
			$r = sh([ $jweave, 'run', '-q', '--preset=monitors', '-o', "dead$half", '--', $java, '-cp', $jar, 'acme.Holder', 300, "${half}virtual-monitors" ], dir => $work);
			is("$r->{status} $r->{out}", "0 done\n", "... for monitors: the ${half}program ends");
			like($r->{err}, qr/deadlock: (left|right) waits for java\.lang\.Object\@[0-9a-f]+, which (left|right) has; (?!\1)(left|right) waits for /,
				'... which is told') or diag($r->{err});
		}
	}

	# who joins a virtual thread waits for its end, and not for the one that the VM lets go on first
	if ($jvm == 25) {
		$r = sh([ $jweave, 'run', '-q', '-o', 'joined', '--', $java, '-Xcheck:jni', '-cp', $jar, 'acme.Holder', 100, 'joined' ], dir => $work);
		is("$r->{status} $r->{out}", "0 done\n", 'threads join a virtual one: the program runs, and the VM says nothing') or diag($r->{err});
		$r = sh([ $jweave, 'report', '-q', 'joined.prv' ], dir => $work);
		is(scalar(() = $r->{out} =~ /^ +1 .* park for java\.util\.concurrent\.CountDownLatch\$Sync\@[0-9a-f]+ in Holder\.lambda\$joined\$\d+ \(Holder\.java:\d+\); ended by sleeper \(1\)$/mg),
			2, '... both go on since it ends') or diag($r->{out});
	}

	# who comes back from Object.wait() and must wait for the monitor, too
	if ($jvm == 25) {
		$r = sh([ $jweave, 'run', '-q', '-o', 'again', '--', $java, '-Xcheck:jni', '-cp', $jar, 'acme.Holder', 300, 'again' ], dir => $work);
		is("$r->{status} $r->{out}", "0 done\n", 'a virtual thread that waits again: the program runs, and the VM says nothing') or diag($r->{err});
		my $again = decode_json(sh([ $jweave, 'report', '-q', '--json', 'again.prv' ], dir => $work)->{out});
		my @waits = grep { $_->{method} eq 'Holder.waits' } @{ $again->{waits} };
		is(join(', ', sort map { "$_->{wait} $_->{count}" } @waits), 'enter 1, wait 1', 'it is blocked after it has waited') or diag(explain(\@waits));
		my ($blocked) = grep { $_->{wait} eq 'enter' } @waits;
		cmp_ok($blocked->{ns} // 0, '>', 200e6, '... for as long as the other one has the monitor');
		$r = sh([ $jweave, 'report', '-q', 'again.prv' ], dir => $work);
		like($r->{out}, qr/ to enter java\.lang\.Object\@[0-9a-f]+ in Holder\.waits .*; held by owner \(1\)$/m, '... which is told') or diag($r->{out});
	}

	# who does so has its monitor at once, unless somebody else has it
	if ($jvm == 25) {
		$r = sh([ $jweave, 'run', '-q', '-o', 'coming', '--', $java, '-Xcheck:jni', '-cp', $coming, 'acme.Again', 300 ], dir => $work);
		is("$r->{status} $r->{out}", "0 done\n", 'virtual threads come back from Object.wait(): the program runs, and the VM says nothing') or diag($r->{err});
		$r = sh([ $jweave, 'report', '-q', '--json', 'coming.prv' ], dir => $work);
		my $back = decode_json($r->{out});
		is($r->{err}, '', '... no deadlock is told');
		my ($enter) = grep { $_->{wait} eq 'enter' && $_->{method} eq 'Again.await' } @{ $back->{waits} };
		cmp_ok($enter->{count}, '<', 40, '... few of 84 are blocked') or diag(explain($enter)); # a busy machine takes some off their carriers
		my ($main) = map { $_->{thread} } grep { $_->{name} eq 'main' } @{ $back->{threads} };
		is(join(' ', map { "$_->{thread}" } @{ $enter->{enders} }), $main, '... and of the last one, whose monitor is taken, it is known who had that');
		for my $t (grep { $_->{name} =~ /^(expires|breaks|notified|taken)$/ } @{ $back->{threads} }) {
			my ($blocked, $taken) = (($t->{states}{9} // 0) / 1e6, $t->{name} eq 'taken');
			ok($taken ? $blocked > 150 && $blocked < 600 : $blocked < 100, "... $t->{name}: blocked or not") or diag("$blocked ms");
			cmp_ok($t->{runningNs} / 1e6, '>', 200, "... $t->{name}: runs after that");
		}
	}

	# what waits is the JDK's class loader, of no matter to who has not written one
	$r = sh([ $jweave, 'run', '-q', '-o', "load$jvm", '--', $java, '-cp', $loading, 'acme.Loading', 300 ], dir => $work);
	is("$r->{status} $r->{out}", "0 done\n", "$jvm: classes are loaded");
	$r = sh([ $jweave, 'report', '-q', "load$jvm.prv" ], dir => $work);
	like($r->{out}, qr/^ +2 .* to enter acme\.Loading\$Slow\@[0-9a-f]+ in Loading\.load, which loads a class \(Loading\.java:28\); held by /m,
		"$jvm: a wait for a class that another thread loads") or diag($r->{out});
	like($r->{out}, qr/ Thread\.sleep in Loading\$Slow\.findClass \(Loading\.java:18\)$/m, "$jvm: and what takes the time") or diag($r->{out});
}
done_testing();
