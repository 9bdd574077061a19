#!/usr/bin/perl
# Defaults that the rules bake into what is woven: with the runtime embedded, on the class path, in a
# folder; under the environment and the command line; and where several archives meet.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use Test::More;

my $jar = program('Exc');
my $plain = java([ '-jar', $jar ]);
my $claimed = claimed($plain->{out});
my $rt = "$E2E::build/jweave-rt.jar";

sub rules {
	my ($runtime) = @_;
	return WHOLE =~ s/"jweave": 1,/"jweave": 1, "runtime": $runtime,/r;
}

# Runs java in a folder of its own with nothing said but ENV; { ..., files, folder }.
sub bare {
	my ($args, %env) = @_;
	my $dir = "$work/bare." . ++our $runs;
	mkdir $dir;
	my $r = sh([ $E2E::default_java, @$args ], dir => $dir,
		env => { (map { $_ => undef } grep { /^JWEAVE/ } keys %ENV), %env });
	$r->{folder} = $dir;
	$r->{files} = join ' ', ls($dir);
	is($r->{out}, $plain->{out}, 'the same output');
	is($r->{status}, $plain->{status}, 'the same exit status');
	return $r;
}

sub is_true {
	my ($base, $name) = @_;
	my $calls = counts($base);
	delete $calls->{$_} for grep { /lambda\$/ } keys %$calls;
	is_deeply($calls, $claimed, "$name: the trace is true");
}

my $runtime = '{ "output": "b\u00e4ked", "keep": true, "summary": false, "events": [], "maxSize": "64MiB" }';
my $woven = "$work/Exc-baked.jar";
weave_ok($jar, rules($runtime), $woven, '--no-guard');
my $name = "b\xc3\xa4ked"; # in bytes

{
	my $r = bare([ '-jar', $woven ]);
	is($r->{files}, "$name.jwr $name.pcf $name.prv $name.row", 'embedded: output and keep are baked in');
	is($r->{err}, '', 'and no summary');
	is_true("$r->{folder}/$name", 'embedded');
	like(slurp("$r->{folder}/$name.jwr/meta"), qr/^limit\t67108864\t/m, 'and the size');
	$r = bare([ '-jar', $woven ], JWEAVE_KEEP => 0, JWEAVE_OUTPUT => 'env');
	is($r->{files}, 'env.pcf env.prv env.row', 'the environment is stronger');
	$r = bare([ '-Djweave.output=prop', '-Djweave.summary=1', '-jar', $woven ], JWEAVE_KEEP => 0, JWEAVE_OUTPUT => 'env');
	is($r->{files}, 'prop.pcf prop.prv prop.row', 'and the command line above it');
	like($r->{err}, qr/^jweave: .* -> prop\.prv$/m, 'the summary is back');
}

# left to the class path: the class is in the archive, the library is not
{
	my $out = "$work/Exc-classpath.jar";
	weave_ok($jar, rules($runtime), $out, '--no-guard', '--runtime=classpath');
	my $list = sh([ E2E::tool('jar'), 'tf', $out ])->{out};
	like($list, qr{^acme/jweave/\w+/P\.class$}m, '--runtime=classpath: the class is there');
	unlike($list, qr/\.so$/m, 'and no library');
	my $r = bare([ '-cp', "$out:$rt", 'acme.Exc' ]);
	is($r->{files}, "$name.jwr $name.pcf $name.prv $name.row", 'output and keep are baked in');
	is_true("$r->{folder}/$name", 'class path');
	$r = bare([ '-cp', $out, 'acme.Exc' ]);
	is($r->{files}, '', 'without jweave-rt.jar there is no trace');
	is($r->{err}, "jweave: tracing is off: jweave-rt.jar is not on the class path (or weave with --runtime=embed)\n",
		'and one line says so');
	weave_ok($jar, rules('{}'), $out, '--no-guard', '--runtime=classpath');
	unlike(sh([ E2E::tool('jar'), 'tf', $out ])->{out}, qr/Fast/, 'with nothing to say it is a small one');
}

# a folder of classes
{
	my $out = "$work/Exc-baked.classes";
	weave_ok("$work/Exc.classes", rules($runtime), $out, '--no-guard');
	my $r = bare([ '-cp', $out, 'acme.Exc' ]);
	is($r->{files}, "$name.jwr $name.pcf $name.prv $name.row", 'a folder: output and keep are baked in');
	is_true("$r->{folder}/$name", 'folder');
}

# off unless asked for
{
	my $out = "$work/Exc-off.jar";
	weave_ok($jar, rules('{ "tracing": false, "output": "t" }'), $out, '--no-guard');
	my $r = bare([ '-jar', $out ]);
	is("$r->{files}$r->{err}", '', 'tracing: false is as if nothing were woven');
	$r = bare([ '-jar', $out ], JWEAVE => 'on');
	is($r->{files}, 't.pcf t.prv t.row', 'JWEAVE=on turns it on');
	$r = bare([ '-Djweave=on', '-jar', $out ], JWEAVE => 'off');
	is($r->{files}, 't.pcf t.prv t.row', '-Djweave=on, too');
}

# two archives: the first that runs decides, and the recording says so
{
	my $src = "$work/two";
	mkdir $src;
	spit("$src/A.java", 'public class A { public static void main(String[] a) { go(); B.go(); } static void go() { } }');
	spit("$src/B.java", 'public class B { static void go() { } }');
	compile("$work/two.all", [ "$src/A.java", "$src/B.java" ]);
	for my $c (qw(A B)) {
		mkdir "$work/two.$c";
		rename "$work/two.all/$c.class", "$work/two.$c/$c.class" or die;
		jar("$work/two.$c.jar", "$work/two.$c");
		my $other = lc $c;
		weave_ok("$work/two.$c.jar",
			qq({"jweave":1,"runtime":{"output":"of-$other","keep":true},"rules":[{"match":"$c#*"}]}),
			"$work/two.$c-woven.jar", '--no-guard');
	}
	my $dir = "$work/two.run";
	mkdir $dir;
	my $r = sh([ $E2E::default_java, '-cp', "$work/two.A-woven.jar:$work/two.B-woven.jar", 'A' ], dir => $dir);
	is(join(' ', ls($dir)), 'of-a.jwr of-a.pcf of-a.prv of-a.row', 'the archive that begins decides');
	like(slurp("$dir/of-a.jwr/meta"), qr/^note\tarchives with different defaults/m, 'the recording says so');
	is_deeply(counts("$dir/of-a"), { 'A.main' => 1, 'A.go' => 1, 'B.go' => 1 }, 'and both are traced');
}

# what has no place for it is refused
{
	my $r = weave($jar, rules($runtime), "$work/none.jar", '--runtime=none');
	is($r->{status}, 3, '--runtime=none is refused');
	like($r->{err}, qr/\Q--runtime=none leaves no place for what the rules say about the run time (runtime)\E/, 'with the reason');
	$r = weave("$work/Exc.classes/acme/Exc.class", rules($runtime), "$work/Exc.class");
	is($r->{status}, 3, 'a single class, too');
	like($r->{err}, qr/\Qa single class cannot carry what the rules say about the run time (runtime)\E/, 'with the reason');
	ok(!-e "$work/none.jar" && !-e "$work/Exc.class", 'and nothing is written');
}

done_testing();
