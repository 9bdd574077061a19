# Netty's own transport: natives that a library of the program registers, for classes of netty's names in any package, are
# told of as the JDK's are. Here are five copies of such classes, each with a library of its own, and one of other names.
# Slow: 9 s, a compiler for a dozen libraries, two JVMs.
use strict;
use warnings;
use Test::More;
use lib 'tests/runtime-jni';
use Runtime;

my $home = java_home();
# The library at FILE of the copy whose package is at PATH ("", "a/"), with N more bytes in it.
sub library {
	my ($file, $path, $n) = @_;
	system(cc(), '-std=gnu11', '-I.', '-fPIC', '-shared', "-DPREFIX=\"$path\"", "-DMORE=$n", "-I$home/include", "-I$home/include/linux", '-o', $file,
		'tests/runtime-jni/copies/copy.c') == 0 or BAIL_OUT('no library');
	return $file;
}

# The class Help and the library of the copy whose package begins with PREFIX ("", "a."), in the folder DIR.
sub copy {
	my ($dir, $prefix) = @_;
	my $path = $prefix =~ tr{.}{/}r;
	my (undef, %class) = split m{^// (channel/\S+)\n}m, slurp('tests/runtime-jni/copies/copy.java') =~ s/PREFIX/$prefix/gr;
	my @files;
	for (sort keys %class) {
		my $file = "$dir/source/${path}io/netty/$_.java";
		system('mkdir', '-p', $file =~ s{/[^/]*$}{}r);
		open my $f, '>', $file or die $!;
		print $f $class{$_};
		push @files, $file;
	}
	system("$home/bin/javac", '-nowarn', '-source', '8', '-target', '8', '-Xlint:-options', '-cp', classes(), '-d', $dir, @files) == 0
		or BAIL_OUT('javac');
	return ("${prefix}io.netty.channel.Help", library("$dir/libcopy-" . ($path =~ tr{/}{-}r) . '.so', $path, 1));
}

my $classes = fresh();
my @other = copy($classes, 'x'); # package xio.netty: not netty's
my @copies = map { [ copy($classes, $_) ] } '', 'a.', 'io.b.shaded.', 'c.', 'd.';

# One that comes and goes, as those of web applications do that are deployed again; each has its functions elsewhere.
my $apart = fresh();
my ($passing) = copy($apart, 'e.');
my @again = map { [ 'in', "$apart/" ], [ $passing, library("$apart/libcopy-$_.so", 'e/', $_ << 20) ] } 1 .. 6;

sub is_copy_told {
	my ($what, $n, $got) = @_;
	my $r = only_recording($got->{dir});
	my ($bytes, $waits, $open) = moved($r);
	my @tcp = grep { $_->[3] eq 'tcp' && $_->[2] ne 'listen' } @{ $r->{meta}{connection} || [] };
	my %end = map { $_->[0] => "$_->[2] $_->[3] $_->[4]" } @{ $r->{meta}{'connection-end'} || [] };
	my @moved = grep { $_ } map { $bytes->{ $_->[0] } } @tcp;

	is(scalar @tcp, 4 * $n, "$what: two connections of each have two ends");
	is(scalar(grep { $_->[3] eq 'unix' } @{ $r->{meta}{connection} || [] }), 3 * $n, "$what: one in the file system, and its listener");
	is(join(' ', sort map { join '/', map { $_ // 0 } @$_[ 0, 1 ] } @moved), join(' ', ('0/2800') x $n, ('2800/0') x $n), "$what: as many bytes as the program counts");
	is(join(',', sort values %end), join(',', ('0 0 whole') x (2 * $n), ('0 2800 whole') x $n, ('2800 0 whole') x $n), "$what: the kernel agrees");
	is(join(' ', (map { $waits->{$_} // 0 } @wait{qw(connect accept select)}), $open), join(' ', map { $_ * $n } 3, 3, 6, 0),
		"$what: each wait, but two without time");
	is(arrows($got->{dir}), $n ? '904:' . 7 * $n . ' 909:' . 2 * $n : '', "$what: arrows");
	is(arrows($got->{dir}, 402), $n ? '402:' . 2 * $n : '', "$what: and from who wakes a select");
	is(scalar(grep { $_->[0] =~ /^io\.netty\./ } @{ $r->{meta}{tap} || [] }), $n ? 21 : 0, "$what: what is told of is said once");
	is(scalar(grep { $_->[1] eq 'it is one of more than four copies' } @{ $r->{meta}{'tap-refused'} || [] }), $what =~ /five/ ? 1 : 0, "$what: and so is a copy too many");
}

without_others('netty');
for my $jvm (jvms()) {
	my ($label, $java) = @$jvm;
	for my $case ([ 'one', 1, [], $copies[0] ], [ 'interpreted', 1, ['-Xint'], $copies[2] ], [ 'five', 4, ['-Xcheck:jni'], @copies ],
			[ 'others before it', 1, [], \@other, $copies[1] ], [ 'others', 0, [], \@other ], [ 'six, one after the other', 6, [], @again ]) {
		my ($name, $n, $options, @used) = @$case;
		my $got = run(java => $java, jvm => $options, cp => "$classes:" . classes(), args => [ $copies[0][0], map { @$_ } @used ],
			env => { JWEAVE_EVENTS => 'io,net' });
		is("$got->{status} $got->{out}", '0 ' . "2800 2800\n" x grep({ $_->[0] ne 'in' } @used), "$label, $name: the program is as without");
		is($got->{err}, '', "$label, $name: the VM says nothing");
		is_copy_told("$label, $name", $n, $got);
	}

	my $got = run(java => $java, cp => "$classes:" . classes(), args => [ $copies[0][0], @{ $copies[0] } ], env => { JWEAVE_EVENTS => 'park' });
	is(scalar(grep { $_->[0] =~ /netty/ } @{ only_recording($got->{dir})->{meta}{tap} || [] }), 0, "$label: nothing where it is not asked for");
}
done_testing();
