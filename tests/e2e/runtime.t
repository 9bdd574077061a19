#!/usr/bin/perl
# Where the woven program runs, and what it may not disturb: off, class path, folders, single
# classes, security manager, read-only folder, full disk, no library.
# Slow: 20 s, thirty JVMs.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use Test::More;

my $jar = program('Exc');
my $woven = "$work/Exc-woven.jar";
weave_ok($jar, WHOLE, $woven, '--no-guard');
my $plain = java([ '-jar', $jar ]);
my $claimed = claimed($plain->{out});

sub as_plain {
	my ($r, $name) = @_;
	is($r->{out}, $plain->{out}, "$name: the same output");
	is($r->{status}, $plain->{status}, "$name: the same exit status");
}

sub traced {
	my ($r, $name) = @_;
	as_plain($r, $name);
	my $calls = counts($r->{trace});
	delete $calls->{$_} for grep { /lambda\$/ } keys %$calls;
	is_deeply($calls, $claimed, "$name: the trace is true");
}

# off
for my $case ([ 'JWEAVE=off', {}, { JWEAVE => 'off' } ], [ '-Djweave=off', { vm => ['-Djweave=off'] }, {} ]) {
	my ($name, $o, $env) = @$case;
	my $r = java([ '-jar', $woven ], %$o, env => $env);
	as_plain($r, $name);
	is($r->{err}, $plain->{err}, "$name: not a word");
	is_deeply([ ls($r->{folder}) ], [], "$name: no file");
}

# the start loads no class of the JDK that its archive of classes lacks: the first one costs most (17 loads
# one where an archive is opened again that is open)
for my $java ($E2E::default_java, jdk25() || ()) {
	my @from;
	for my $file ($jar, $woven) {
		my $log = "$work/classes.log";
		java([ "-Xlog:class+load:file=$log", '-jar', $file ], java => $java, env => { JWEAVE_CONVERT => 'off' });
		push @from, { map { $_ => 1 } slurp($log) =~ /(\S+) source: jrt:/g };
	}
	SKIP: {
		skip "$java has no archive", 1 if keys %{ $from[0] } > 100;
		is(join(' ', grep { !$from[0]{$_} && $_ ne 'sun.nio.fs.UnixFileKey' } sort keys %{ $from[1] }), '', "$java: every class is in the archive");
	}
}

# the summary goes to stderr, and can be silenced
{
	my $r = java([ '-jar', $woven ], env => { JWEAVE_SUMMARY => 0 });
	traced($r, 'JWEAVE_SUMMARY=0');
	is($r->{err}, '', 'JWEAVE_SUMMARY=0: not a word');
}

# the recording stays when asked for, and converts to the same
{
	my $r = java([ '-jar', $woven ], env => { JWEAVE_KEEP => 1 });
	ok(-e "$r->{trace}.jwr", 'JWEAVE_KEEP=1: the recording stays');
	my $p = sh([ $jweave, 'prv', "$r->{trace}.jwr", '-o', "$work/again" ]);
	is($p->{status}, 0, 'jweave prv on it') or diag($p->{err});
	is(slurp("$work/again.prv"), slurp("$r->{trace}.prv"), 'gives the same trace');
	is(slurp("$work/again.pcf"), slurp("$r->{trace}.pcf"), 'and the same names');
	my $q = java([ '-jar', $woven ], env => { JWEAVE_CONVERT => 'off' });
	ok(!-e "$q->{trace}.prv" && -e "$q->{trace}.jwr", 'JWEAVE_CONVERT=off leaves the recording alone');
	is($q->{out}, $plain->{out}, 'JWEAVE_CONVERT=off: the same output');
}

# an existing trace is not overwritten
{
	mkdir "$work/existing";
	E2E::spit("$work/existing/t.prv", "precious\n");
	my $r = java([ '-jar', $woven ], env => { JWEAVE_OUTPUT => "$work/existing/t" });
	as_plain($r, 'an existing trace');
	is(slurp("$work/existing/t.prv"), "precious\n", 'an existing trace is left alone');
	is(scalar(grep { /\.prv$/ } ls("$work/existing")), 2, 'and the new one is beside it');
}

# %h and %p, in the working folder
{
	my $r = java([ '-jar', $woven ], env => { JWEAVE_OUTPUT => 'trace-%h-%p' });
	is(scalar(grep { /^trace-.+-\d+\.prv$/ } ls($r->{folder})), 1, 'JWEAVE_OUTPUT: %h and %p, relative to the working folder')
		or diag(join ' ', ls($r->{folder}));
}

# class path
{
	weave_ok($jar, WHOLE, "$work/cp.jar", '--no-guard', '--runtime=classpath');
	my $r = java([ '-cp', "$work/cp.jar:$E2E::build/jweave-rt.jar", 'acme.Exc' ]);
	traced($r, '--runtime=classpath');
	my $embedded = java([ '-cp', $woven, 'acme.Exc' ]);
	traced($embedded, 'embedded, on the class path');
}

# a folder of classes, and one class
{
	weave_ok("$work/Exc.classes", WHOLE, "$work/Exc-folder", '--no-guard');
	traced(java([ '-cp', "$work/Exc-folder", 'acme.Exc' ]), 'a class folder');
	is(slurp("$work/Exc-folder/acme/Count.class"), slurp("$work/Exc.classes/acme/Count.class"), 'a class that no rule chooses is copied');

	my $r = weave("$work/Exc.classes/acme/Exc.class", WHOLE, "$work/One.class", '--no-guard', '--runtime=classpath');
	is($r->{status}, 0, 'a single class is woven') or diag($r->{err});
	sh([ 'cp', '-r', "$work/Exc.classes", "$work/single" ]);
	sh([ 'cp', "$work/One.class", "$work/single/acme/Exc.class" ]);
	my $run = java([ '-cp', "$work/single:$E2E::build/jweave-rt.jar", 'acme.Exc' ]);
	as_plain($run, 'a single class');
	my $want = { map { $_ => $claimed->{$_} } grep { /^acme\.Exc\.[^.]*$/ } keys %$claimed };
	my $id = sh([ $jweave, 'version' ]);
	is(scalar(grep { /\.prv$/ } ls($run->{folder})), 1, 'a single class: there is a trace') and
		is(trace($run->{trace})->{enters} > 0 ? 1 : 0, 1, 'a single class: with events in it');
}

# through FFM, from a woven jar that grants it
SKIP: {
	my $java25 = E2E::jdk25() or skip 'no JDK 25', 4;
	my $r = java([ '-jar', $woven, 200 ], java => $java25, env => { JWEAVE_FFM => 1, JWEAVE_SUMMARY => 0 });
	is("$r->{status} $r->{err}", '0 ', '25, java -jar, JWEAVE_FFM=1: not a word');
	my $plain = java([ '-jar', $jar, 200 ], java => $java25);
	is($r->{out}, $plain->{out}, '25, java -jar, JWEAVE_FFM=1: the same output');
	is_deeply(counts($r->{trace}), counts(java([ '-jar', $woven, 200 ], java => $java25, env => { JWEAVE_FFM => 0 })->{trace}),
		'25, java -jar, JWEAVE_FFM=1: the same calls');
}

# nowhere to write: a folder that is none (root writes to read-only ones)
for my $bad ('/proc/none/t', "$jar/t") {
	my $r = java([ '-jar', $woven ], env => { JWEAVE_OUTPUT => $bad, JWEAVE_TMP => undef });
	as_plain($r, "output in $bad");
	is(scalar(() = $r->{err} =~ /^/mg), 1, 'one line on stderr') or diag($r->{err});
	like($r->{err}, qr/^jweave: /, 'that says who speaks');
}

# a library that is not there, or none (for which HotSpot has a warning of its own)
for my $lib ("$work/missing.so", '/dev/null') {
	my $r = java([ '-jar', $woven ], env => { JWEAVE_LIB => $lib });
	as_plain($r, "JWEAVE_LIB=$lib");
	is(scalar(() = $r->{err} =~ /^jweave: /mg), 1, 'one line on stderr') or diag($r->{err});
	is($r->{err} =~ /\A[^\n]*\n\z/ ? 1 : 0, 1, 'and no other') if $lib ne '/dev/null';
	is_deeply([ ls($r->{folder}) ], [], 'and no file');
}

# a security manager: it may refuse all, which is said, or grant the archive what it wants
SKIP: {
	my $manager = '-Djava.security.manager';
	skip 'this JVM has no security manager', 6 if java([ $manager, '-version' ])->{status};
	my $r = java([ $manager, '-jar', $woven ]);
	as_plain($r, 'security manager');
	like($r->{err}, qr/^jweave: tracing is off: java\.security\.AccessControlException: access denied/m, 'security manager: it is said');
	spit("$work/all.policy", qq(grant codeBase "file:$woven" { permission java.security.AllPermission; };\n));
	traced(java([ '-jar', $woven ], vm => [ $manager, "-Djava.security.policy=$work/all.policy" ]), 'granted by a policy');
}

# a read-only folder, and a full disk: mounts of this test's own
my $mount = "$work/small";
mkdir $mount;
SKIP: {
	skip 'not root', 1 if $>;
	# a name space of its own: nothing stays mounted, whatever happens
	my $can = sh([ 'unshare', '-m', '--propagation', 'private', 'sh', '-c', "mount -t tmpfs -o size=1m tmpfs $mount" ]);
	skip 'no mounts here', 1 if $can->{status};
	my $java = $E2E::default_java;
	for my $case ([ 'full disk', 'size=300k', '' ], [ 'disk that fills up', 'size=2m', '' ], [ 'read-only', 'size=1m', "mount -o remount,ro $mount;" ]) {
		my ($name, $size, $then) = @$case;
		my $r = sh([ 'unshare', '-m', '--propagation', 'private', 'sh', '-c',
			"mount -t tmpfs -o $size tmpfs $mount; $then JWEAVE_OUTPUT=$mount/t JWEAVE_TMP=$mount exec $java -jar $woven 200" ]);
		my $want = java([ '-jar', $jar, 200 ]);
		is($r->{out}, $want->{out}, "$name: the same output");
		is("$r->{status}/$r->{signal}", '0/0', "$name: the program lives") or diag($r->{err});
		like($r->{err}, qr/^jweave: /m, "$name: and the loss is said");
	}
}
done_testing();
