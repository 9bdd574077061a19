#!/usr/bin/perl
# How weavers have broken programs, and which test shows that ours does not: the table at the end names a file and
# words of it for each trap, and is checked against them. What has no other place is tested here.
# Slow: 10 s, programs are woven and run for what has no other place.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use Test::More;

my @runs = grep { $_->[1] } [ 17, $E2E::default_java ], [ 25, jdk25() ];
without25('the same');
my $all = '{ "jweave": 1, "exclude": [ "traps.Deadlock" ], "rules": [ { "select": { "class": "traps.**",
	"kind": [ "method", "constructor", "clinit", "lambda", "bridge", "synthetic", "accessor" ] } } ] }';
my $classes = compile("$work/classes", [ glob("$E2E::root/testdata/programs/traps/*.java") ], '-Xlint:-deprecation');
spit("$classes/traps/text", 'T');
my $plain = jar("$work/traps.jar", $classes);
my $woven = "$work/woven.jar";
weave_ok($plain, $all, $woven, '--no-guard');
my ($probe) = sh([ 'unzip', '-Z1', $woven ])->{out} =~ m{^((?:\w+/)?jweave/\w+/P)\.class$}m;
$probe =~ tr{/}{.};

# ---- a class initialiser that needs a loader whose lock another thread holds ----
for my $run (@runs) {
	my ($version, $java) = @$run;
	my @native = $version >= 24 ? '--enable-native-access=ALL-UNNAMED' : ();
	my $r = java([ '-cp', $classes, 'traps.Deadlock', $woven, $probe ], vm => \@native, java => $java, trace => "deadlock-$version", seconds => 60);
	is($r->{out}, "BLOCKED\nthe program waits\ntrue\ntext 84\n", "$version: what traces waits for no loader") or diag($r->{err});
	is($r->{status}, 0, "$version: and the program ends");
	ok(counts($r->{trace})->{'traps.Loaded.<clinit>'}, "$version: traced");
}

# ---- synchronized methods: enter after the lock, exit before it is given back ----
# [ time, thread, method or '' ] of each begin and end of a method in a trace
sub begins_and_ends {
	my ($base) = @_;
	my ($of, %name) = ('');
	for (split /\n/, slurp("$base.pcf")) {
		$of = $1 if /^\s*\d+\s+(\d{8})\s/;
		$name{$1} = E2E::name_of($2) if $of eq '60000019' && /^(\d+)\s+(\S.*)$/;
	}
	my @events;
	for (split /\n/, slurp("$base.prv")) {
		my ($kind, undef, undef, undef, $thread, $time, @pairs) = split /:/;
		next unless $kind eq '2';
		while (my ($type, $value) = splice @pairs, 0, 2) {
			push @events, [ $time, $thread, $value ? $name{$value} : '' ] if $type eq '60000019';
		}
	}
	return @events;
}
for my $run (@runs) {
	my ($version, $java) = @$run;
	my @native = $version >= 24 ? '--enable-native-access=ALL-UNNAMED' : ();
	my $r = java([ '-cp', $woven, 'traps.Locks' ], vm => \@native, java => $java, trace => "locks-$version", seconds => 60);
	is("$r->{status} $r->{out}", "0 thrown\n", "$version: contended methods run") or diag($r->{err});
	my @events = begins_and_ends($r->{trace});
	my ($main) = map { $_->[1] } grep { $_->[2] eq 'traps.Locks.main' } @events;
	is(scalar(grep { $_->[2] =~ /want/ } @events), 3, "$version: three waited");
	for my $case ([ 'holdClass', 'wantClass', 0, 'static' ], [ 'hold', 'want', 0, 'of an instance' ],
		[ 'holdAndThrow', 'want', 1, 'left by an exception' ]) {
		my ($hold, $want, $nth, $what) = @$case;
		my ($held, $depth, $left) = (0, 0);
		for my $e (grep { $_->[1] == $main } @events) {
			next unless $held || $e->[2] eq "traps.Locks.$hold";
			$held = 1;
			$depth += $e->[2] eq '' ? -1 : 1;
			next if $depth;
			$left = $e->[0];
			last;
		}
		my @wants = grep { $_->[2] eq "traps.Locks.$want" } @events;
		cmp_ok($wants[$nth][0] // -1, '>=', $left // 9e99, "$version, $what: who waits for the lock enters when the other has left");
	}
}

# ---- an empty finalize() stays empty for the VM too ----
for my $run (@runs) {
	my ($version, $java) = @$run;
	my @vm = ('--add-opens=java.base/java.lang.ref=ALL-UNNAMED', $version >= 24 ? '--enable-native-access=ALL-UNNAMED' : ());
	my $r = java([ '-cp', $woven, 'traps.Finalizers' ], vm => \@vm, java => $java, trace => "final-$version");
	is($r->{out}, "empty 0, full 50\n", "$version: objects with an empty finalize() are not finalized") or diag($r->{err});
	my $calls = counts($r->{trace});
	ok($calls->{'traps.Finalizers.registered'} && !$calls->{'traps.Finalizers$Empty.finalize'}, "$version: it is the one that is left");
}

# ---- HotSpot still compiles methods with monitors ----
for my $run (@runs) {
	my ($version, $java) = @$run;
	my @vm = ('-Xbatch', '-XX:+PrintCompilation', $version >= 24 ? '--enable-native-access=ALL-UNNAMED' : ());
	my $r = java([ '-cp', $woven, 'traps.Monitors' ], vm => \@vm, java => $java, trace => "monitors-$version");
	my $said = join "\n", grep { /Monitors|^sum/ } split /\n/, $r->{out};
	for my $method ('block', 'method') {
		like($said, qr/^ *\d.* [1-4] +traps\.Monitors::$method \(\d+ bytes\)$/m, "$version: a hot $method with a monitor is compiled");
	}
	unlike($said, qr/(?:COMPILE SKIPPED|not compilable)/, "$version: and refused by no compiler");
	like($said, qr/^sum -?\d+$/m, "$version: it runs");
}

# ---- two woven modules, two sealed jars: each has a runtime of its own ----
{
	my $from = "$E2E::root/testdata/modules";
	my $low = compile("$work/low", [ glob("$from/low/*.java $from/low/low/*.java") ]);
	my $high = compile("$work/high", [ glob("$from/high/*.java $from/high/high/*.java") ], '--module-path', $low);
	spit("$work/sealed.txt", "Sealed: true\n");
	my $rules = '{ "jweave": 1, "rules": [ { "select": { "class": "**", "kind": [ "method", "constructor" ] } } ] }';
	for my $name ('low', 'high') {
		sh([ E2E::tool('jar'), '--create', '--file', "$work/$name.jar", '--manifest', "$work/sealed.txt", '-C', "$work/$name", '.' ]);
		weave_ok("$work/$name.jar", $rules, "$work/$name-woven.jar", '--no-guard');
	}
	my @both = ("$work/low-woven.jar", "$work/high-woven.jar");
	for my $run (@runs) {
		my ($version, $java) = @$run;
		my @native = $version >= 24 ? '--enable-native-access=high,low,ALL-UNNAMED' : ();
		my $m = java([ '-p', join(':', @both), '-m', 'high/high.Main' ], vm => \@native, java => $java, trace => "modules-$version");
		is($m->{out}, "41 high\n", "$version: two woven modules load and run") or diag($m->{err});
		is(join(' ', map { counts($m->{trace})->{$_} // 0 } 'low.Base.twice', 'high.Main.twice'), '1 1', "$version: both traced");
		my $s = java([ '-cp', join(':', @both), 'high.Main' ], vm => \@native, java => $java, trace => "sealed-$version");
		is($s->{out}, "41 null\n", "$version: two sealed jars run woven") or diag($s->{err});
	}
}

# ---- the table ----
my %text;
while (<DATA>) {
	chomp;
	next if /^\s*(#|$)/;
	my ($trap, $file, @words) = split /\s*\|\s*/;
	my $path = "$E2E::root/tests/$file";
	my $text = $text{$path} //= slurp($path) // '';
	my @lost = grep { index($text, $_) < 0 } @words;
	ok($text ne '' && @words && !@lost, "$trap: $file") or diag($text eq '' ? "no $path" : "not there: @lost");
}
done_testing();

__DATA__
# trap | file below tests/ | words that must stand in it

# code
frames move, are never computed; forms 64 to 127 and 247 to 251 | cfr/t_smt.c | smt_put_takes_the_shortest_form | smt_move_rewrites_deltas
deltas of 63, 64 and 65535 in running classes | weaver/OddLimits.java | "Delta" + gap
Uninitialized names the new itself, also at 0 | weaver/OddClasses.java | "NewAtZero"
weavers that move frames wrongly are caught | weaver/j_odd.sh | mutant 'frames through ins' | mutant 'Uninitialized through end'
the frame at pc 0, a loop whose head it is | weaver/OddClasses.java | "LoopHeadZero"
code that branches to 0 enters once | weaver/t_layout.c | enter_once_though_the_code_branches_to_0
version 50 without a table, with jsr | weaver/OddClasses.java | "NoTable50" | "JsrRet"
version 50 as the new verifier sees it | weaver/j_odd.sh | version 50 has frames that the new verifier takes
StackMap of CLDC | weaver/t_tables.c | frames_of_cldc_are_dropped
frames of an unknown form | weaver/t_tables.c | frames_that_are_not_known
handlers that cover themselves, that overlap | weaver/OddClasses.java | "SelfCovering" | "OverlappingAny"
our handler ends with the code | weaver/t_layout.c | a_handler_up_to_the_end_covers_no_tail
monitors left locked by a return | weaver/OddClasses.java | "LeftLocked"
HotSpot compiles methods with monitors as before | e2e/traps.t | with a monitor is compiled
enter after the lock, exit before its release | e2e/traps.t | who waits for the lock enters
constructors: branches, ternaries, try, several super() | weaver/OddClasses.java | "CtorTernary" | "CtorTryBefore" | "CtorTwoSupers" | "CtorSuperInTry"
uninitialized this anywhere a frame may hold it | weaver/OddLimits.java | "ThisOnTheStack" | "ThisSwapped" | "ThisInSwitch"
this lost before super(): left and named | weaver/j_odd.sh | constructors that lose this
statements before super() of JDK 22 | weaver/Odd25.java | super(
try and finally around super(...) | weaver/j_odd.sh | mutant 'super() covered'
what super(...) throws is inferred | weaver/j_odd.sh | ends inferred: exceptions inside super()
far jumps: islands, wide forms, by one byte | weaver/t_layout.c | far_conditionals_go_through_islands | backward_branches_reach_one_byte_farther
branches of 150 bytes in whole modules | weaver/j_calls.sh | --branch=150
code of 65,535 bytes, pools and exception tables that are full | weaver/j_limits.sh | left: code that would pass 65535 bytes | left: full pools | left: full exception tables
the operand stack that is full | weaver/t_class.c | an_operand_stack_that_is_full
8,000 bytes: left, and said so | weaver/t_layout.c | limits_are_met_and_not_passed
values under a returned one (suspend functions) | weaver/OddClasses.java | "ExtraStack"
Kotlin's suspend functions run | e2e/languages.t | language('kotlinc'
wide iinc, goto_w, jsr_w | cfr/t_code.c | code_wide_forms | jsr_w
padding of switches | weaver/t_layout.c | switches_are_padded_where_they_lie
nested subroutines, jsr in finally | weaver/OddLimits.java | "JsrNested" | "JsrFinally"
code of JDK 1.0.2 | cfr/t_code.c | code_of_jdk_1_0_is_not_supported
dead code keeps its locals | weaver/OddClasses.java | "DeadCode"
hundreds of arguments, locals over 255 | weaver/OddLimits.java | "Arguments"
no locals across the body | weaver/t_probes.c | only_what_is_above_goes_into_locals

# attributes
lines: order, zeros, out of range | weaver/t_tables.c | lines_keep_their_order_and_their_zeros | lines_out_of_range_stay
both tables of locals, both ends | weaver/t_tables.c | locals_have_both_ends_moved | LocalVariableTypeTable
type annotations: offsets, locals, catch index, out of range | weaver/t_tables.c | type_annotations_of_offsets | type_annotations_of_locals | type_annotations_of_exception_parameters_follow_their_entry | type_annotations_cut_off_stay
CharacterRangeTable | weaver/t_tables.c | character_ranges_end_inclusively
attributes that nobody knows | weaver/t_tables.c | attributes_that_are_not_known
pool tags 15 to 20, an unknown one | cfr/t_pool.c | pool_reads_entries
a constant of an unknown kind: the class is copied and named | weaver/a_kinds.sh | a constant of an unknown kind: the class is copied
dynamic constants and calls | weaver/OddLimits.java | "Dynamic"
versions that are not yet there | weaver/a_kinds.sh | future: woven, and said so
names of obfuscators: classes run | e2e/languages.t | language('proguard'
names that no language allows | weaver/OddClasses.java | "OddNames"
interfaces: default, static, private methods | weaver/Odd17.java | private double privately()
an empty finalize() | weaver/t_tables.c | an_empty_finalizer_stays_empty
an empty finalize() in a running VM | e2e/traps.t | not finalized
no class hierarchy is needed | weaver/j_common | --check
members, serialVersionUID, annotations stay | e2e/archive.t | the same reflection view and serialVersionUIDs

# archives
STORED stays STORED, and aligned | weaver/a_kinds.sh | still STORED, aligned
signatures of any kind go, digests too | weaver/t_archive.c | signature_files_are_known_by_name | digests_go_and_what_else_a_section_holds_stays | .EC
what jarsigner says of woven output | weaver/a_kinds.sh | jarsigner
module-info: the runtime is readable | weaver/a_kinds.sh | module: runs from the module path | module: the runtime is one of its packages
releases of a jar: woven, and not switched on | weaver/a_kinds.sh | multi-release: runs | releases stay switched off where they were
duplicate names, data descriptors, zip64, bytes before the archive | weaver/a_hostile.sh | both duplicates of a class are woven | has descriptors | zip64 sizes: weaves | prefix, $kind: runs
paths that are not class names | weaver/a_kinds.sh | a class whose path is not its name
woven twice: refused, or skipped | weaver/a_kinds.sh | folder: woven already, skipped
the same bytes for any -j | e2e/archive.t | gives the same bytes
cut or missing input: no output, status not 0 | e2e/archive.t | missing input: no output | 'truncated'
rules that match nothing are named | e2e/archive.t | decides no method
one class too hard does not lose the jar | weaver/a_hostile.sh | a class that is none is named

# run time
the runtime is found: embedded, alone, missing | e2e/runtime.t | --runtime=classpath
no library, none that can be loaded | runtime-jni/places.t | none in the class folder | not a library
several runtimes in one process, loaders collected | runtime-jni/loaders.t | one recording holds all | nothing of ours keeps a loader
sealed jars, two woven modules | e2e/traps.t | two sealed jars run woven | two woven modules load and run
a class initialiser and the lock of its loader | e2e/traps.t | what traces waits for no loader
noexec temporary folders | runtime-jni/places.t | noexec temporary folder
a full disk is no SIGBUS | runtime-jni/places.t | a disk that is full already
read-only places | runtime-jni/places.t | read-only folder
every ending: exit, SIGTERM, kill -9, halt | runtime-jni/endings.t | all events of main
nothing on stderr but our own line | runtime-jni/places.t | nothing on stderr
StackOverflowError inside a probe | e2e/counts.t | StackOverflow
