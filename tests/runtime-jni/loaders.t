# Several copies of Probe, renamed as the weaver does it, in loaders that do not know each other: one
# library, one recording. The library comes out of each jar, as in a woven program.
# Slow: 6 s, JVMs run one after the other.
use strict;
use warnings;
use File::Copy qw(copy);
use File::Path qw(make_path);
use Test::More;
use lib 'tests/runtime-jni';
use Runtime;

# A class file in which the Utf8 constant of the runtime's name is another one.
sub renamed {
	my ($from, $to, $name) = @_;
	my $bytes = slurp($from);
	my $old = 'jweave/rt/Probe';
	for my $class ('', '$Fast') {
		my ($was, $is) = map { pack('n', length "$_$class") . "$_$class" } $old, $name;
		$bytes =~ s/\x01\Q$was\E/\x01$is/g or $class or die "no name in $from";
	}
	open my $f, '>:raw', $to or die $!;
	print $f $bytes;
	close $f or die $!;
}

my $machine = `uname -m`;
chomp $machine;
my $jar_tool = java_home() ? java_home() . '/bin/jar' : 'jar';

sub payload_jar {
	my ($package) = @_;
	my ($dir, $classes) = ("$work/$package", classes());
	make_path("$dir/jweave/rt/$package", "$dir/META-INF/jweave/lib/linux-$machine");
	renamed("$classes/Payload.class", "$dir/Payload.class", "jweave/rt/$package/Probe");
	renamed("$classes/jweave/rt/$_.class", "$dir/jweave/rt/$package/$_.class", "jweave/rt/$package/Probe") for 'Probe', 'Probe$Fast';
	copy($lib, "$dir/META-INF/jweave/lib/linux-$machine/libjweave-rt.so") or die $!;
	my $jar = "$work/jar $package+%41.jar"; # a name that a URL has to escape
	system($jar_tool, 'cf', $jar, '-C', $dir, '.') == 0 or die 'jar failed';
	return $jar;
}

my @jars = map { payload_jar("x0123456789a$_") } 1 .. 3;

for my $jvm (jvms()) {
	my ($label, $java) = @$jvm;
	for my $mode ('after', 'collect', ('race') x 5) {
		my $tmp = fresh();
		my $unloaded = "$work/unloaded.txt";
		unlink $unloaded;
		my $got = run(java => $java, args => [ 'Loaders', $mode, @jars ], jvm => ["-Xlog:class+unload=info:file=$unloaded"],
			env => { JWEAVE_LIB => undef, JWEAVE_TMP => $tmp });
		my $r = only_recording($got->{dir});
		my %sum;
		for my $t ($r ? values %{ $r->{threads} } : ()) {
			$sum{ $_->[1] }++ for @{ $t->{events} };
		}
		is(join(' ', map { "$_:" . ($sum{$_} || 0) } 1 .. 3), '1:2000 2:2000 3:2000', "$label, $mode: one recording holds all");
		is("$got->{status} $got->{out}", "0 done\n", "$label, $mode: the program is undisturbed");
		my $err = join '', grep { !/^WARNING|^$/ } map { "$_\n" } split /\n/, $got->{err};
		is($err, '', "$label, $mode: nothing on stderr");
		my @maps = map { $_->[0] } @{ $r->{meta}{map} || [] };
		is(scalar(grep { my $j = $_; grep { $_ eq $j } @maps } @jars), 3, "$label, $mode: each jar is a place of maps");
		is(join(' ', glob "$tmp/*"), '', "$label, $mode: nothing is left behind");
		next if $mode ne 'collect';
		my @gone = grep { slurp($unloaded) =~ /\bjweave\.rt\.x0123456789a$_\.Probe\b/ } 1, 2;
		is("@gone", '1 2', "$label, $mode: nothing of ours keeps a loader, not even that of the library");
	}

	# all at once, with one file for all: only one loader can have it
	my $got = run(java => $java, args => [ 'Loaders', 'race', @jars ]);
	my $r = only_recording($got->{dir});
	my $sum = 0;
	$sum += @{ $_->{events} } for values %{ $r->{threads} };
	is("$sum $got->{out}", "6000 done\n", "$label, race for one JWEAVE_LIB: all is recorded");
	is($got->{err}, '', "$label, race for one JWEAVE_LIB: nothing on stderr");

	# where a class can come from; the jar's name holds a blank, a plus and a percent sign
	my $jar = $jars[0];
	(my $escaped = $jar) =~ s/([ %])/sprintf '%%%02X', ord $1/ge;
	my $blank = "$work/a jar.jar";
	copy($jar, $blank) or die $!;
	my $folder = "$work/unpacked";
	mkdir $folder;
	system("cd '$folder' && jar xf '$jar'") == 0 or die "cannot unpack $jar";
	my @urls = ([ "file:$escaped", 'file:', $jar ], [ "file:$blank", 'file:, not escaped,', $blank ],
		[ "file:$folder/*", 'the class file itself,', $folder ], [ "jar:file:$escaped!/BOOT-INF/classes!/", 'jar:file:', $jar ],
		[ "jar:nested:$escaped/!BOOT-INF/classes/!/", 'jar:nested:', $jar ]);
	for (@urls) {
		my ($url, $what, $jar) = @$_;
		$got = run(java => $java, args => [ 'Urls', -d $jar ? $jars[0] : $jar, $url ], env => { JWEAVE_LIB => undef });
		$r = only_recording($got->{dir});
		is("$got->{status} $got->{out}", "0 done\n", "$label, $what the program runs");
		ok($r && (grep { $_->[0] eq $jar } @{ $r->{meta}{map} }), "$label, $what the archive is found") or diag $got->{err};
	}
	for ([ 'none', 'no code source' ], [ 'jar:jrt:/java.base', 'not a file' ]) {
		$got = run(java => $java, args => [ 'Urls', $jar, $_->[0] ], env => { JWEAVE_LIB => undef });
		is("$got->{status} $got->{out}", "0 done\n", "$label, $_->[1]: the program runs");
		like($got->{err}, qr/^jweave: tracing is off: no .*libjweave-rt\.so in the class path/m, "$label, $_->[1]: one line");
	}
}
done_testing();
