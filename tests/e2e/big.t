#!/usr/bin/perl
# Big things woven whole: guava and ecj link, javac and ecj woven whole compile as before.
# Slow: 120 s, javac and ecj, woven whole, compile.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use Test::More;

my $all = '{ "jweave": 1, "rules": [ { "select": { "class": "**",
	"kind": [ "method", "constructor", "clinit", "lambda", "bridge", "synthetic", "accessor" ] } } ] }';
my $tree = "$E2E::root/testdata/programs/acme"; # to compile
my @files = glob("$tree/*.java");


sub digest {
	my ($dir) = @_;
	return sh([ 'sh', '-c', "cd $dir && find . -name '*.class' | LC_ALL=C sort | xargs sha1sum" ])->{out};
}

# ---- libraries woven whole: the verifier refuses nothing ----
without25('its verifier');
for my $case ([ 'guava.jar', 2000, 'failureaccess.jar', 'jsr305.jar' ], [ 'eclipse-jdt-core.jar', 1400 ], [ 'commons-lang3.jar', 300 ]) {
	my ($name, $least, @needs) = @$case;
	my $in = "/usr/share/java/$name";
	SKIP: {
		skip "no $in", 3 unless -e $in;
		my @libs = map { "/usr/share/java/$_" } grep { -e "/usr/share/java/$_" } @needs;
		my $want = E2E::link_all($in, \@libs);
		weave_ok($in, $all, "$work/$name", '--no-guard');
		my $got = E2E::link_all("$work/$name", \@libs);
		# the runtime's own class is one more
		my ($linked, $missing, $refused) = $got =~ /^linked (\d+), missing (\d+), refused (\d+)$/m;
		my ($linked0, $missing0, $refused0) = $want =~ /^linked (\d+), missing (\d+), refused (\d+)$/m;
		is($refused, $refused0, "$name: the verifier refuses nothing") or diag(substr($got, 0, 1500));
		is($missing, $missing0, "$name: nothing else is missing");
		cmp_ok($linked, '>=', $least, "$name: $linked classes linked");
		if (my $java = jdk25()) {
			my $on25 = E2E::link_all("$work/$name", \@libs, java => $java);
			like($on25, qr/refused $refused0$/m, "$name: nor does that of JDK 25") or diag(substr($on25, 0, 1500));
		}
	}
}

# ---- javac woven whole compiles to the same bytes ----
{
	my $java = $E2E::default_java;
	my $classes = "$work/jdk.compiler";
	my $r = sh([ E2E::tool('jimage') || 'jimage', 'extract', '--include=regex:/jdk.compiler/.*', "--dir=$work/image",
		java_home() . '/lib/modules' ]);
	SKIP: {
		skip 'no jimage', 4 unless -d "$work/image/jdk.compiler";
		my $folder = "$work/image/jdk.compiler";
		unlink "$folder/module-info.class";
		my $w = weave_ok($folder, $all, "$work/javac-woven", '--no-guard', '--jdk', '--huge', '--runtime=classpath');
		my $plain = "$work/javac-plain.out";
		mkdir $plain;
		mkdir "$work/javac-woven.out";
		my $a = sh([ $java, '-m', 'jdk.compiler/com.sun.tools.javac.Main', '-nowarn', '-g', '-d', $plain, @files ], seconds => 200);
		is($a->{status}, 0, 'javac compiles the tree') or diag($a->{err});
		my $b = java([ "--patch-module=jdk.compiler=$work/javac-woven", '--add-reads=jdk.compiler=ALL-UNNAMED',
			"-Xbootclasspath/a:$E2E::build/jweave-rt.jar", '-XX:+UnlockDiagnosticVMOptions', '-XX:+BytecodeVerificationLocal',
			'-m', 'jdk.compiler/com.sun.tools.javac.Main', '-nowarn', '-g', '-d', "$work/javac-woven.out", @files ],
			seconds => 400, trace => 'javac', env => { JWEAVE_CONVERT => 'off' });
		is($b->{status}, 0, 'javac woven whole compiles it too') or diag(substr($b->{err}, 0, 3000));
		is(digest("$work/javac-woven.out"), digest($plain), 'to identical class files');
		ok(length(digest($plain)) > 5000, 'of which there are many');
		ok(-e "$b->{trace}.jwr", 'and there is a recording of it');
		sh([ 'rm', '-rf', "$work/javac-woven", "$work/image", "$b->{trace}.jwr" ]);
	}
}

# ---- ecj woven whole, run as a jar ----
SKIP: {
	my $ecj = '/usr/share/java/eclipse-jdt-core.jar';
	skip "no $ecj", 5 unless -e $ecj;
	my $rules = '{ "jweave": 1, "rules": [ { "select": { "class": "org.eclipse.jdt.internal.compiler.**",
		"kind": [ "method", "constructor", "clinit", "lambda" ], "code": { "minBytes": 40 } } } ] }';
	weave_ok($ecj, $rules, "$work/ecj.jar");
	my @options = ('--release', '17', '-proc:none', '-nowarn', '-g');
	my $a = java([ '-cp', $ecj, 'org.eclipse.jdt.internal.compiler.batch.Main', @options, '-d', "$work/ecj-plain.out", @files ], seconds => 200);
	my $b = java([ '-cp', "$work/ecj.jar", 'org.eclipse.jdt.internal.compiler.batch.Main', @options, '-d', "$work/ecj-woven.out", @files ],
		seconds => 400, trace => 'ecj');
	is($b->{status}, $a->{status}, 'ecj woven: the same exit status') or diag($b->{err});
	is($b->{out}, $a->{out}, 'ecj woven: the same output');
	is(digest("$work/ecj-woven.out"), digest("$work/ecj-plain.out"), 'ecj woven: identical class files');
	ok(length(digest("$work/ecj-plain.out")) > 3000, 'of which there are many');
	my $base = $b->{trace};
	if (!-e "$base.prv") {
		is(sh([ $jweave, 'prv', "$base.jwr", '-o', $base, '--map', "$work/ecj.jar" ], seconds => 300)->{status}, 0, 'the recording converts');
	}
	my $t = trace($base, 'ecj woven', '--counts');
	cmp_ok($t->{enters}, '>', 100000, "ecj woven: $t->{enters} calls in the trace");
}

done_testing();
