#!/usr/bin/perl
# What weaving leaves alone: bytes, members, annotations, serialVersionUID; and what bad input gets.
# Slow: 15 s, archives in archives, run.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use Test::More;

my $jar = program('Shapes');
my $woven = "$work/Shapes-woven.jar";
my $all = '{ "jweave": 1, "rules": [ { "select": { "class": "**",
	"kind": [ "method", "constructor", "clinit", "lambda", "bridge", "synthetic", "accessor" ] } } ] }';
weave_ok($jar, $all, $woven, '--no-guard');

# the archive as a list: name, method, sizes, times, attributes; read by unzip, not by jweave
sub listing {
	my ($file) = @_;
	return [ grep { !m{jweave/} } split /\n/, sh([ 'unzip', '-Z', '-l', '-T', $file ])->{out} ];
}
sub entries {
	my ($file) = @_;
	return [ split /\n/, sh([ 'unzip', '-Z1', $file ])->{out} ];
}
sub bytes {
	my ($file, $entry) = @_;
	$entry =~ s/([\[\]*?])/\\$1/g;
	return sh([ 'unzip', '-p', $file, $entry ])->{out};
}

# ---- the same for any number of threads, and again ----
for my $j (1, 2, 5) {
	weave_ok($jar, $all, "$work/again-$j.jar", '--no-guard', "-j$j");
	ok(slurp("$work/again-$j.jar") eq slurp($woven), "-j $j gives the same bytes");
}
is(sh([ 'unzip', '-tq', $woven ])->{status}, 0, 'unzip finds nothing wrong');

# ---- an archive in which nothing matches is its input's twin ----
my $none = '{ "jweave": 1, "rules": [ { "match": "nowhere.to.be.found.**" } ] }';
weave_ok($jar, $none, "$work/twin.jar");
ok(slurp("$work/twin.jar") eq slurp($jar), 'nothing matched: the same archive');

# ---- untouched entries, order, times ----
{
	my $dir = "$work/mixed";
	sh([ 'cp', '-r', "$work/Shapes.classes", $dir ]);
	spit("$dir/empty", '');
	spit("$dir/text.txt", "some text\n" x 500);
	mkdir "$dir/folder";
	spit("$dir/folder/stored.bin", join '', map { chr($_ * 7 % 256) } 1 .. 5000);
	chmod 0751, "$dir/text.txt";
	sh([ 'touch', '-d', '2001-02-03 04:05:06', "$dir/text.txt" ]);
	my $in = "$work/mixed.jar";
	sh([ 'sh', '-c', "cd $dir && zip -q -X -r $in text.txt folder acme empty && zip -q -X -0 $in folder/stored.bin" ]);
	sh([ 'sh', '-c', "printf 'a comment\n' | zip -q -z $in" ]);
	weave_ok($in, '{ "jweave": 1, "rules": [ { "match": "acme.Shapes#main" } ] }', "$work/mixed-woven.jar", '--no-guard');
	my @old = @{ entries($in) };
	my @new = grep { !m{^META-INF/|\bjweave/} } @{ entries("$work/mixed-woven.jar") };
	is_deeply(\@new, \@old, 'the same entries in the same order');
	my $same = 0;
	for my $e (grep { $_ ne 'acme/Shapes.class' && !m{/$} } @old) {
		$same++ if bytes($in, $e) eq bytes("$work/mixed-woven.jar", $e);
	}
	is($same, scalar(grep { $_ ne 'acme/Shapes.class' && !m{/$} } @old), 'every other entry has its bytes');
	my $touched = qr{ acme/Shapes\.class$|^Archive:|^Zip file size|files, .* bytes|entr};
	is_deeply([ grep { !/$touched/ } @{ listing("$work/mixed-woven.jar") } ], [ grep { !/$touched/ } @{ listing($in) } ],
		'sizes, methods, times and attributes as unzip lists them');
	like(sh([ 'unzip', '-z', "$work/mixed-woven.jar" ])->{out}, qr/a comment/, 'the comment of the archive');
}

# ---- the reflection view ----
is(reflection($woven), reflection($jar), 'Shapes: the same members, annotations, modifiers, signatures');
for my $case ([ 'guava.jar', 'failureaccess.jar' ], ['commons-lang3.jar'], ['asm.jar']) {
	my ($name, @needs) = @$case;
	my $in = "/usr/share/java/$name";
	SKIP: {
		skip "no $in", 3 unless -e $in;
		weave_ok($in, $all, "$work/woven-$name", '--no-guard');
		my @libs = map { "/usr/share/java/$_" } grep { -e "/usr/share/java/$_" } @needs;
		my $want = reflection($in, @libs);
		is(reflection("$work/woven-$name", @libs), $want, "$name: the same reflection view and serialVersionUIDs");
		like($want, qr/^  method .*\n(?s:.*)\d\d+ classes$/m, "$name: which has something in it");
	}
}

# ---- woven input is refused ----
{
	my $before = spit("$work/precious.jar", 'precious');
	my $r = weave($woven, $all, $before);
	is($r->{status}, 4, 'woven input is refused');
	like($r->{err}, qr/woven already/, 'and says so');
	is(slurp($before), 'precious', 'the output is left as it was');
}

# ---- bad input: a message, the right status, nothing written, nothing lost ----
my $good = slurp($jar);
my %bad = (
	'truncated' => substr($good, 0, length($good) / 2),
	'empty' => '',
	'garbled' => "PK\x03\x04" . ('x' x 500),
	'text' => "this is no archive\n" x 50,
	'without its end' => substr($good, 0, length($good) - 22),
);
for my $name (sort keys %bad) {
	my $in = spit("$work/bad.jar", $bad{$name});
	my $out = spit("$work/bad-out.jar", 'old');
	my $r = weave($in, $all, $out);
	is($r->{status}, 4, "$name archive: status 4") or diag($r->{err});
	like($r->{err}, qr/^jweave: error: .*bad\.jar/, "$name archive: a message that names it");
	is(slurp($out), 'old', "$name archive: the old output is still there");
}
{
	my $r = weave("$work/missing.jar", $all, "$work/o.jar");
	is($r->{status}, 4, 'missing input: status 4');
	ok(!-e "$work/o.jar", 'missing input: no output');
	$r = weave($jar, "$work/missing.json", "$work/o.jar");
	isnt($r->{status}, 0, 'missing rules: fails');
	like($r->{err}, qr/missing\.json/, 'missing rules: named');
	$r = weave($jar, '{ "jweave": 1, "rules": [ { "mtach": "a.**" } ] }', "$work/o.jar");
	is($r->{status}, 3, 'wrong rules: status 3');
	like($r->{err}, qr/:1:\d+.*did you mean "match"/, 'wrong rules: line, column, suggestion');
	spit("$work/same.jar", $good);
	$r = weave("$work/same.jar", $all, "$work/same.jar");
	isnt($r->{status}, 0, 'output = input: refused');
	ok(slurp("$work/same.jar") eq $good, 'output = input: the input is still there');
	symlink "$work/same.jar", "$work/link.jar";
	$r = weave("$work/same.jar", $all, "$work/link.jar");
	isnt($r->{status}, 0, 'output = input through a link: refused');
	ok(slurp("$work/same.jar") eq $good, 'output = input through a link: the input is still there');
	$r = weave($jar, $all, "$work/no/such/folder/o.jar");
	is($r->{status}, 1, 'output folder missing: status 1');
	$r = weave($jar, $all, '/dev/full');
	isnt($r->{status}, 0, 'an output that takes nothing: fails');
	is_deeply([ grep { /tmp|temp|~|\.jweave/ } ls($work) ], [], 'no temporary file is left');
}

# ---- a rule that only leaves out has an effect too ----
{
	my $rules = '{ "jweave": 1, "rules": [ { "id": "all", "match": "acme.**" }, { "id": "but", "action": "skip",
		"match": "acme.Shapes#total(..)" }, { "id": "nothing", "action": "skip", "match": "acme.Shapes#nowhere(..)" } ] }';
	my $r = weave_ok($jar, $rules, "$work/some.jar");
	like($r->{err}, qr/'nothing'.* decides no method/, 'a rule without effect is named');
	unlike($r->{err}, qr/'but'/, 'a rule that skips a method is not');
	is(weave($jar, $rules, "$work/some.jar", '--fail-on-unmatched')->{status}, 5, '--fail-on-unmatched refuses the first');
	is(weave($jar, $rules =~ s/, \{ "id": "nothing"[^}]*\}//r, "$work/some.jar", '--fail-on-unmatched')->{status}, 0, 'and not the second');
}

# ---- full disk and read-only folder while weaving ----
SKIP: {
	skip 'not root', 1 if $>;
	my $mount = "$work/small";
	mkdir $mount;
	my $rules = spit("$work/all.json", $all);
	my $can = sh([ 'unshare', '-m', '--propagation', 'private', 'sh', '-c', "mount -t tmpfs -o size=1m tmpfs $mount" ]);
	skip 'no mounts here', 1 if $can->{status};
	for my $case ([ 'full disk', 'size=12k', '' ], [ 'read-only folder', 'size=1m', "mount -o remount,ro $mount;" ]) {
		my ($name, $size, $then) = @$case;
		my $r = sh([ 'unshare', '-m', '--propagation', 'private', 'sh', '-c',
			"mount -t tmpfs -o $size tmpfs $mount; echo old >$mount/o.jar; $then $jweave $jar $rules $mount/o.jar; s=\$?; cat $mount/o.jar; ls -A $mount; exit \$s" ]);
		is($r->{status}, 1, "$name: status 1") or diag($r->{err});
		is($r->{out}, "old\no.jar\n", "$name: the old output is still there, and nothing else is left");
		like($r->{err}, qr/^jweave: error: .*(No space|Read-only)/, "$name: says why");
	}
}
done_testing();
