#!/usr/bin/perl
# What other compilers write: programs of testdata/languages compiled by ecj, scalac, groovyc, Clojure, ajc, Jython,
# Rhino, ANTLR and JavaCC (where they are installed), by kotlinc and scalac 3 beforehand, and one obfuscated by ProGuard,
# woven together with the libraries that they run on: every method, every call site and all that calls can capture.
# They must print what they print unwoven, on 17 and on 25.
# Slow: 100 s, a dozen compilers run.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use File::Find;
use Test::More;

my $from = "$E2E::root/testdata/languages";
my $everything = "$E2E::root/tests/corpus-check/calls.json";
my $jars = $ENV{JWEAVE_JAVA_DIR} || '/usr/share/java';
# the compilers run once and for seconds: C1 is faster there
my @quick = qw(-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData -Xshare:auto);
my $java25 = jdk25();
without25('every language');

sub tool_run {
	my ($name, $classpath, @args) = @_;
	my $r = sh([ $E2E::default_java, @quick, '-Dpython.cachedir.skip=true', '-cp', join(':', @$classpath), @args ]);
	is($r->{status}, 0, "$name compiles") or diag(substr($r->{out} . $r->{err}, -2000));
	return $r;
}

# The folder of a language, made anew.
sub folder {
	my ($name) = @_;
	mkdir "$work/$name";
	return "$work/$name";
}

# One language: the JARS that it needs (all there, or it is skipped aloud), how MAKE makes the classes into a folder,
# and the MAIN class. Options: messages (of the programs to compare), library (that of JARS is woven, not only used).
sub language {
	my ($name, $needs, $main, $make, %o) = @_;
	my @needs = map { m{^/} ? $_ : "$jars/$_" } @$needs;
	my @missing = grep { !-e } @needs;
	SKIP: {
		skip "$name: no @missing", 1 if @missing;
		my $dir = folder($name);
		my @library = map { m{^/} ? $_ : "$jars/$_" } @{ $o{library} || [] };
		$make->($dir, @needs);
		my $program = "$work/$name.program.jar";
		if (-e "$dir/program.jar") {
			rename "$dir/program.jar", $program;
		} else {
			jar($program, $dir);
		}
		my $out = "$work/$name.woven";
		my $r = sh([ $jweave, '--no-guard', '-r', $everything, '-o', $out, $program, @library ]);
		is($r->{status}, 0, "$name: weaves") or diag($r->{err});
		runs($name, $main, [ $program, @library ], [ "$out/$name.program.jar", map { "$out/" . s{.*/}{}r } @library ], $_)
			for $E2E::default_java, $java25 || ();
		sh([ 'rm', '-rf', $out ]);
	}
}

sub runs {
	my ($name, $main, $plain, $woven, $java) = @_;
	my $of = $java eq $E2E::default_java ? $name : "$name on 25";
	my @vm = (@quick, '-Xverify:all', '-Dpython.cachedir.skip=true');
	push @vm, '--enable-native-access=ALL-UNNAMED', '--sun-misc-unsafe-memory-access=allow' if $of ne $name;
	my %env = (JWEAVE_CONVERT => 'off', JWEAVE_SUMMARY => 0, JWEAVE_MAX_SIZE => '16M');
	my $a = java([ '-cp', join(':', @$plain), $main ], vm => \@vm, java => $java, env => { JWEAVE => 'off' });
	SKIP: {
		# an old library may not live on a new JVM, woven or not
		skip "$of: it does not run unwoven: " . ($a->{err} =~ /^(.*(?:Error|Exception).*)$/m)[0], 2
			if $a->{status} && $of ne $name;
		is($a->{status}, 0, "$of: runs unwoven") or diag(substr($a->{err}, 0, 1500));
		my $b = java([ '-cp', join(':', @$woven), $main ], vm => \@vm, java => $java, env => \%env);
		is($b->{out}, $a->{out}, "$of: prints the same, woven") or diag(substr($b->{err}, 0, 1500));
		is($b->{status}, 0, "$of: and ends as before");
		my ($said) = map { join "\n", grep { !/^jweave: |^OpenJDK .*deprecated|^WARNING: __main__|createFromCode$/ } split /\n/ } $b->{err};
		my ($says) = map { join "\n", grep { !/^OpenJDK .*deprecated|^WARNING: __main__|createFromCode$/ } split /\n/ } $a->{err};
		is($said, $says, "$of: says the same");
		my $info = sh([ $jweave, 'info', '--json', "$b->{trace}.jwr" ]);
		my ($events) = $info->{out} =~ /"events": *(\d+)/;
		cmp_ok($events // 0, '>', 100, "$of: events recorded") or diag($info->{out} . $info->{err});
		diag("$of: $events events, " . length($a->{out}) . " bytes of output") if $ENV{JW_LANGUAGES};
		sh([ 'rm', '-rf', $b->{folder} ]);
	}
}

language('ecj', ['eclipse-jdt-core.jar'], 'Odd17', sub {
	my ($dir, @jars) = @_;
	tool_run('ecj', \@jars, 'org.eclipse.jdt.internal.compiler.batch.Main', '-17', '-proc:none', '-nowarn', '-g', '-d', $dir,
		"$E2E::root/tests/weaver/Odd17.java");
});
language('kotlinc', [], 'TowerKt', sub {
	my ($dir) = @_;
	sh([ 'cp', "$from/kotlin.jar", "$dir/program.jar" ]);
});
language('scalac3', [], 'Tower3', sub {
	my ($dir) = @_;
	sh([ 'cp', "$from/scala3.jar", "$dir/program.jar" ]);
});
my @scala = map { "scala-$_.jar" } qw(library compiler reflect);
language('scalac', [ @scala, 'scala-xml_2.11.jar', 'scala-parser-combinators_2.11.jar' ], 'Tower', sub {
	my ($dir, @jars) = @_;
	tool_run('scalac', \@jars, 'scala.tools.nsc.Main', '-usejavacp', '-nowarn', '-d', $dir, "$from/Tower.scala");
}, library => [ $scala[0] ]);
language('groovyc', ['groovy-all.jar'], 'Tower', sub {
	my ($dir, @jars) = @_;
	tool_run('groovyc', \@jars, 'org.codehaus.groovy.tools.FileSystemCompiler', '-d', $dir, "$from/Tower.groovy");
}, library => ['groovy-all.jar']);
my @clojure = ('clojure.jar', 'spec.alpha.jar', 'core.specs.alpha.jar');
language('clojure', \@clojure, 'tower', sub {
	my ($dir, @jars) = @_;
	tool_run('Clojure', [ $dir, $from, @jars ], "-Dclojure.compile.path=$dir", 'clojure.lang.Compile', 'tower');
}, library => \@clojure);
language('ajc', [ 'aspectjtools.jar', 'aspectjrt.jar' ], 'Tower', sub {
	my ($dir, @jars) = @_;
	tool_run('ajc', \@jars, 'org.aspectj.tools.ajc.Main', '-1.8', '-nowarn', '-cp', $jars[1], '-d', $dir, "$from/Tower.aj");
}, library => ['aspectjrt.jar']);
language('jython', [ 'jython.jar', 'antlr3-runtime.jar', 'guava.jar' ], 'tower$py', sub {
	my ($dir, @jars) = @_;
	tool_run('Jython', [ $jars[0] ], 'org.python.util.jython', '-c',
		"import py_compile; py_compile.compile('$from/tower.py', '$dir/tower\$py.class')");
}, library => [ 'jython.jar', 'antlr3-runtime.jar', 'guava.jar' ]);
language('rhino', ['rhino.jar'], 'tower', sub {
	my ($dir, @jars) = @_;
	tool_run('Rhino', \@jars, 'org.mozilla.javascript.tools.jsc.Main', '-opt', '9', '-d', $dir, "$from/tower.js");
}, library => ['rhino.jar']);
language('javacc', ['javacc.jar'], 'JavaccCalc', sub {
	my ($dir, @jars) = @_;
	my $src = folder('javacc.src');
	tool_run('JavaCC', \@jars, 'javacc', "-OUTPUT_DIRECTORY=$src", "$from/calc.jj");
	compile($dir, [ glob("$src/*.java") ]);
});

# ANTLR's parser, its library, and both through ProGuard: classes of one letter, overloaded by what they return
sub antlr {
	my ($dir, $antlr, @options) = @_;
	my $src = folder('antlr.src');
	sh([ 'cp', "$from/calc.g", $src ]);
	tool_run('ANTLR', [$antlr], 'antlr.Tool', '-o', $src, "$src/calc.g");
	compile($dir, [ "$from/AntlrCalc.java", glob("$src/*.java") ], '-cp', $antlr, @options);
}
language('antlr', ['antlr.jar'], 'AntlrCalc', \&antlr, library => ['antlr.jar']);
language('proguard', [ 'proguard.jar', 'antlr.jar' ], 'AntlrCalc', sub {
	my ($dir, $proguard, $antlr) = @_;
	my $classes = folder('proguard.classes');
	antlr($classes, $antlr, '--release', '8');
	# what ProGuard of Debian cannot read of 17, it finds in the signatures that javac has of 8
	my $jdk = folder('proguard.jdk');
	sh([ 'unzip', '-q', '-d', $jdk, home() . '/lib/ct.sym', '8*/java.base/*' ]);
	my @old = glob("$jdk/8*/java.base");
	find({ no_chdir => 1, wanted => sub { as_of_8($_) if s/\.sig$//r ne $_ } }, @old);
	tool_run('ProGuard', [$proguard], 'proguard.ProGuard', '-injars', "$classes:$antlr(**.class)", '-outjars', "$dir/program.jar",
		'-libraryjars', join(':', @old), '-dontwarn', '-dontnote', '-overloadaggressively', '-repackageclasses', '',
		'-allowaccessmodification', '-optimizationpasses', '2', '-mergeinterfacesaggressively',
		'-keep public class AntlrCalc { public static void main(java.lang.String[]); }',
		'-keepclassmembers class * extends antlr.ASTNode* { <init>(...); }',
		'-keep class antlr.CommonAST { <init>(...); }', '-keep class antlr.CommonToken { <init>(...); }');
});

# A signature as a class file of version 52.
sub as_of_8 {
	my ($file) = @_;
	my $bytes = slurp($file);
	substr($bytes, 6, 2) = pack 'n', 52;
	spit($file =~ s/\.sig$/.class/r, $bytes);
	unlink $file;
}

sub home {
	my $r = sh([ $E2E::default_java, '-XshowSettings:properties', '-version' ]);
	return $r->{err} =~ /java\.home = (\S+)/ ? $1 : '';
}
done_testing();
