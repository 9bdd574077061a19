#!/usr/bin/perl
# Captures that name no type are events all the same, with their label, or one that says what they are; texts have
# labels; a capture that names a type has that.
use strict;
use warnings;
use Test::More;
use lib 'tests/e2e';
use E2E;

my $rt = "$E2E::build/jweave-rt.jar";
my $classes = compile("$work/classes", [ spit("$work/Says.java", <<'END') ], '-cp', $rt);
public class Says {
	static int say(String text, int times, long[] more) {
		return text.length() * times + more.length;
	}
	public static void main(String[] args) {
		int sum = 0;
		for (int i = 0; i < 10; i++)
			sum += say("text " + i % 4, i, new long[i]);
		jweave.api.Trace.label(301, "rest");
		for (int i = 0; i < 5; i++)
			rest(i);
		jweave.api.Trace.event(301, 9);
		System.out.println(sum);
	}
	static int rest(int of) { return of % 3; }
}
END
my $jar = jar("$work/says.jar", $classes, 'Says');
weave_ok($jar, '{ "jweave": 1, "rules": [ { "match": "Says#say(..)", "capture": [ { "what": "arg0", "as": "string", "label": "said" },
	{ "what": "arg1" }, { "what": "arg2", "as": "length", "type": 300 }, { "what": "arg2", "as": "class", "label": "of" },
	{ "what": "return", "label": "result" } ] },
	{ "match": "Says#rest(..)", "capture": [ { "what": "arg0", "type": 301 }, { "what": "return", "type": 302, "label": "left" } ] } ] }',
	"$work/woven.jar", '--no-guard');

my %jvms = ('17' => $E2E::default_java, jdk25() ? ('25' => jdk25()) : ());
without25('the same');
for my $label (sort keys %jvms) {
	my $r = java([ '-cp', "$work/woven.jar:$rt", 'Says' ], java => $jvms{$label});
	is($r->{out}, "315\n", "$label: the program's output") or diag($r->{err});
	trace($r->{trace}, $label);
	my (%type, %text, %class, $at);
	for (split /\n/, slurp("$r->{trace}.pcf")) {
		$at = $type{$2} = $1 if /^0    (\d+)    (.*?)(?: \(\d+\))?$/;
		$text{$1} = $2 if defined $at && $at eq ($type{said} // '') && /^(\d+) +(text \d)$/;
		$class{$1} = $2 if defined $at && $at eq ($type{of} // '') && /^(\d+) +(\S.*)$/;
	}
	is_deeply([ slurp("$r->{trace}.pcf") =~ /^0    301    (.*)/mg ], ['rest (301)'],
		"$label: a type that is a capture's and the program's is there once, as the program calls it");
	my %seen;
	for (split /\n/, slurp("$r->{trace}.prv")) {
		my @f = split /:/;
		next unless $f[0] eq '2';
		for (my $i = 6; $i < @f; $i += 2) { push @{ $seen{ $f[$i] } }, $f[ $i + 1 ] }
	}
	my $of = sub { [ @{ $seen{ $type{ $_[0] } // '' } || [] } ] };
	is_deeply($of->('captured arg1'), [ 0 .. 9 ], "$label: an argument without label and type");
	is_deeply($of->('result'), [ map { 6 * $_ + $_ } 0 .. 9 ], "$label: a result with a label");
	is_deeply($seen{300}, [ 0 .. 9 ], "$label: a type of one's own");
	is_deeply([ map { $text{$_} } @{ $of->('said') } ], [ map { "text " . $_ % 4 } 0 .. 9 ], "$label: texts, with labels");
	# brackets end what Paraver shows
	is_deeply([ map { $class{$_} } @{ $of->('of') } ], [ ('long()') x 10 ], "$label: a class of arrays, as Java names it");
}
done_testing();
