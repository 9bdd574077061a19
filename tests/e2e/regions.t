# What a program tells its own trace (jweave.api): regions, events, labels, pauses; with and without woven
# code, with the runtime in the woven jar or beside it, without any runtime, and switched off.
# Slow: 15 s, JVMs of two versions.
use strict;
use warnings;
use Test::More;
use lib 'tests/e2e';
use E2E;

my $rt = "$E2E::build/jweave-rt.jar";
my $classes = compile("$work/steps", ['share/examples/regions/Steps.java'], '-cp', $rt, '--release', '8', '-Xlint:-options');
my $tests = compile("$work/more", [ spit("$work/More.java", <<'END') ], '-cp', $rt);
import jweave.api.Region;
import jweave.api.Trace;
public class More {
	static void deep(Region r, int n) {
		try (Region here = r.begin()) {
			if (n > 1)
				deep(r, n - 1);
			else
				throw new IllegalStateException("at the bottom");
		}
	}
	public static void main(String[] args) throws Exception {
		Region odd = Region.of("odd [%] {class}\tname\n");
		for (int i = 0; i < 7; i++) {
			odd.begin();
			odd.end();
		}
		try {
			deep(Region.of("deep"), 5);
		} catch (IllegalStateException e) {
			System.out.println(e.getMessage());
		}
		Trace.pause();
		Region.of("paused").begin().end();
		Trace.event(7, 7);
		Trace.resume();
		Region.of("resumed").begin().end();
		Trace.label(10, "twice");
		Trace.label(11, "twice");
		Trace.label(11, 3, "three");
		for (int i = 0; i < 5; i++) {
			Trace.event(10, 1L << 53);
			Trace.event(11, i);
		}
		/* labels that others have, or that a configuration of Paraver could not name */
		Trace.label(20, "User function");
		Trace.label(21, "a \"quoted\" * [one]");
		Trace.label(22, "a 'quoted' . (one)");
		String much = "x".repeat(300);
		Trace.label(23, much + "1");
		Trace.label(24, much + "2");
		Trace.label(25, " step\t");
		Trace.label(26, "step");
		for (int type = 20; type <= 26; type++)
			Trace.event(type, 1);
		/* nonsense does no harm */
		Trace.event(0, 1);
		Trace.event(-5, 1);
		Trace.event(60000019, 1);
		Trace.event(12, -1);
		Trace.event(12, Long.MAX_VALUE);
		Trace.label(12, null);
		Region.of(null).begin().end();
		Trace.end("never begun");
		Trace.flush();
		System.out.println("on: " + Trace.isOn());
	}
}
END

my %jvms = ('17' => $E2E::default_java, jdk25() ? ('25' => jdk25()) : ());
without25('the same');
my @all = ('region all', 'region exchange', 'region move');

# how often each type and value occurs, and the labels of the types
sub events_of {
	my ($base) = @_;
	my (%n, %label);
	for (split /\n/, slurp("$base.prv")) {
		my @f = split /:/;
		next unless $f[0] eq '2';
		for (my $i = 6; $i < @f; $i += 2) { $n{ $f[$i] }{ $f[ $i + 1 ] }++ }
	}
	my $type;
	for (split /\n/, slurp("$base.pcf")) {
		$type = $1, $label{$type}{''} = $2 if /^0    (\d+)    (.*)/;
		undef $type if $_ eq '';
		$label{$type}{$1} = $2 if defined $type && /^(\d+) +(.*)/ && $1 != 0;
	}
	return (\%n, \%label);
}

for my $label (sort keys %jvms) {
	my @vm = $label eq '25' ? ('--enable-native-access=ALL-UNNAMED') : ();
	my $java = sub {
		my ($cp, @args) = @_;
		my %o = ref $args[0] ? %{ shift @args } : ();
		return java([ @vm, '-cp', $cp, @args ], java => $jvms{$label}, %o);
	};

	# regions alone
	my $r = $java->("$classes:$rt", 'Steps', 40);
	is($r->{out}, "120 steps\n", "$label: the program's output");
	my $t = trace($r->{trace}, "$label, nothing woven");
	is_deeply($t->{calls}, { 'region all' => 1, 'region move' => 120, 'region exchange' => 120 }, "$label: regions");
	my ($n, $labels) = events_of($r->{trace});
	is(scalar keys %{ $n->{1000} }, 40, "$label: a step is a value");
	is_deeply([ sort { $a <=> $b } values %{ $n->{1000} } ], [ (3) x 40 ], "$label: each in three threads");
	is_deeply($n->{1002}, { 0 => 3, 1 => 3, 2 => 3 }, "$label: phases");
	is($labels->{1000}{''}, 'step', "$label: label of a type");
	is_deeply($labels->{1002}, { '' => 'phase', 1 => 'set up', 2 => 'iterate' }, "$label: labels of values");

	# odd names and nonsense
	$r = $java->("$tests:$rt", 'More');
	is($r->{out}, "at the bottom\non: true\n", "$label: nothing is thrown");
	$t = trace($r->{trace}, "$label, odd ones");
	is($t->{calls}{'region deep'}, 5, "$label: regions end with exceptions");
	is($t->{depth}, 5, "$label: and nest");
	is($t->{calls}{'region resumed'}, 1, "$label: resumed");
	ok(!$t->{calls}{'region paused'}, "$label: paused");
	is((grep { $t->{calls}{$_} == 7 } keys %{ $t->{calls} })[0], 'region odd [%', "$label: an odd name");
	($n, $labels) = events_of($r->{trace});
	ok(!$n->{7} && !$n->{12}, "$label: neither paused events nor wrong ones");
	is($n->{10}{9007199254740992}, 5, "$label: a large value");
	is($labels->{10}{''}, 'twice (10)', "$label: two types with one label are told apart");
	is_deeply($labels->{11}, { '' => 'twice (11)', 1 => 'value 1', 2 => 'value 2', 3 => 'three', 4 => 'value 4' },
		"$label: every value of a labelled type has a label");

	my @names = map { $labels->{$_}{''} } 20 .. 26;
	is(scalar keys %{ { map { $_ => 1 } @names, map { $labels->{$_}{''} } 10, 11 } }, 9, "$label: labels of types are unique");
	is_deeply([ @names[ 0, 1, 2, 5, 6 ] ], [ 'User function (20)', "a 'quoted' . (one) (21)", "a 'quoted' . (one) (22)", 'step (25)', 'step (26)' ],
		"$label: by their numbers, where they are not");

	# off, and without any runtime: the classes of the API alone
	$r = $java->("$tests:$rt", { env => { JWEAVE => 'off' } }, 'More');
	is($r->{out} . $r->{err}, "at the bottom\non: false\n", "$label: off");
	is_deeply([ ls($r->{folder}) ], [], "$label: off leaves nothing");
	my $api = "$work/api";
	sh([ 'unzip', '-qo', $rt, 'jweave/api/*', '-d', $api ]) unless -d $api;
	$r = $java->("$tests:$api", 'More');
	is($r->{out} . $r->{err}, "at the bottom\non: false\n", "$label: no runtime");

	# woven: the runtime inside the jar, beside it, and inside with the API's classes alone
	for my $case ([ 'embed', $rt ], [ 'classpath', $rt ], [ 'embed', $api ]) {
		my ($runtime, $beside) = @$case;
		my $what = "$label, woven, $runtime, " . ($beside eq $rt ? 'jweave-rt.jar' : 'classes of the API');
		my $plain = jar("$work/steps.jar", $classes, 'Steps');
		weave_ok($plain, '{ "jweave": 1, "rules": [ { "match": "Steps#simulate(int)" }, { "match": "Steps#step(..)" } ] }',
			"$work/steps-$runtime.jar", "--runtime=$runtime");
		$r = $java->("$work/steps-$runtime.jar:$beside", 'Steps', 40);
		$t = trace($r->{trace}, $what);
		# the API's classes come first, alone: their runtime comes with the first woven method
		delete $t->{calls}{'region all'};
		is_deeply($t->{calls}, { 'region move' => 120, 'region exchange' => 120, 'Steps.step' => 120,
			'Steps.simulate' => 3 }, "$what: methods and regions");
		is($t->{edges}{'Steps.step -> region move'}, 120, "$what: nested") if $beside eq $rt;
	}
}
done_testing();
