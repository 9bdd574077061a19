#!/usr/bin/perl
# Woven JDK modules (--jdk) through --patch-module: java.base, from which the VM boots, whole, every
# kind of method and every call; java.xml, java.desktop and java.net.http with a woven program in one
# process. On the default JDK, and on 25 where there is one.
# Slow: 240 s, java.base, woven whole, boots and runs, also interpreted.
use strict;
use warnings;
use lib 'tests/e2e';
use Test::More;
use E2E;

my $whole = '"select": { "class": "**", "kind": [ "method", "constructor", "clinit", "lambda", "accessor", "bridge", "synthetic" ] }';
my %rules = (
	guarded => '{ "jweave": 1, "rules": [ { "match": "**#*" } ] }',
	all => "{ \"jweave\": 1, \"rules\": [ { $whole }, { \"on\": \"call\", \"match\": [ \"**\", \"**#<init>\" ] } ] }",
	some => '{ "jweave": 1, "rules": [ { "match": "java.util.BitSet#flip(int)" } ] }',
);
compile("$work/programs", [ map { "$E2E::root/testdata/programs/acme/$_.java" } qw(Base Modules) ]);

# Modules of the JDK of JAVA as folders, without module-info, of which the VM would warn; or nothing.
sub modules {
	my ($java, @names) = @_;
	my $home = $java =~ m{^(.*)/bin/java$} ? $1 : java_home();
	return unless -x "$home/bin/jimage" && -e "$home/lib/modules";
	my $to = "$work/modules-" . ++our $images;
	my $either = join '|', map { quotemeta } @names;
	sh([ "$home/bin/jimage", 'extract', "--include=regex:/($either)/.*", "--dir=$to", "$home/lib/modules" ]);
	unlink "$to/$_/module-info.class" for @names;
	return -d "$to/$names[0]" ? $to : ();
}

sub messages { # but what is jweave's summary
	return join '', grep { !/^jweave: \d+ threads?, [\d,]+ calls/ && !/^jweave: tracing added/ } split /^/, $_[0];
}

# Weaves java.base of IMAGE by RULES, runs Base on it with ARGS, as without; the trace.
sub on_base {
	my ($name, $java, $image, $rules, $args, @options) = @_;
	my $out = "$work/base-woven";
	weave_ok("$image/java.base", $rules, $out, '--jdk', @options);
	my @run = ('-cp', "$work/programs", 'acme.Base', @$args);
	my $a = java(\@run, java => $java);
	my $b = java([ "--patch-module=java.base=$out", @run ], java => $java, seconds => 300);
	is($b->{out}, $a->{out}, "$name: the same output") or diag($b->{err});
	is("$b->{status}/$b->{signal}", '0/0', "$name: exit status");
	is(messages($b->{err}), '', "$name: no message");
	my $t = trace($b->{trace}, $name);
	my $flips = claimed($a->{out})->{'java.util.BitSet.flip'};
	is($t->{calls}{'java.util.BitSet.flip'}, $flips, "$name: $flips calls of BitSet.flip");
	is(scalar(grep { /^unknown/ } keys %{ $t->{calls} }), 0, "$name: every method has its name");
	if ($rules eq $rules{some}) {
		my $off = java([ "--patch-module=java.base=$out", @run ], java => $java, env => { JWEAVE => 'off' });
		is("$off->{out}$off->{err}", $a->{out}, "$name: switched off, nothing is said");
		my $int = java([ '-Xint', "--patch-module=java.base=$out", @run ], java => $java, seconds => 300);
		is($int->{out}, $a->{out}, "$name: the same in the interpreter");
		is(trace($int->{trace}, "$name, -Xint")->{calls}{'java.util.BitSet.flip'}, $flips, "$name: as many calls there");
	}
	sh([ 'rm', '-rf', $out, $b->{folder} ]);
	return $t;
}

# The three modules and the program itself, woven apart, in one process.
sub together {
	my ($name, $java, $image) = @_;
	my @patches;
	for my $m (qw(java.xml java.desktop java.net.http)) {
		weave_ok("$image/$m", $rules{guarded}, "$work/woven-$m", '--jdk');
		push @patches, "--patch-module=$m=$work/woven-$m";
	}
	weave_ok("$work/programs", '{ "jweave": 1, "rules": [ { "match": "acme.Modules#*" } ] }', "$work/woven-programs");
	push @patches, '--enable-native-access=java.xml,java.net.http,ALL-UNNAMED' if $name eq '25';
	my @run = ('-Djava.awt.headless=true', '-cp');
	my $a = java([ @run, "$work/programs", 'acme.Modules' ], java => $java);
	my $b = java([ @patches, @run, "$work/woven-programs", 'acme.Modules' ], java => $java, seconds => 300);
	is($b->{out}, $a->{out}, "$name, modules: the same output") or diag($b->{err});
	is(messages($b->{err}), '', "$name, modules: no message");
	my $t = trace($b->{trace}, "$name, modules");
	is(scalar(grep { /^unknown/ } keys %{ $t->{calls} }), 0, "$name, modules: every method has its name");
	for my $method (qw(acme.Modules.xml javax.xml.parsers.DocumentBuilderFactory.newInstance javax.imageio.ImageIO.write
		java.net.http.HttpClient.newHttpClient)) {
		is($t->{calls}{$method}, 1, "$name, modules: $method is in the trace, once");
	}
	sh([ 'rm', '-rf', map { "$work/woven-$_" } qw(java.xml java.desktop java.net.http programs) ]);
}

my %javas = (default => $E2E::default_java, (jdk25() ? (25 => jdk25()) : ()));
without25('its own java.base');
for my $version (sort keys %javas) {
	my $java = $javas{$version};
	my $image = modules($java, qw(java.base java.xml java.desktop java.net.http));
	SKIP: {
		skip "$version: no modules, or no jimage", 1 unless $image;
		on_base("$version, guarded", $java, $image, $rules{guarded}, []);
		on_base("$version, some", $java, $image, $rules{some}, []);
		my $t = on_base("$version, all", $java, $image, $rules{all}, $version eq '25' ? ['newVirtualThreadPerTaskExecutor'] : [], '--no-guard');
		cmp_ok($t->{calls}{'java.lang.Object.<init>'}, '>', 100, "$version, all: constructors of Object too");
		if ($version eq '25') {
			my @virtual = grep { $t->{threads}[$_] =~ /virtual/ } 0 .. $#{ $t->{threads} };
			is(scalar(@virtual), 12, '25, all: a row for each virtual thread');
			is(scalar(grep { ($t->{by_thread}[$_]{'java.util.BitSet.flip'} // 0) == 100 } @virtual), 12,
				'25, all: what each of them called is on its row');
		}
		together($version, $java, $image);

		# what cannot be is refused, with the way out
		my $out = "$work/refused";
		my $r = weave("$image/java.base", $rules{some}, $out, '--jdk', '--runtime=classpath');
		is("$r->{status} $r->{err}", "4 jweave: error: java.base cannot see the runtime on the class path: weave it with --runtime=embed\n",
			"$version: --runtime=classpath");
		sh([ 'mkdir', '-p', "$work/part/java/util" ]);
		sh([ 'cp', "$image/java.base/java/util/BitSet.class", "$work/part/java/util" ]);
		$r = weave("$work/part", $rules{some}, $out, '--jdk');
		my $part = ' is of java.base, which is woven as a whole: its runtime begins in sun/launcher/LauncherHelper, which is not here';
		like($r->{err}, qr{java/util/BitSet\Q$part\E\n}, "$version: a part of java.base");
		is($r->{status}, 4, "$version: and nothing is written");
		sh([ 'mkdir', '-p', "$work/jmod/classes/sun/launcher" ]);
		sh([ 'cp', "$image/java.base/sun/launcher/LauncherHelper.class", "$work/jmod/classes/sun/launcher" ]);
		$r = weave(jar("$work/java.base.jmod", "$work/jmod"), $rules{some}, $out, '--jdk');
		my $jmod = "java.base as a .jmod file: --patch-module takes none; weave the folder 'classes' of 'jmod extract'";
		like($r->{err}, qr{: \Q$jmod\E\n}, "$version: a .jmod file");
		$r = sh([ $jweave, 'explain', '--jdk', '-r', E2E::spit("$work/e.json", $rules{guarded}), "$image/java.base",
			'sun.launcher.LauncherHelper#initOutput(boolean)' ]);
		like($r->{out}, qr/not woven: the recorder starts when it ends/, "$version: what is left out is explained");
		sh([ 'rm', '-rf', $image, "$work/part" ]);
	}
}
done_testing();
