#!/usr/bin/perl
# Remote calls: those through stubs count, where they are made and where they are served, and nothing else that remote objects do.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use JSON::PP;
use Test::More;

my $woven = "$work/Rmi-woven.jar";
weave_ok(program('Rmi'), '{ "jweave": 1, "include": [ "preset:rmi" ], "rules": [] }', $woven);

# operations of THREADS of REPORT: { type/name => count }, without those that never happen
sub operations {
	my ($report, $threads) = @_;
	my %sum;
	for my $thread (grep { $_->{name} =~ $threads } @{ $report->{threads} }) {
		$sum{"$_->{type}/$_->{name}"} += $_->{count} for @{ $thread->{operations} };
	}
	return \%sum;
}

sub remote {
	my ($name, %o) = @_;
	my $plain = java([ '-Djweave=off', '-jar', $woven ], %o);
	my $r = java([ '-jar', $woven ], %o, env => { JWEAVE_KEEP => 1 });
	is($r->{out}, $plain->{out}, "$name: the program runs as before") or diag($r->{err});
	for my $from ("$r->{trace}.jwr", "$r->{trace}.prv") {
		my $what = "$name, " . ($from =~ s/.*\.//r);
		my $report = decode_json(sh([ $jweave, 'report', '--json', '--map', $woven, $from ])->{out} || '{}');
		is_deeply(operations($report, qr/^main$/), { 'rmi/call' => 161, 'rmi/registry' => 7 }, "$what: the client")
			or diag(explain($report->{threads}));
		is_deeply(operations($report, qr/^RMI TCP Connection/), { 'rmi/call' => 50, 'rmi/serve' => 211 }, "$what: the servers")
			or diag(explain($report->{threads}));
		is_deeply(operations($report, qr/^(?!main$|RMI TCP Connection)/), {}, "$what: nobody else");
		next if $from =~ /prv$/;
		my %sites;
		$sites{"$_->{caller} $_->{operation}"} += $_->{count} for @{ $report->{sites} };
		is_deeply(\%sites, { 'Rmi.main rmi/call' => 161, 'Rmi.main rmi/registry' => 7, 'Rmi$Server.ask rmi/call' => 50 }, "$what: where")
			or diag(explain($report->{sites}));
	}
}

remote('17');
SKIP: {
	my $java = jdk25() or skip 'no JDK 25', 1;
	remote('25', java => $java);
}
done_testing();
