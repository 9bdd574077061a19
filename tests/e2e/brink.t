# The first probe of a process comes near the end of the stack. Starting the runtime there would overflow in
# the middle of initialisers: of its own class, which then could never be used, and of classes of the JDK, which
# the program needs. So it has to wait for a probe with more stack; from then on everything is traced.
#
# Everything is interpreted, so that frames are as large in every run. The boot loader, and an archive of CDS, load
# the runtime's class without any stack of Java: else it is that which overflows first, which is no harm.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use Test::More;

my $plain = program('Brink');
my $woven = "$work/Brink-woven.jar";
weave_ok($plain, '{ "jweave": 1, "rules": [ { "match": [ "acme.Brink$Work#first()", "acme.Brink$Work#later(int)" ] } ] }', $woven,
	'--no-guard');

# AT frames above the end, the class path given by @$VM with $WOVEN in place of $PLAIN
sub falls {
	my ($what, $java, $at, $vm, $first) = @_;
	my @vm = ('-Xint', '-Xshare:auto', ($java eq $E2E::default_java ? () : '--enable-native-access=ALL-UNNAMED'));
	my ($a, $b) = map { my $jar = $_; java([ @vm, (map { s/JAR/$jar/r } @$vm), 'acme.Brink', $at ], java => $java,
			env => $jar eq $plain ? { JWEAVE => 'off' } : {}) } $plain, $woven;
	is($b->{status}, $a->{status}, "$what, $at frames above the end: the exit status is the program's");
	is($b->{out}, $a->{out}, 'so is what it prints') or diag($b->{err});
	unlike($b->{err}, qr/tracing is off/, 'tracing is not off');
	my $calls = counts($b->{trace});
	is($calls->{'acme.Brink$Work.later'}, 1000, 'every call after that is in the trace');
	my ($made) = $b->{err} =~ /^first (\d+)$/m;
	cmp_ok($calls->{'acme.Brink$Work.first'} // 0, '<=', $made // -1, 'none that was not made');
	is($calls->{'acme.Brink$Work.first'} // 0, $first, $first ? 'with enough stack, the first, too' : 'the first is not') if defined $first;
}

without25('the same');
for my $java ($E2E::default_java, jdk25() // ()) {
	my $name = $java eq $E2E::default_java ? 'this JDK' : 'JDK 25';
	falls("$name, boot loader", $java, $_, ['-Xbootclasspath/a:JAR'], 0) for 60, 150, 250;
	falls("$name, boot loader", $java, $_, ['-Xbootclasspath/a:JAR'], 1) for 1000, 3000;
	falls("$name, class path", $java, 3000, [ '-cp', 'JAR' ], 1);

	my $archive = "$work/" . ($name =~ tr/ /-/r) . '.jsa';
	java([ "-XX:ArchiveClassesAtExit=$archive", '-cp', $woven, 'acme.Brink', 3000 ], java => $java);
	SKIP: {
		-e $archive or skip "$name makes no archive of CDS", 1;
		# the unwoven program is not what the archive was made of
		my $got = java([ '-Xint', "-XX:SharedArchiveFile=$archive", '-cp', $woven, 'acme.Brink', 250 ], java => $java);
		like($got->{out}, qr/^sum 2997\nfailed 0\nfine$/m, "$name, archive of CDS: the program is as ever") or diag($got->{err});
		unlike($got->{err}, qr/tracing is off/, 'and tracing is not off');
		is(counts($got->{trace})->{'acme.Brink$Work.later'}, 1000, 'every later call is in the trace');
	}
}

# a stack as small as the JDK allows is enough
my $small = java([ '-Xss136k', '-jar', $woven, 100000 ]);
is(counts($small->{trace})->{'acme.Brink$Work.later'}, 1000, '-Xss136k: traced') or diag($small->{err});
done_testing();
