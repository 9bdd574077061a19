#!/usr/bin/perl
# Woven agents: their premain is traced, and what README.md and the manual page say of the JDK's warnings of native
# access is so: a woven archive started by -jar needs no flag, but where woven code runs before main().
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use Test::More;

my $body = 'static int work(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }';
my %source = (
	Agent => "$body public static void premain(String a) { System.out.println(\"premain \" + work(3)); }"
		. ' public static void agentmain(String a) { System.out.println("agentmain " + work(4)); }',
	Main => "$body public static void main(String[] a) { System.out.println(\"main \" + work(5)); }",
);
mkdir "$work/acme";
compile("$work/classes", [ map { spit("$work/acme/$_.java", "package acme; public class $_ { $source{$_} }") } sort keys %source ]);

my %manifest = (
	agent => 'Premain-Class: acme.Agent',
	main => 'Main-Class: acme.Main',
	both => "Main-Class: acme.Main\nLauncher-Agent-Class: acme.Agent",
);
my $rules = '{ "jweave": 1, "rules": [ { "match": "acme.**" } ] }';
for my $name (sort keys %manifest) {
	my $r = sh([ E2E::tool('jar'), '--create', '--file', "$work/$name.jar", '--manifest', spit("$work/$name.mf", "$manifest{$name}\n"), '-C', "$work/classes", '.' ]);
	$r->{status} == 0 or BAIL_OUT("jar: $r->{err}");
	my $note = "$work/$name.jar is an agent, which runs before main(), and so before the JDK reads what may load the recorder: give JDK 24 and later --enable-native-access=ALL-UNNAMED, or they warn";
	is(weave_ok("$work/$name.jar", $rules, "$work/woven-$name.jar")->{err}, $name eq 'main' ? '' : "jweave: note: $note\n",
		"$name: weaving says what it takes");
}

sub run_agent {
	my ($name, $java, $out, $warned, @args) = @_;
	my $r = java([ @args ], java => $java);
	is("$r->{status} $r->{out}", "0 $out", "$name: it runs") or diag($r->{err});
	is($r->{err} =~ /WARNING: A restricted method in java\.lang\.System has been called/ ? 1 : 0, $warned, "$name: warned") or diag($r->{err});
	my $counts = counts($r->{trace});
	my %calls = map { /(\w+) (\d+)/ ? ("acme.\u$1.work" => 1) : () } map { s/premain|agentmain/agent/r } split /\n/, $out;
	is_deeply({ map { $_ => $counts->{$_} } grep { /work$/ } keys %$counts }, \%calls, "$name: traced");
}

my @javas = ([ '17', $E2E::default_java, 0 ]);
push @javas, [ '25', jdk25(), 1 ] if jdk25();
for (@javas) {
	my ($name, $java, $warns) = @$_;
	my @flag = $warns ? '--enable-native-access=ALL-UNNAMED' : ();
	my ($main, $agent, $both) = ("$work/woven-main.jar", "$work/woven-agent.jar", "$work/woven-both.jar");
	run_agent("$name: a program by -jar", $java, "main 10\n", 0, '-jar', $main);
	run_agent("$name: an agent before it", $java, "premain 3\nmain 10\n", $warns, "-javaagent:$agent", '-jar', $main);
	run_agent("$name: the same with the flag", $java, "premain 3\nmain 10\n", 0, @flag, "-javaagent:$agent", '-jar', $main);
	run_agent("$name: an agent that the launcher starts", $java, "agentmain 6\nmain 10\n", $warns, '-jar', $both);
	run_agent("$name: the same with the flag", $java, "agentmain 6\nmain 10\n", 0, @flag, '-jar', $both);
	mkdir "$work/run-$name";
	my $r = sh([ $jweave, 'run', '-q', '-r', spit("$work/r.json", $rules), '--', $java, "-javaagent:$agent", '-jar', "$work/main.jar" ],
		dir => "$work/run-$name", env => { XDG_CACHE_HOME => "$work/run-$name", JWEAVE_SUMMARY => 0 });
	is("$r->{status} $r->{out}$r->{err}", "0 premain 3\nmain 10\n", "$name: jweave run gives the flag");
	# where the manifest does, the flag would have the JVM leave aside half of an archive of CDS that was made without it
	for my $of ([ 'a program', 0, 'main' ], [ 'an agent that the launcher starts', 1, 'both' ], [ 'a loader of its own', 1, 'main', '-Djava.system.class.loader=acme.Loader' ],
		[ 'an agent of the environment', 1, 'main', undef, { JAVA_TOOL_OPTIONS => "-javaagent:$work/woven-agent.jar" } ]) {
		my ($what, $flag, $jar, $option, $env) = @$of;
		spit("$work/fake-java", "#!/bin/sh\necho \"\$@\"\n");
		chmod 0755, "$work/fake-java" or die;
		mkdir "$work/jdk-$name", 0755;
		mkdir "$work/jdk-$name/bin";
		rename "$work/fake-java", "$work/jdk-$name/bin/java";
		spit("$work/jdk-$name/release", qq{JAVA_VERSION="$name.0.1"\n});
		my $r = sh([ $jweave, 'run', '-q', '-r', "$work/r.json", '--', "$work/jdk-$name/bin/java", $option // (), '-jar', "$work/$jar.jar" ],
			dir => "$work/run-$name", env => { XDG_CACHE_HOME => "$work/run-$name", JWEAVE_SUMMARY => 0, %{ $env // {} } });
		is($r->{out} =~ /--enable-native-access=ALL-UNNAMED/ ? 1 : 0, $warns && $flag, "$name: jweave run of $what: " . ($warns && $flag ? 'the flag' : 'no flag'))
			or diag($r->{out}, $r->{err});
	}
}
without25('the warnings of an agent');
done_testing();
