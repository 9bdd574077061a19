#!/usr/bin/perl
# list, weave and explain say the same of every method of a large jar, and explain names the rule that
# decides.
# Slow: 5 s, explain is asked for every method of a large jar.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use JSON::PP;
use Test::More;

my ($jar) = grep { -e } glob('/usr/share/maven-repo/org/jruby/jruby-complete/[0-9]*/jruby-complete-[0-9]*.jar'),
	'/usr/share/java/eclipse-jdt-core.jar', '/usr/share/java/guava.jar';
$jar or plan skip_all => 'no large jar here (jruby, libeclipse-jdt-core-java)';

# every way to ask: patterns, supertypes, annotations, code, calls, a skip, an exclude, an include
my $rules = spit("$work/rules.json", <<'J');
{ "jweave": 1, "include": [ "preset:trivial", "preset:jdk-threads" ],
  "exclude": [ "org.jruby.ext.openssl.**", "**.compiler.parser.**" ],
  "rules": [
    { "id": "all", "match": "**" },
    { "id": "kin", "select": { "subtypeOf": [ "org.jruby.RubyObject", "org.eclipse.jdt.core.dom.ASTNode", "java.util.Map" ],
                               "kind": [ "method", "constructor", "lambda", "bridge" ] } },
    { "id": "noted", "select": { "methodAnnotation": [ "org.jruby.anno.JRubyMethod", "java.lang.Deprecated" ] } },
    { "id": "shy", "action": "skip", "match": [ "**#to_s*", "**#get*()", "**#equals(..)" ] },
    { "id": "long", "select": { "code": { "minBytes": 500, "hasLoop": true } } } ] }
J

my $listed = decode_json(sh([ $jweave, 'list', '-q', '--json', '-r', $rules, $jar ], seconds => 300)->{out});
weave_ok($jar, $rules, "$work/woven.jar", "--report=$work/report.json", "--full-map");
my $report = decode_json(slurp("$work/report.json"));
note("$jar: $report->{classes} classes, $report->{methods} methods, $report->{woven} woven");
my @methods = grep { !$_->{calls} && !defined $_->{callee} } @$listed;

# what the names in the woven jar say: class lines, and under each those of its methods
my @woven;
my ($map) = grep { m{META-INF/jweave/.*\.map$} } split /\n/, sh([ 'unzip', '-Z1', "$work/woven.jar" ])->{out};
my $class = '';
for (split /\n/, sh([ 'unzip', '-p', "$work/woven.jar", $map ])->{out}) {
	my @f = split /\t/;
	$class = $f[2] if $f[0] eq 'c';
	push @woven, [ "$class#$f[4]$f[5]", $f[6] ] if $f[0] eq 'm';
}
sub java_type {
	my ($d) = @_;
	my %of = (B => 'byte', C => 'char', D => 'double', F => 'float', I => 'int', J => 'long', S => 'short', Z => 'boolean', V => 'void');
	my ($dims, $t) = $d =~ /^(\[*)(.*)$/;
	return ($of{$t} // $t =~ s/^L|;$//gr =~ tr{/}{.}r) . '[]' x length $dims;
}
sub java_name { # "a.B#f(I)V" as list writes it
	my ($class, $name, $params, $result) = $_[0] =~ /^(.*)#([^(]*)\((.*)\)(.*)$/;
	return "$class#$name(" . join(', ', map { java_type($_) } $params =~ /\[*(?:L[^;]*;|.)/g) . '):' . java_type($result);
}
# (a jar may have a class twice: below META-INF/versions, in a jar inside)
my @in_map = sort map { java_name($_->[0]) . " $_->[1]" } @woven;
my @in_list = sort map { "$_->{class}#$_->{method} $_->{rule}" } @methods;
is(scalar(@in_map), $report->{woven}, 'the map in the jar has as many methods as were woven');
my @lacks = map { s/ [^ ]*$//r } difference(\@in_list, \@in_map);
my @skipped = sort map { java_name("$_->{class}#$_->{method}") } @{ $report->{skipped} || [] };
is_deeply(\@lacks, \@skipped, 'list has the same methods, each by the same rule, and those that are named as skipped');
is(scalar(@in_list), $report->{chosen}, 'which are those that were chosen');
sub difference { # lines of one alone, both sorted
	my ($a, $b) = @_;
	my %n;
	$n{$_}++ for @$a;
	$n{$_}-- for @$b;
	return grep { $n{$_} } sort keys %n;
}
my %in_list = map { ("$_->{class}#$_->{method}" => $_->{rule}) } @methods;
cmp_ok(scalar(keys %in_list), '>', 1000, 'these are many');

# explain: every method whose name begins with c, and a hundred of them one by one, woven or not
my $explained = decode_json(sh([ $jweave, 'explain', '-q', '--json', '-r', $rules, $jar, '**#c*' ], seconds => 300)->{out});
my @asked = grep { $_->{method} } @$explained;
is(scalar(grep { ($_->{woven} ? $_->{rule} : '') ne ($in_list{ $_->{method} } // '') } @asked), 0,
	'explain says of ' . @asked . ' methods what list says');
my $step = int(@asked / 100) || 1;
my @sample = grep { $_ % $step == 0 } 0 .. $#asked;
my $wrong = 0;
for my $m (map { $asked[$_] } @sample) {
	my ($last) = grep { $_->{matches} } reverse @{ $m->{rules} };
	my $excluded = $m->{why} =~ /excluded/;
	$wrong++ unless $excluded || ($last ? $last->{rule} : '') eq ($m->{rule} // '');
}
is($wrong, 0, 'of ' . @sample . ' the rule named is the last that matches');
my $kin = (grep { $_->{woven} && $_->{rule} eq 'kin' } @asked)[0];
SKIP: {
	skip 'no method by its supertypes', 2 unless $kin;
	my ($by) = grep { $_->{rule} eq 'kin' } @{ $kin->{rules} };
	is($by->{subtype}[0], $kin->{method} =~ s/#.*//r, 'subtypeOf: the chain begins with the class');
	like($by->{subtype}[-1], qr/^(?:org\.jruby\.RubyObject|org\.eclipse\.jdt\.core\.dom\.ASTNode|java\.util\.Map)$/,
		'and ends with the type that the rule names');
}
my $some = $asked[ $sample[ @sample / 2 ] ];
my $r = sh([ $jweave, 'explain', '-q', '-r', $rules, $jar, $some->{method} ]);
like($r->{out}, qr/^\Q$some->{method}\E  \(/m, 'a method can be asked for as explain writes it');
done_testing();
