#!/usr/bin/perl
# Methods that are told apart by the number that their code pushes: of more archives than there are natives for in an
# interpreter (runtime-jni/jvm/numbered.h), every method has its name, and every call its end, however it is run.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use IO::Compress::Zip qw(zip $ZipError);
use Test::More;

my $archives = 70;
my $rules = '{ "jweave": 1, "rules": [ { "match": "part.**" } ] }';
my @sources = map {
	spit("$work/P$_.java", "package part; public class P$_ implements Runnable { int left = $_; int down() { if (left-- == 0) throw " .
		'new IllegalStateException(); return left; } void all() { while (true) down(); } ' .
		'public void run() { try { all(); } catch (IllegalStateException e) { } } }')
} 1 .. $archives;
compile("$work/parts", \@sources);
spit("$work/All.java", 'public class All { public static void main(String[] a) throws Exception { for (String n : a) ' .
	'((Runnable) Class.forName("part.P" + n).getConstructor().newInstance()).run(); } }');
compile("$work/all", ["$work/All.java"]);
my @woven;
for my $i (1 .. $archives) {
	zip([ "$work/parts/part/P$i.class" ], "$work/$i.jar", FilterName => sub { s{.*parts/}{} }) or die $ZipError;
	my $r = weave("$work/$i.jar", $rules, "$work/w$i.jar", '--no-guard');
	push @woven, "$work/w$i.jar" if $r->{status} == 0;
}
is(scalar @woven, $archives, 'all are woven');

my %want;
for my $i (1 .. $archives) {
	@want{"part.P$i.run", "part.P$i.all"} = (1, 1);
	$want{"part.P$i.down"} = $i + 1;
}
for my $run (map { my $jvm = $_; map { [ @$jvm, $_ ] } '-Xint', '-Xmixed' } [ 17, $E2E::default_java ], [ 25, scalar jdk25() ]) {
	my ($version, $java, $mode) = @$run;
	SKIP: {
		skip "no JDK $version in /usr/lib/jvm nor in JW_JDK25", 4 if !$java;
		my $r = java([ '-cp', join(':', "$work/all", @woven), 'All', 1 .. $archives ], java => $java, trace => "all-$version$mode",
			vm => [ $mode, $version >= 24 ? '--enable-native-access=ALL-UNNAMED' : () ]);
		is($r->{status}, 0, "$version, $mode: it runs") or diag($r->{err});
		is_deeply(counts($r->{trace}), \%want, "$version, $mode: every call by its name");
		unlike($r->{err}, qr/inferred|unknown/, "$version, $mode: with its own end");
	}
}
done_testing;
