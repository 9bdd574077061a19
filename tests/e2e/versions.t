#!/usr/bin/perl
# Two versions of one class whose methods and call sites stand at the same places: every one has its own name, in
# the trace and its calls. Each is from an archive or folder of its own, and both run in one process; or both are
# in one archive, where either may run.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use Test::More;

my %body = (
	1 => 'static void old() { Thread.yield(); } static void shared() {} public void run() { for (int i = 0; i < 3; i++) old(); shared(); }',
	2 => 'static void shared() { Thread.interrupted(); } static void fresh() {} public void run() { fresh(); for (int i = 0; i < 5; i++) shared(); }',
);
my $rules = '{ "jweave": 1, "rules": [ { "match": "part.**" }, { "on": "call", "match": "java.lang.Thread#*" } ] }';
for my $v (1, 2) {
	spit("$work/Part.java", "package part; public class Part implements Runnable { $body{$v} }");
	compile("$work/v$v", ["$work/Part.java"]);
	jar("$work/v$v.jar", "$work/v$v");
	weave_ok("$work/v$v.jar", $rules, "$work/woven-v$v.jar", '--no-guard');
	weave_ok("$work/v$v", $rules, "$work/woven-v$v", '--no-guard');
}
spit("$work/Both.java", <<'END');
import java.net.*;
public class Both {
	public static void main(String[] args) throws Exception {
		for (String place : args) {
			URLClassLoader loader = new URLClassLoader(new URL[] { new java.io.File(place).toURI().toURL() }, null);
			((Runnable) loader.loadClass("part.Part").getConstructor().newInstance()).run();
		}
	}
}
END
spit("$work/First.java", 'public class First { public static void main(String[] a) { new part.Part().run(); } }');
compile("$work/both", ["$work/Both.java"]);
compile("$work/first", ["$work/First.java"], '-cp', "$work/v1");

my %once = ('part.Part.<init>' => 1, 'part.Part.run' => 1);
my %first = ('part.Part.old' => 3, 'java.lang.Thread.yield' => 3, 'part.Part.shared' => 1);
my %second = ('part.Part.fresh' => 1, 'part.Part.shared' => 5, 'java.lang.Thread.interrupted' => 5);

sub sum_of {
	my %n;
	for my $part (@_) { $n{$_} += $part->{$_} for keys %$part }
	delete $n{'part.Part.<init>'};
	return join ' ', map { "$_=$n{$_}" } sort keys %n;
}

sub is_named {
	my ($run, $name, @want) = @_;
	is("$run->{status}", 0, "$name: it runs") or diag($run->{err});
	is(sum_of(counts($run->{trace})), sum_of(map { (\%once, $_) } @want), "$name: every call, by its name");
	is(scalar(() = $run->{err} =~ /^jweave: /mg), 1, "$name: nothing to be said but the line at the end") or diag($run->{err});
}

# both in one archive: by release, also in an archive inside, in two roots, and under one name
sub jar_tool {
	my $r = sh([ E2E::tool('jar'), @_ ]);
	$r->{status} == 0 or BAIL_OUT("jar: $r->{err}");
}
jar_tool('--create', '--file', "$work/release.jar", '-C', "$work/v1", '.', '--release', 9, '-C', "$work/v2", '.');
mkdir "$work/outer";
mkdir "$work/outer/lib";
jar_tool('--create', '--file', "$work/outer/lib/inner.jar", '-C', "$work/v1", '.', '--release', 9, '-C', "$work/v2", '.');
jar("$work/outer.jar", "$work/outer");
mkdir "$work/roots";
sh([ 'cp', '-r', "$work/v1", "$work/v2", "$work/roots/" ]);
jar("$work/roots.jar", "$work/roots");
my $zip = sh([ 'python3', '-W', 'ignore', '-c', <<'END', "$work/twice.jar", map { "$work/v$_/part/Part.class" } 1, 2 ]);
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as z:
    for f in sys.argv[2:]: z.write(f, "part/Part.class")
END
$zip->{status} == 0 or BAIL_OUT("python3: $zip->{err}");
weave_ok("$work/$_.jar", $rules, "$work/woven-$_.jar", '--no-guard') for qw(release outer roots twice);
weave_ok("$work/roots", $rules, "$work/woven-roots", '--no-guard');
sh([ 'unzip', '-qo', "$work/woven-roots.jar", '-d', "$work/unpacked" ]);
sh([ 'unzip', '-qo', "$work/woven-outer.jar", '-d', "$work/opened" ]);

my @javas = ([ 'JDK 17', $E2E::default_java ]);
push @javas, [ 'JDK 25', jdk25() ] if jdk25();
without25('the same');
for (@javas) {
	my ($jdk, $java) = @$_;
	is_named(java([ '-cp', "$work/first:$work/woven-release.jar", 'First' ], java => $java), "$jdk, multi-release", \%second);
	# the archive inside leaves the runtime, and the names, to the outer one
	is_named(java([ '-cp', "$work/first:$work/opened/lib/inner.jar:$work/woven-outer.jar", 'First' ], java => $java),
		"$jdk, multi-release, inside", \%second);
	is_named(java([ '-cp', "$work/first:$work/woven-twice.jar", 'First' ], java => $java), "$jdk, duplicate", \%second);
	is_named(java([ '-cp', "$work/first:$work/unpacked:$work/unpacked/v2", 'First' ], java => $java), "$jdk, two roots", \%second);
	is_named(java([ '-cp', "$work/first:$work/woven-roots:$work/woven-roots/v2", 'First' ], java => $java), "$jdk, folder of two roots", \%second);
	for my $kind ('.jar', '') {
		is_named(java([ '-cp', "$work/both", 'Both', map { "$work/woven-v$_$kind" } 1, 2 ], java => $java),
			"$jdk, " . ($kind || 'folders'), \%first, \%second);
		is_named(java([ '-cp', join(':', "$work/first", map { "$work/woven-v$_$kind" } 1, 2), 'First' ], java => $java),
			"$jdk, " . ($kind || 'folders') . ', one of them hides the other', \%first);
	}
}
done_testing();
