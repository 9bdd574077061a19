# JWEAVE_ALLOC: allocations that the VM samples are events, with their size and their class; of a stream, of its
# trace and of a summary alike. With an interval of one byte every allocation is a sample.
use strict;
use warnings;
use JSON::PP;
use Test::More;
use lib 'tests/runtime-jni';
use Runtime;

my $n = 1000;
my $size = 40; # of a Thing: a header of 12 bytes and three longs, in words; with compact headers less

sub allocs {
	my ($what, $file, $late) = @_; # late: the VM samples a thread from its next piece of the heap on
	my $r = eval { decode_json(scalar `'$build/jweave' report --json '$file' 2>/dev/null`) } || {};
	my %of;
	for my $a (@{ $r->{allocations} }) {
		for (@{ $a->{threads} }) {
			$of{ $a->{class} }{ $r->{threads}[ $_->{thread} - 1 ]{name} } = [ $_->{count}, $_->{bytes} ];
		}
	}
	my ($main, $other) = @{ $of{'Allocs$Thing'} || {} }{qw(main other)};
	is($other->[0], $n / 2, "$what: of the other thread");
	return \%of if $late;
	is(join(' ', sort keys %{ $of{'Allocs$Thing'} }), 'main other', "$what: the threads that ran methods, not the other one");
	is($main->[0], $n, "$what: the objects of main");
	ok($main->[1] == $n * $size || $main->[1] == $n * ($size - 8), "$what: their sizes") or diag($main->[1]);
	is($of{'int[][]'}{main}[0], 10, "$what: arrays") or diag(explain(\%of));
	my @alike = map { $of{"Allocs\$${_}Alike"}{main}[0] // 0 } 'Aa', 'BB';
	is("@alike", '3 7', "$what: classes whose names have one hash are two") or diag(explain(\%of));
	return \%of;
}

my $home = java_home();
my $agent = "$work/libweak.so";
system(cc(), '-std=c11', '-I.', '-fPIC', '-shared', "-I$home/include", "-I$home/include/linux", '-o', $agent,
	'tests/runtime-jni/weak_refs.c') == 0 or BAIL_OUT('no libweak.so');

for my $jvm (jvms()) {
	my ($label, $java) = @$jvm;
	my $got = run(java => $java, args => [ 'Allocs', $n ], env => { JWEAVE_ALLOC => 1, JWEAVE_CONVERT => 'on', JWEAVE_KEEP => 1 });
	is("$got->{status} $got->{out}", "0 done\n", "$label: the program") or diag($got->{err});
	my ($prv, $recording) = ((glob "$got->{dir}/*.prv")[0], (glob "$got->{dir}/*.jwr")[0]);
	my $late = $label < 17;
	my $of = allocs("$label, recording", $recording, $late);
	is_deeply(allocs("$label, trace", $prv, $late), $of, "$label: a trace says the same");
	my $t = validate($got->{dir}, events => [ 48000003, 48100009 ]);
	ok($t, "$label: the trace is right");
	my @sizes = grep { defined } map { $_->[2]{48000003} } grep { $_->[1] eq 'other' } @{ $t->{events} };
	my @classes = grep { defined } map { $_->[2]{48100009} } grep { $_->[1] eq 'other' } @{ $t->{events} };
	is(scalar(@sizes), scalar(@classes), "$label: each size has a class");
	cmp_ok(scalar(@sizes), '>=', $n / 2, "$label: and they are all there");

	$got = run(java => $java, args => [ 'Allocs', $n ], env => { JWEAVE_ALLOC => 1, JWEAVE_MODE => 'summary' });
	allocs("$label, summary", (glob "$got->{dir}/*.jwr")[0], $late);

	$got = run(java => $java, args => [ 'Allocs', 200000 ], env => { JWEAVE_EVENTS => 'alloc' });
	my $r = decode_json(scalar `'$build/jweave' report --json '$got->{dir}'/*.jwr 2>/dev/null`);
	my ($things) = grep { $_->{class} eq 'Allocs$Thing' } @{ $r->{allocations} };
	ok($things && $things->{count} >= 2 && $things->{count} < 300, "$label: JWEAVE_EVENTS=alloc: one in half a MB")
		or diag(explain($r->{allocations}));

	$got = run(java => $java, args => [ 'Allocs', $n ]);
	is_deeply(decode_json(scalar `'$build/jweave' report --json '$got->{dir}'/*.jwr 2>/dev/null`)->{allocations}, [], "$label: none unless asked for");

	# a place of the table of classes is free again once its class is unloaded; each thread keeps a few references
	my ($classes, $others) = (16000, 20000);
	$got = run(java => $java, jvm => ["-agentpath:$agent"], args => [ 'Unloads', $classes, $others ], env => { JWEAVE_ALLOC => 1, JWEAVE_EVENTS => 'alloc' });
	is("$got->{status} $got->{out}", "0 done\n", "$label: classes come and go") or diag($got->{err});
	my ($made, $left) = $got->{err} =~ /^weak references: (\d+), left: (\d+)$/m;
	ok($made && $made < $classes + 4000, "$label: a class is met once, however many are gone") or diag($got->{err});
	ok(defined $left && $left < 4300, "$label: nothing is left of those that were replaced") or diag($got->{err});
}
done_testing();
