# Objects and arrays that code makes, by class: the program counts them, report and trace must say the same.
use strict;
use warnings;
use lib 'tests/e2e';
use Test::More;
use JSON::PP;
use E2E;

# "made:CLASS" and "elements:CLASS", of the report of NAME
sub reported {
	my ($name) = @_;
	my $r = sh([ $jweave, 'report', '--json', $name ]);
	is($r->{status}, 0, 'report') or diag($r->{err});
	my %n;
	for (@{ decode_json($r->{out})->{objects} }) {
		$n{"made:$_->{class}"} = $_->{made};
		$n{"elements:$_->{class}"} = $_->{elements} if $_->{elements};
	}
	return \%n;
}

sub expected {
	my ($out, $which) = @_;
	my $all = claimed($out);
	# concatenation and boxing make nothing here: javac leaves them to the JDK
	return { map { /^(made|elements):/ && $_ =~ $which ? ($_ => $all->{$_}) : () } keys %$all };
}

my $jar = program('Makes');
my $none = '"exclude": [ "acme.Count", "acme.Progress" ]';
my %rules = (
	all => [ "{ \"jweave\": 1, $none, \"rules\": [ { \"on\": \"new\", \"match\": \"**\" } ] }", qr/./ ],
	'with methods' => [ WHOLE() =~ s/\] \} \} \]/] } }, { "on": "new", "match": "**" } ]/r, qr/./ ],
	'one class and its arrays' =>
		[ "{ \"jweave\": 1, $none, \"rules\": [ { \"on\": \"new\", \"match\": \"java.lang.String\" } ] }", qr/:java\.lang\.String(\[\])*$/ ],
	'arrays' => [ "{ \"jweave\": 1, $none, \"rules\": [ { \"on\": \"new\", \"match\": \"**:*[]\" } ] }", qr/\]$/ ],
	'no arrays' =>
		[ "{ \"jweave\": 1, $none, \"rules\": [ { \"on\": \"new\", \"select\": { \"returns\": \"!*[]\" } } ] }", qr/[^\]]$/ ],
	'int[] alone' => [ "{ \"jweave\": 1, $none, \"rules\": [ { \"on\": \"new\", \"match\": \"**:int[]\" } ] }", qr/:int\[\]$/ ],
	'subtypes' => [
		"{ \"jweave\": 1, $none, \"rules\": [ { \"on\": \"new\", \"select\": { \"subtypeOf\": \"acme.Makes\$Base\" } } ] }",
		qr/:acme\.Makes\$(Base|Derived)$/ ],
	'but for a package' => [
		"{ \"jweave\": 1, $none, \"rules\": [ { \"on\": \"new\", \"match\": \"**\" }, { \"on\": \"new\", \"action\": \"skip\", \"match\": \"java.**\" } ] }",
		qr/:(?!java)/ ],
);
my $java25 = jdk25();
for my $what (sort keys %rules) {
	my ($text, $which) = @{ $rules{$what} };
	my $woven = "$work/Makes-" . ($what =~ s/\W/-/gr) . '.jar';
	like(weave_ok($jar, $text, $woven)->{out}, qr/ and \d+ places? of new objects in /, "$what: the line of success says so");
	for my $vm ($what =~ /^(all|with)/ ? ([ '17', [] ], [ '17', ['-Xint'] ], [ '25', [] ]) : [ '17', [] ]) {
		my ($version, $options) = @$vm;
		my $name = "$what, $version @$options";
		SKIP: {
			skip 'no JDK 25', 5 if $version eq '25' && !$java25;
			my $r = same_runs($name, $jar, $woven, [], $version eq '25' ? (java => $java25) : (), vm => $options);
			is_deeply(reported("$r->{trace}.prv"), expected($r->{out}, $which), "$name: as many as the program makes");
			trace($r->{trace}, $name, '--counts');
		}
	}
}

# elsewhere: `within` says in which code
weave_ok($jar, "{ \"jweave\": 1, $none, \"rules\": [ { \"on\": \"new\", \"match\": \"**\", \"within\": \"acme.Makes#loop\" } ] }", "$work/within.jar");
my $r = java([ '-jar', "$work/within.jar" ]);
is_deeply(reported("$r->{trace}.prv"),
	{ 'made:int[]' => 1200, 'elements:int[]' => 1800, 'made:java.lang.StringBuilder' => 1200 }, 'within one method');

done_testing();
