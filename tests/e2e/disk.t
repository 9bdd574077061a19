#!/usr/bin/perl
# With the defaults a thread that waits for a disk is not shown as running: reads of files that take long, and what
# forces them to the disk, with file and place. The disk is a library that sleeps. So is who waits for the lock of a file.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use JSON::PP;
use Test::More;

use constant { TIMES => 7, SLOW_MS => 5 };

my $slow = slow_disk(qw(read pread64 fsync fdatasync));
my $woven = "$work/Disk-woven.jar";
weave_ok(program('Disk'), WHOLE, $woven);

my %file = (read => 'a', readAt => 'a', readBytes => 'b', force => 'a', sync => 'b');
my @wanted = map { [ "Disk.$_", /^read/ ? 'read' : 'force', $file{$_}, TIMES ] } sort keys %file;

# [ method, what it waited for, file, how often ]..
sub waits {
	my ($name, %o) = @_;
	mkdir "$work/$name";
	my %slow = $o{fast} ? () : (LD_PRELOAD => $slow, SLOW_PATH => "$work/$name/", SLOW_US => SLOW_MS * 1000);
	my $r = java([ '-jar', $woven, "$work/$name", TIMES ], %o, env => { %slow, %{ $o{env} || {} } });
	is($r->{out}, "done\n", "$name: the program runs") or diag($r->{err});
	my $report = decode_json(sh([ $jweave, 'report', '--json', "$r->{trace}.prv" ])->{out} || '{}');
	my $waits = $report->{waits};
	# what is not known is no figure
	is(scalar(grep { $_->{reads}{count} || $_->{writes}{count} } @{ $report->{files} }), 0, "$name: no reads of unknown bytes");
	like(sh([ $jweave, 'report', "$r->{trace}.prv" ])->{out}, qr/^ *waits +ms +file\n +21 +\S+ +\S*\/\Q$name\E\/a$/m, "$name: files as text") if !$o{fast} && !$o{env};
	my @of_disk = grep { $_->{method} =~ /^Disk/ && $_->{channel} =~ m{/\Q$name\E/} } @$waits;
	cmp_ok($_->{ns}, '>=', TIMES * SLOW_MS * 1e6, "$name: $_->{method} waits so long") for $o{fast} ? () : @of_disk;
	return [ sort { $a->[0] cmp $b->[0] } map { [ @$_{ 'method', 'wait' }, $_->{channel} =~ s{.*/}{}r, $_->{count} ] } @of_disk ];
}

my $jdk25 = jdk25();
without25('disk') if !$jdk25;
for my $jvm ([ '17', undef ], $jdk25 ? [ '25', $jdk25 ] : ()) {
	my ($label, $java) = @$jvm;
	is_deeply(waits($label, java => $java), \@wanted, "$label: each wait, with its file");
	is_deeply(waits("$label-net", java => $java, env => { JWEAVE_EVENTS => 'io,net' }), \@wanted, "$label: where bytes of connections are told, too");
}
my $plain = program('Locked');
weave_ok($plain, WHOLE, "$work/Locked-woven.jar");
for my $jvm ([ '17', undef ], $jdk25 ? [ '25', $jdk25 ] : ()) {
	my ($label, $java) = @$jvm;
	for my $events ('default', 'default,file') {
		my $r = java([ '-Xcheck:jni', '-jar', "$work/Locked-woven.jar", "$work/a.lock", 300, $plain ], java => $java, env => { JWEAVE_EVENTS => $events });
		is($r->{out}, "done\n", "$label, $events: files are locked");
		unlike($r->{err}, qr/WARNING|FATAL/, "$label, $events: the VM says nothing");
		my $report = decode_json(sh([ $jweave, 'report', '--json', "$r->{trace}.prv" ])->{out} || '{}');
		my @locks = grep { $_->{wait} eq 'fileLock' } @{ $report->{waits} };
		is(join(' ', map { "$_->{method} $_->{count} $_->{channel}" } @locks), "Locked.locks 2 $work/a.lock", "$label, $events: who waits for a lock; to try is not to wait");
		my $text = sh([ $jweave, 'report', "$r->{trace}.prv" ])->{out};
		like($text, qr/^ +2 .* file lock, \Q$work\E\/a\.lock, in Locked\.locks \(Locked\.java:24\)$/m, "$label, $events: as text") or diag($text);
	}
}
is_deeply(waits('none', env => { JWEAVE_EVENTS => 'park' }), [], 'without io: none');
is_deeply([ grep { $_->[1] eq 'read' && $_->[3] == TIMES } @{ waits('fast', fast => 1) } ], [], 'reads of what is there are not waited for');
done_testing();
