#!/usr/bin/perl
# Rules that are switched when the program starts: JWEAVE_ENABLE and JWEAVE_DISABLE, with what decides
# where they are off, and what is said of ids that cannot be switched.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use JSON::PP;
use Test::More;

compile("$work/classes", ['testdata/programs/acme/Spare.java']);
my $jar = jar("$work/Spare.jar", "$work/classes", 'acme.Spare');
my $rules = <<'END';
{ "jweave": 1, "rules": [
	{ "id": "work", "match": "acme.Spare#work" },
	{ "id": "named", "match": "acme.Spare#named" },
	{ "id": "dive", "match": "acme.Spare#dive", "enabled": true },
	{ "id": "throwing", "match": "acme.Spare#throwing", "enabled": false },
	{ "id": "fewer", "match": "acme.Spare#named", "enabled": false, "sample": { "every": 5 } },
	{ "id": "ticks", "match": "acme.Spare#tick", "enabled": false, "sample": { "every": 100 },
		"capture": [ { "what": "arg0", "type": 300 } ] },
	{ "id": "none", "match": "acme.Spare#work", "action": "skip", "enabled": false } ] }
END
my $woven = "$work/Spare-woven.jar";
weave_ok($jar, $rules, $woven, '--no-guard');
without25('the same');

sub case_is {
	my ($name, $o, $env, $want, $said) = @_;
	for my $java ($E2E::default_java, jdk25() || ()) {
		my $r = java([ @$o, '-jar', $woven ], java => $java, env => $env);
		is($r->{out}, "done\n", "$name: the program's output");
		my $t = trace($r->{trace}, $name);
		my %calls = map { s/acme\.Spare\.//r => $t->{calls}{$_} } keys %{ $t->{calls} };
		is_deeply(\%calls, $want, "$name: what is on is recorded, all of it");
		my $captured = () = slurp("$r->{trace}.prv") =~ /:300:/g;
		is($captured, $want->{tick} // 0, "$name: captures of what is off are not");
		my @said = $r->{err} =~ /^jweave: (JWEAVE_\w+ names '[^']*')/mg;
		is_deeply(\@said, $said // [], "$name: what cannot be switched is told");
	}
}

my %always = (work => 5);
case_is('as the file says', [], {}, { %always, named => 50, dive => 5 * 210 });
case_is('enabled', [], { JWEAVE_ENABLE => 'throwing,ticks' },
	{ %always, named => 50, dive => 5 * 210, throwing => 500, tick => 5 * 102 });
case_is('a rule over another', [], { JWEAVE_ENABLE => 'fewer' }, { %always, named => 10, dive => 5 * 210 });
case_is('disabled', [], { JWEAVE_DISABLE => 'dive' }, { %always, named => 50 });
case_is('both', ['-Djweave.enable=throwing,dive'], { JWEAVE_DISABLE => 'dive', JWEAVE_ENABLE => 'ticks' },
	{ %always, named => 50, throwing => 500 });
case_is('in the interpreter', ['-Xint'], { JWEAVE_ENABLE => 'ticks', JWEAVE_DISABLE => 'dive' },
	{ %always, named => 50, tick => 5 * 102 });
case_is('through FFM', ['-Djweave.ffm=on'], { JWEAVE_ENABLE => 'throwing' },
	{ %always, named => 50, dive => 5 * 210, throwing => 500 });
case_is('unknown', [], { JWEAVE_ENABLE => 'zork,none', JWEAVE_DISABLE => 'work' }, { %always, named => 50, dive => 5 * 210 },
	[ "JWEAVE_ENABLE names 'zork'", "JWEAVE_ENABLE names 'none'", "JWEAVE_DISABLE names 'work'" ]);

# nothing can be switched: that is told, too
{
	my $out = "$work/plain.jar";
	weave_ok($jar, '{ "jweave": 1, "rules": [ { "id": "work", "match": "acme.Spare#work" } ] }', $out);
	my $r = java([ '-jar', $out ], env => { JWEAVE_DISABLE => 'work' });
	like($r->{err}, qr/^\Qjweave: JWEAVE_DISABLE names 'work', which is no rule with "enabled" of its own in what was woven: it cannot be switched at run time\E$/m,
		'an archive without switches says so');
	is(counts($r->{trace})->{'acme.Spare.work'}, 5, 'and traces as it was told');
}

# before weaving
{
	my $file = spit("$work/rules.json", $rules);
	my ($tick) = grep { $_->{rule} eq 'ticks' } @{ decode_json(sh([ $jweave, 'list', '--json', '--no-guard', '-r', $file, $jar ])->{out}) };
	ok($tick->{off}, 'list --json says what is off');
	like(sh([ $jweave, 'list', '--no-guard', '-r', $file, $jar ])->{out}, qr/^ticks .* \(off\)$/m, 'list, too');
	like(sh([ $jweave, 'explain', '--no-guard', '-r', $file, $jar, 'acme.Spare#throwing' ])->{out},
		qr/=> woven: .*, off until JWEAVE_ENABLE names it\n     throwing \(/, 'explain, too');
}

done_testing();
