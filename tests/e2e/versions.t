#!/usr/bin/perl
# Two versions of one class in one process, each from an archive or folder of its own, whose methods and call
# sites stand at the same places: every one has its own name, in the trace and its calls.
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

my @javas = ([ 'JDK 17', $E2E::default_java ]);
push @javas, [ 'JDK 25', jdk25() ] if jdk25();
for (@javas) {
	my ($jdk, $java) = @$_;
	for my $kind ('.jar', '') {
		is_named(java([ '-cp', "$work/both", 'Both', map { "$work/woven-v$_$kind" } 1, 2 ], java => $java),
			"$jdk, " . ($kind || 'folders'), \%first, \%second);
		is_named(java([ '-cp', join(':', "$work/first", map { "$work/woven-v$_$kind" } 1, 2), 'First' ], java => $java),
			"$jdk, " . ($kind || 'folders') . ', one of them hides the other', \%first);
	}
}
done_testing();
