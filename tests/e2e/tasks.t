#!/usr/bin/perl
# Tasks: an arrow from the call that hands one over to its body, and from its end to whoever waits for it, for classes of
# the program, and for lambda expressions that a FutureTask runs.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use Test::More;

my $rules = <<'END';
{ "jweave": 1,
  "include": [ "preset:jdk-threads" ],
  "rules": [ { "select": { "class": "acme.Tasks**", "kind": [ "method", "lambda" ] } } ] }
END

my $jar = program('Tasks');
my $woven = "$work/Tasks-woven.jar";
weave_ok($jar, $rules, $woven);

sub tasks {
	my ($name, %o) = @_;
	my $r = java([ '-jar', $woven, 4 ], %o);
	is($r->{status}, 0, "$name: the program runs") or diag($r->{err});
	my $v = sh([ 'perl', "$E2E::root/tests/paraver/validate.pl", '--arrows', "$r->{trace}.prv" ], seconds => 300);
	is($v->{status}, 0, "$name: the trace is valid") or diag(substr $v->{err}, 0, 2000);
	my @arrows = map { [ split /\t/ ] } split /\n/, $v->{out};
	while ($r->{out} =~ /^arrows (\d+) (\S+) (\d+)$/mg) {
		my ($tag, $prefix, $n) = ($1, $2, $3);
		my @got = grep { $_->[0] == $tag && index($_->[3], $prefix) == 0 } @arrows;
		is(scalar @got, $n, "$name: arrows $tag to $prefix");
		my $from = $tag == 201 ? 'wait-' . $prefix =~ s/-$//r : $prefix =~ s/^wait-//r . '-0';
		is((grep { $_->[1] ne $from } @got), 0, "$name: all from $from");
	}
}

tasks('17');
SKIP: {
	my $java = jdk25() or skip 'no JDK 25', 1;
	tasks('25', java => $java);
}
done_testing();
