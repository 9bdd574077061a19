# Natives that are bound anew (taps.t), in odd surroundings: threads and classes that go, stacks that are full, archives of
# classes and of code, a security manager, a library of somebody else that binds the same natives. The program is as without.
use strict;
use warnings;
use Test::More;
use lib 'tests/runtime-jni';
use Runtime;

my $home = java_home();
my $others = "$work/libothers.so";
system(cc(), '-std=c11', '-I.', '-fPIC', '-shared', "-I$home/include", "-I$home/include/linux", '-o', $others,
	'tests/runtime-jni/others.c') == 0 or BAIL_OUT('no libothers.so');

my %env = (JWEAVE_EVENTS => 'park,sleep');

sub parks {
	my ($r) = @_;
	return scalar grep { $_->[0] == 25 } map { @{ $_->{told} || [] } } values %{ $r->{threads} };
}

without_others('taps');
for my $jvm (jvms()) {
	my ($label, $java) = @$jvm;
	for my $options ([], ['-Xint'], ['-Xcheck:jni']) {
		my $what = join ' ', $label, @$options;
		my $got = run(java => $java, jvm => $options, args => ['Odd', 'alone'], env => \%env);
		is("$got->{status} $got->{out}", "0 threads left 0\nunloaded true\noverflow true true\nwoken 1\n", "$what: the program is as without");
		is($got->{err}, '', "$what: the VM says nothing");
		cmp_ok(parks(only_recording($got->{dir})), '>', 1500 + 200, "$what: parks are told");
	}

	# who binds last is called
	for my $when ('first', 'then') {
		my $got = run(java => $java, args => [ 'Odd', 'others', $others, $when ], env => \%env);
		my $theirs = $when eq 'first' ? 0 : 10;
		is("$got->{status} " . join(' ', $got->{out} =~ /^theirs (\d+)/m), "0 $theirs", "$label: a library that binds $when");
		is(parks(only_recording($got->{dir})), $theirs ? 1 : 11, "$label: is told of as long as ours is called");
	}

	# a thread that waits for events of windows
	SKIP: {
		skip('no xvfb-run, or a JDK without windows', 2) if system('command -v xvfb-run >/dev/null') || !-e $java =~ s{bin/java$}{lib/libawt_xawt.so}r;
		my $got = run(java => $java, sh => 'set -- xvfb-run -a "$@"', args => ['Windows'], env => { JWEAVE_EVENTS => 'io', JWEAVE_ALL_THREADS => 1 });
		is($got->{status}, 0, "$label: a program with a window runs") or diag($got->{err});
		my ($toolkit) = grep { $_->{name} eq 'AWT-XAWT' } values %{ only_recording($got->{dir})->{threads} };
		cmp_ok(scalar(grep { $_->[0] == 28 && ($_->[1] & 0xff) == $wait{select} } @{ $toolkit ? $toolkit->{told} : [] }), '>', 0, "$label: its toolkit waits for events");
	}

	# archives of classes, and on 25 of compiled code and linked classes
	my $archive = "$work/$label.archive";
	my ($make, $use) = $label eq '25' ? ([ "-XX:AOTCacheOutput=$archive" ], [ "-XX:AOTCache=$archive" ])
		: ([ "-XX:ArchiveClassesAtExit=$archive" ], [ "-XX:SharedArchiveFile=$archive" ]);
	my $jar = "$work/odd.jar";
	system("$home/bin/jar", 'cf', $jar, '-C', classes(), '.') if !-e $jar;
	SKIP: {
		# a runtime that was made smaller may have none to begin with; and 11 makes none of what runs
		skip("$java has no archive to add to", 3) if $label < 13 || !glob($java =~ s{bin/java$}{lib/server/classes*.jsa}r);
		my $made = run(java => $java, jvm => $make, aot => 1, cp => $jar, args => [ 'Taps', 3 ], env => \%env);
		ok($made->{status} == 0 && -s $archive, "$label: an archive is made");
		my $got = run(java => $java, jvm => $use, aot => 1, cp => $jar, args => [ 'Taps', 3 ], env => \%env);
		like("$got->{status} $got->{out}", qr/^0 interrupted true\nwoken sleep interrupted\n/, "$label: with the archive, the program is as without");
		cmp_ok(parks(only_recording($got->{dir})), '>=', 4, "$label: with the archive, parks are told");
	}

	next if $label eq '25'; # which has none
	open my $policy, '>', "$work/policy" or die;
	print $policy "grant { permission java.security.AllPermission; };\n";
	close $policy;
	my $got = run(java => $java, jvm => [ '-Djava.security.manager', "-Djava.security.policy==$work/policy" ], args => [ 'Taps', 3 ], env => \%env);
	like("$got->{status} $got->{out}", qr/^0 interrupted true\nwoken sleep interrupted\n/, "$label: with a security manager, the program is as without");
	cmp_ok(parks(only_recording($got->{dir})), '>=', 4, "$label: with a security manager, parks are told");
}
done_testing();
