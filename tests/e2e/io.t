#!/usr/bin/perl
# A program whose source says, after each call, what it reads and writes: by call and by thread a report has the same
# operations, as often, of as many bytes, and no others.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use JSON::PP;
use Test::More;

my $woven = "$work/Io-woven.jar";
weave_ok(program('Io'), '{ "jweave": 1, "include": [ "preset:io" ], "rules": [] }', $woven);

# What the source says: { METHOD => { LINE => [operation, count, bytes] } }
my (%says, $method, $n);
for (split /\n/, slurp('testdata/programs/acme/Io.java')) {
	$n++;
	$method = $1 if /^\tstatic void (\w+)\(/;
	$says{$method}{$n} = [ "io/$1", $2, ($3 // 0) + 0 ] if m{ // (\w+) (\d+|\*)(?: (\d+))?$};
}
is(scalar keys %says, 15, 'fifteen workers');

sub io {
	my ($name, %o) = @_;
	mkdir "$work/$name";
	my $r = java([ '-jar', $woven, "$work/$name" ], %o, env => { JWEAVE_KEEP => 1 });
	is($r->{out}, "done\n", "$name: the program runs") or diag($r->{err});
	my $report = decode_json(sh([ $jweave, 'report', '--json', '--map', $woven, "$r->{trace}.jwr" ])->{out} || '{}');

	my (%sites, %wanted);
	for (grep { $_->{operation} =~ /^io/ } @{ $report->{sites} }) {
		my $worker = $_->{caller} =~ s/^Io\.//r;
		my $often = $says{$worker} && ($says{$worker}{ $_->{line} } // [])->[1];
		$sites{$worker}{ $_->{line} } = [ $_->{operation}, ($often // '') eq '*' ? '*' : $_->{count}, $_->{bytes} ];
	}
	delete $sites{main};
	is_deeply($sites{$_}, $says{$_}, "$name: $_, each call") or diag(explain($sites{$_})) for sort keys %says;
	is_deeply([ sort keys %sites ], [ sort keys %says ], "$name: nobody else");

	for my $thread (grep { $says{ $_->{name} } } @{ $report->{threads} }) {
		my (%sum, %bytes);
		$bytes{ $_->[0] } += $_->[2] for values %{ $says{ $thread->{name} } };
		$sum{"$_->{type}/$_->{name}"} = $_->{bytes} for @{ $thread->{operations} };
		is_deeply(\%sum, \%bytes, "$name: $thread->{name}, the thread") or diag(explain(\%sum));
		$wanted{ $thread->{name} } = 1;
	}
	is_deeply([ sort keys %wanted ], [ sort keys %says ], "$name: each has its thread");
}

io('17');
SKIP: {
	my $java = jdk25() or skip 'no JDK 25', 1;
	io('25', java => $java);

	# java.lang.IO, compiled against one of our own: the compiler of this test may be older
	mkdir "$work/$_" for 'java.lang', 'acme';
	spit("$work/java.lang/IO.java", 'package java.lang; public final class IO {
		public static void println(Object o) { } public static void println() { } public static void print(Object o) { }
		public static String readln() { return null; } public static String readln(String prompt) { return null; } }');
	compile("$work/lang", [ "$work/java.lang/IO.java" ], '--patch-module', "java.base=$work/java.lang");
	spit("$work/acme/Lines.java", 'package acme; public class Lines { public static void main(String[] a) {
		IO.print("name? ");
		IO.println(IO.readln() + IO.readln("and? "));
		IO.println(); } }');
	compile("$work/lines", [ "$work/acme/Lines.java" ], '--patch-module', "java.base=$work/lang");
	weave_ok(jar("$work/lines.jar", "$work/lines", 'acme.Lines'), '{ "jweave": 1, "include": [ "preset:io" ], "rules": [] }', "$work/lines-woven.jar");
	my $r = java([ '-jar', "$work/lines-woven.jar" ], java => $java, env => { JWEAVE_KEEP => 1 }, in => spit("$work/in", "Ada\nLovelace\n"));
	is($r->{out}, "name? and? AdaLovelace\n\n", 'java.lang.IO: the program runs') or diag($r->{err});
	my $report = decode_json(sh([ $jweave, 'report', '--json', '--map', "$work/lines-woven.jar", "$r->{trace}.jwr" ])->{out} || '{}');
	my %sums;
	for (@{ $report->{sites} }) {
		$sums{"$_->{callee} $_->{operation}"}[0] += $_->{count};
		$sums{"$_->{callee} $_->{operation}"}[1] += $_->{bytes};
	}
	is_deeply(\%sums, { 'IO.print io/writeText' => [ 1, 0 ], 'IO.println io/writeText' => [ 2, 0 ], 'IO.readln io/readText' => [ 2, 11 ] },
		'java.lang.IO: its operations') or diag(explain(\%sums));
}

# Each archive's class of the runtime reads the environment when it begins: that is no file of the program's.
spit("$work/Part.java", 'package acme.part; public class Part { public static int twice(int n) { return n < 2 ? n : twice(n - 1) + 2; } }');
spit("$work/Whole.java", 'package acme.whole; public class Whole { public static void main(String[] args) throws Exception {
	try (java.io.FileInputStream in = new java.io.FileInputStream(args[0])) { in.read(); }
	System.out.println(acme.part.Part.twice(2)); } }');
jar("$work/part.jar", compile("$work/part", ["$work/Part.java"]));
jar("$work/whole.jar", compile("$work/whole", ["$work/Whole.java"], '-cp', "$work/part"));
weave_ok("$work/$_.jar", WHOLE, "$work/$_-woven.jar") for 'part', 'whole';
my $two = java([ '-cp', "$work/whole-woven.jar:$work/part-woven.jar", 'acme.whole.Whole', "$work/part.jar" ],
	env => { JWEAVE_KEEP => 1, JWEAVE_EVENTS => 'default,file' });
is($two->{out}, "3\n", 'two archives: the program runs') or diag($two->{err});
my @files = slurp("$two->{trace}.jwr/meta") =~ m{^file\t\d+\t(.*)$}mg;
is(scalar(grep { $_ eq "$work/part.jar" } @files), 1, 'two archives: the file that it reads');
is(scalar(grep { m{/environ$} } @files), 0, 'two archives: and not what the runtime reads') or diag("@files");

done_testing();
