#!/usr/bin/perl
# Woven programs and what a JVM keeps from one run for the next: an AOT cache (JDK 24 and later), an archive of classes
# (CDS). A woven archive trains and runs with it; the trace is the one of a run without; the runtime's class is in it.
# Slow: 25 s, two dozen JVMs.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use Test::More;

my $woven = "$work/Shapes-woven.jar";
weave_ok(program('Shapes'), WHOLE, $woven, '--no-guard');

# A second archive, loaded by a class of the first: it is bound through the class Anchor.
spit("$work/Part.java", 'package acme.part; public class Part { public static int twice(int n) { return n < 2 ? n : twice(n - 1) + 2; } }');
spit("$work/Whole.java", <<'END');
package acme.whole;
public class Whole {
	static int ask() { return acme.part.Part.twice(5); }
	public static void main(String[] args) throws Exception {
		Thread t = new Thread(() -> System.out.println(ask()), "asker");
		t.start();
		t.join();
		System.out.println(ask());
	}
}
END
jar("$work/part.jar", compile("$work/part", ["$work/Part.java"]));
compile("$work/whole", ["$work/Whole.java"], '-cp', "$work/part");
# (by the manifest of the first, which grants native access, too: a command line that does so has the VM refuse half of its own archive)
spit("$work/manifest", "Main-Class: acme.whole.Whole\nClass-Path: part-woven.jar\n");
sh([ E2E::tool('jar'), 'cfm', "$work/whole.jar", "$work/manifest", '-C', "$work/whole", '.' ])->{status} == 0 or BAIL_OUT('jar');
weave_ok("$work/$_.jar", WHOLE, "$work/$_-woven.jar", '--no-guard') for 'part', 'whole';

# Who trains, and who runs with what was learnt and with nothing else in its place.
my %ways = (
	'AOT cache' => { train => sub { "-XX:AOTCacheOutput=$_[0]" }, run => sub { ("-XX:AOTCache=$_[0]", '-XX:AOTMode=on') }, top => qr/shared objects file$/ },
	'CDS archive' => { train => sub { "-XX:ArchiveClassesAtExit=$_[0]" }, run => sub { ("-XX:SharedArchiveFile=$_[0]", '-Xshare:on') }, top => qr/shared objects file \(top\)$/ },
);

# What the VM itself says, on either stream.
sub warnings_of {
	my ($r) = @_;
	return grep { /^\[.*\]\[(?:warning|error) *\]|^OpenJDK.*warning/ } split /\n/, "$r->{out}$r->{err}";
}

sub said { return join "\n", grep { !/^\[|AOT|^Launching|^jweave: / } split /\n/, shift }

# Where the classes NAME of those in the log of a run came from.
sub sources {
	my ($log, $name) = @_;
	my %source = $log =~ /\] ($name) source: (.*)$/mg;
	return \%source;
}

# (a pause of the VM's, in a row of its own, comes and goes)
sub same_trace {
	my ($got, $want, $name) = @_;
	my @calls = map { my $t = $_; +{ map { $t->{threads}[$_] => $t->{by_thread}[$_] } grep { $t->{threads}[$_] ne 'JVM' } 0 .. $#{ $t->{threads} } } } $got, $want;
	is_deeply($calls[0], $calls[1], "$name: the same threads and calls as without");
	is_deeply($got->{edges}, $want->{edges}, "$name: from the same callers");
}

sub one {
	my ($label, $java, $way, $program, $jar, $archives) = @_;
	my ($how, $cache) = ($ways{$way}, "$work/" . "$label-$way-$program" =~ tr/ /-/r);
	my $name = "$label, $way, $program";
	my @args = ('-jar', $jar);

	my $plain = java(\@args, java => $java);
	my $train = java([ $how->{train}->($cache), @args ], java => $java);
	is($train->{status}, 0, "$name: trains") or diag($train->{err});
	ok(-s $cache, "$name: and has learnt");
	is_deeply([ grep { !m{Skipping jweave/rt/boot1/Anchor: Unsupported location$} } warnings_of($train) ], [],
		"$name: the VM warns of nothing but Anchor, which is not kept");
	my $want = trace($plain->{trace}, "$name, without");
	same_trace(trace($train->{trace}, "$name, training"), $want, "$name, training");

	my $r = java([ $how->{run}->($cache), "-Xlog:class+load:file=$cache.log", @args ], java => $java);
	is($r->{status}, 0, "$name: runs with it") or diag($r->{err} . $r->{out});
	is_deeply([ warnings_of($r) ], [], "$name: no warning");
	is(said($r->{out}), said($plain->{out}), "$name: the same output");
	like($r->{err}, qr/\Ajweave: [^\n]*\n\z/, "$name: one line of jweave's");
	same_trace(trace($r->{trace}, $name), $want, $name);

	my $log = slurp("$cache.log");
	my $own = sources($log, qr/acme\.[\w.\$]+/);
	is_deeply([ grep { $own->{$_} !~ $how->{top} } sort keys %$own ], [], "$name: the program's classes come from it");
	cmp_ok(scalar(keys %$own), '>=', $archives, "$name: which are some");
	my $runtime = sources($log, qr/(?:\w+\.)*jweave\.\w+\.P/);
	is(scalar(keys %$runtime), $archives, "$name: a class of the runtime for each archive");
	is_deeply([ grep { $runtime->{$_} !~ $how->{top} } keys %$runtime ], [], "$name: it is kept, too");
	is(scalar(keys %{ sources($log, qr/jweave\.rt\.boot1\.Anchor/) }), 1, "$name: Anchor is made anew");

	$r = java([ $how->{run}->($cache), @args ], java => $java, env => { JWEAVE => 'off' });
	is("$r->{status} " . said($r->{out}), '0 ' . said($plain->{out}), "$name: JWEAVE=off");
	is($r->{err}, '', "$name: which is silent");
}

sub all {
	my ($label, $java, @ways) = @_;
	for my $way (@ways) {
		one($label, $java, $way, 'one archive', $woven, 1);
		one($label, $java, $way, 'two archives', "$work/whole-woven.jar", 2);
	}
}

all('17', undef, 'CDS archive');
for my $home (split /:/, $ENV{JW_JVMS} // '') {
	my ($version) = slurp("$home/release") =~ /^JAVA_VERSION="(?:1\.)?(\d+)/m;
	SKIP: {
		skip "$version makes no archive at the end of a run, or has none of its own (java -Xshare:dump)", 1
			if $version < 13 || !-e "$home/lib/server/classes.jsa";
		all($version, "$home/bin/java", 'CDS archive');
	}
}
SKIP: {
	my $java = jdk25() or skip 'no JDK 25 in /usr/lib/jvm or JW_JDK25: AOT caches are not tried', 1;
	all('25', $java, 'CDS archive', 'AOT cache');

	# A cache that was made without jweave has the classes as they were. HotSpot 25.0.3 takes it for a woven archive in place of the
	# true one, whatever that is called and holds, and says nothing: so no probe runs that could say something, and `jweave run` does
	my $cache = "$work/unwoven.aot";
	java([ "-XX:AOTCacheOutput=$cache", '-jar', "$work/Shapes.jar" ], java => $java);
	my $r = sh([ $jweave, 'run', '--', $java, "-XX:AOTCache=$cache", '-jar', "$work/Shapes.jar" ], dir => $work,
		env => { XDG_CACHE_HOME => "$work/cache", JWEAVE_OUTPUT => undef });
	is($r->{status}, 0, 'a cache made without jweave: the program runs');
	like($r->{err}, qr{jweave: note: there is no trace: if the AOT cache '.*/unwoven\.aot' was made without jweave, |jweave: 1 thread, },
		'jweave run says why there is no trace, unless the VM did not take it') or diag("$r->{out}$r->{err}");
	# One class is outside of it, so there is a trace.
	my $any = 'String[] a) throws Exception { Class.forName(a[0]).getMethod("main", String[].class).invoke(null, (Object) new String[] { "acme.Shapes" }); } }';
	spit("$work/$_.java", "public class $_ { public static void main($any") for 'First', 'Late';
	my $both = compile("$work/both", [ "$work/First.java", "$work/Late.java" ]);
	sh([ E2E::tool('jar'), 'cfe', "$work/part.jar", 'First', '-C', $both, '.', '-C', compile("$work/shapes", [ glob 'testdata/programs/acme/{Shapes,Count}.java' ]), '.' ])->{status} == 0 or BAIL_OUT('jar');
	java([ "-XX:AOTCacheOutput=$work/part.aot", '-jar', "$work/part.jar", 'acme.Shapes' ], java => $java);
	$r = sh([ $jweave, 'run', '-r', 'match:**', '--no-guard', '--', $java, "-XX:AOTCache=$work/part.aot", '-jar', "$work/part.jar", 'Late' ], dir => $work,
		env => { XDG_CACHE_HOME => "$work/cache", JWEAVE_OUTPUT => undef });
	like($r->{err}, qr{\b1 call, (?s:.*)jweave: note: calls of classes that are in the AOT cache '.*/part\.aot' are missing, since it was made without jweave: the VM runs them as they are there; make one with 'jweave run', too|jweave: 1 thread, \d{2}},
		'... and why most of it is missing') or diag("$r->{out}$r->{err}");
	for my $turn ('trains', 'runs with it') {
		my $option = $turn eq 'trains' ? '-XX:AOTCacheOutput' : '-XX:AOTMode=on -XX:AOTCache';
		$r = sh([ $jweave, 'run', '--', $java, split(/ /, "$option=$work/run.aot"), '-jar', "$work/Shapes.jar" ], dir => $work,
			env => { XDG_CACHE_HOME => "$work/cache", JWEAVE_OUTPUT => undef });
		is($r->{status}, 0, "jweave run $turn");
		unlike("$r->{out}$r->{err}", qr/Mismatched values|WARNING/, "jweave run $turn: the JVM has nothing to say");
		like($r->{err}, qr/^jweave: 1 thread, \d+ calls/m, "jweave run $turn: there is a trace") or diag("$r->{out}$r->{err}");
	}
}
done_testing();
