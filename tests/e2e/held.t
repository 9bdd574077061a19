#!/usr/bin/perl
# A long transaction in H2, as a user looks for it: jweave run on program and database as they are, then one command, jweave
# report --slowest, names the call that was held up, what it waited for, and who ended that by which call.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use JSON::PP;
use Test::More;

my ($h2) = grep { -e } $ENV{JW_H2} // (), '/usr/share/java/h2.jar';
plan skip_all => 'no H2 (libh2-java, or JW_H2)' if !$h2;

my $jar = program('LongTx');
my $MS = 1500;
my $jdk25 = jdk25();
without25('a transaction that holds another one up') if !$jdk25;
for ([ $E2E::default_java, 17 ], $jdk25 ? [ $jdk25, 25 ] : ()) {
	my ($java, $jvm) = @$_;
	my $r = sh([ $jweave, 'run', '-q', '--preset=monitors', '--preset=jdk-threads', '-o', "tx$jvm", '--', $java, '-cp', "$jar:$h2", 'acme.LongTx', $MS ],
		dir => $work);
	is("$r->{status} $r->{out}", "0 done\n", "$jvm: the program runs") or diag($r->{err});
	$r = sh([ $jweave, 'report', '-q', '--json', '--slowest=3', "tx$jvm.prv" ], dir => $work);
	is($r->{status}, 0, "$jvm: one command") or diag($r->{err});
	my ($buy) = grep { $_->{overNs} > $MS * 0.5e6 && grep { $_ eq 'LongTx.buy' } @{ $_->{stack} }, $_->{name} } @{ decode_json($r->{out})->{slowest} }[0 .. 2];
	my $part = $buy->{parts}[0];
	is("$buy->{threadName}: $part->{wait} $part->{class} $part->{method}", 'main: wait org.h2.mvstore.tx.Transaction Transaction.waitForThisToEnd',
		"$jvm: the call, and what it waited for") or diag($r->{out});
	is("$part->{enders}[0]{threadName} $part->{enders}[0]{method}", 'reporter JdbcConnection.commit', "$jvm: who ended it, by what") or diag($r->{out});
	cmp_ok($part->{ns}, '>', 0.9 * $buy->{ns}, "$jvm: that is why it was slow");
	my ($text) = sh([ $jweave, 'report', '-q', '--slowest=3', "tx$jvm.prv" ], dir => $work)->{out};
	like($text, qr/Object\.wait of org\.h2\.mvstore\.tx\.Transaction\@[0-9a-f]+ in Transaction\.waitForThisToEnd \(Transaction\.java:[0-9]+\); ended by reporter in JdbcConnection\.commit$/m,
		"$jvm: so says the text");
	# the preset's call sites and the VM tell of the same waits
	my $waits = decode_json(sh([ $jweave, 'report', '-q', '--json', '--top=1000', "tx$jvm.prv" ], dir => $work)->{out})->{waits};
	is(join(', ', map { "$_->{callee} in $_->{method}" } grep { $_->{wait} eq 'call' && $_->{callee} =~ /^(?:Object\.wait|Thread\.sleep)$/ } @$waits), '',
		"$jvm: a wait is told once");
	ok((grep { $_->{wait} eq 'wait' && @{ $_->{enders} } } @$waits), "$jvm: with who ended it");
}
done_testing();
