#!/usr/bin/perl
# An archive that is gone when names are looked for: a plugin that was loaded, closed and deleted, or a folder. The
# recording has it still: when the program itself converts, after kill -9, and in a dump.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use Test::More;

my $programs = "$E2E::root/testdata/programs/acme/gone";
compile("$work/host", ["$programs/Host.java"]);
compile("$work/piece", ["$programs/Piece.java"]);
jar("$work/plugin.jar", "$work/piece");
weave_ok("$work/plugin.jar", WHOLE, "$work/woven.jar", '--no-guard');

spit("$work/whole.json", WHOLE);

sub links { return (stat "$work/woven.jar")[3]; }

# A copy to be deleted, beside the recording: the same file, so that links to it can be counted.
sub plugin {
	my ($name) = @_;
	link "$work/woven.jar", "$work/$name.jar" or die "link: $!";
	return "$work/$name.jar";
}

sub whole {
	my ($base, $name) = @_;
	is(counts($base)->{'acme.gone.Piece.part'}, 10, "$name: calls have their names");
	unlike(slurp("$base.pcf"), qr/unknown 0x/, "$name: all of them");
}

my $r = java([ '-cp', "$work/host", 'acme.gone.Host', plugin('end') ], trace => 'end');
is($r->{status}, 0, 'the program ends well') or diag($r->{err});
whole($r->{trace}, 'converted at the end');
is(join(' ', ls($r->{folder})), 'end.pcf end.prv end.row', 'the recording is gone');
is(links(), 1, 'and its link');

# An exploded archive: its map is linked, wherever the classes lie in it.
for my $layout ('', 'WEB-INF/classes') {
	my ($name, $folder) = ('folder' . length $layout, "$work/exploded");
	my $classes = $layout ? "$folder/$layout" : $folder;
	my $made = sh([ 'sh', '-ec', <<'END', 'sh', $jweave, "$work/piece", $layout, $work, $classes ]);
rm -rf "$4/app" "$4/exploded"
mkdir -p "$4/app/$3"
cp -r "$2/." "$4/app/$3"
"$1" --no-guard -q "$4/app" "$4/whole.json" "$4/exploded"
END
	is($made->{status}, 0, "$name: it is woven") or diag($made->{err});
	$r = java([ '-cp', "$work/host", 'acme.gone.Host', $classes ], trace => $name);
	is($r->{status}, 0, "$name: the program ends well") or diag($r->{err});
	ok(!-e $classes, "$name: the folder is gone");
	whole($r->{trace}, $name);
}

for my $how ('killed', 'dump') {
	my @mode = $how eq 'dump' ? ('-Djweave.mode=flight-recorder') : ();
	my $dir = "$work/run.$how";
	mkdir $dir;
	my $plugin = plugin($how);
	my $pid = fork();
	if (!$pid) {
		open STDOUT, '>', "$dir/out";
		open STDERR, '>', "$dir/err";
		exec $E2E::default_java, "-Djweave.output=$dir/t", @mode, '-cp', "$work/host", 'acme.gone.Host', $plugin, 'wait' or die;
	}
	for (1 .. 600) {
		last if (slurp("$dir/out") // '') =~ /ready/;
		select undef, undef, undef, 0.05;
	}
	my $recording = "$dir/t.jwr";
	if ($how eq 'dump') {
		my $d = sh([ $jweave, 'ctl', $pid, 'dump' ]);
		chomp($recording = $d->{out});
		is($d->{status}, 0, "$how: there is one") or diag($d->{err});
	}
	kill 'KILL', $pid;
	waitpid $pid, 0;
	my $p = sh([ $jweave, 'prv', $recording, '-o', "$dir/now" ]);
	is($p->{status}, 0, "$how: jweave prv converts it") or diag($p->{err});
	whole("$dir/now", $how);
}
# An image that jlink made has no archive to link: the recording stays for who has the woven jar.
sub image {
	mkdir "$work/src";
	mkdir "$work/src/acme";
	spit("$work/src/module-info.java", "module acme.image {}\n");
	spit("$work/src/acme/Main.java", <<'END');
package acme;

public class Main {
	static int part(int i) {
		return i + 1;
	}

	public static void main(String[] args) {
		for (int i = 0; i < 10; i++)
			part(i);
	}
}
END
	compile("$work/module", [ "$work/src/module-info.java", "$work/src/acme/Main.java" ]);
	jar("$work/module.jar", "$work/module");
	weave_ok("$work/module.jar", WHOLE, "$work/module-woven.jar", '--no-guard');
	return sh([ E2E::tool('jlink'), '-p', "$work/module-woven.jar", '--add-modules', 'acme.image', '--output', "$work/image" ]);
}

SKIP: {
	my $made = image();
	skip "jlink makes no image: $made->{err}$made->{out}", 5 if $made->{status};
	my $i = java([ '-m', 'acme.image/acme.Main' ], java => "$work/image/bin/java", trace => 'image');
	is($i->{status}, 0, 'an image: the program ends well') or diag($i->{err});
	like($i->{err}, qr/^jweave: 2 of 2 methods have no name .*\njweave: the recording is kept for that: jweave prv .* WOVEN\.jar$/m,
		'an image: its recording is kept');
	my ($command) = $i->{err} =~ /kept for that: jweave (.*) WOVEN\.jar$/m;
	my $p = sh([ 'sh', '-c', "'$jweave' $command '$work/module-woven.jar'" ]);
	is($p->{status}, 0, 'an image: the line is a command') or diag($p->{err});
	is(counts($i->{trace})->{'acme.Main.part'}, 10, 'an image: the jar has the names');
	is(join(' ', ls($i->{folder})), 'image.jwr image.pcf image.prv image.row', 'an image: nothing else is left');
}
done_testing();
