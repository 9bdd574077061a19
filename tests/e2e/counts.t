#!/usr/bin/perl
# Programs that count their own calls: the trace says the same numbers, for every method.
# Slow: 20 s, programs that count their calls, on two JVMs.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use Test::More;

# Every method that the program counted has that many enters; no other is in the trace but EXTRA.
sub same_counts {
	my ($name, $t, $claimed, $extra) = @_;
	my (%want, %got);
	%want = %$claimed;
	for my $full (keys %{ $t->{calls} }) {
		my $key = $full =~ /\.lambda\$[^.]*$/ && $claimed->{lambda} ? 'lambda' : $full;
		next if $extra && !exists $want{$key} && $key =~ $extra;
		$got{$key} += $t->{calls}{$full};
	}
	is_deeply(\%got, \%want, "$name: enters are the program's own counts");
}

sub one {
	my ($name, $args, $extra, %o) = @_;
	my $jar = program($name);
	weave_ok($jar, WHOLE, "$work/$name-woven.jar", '--no-guard') unless -e "$work/$name-woven.jar";
	my $r = same_runs($name, $jar, "$work/$name-woven.jar", $args, %o);
	my $t = trace($r->{trace}, $name);
	same_counts($name, $t, claimed($r->{out}), $extra);
	is_deeply([ grep { !/\.(prv|pcf|row)$/ } ls($r->{folder}) ], [], "$name: nothing but the trace is left");
	return ($t, $r);
}

subtest 'exceptions: thrown, caught, rethrown, finally, constructors, initialisers' => sub {
	my ($t) = one('Exc', [3], qr/lambda\$/);
	my $e = $t->{edges};
	is($e->{'acme.Exc.far -> acme.Exc.thrower'}, 3, 'the innermost frame calls from its place');
	is($e->{'acme.Exc.far -> acme.Exc.far'}, 150, 'recursion nests');
	is($e->{'acme.Exc.catcher -> acme.Exc.leaf'}, 6, 'the frame that threw is gone when the handler runs');
	is($e->{'acme.Exc$Derived.<init> -> acme.Exc$Derived.before'}, 12, 'calls before super() are inside the constructor');
	is($e->{'acme.Exc$Derived.<init> -> acme.Exc$Base.<init>'}, 9, 'and so is the super constructor');
	is($e->{'acme.Exc$BadInit.<clinit> -> acme.Exc$BadInit.fail'}, 1, 'a static initialiser that fails is in the trace');
	is($e->{'acme.Exc.finallyThrows -> acme.Exc.thrower'}, 18, 'finally runs inside its method');
	# a frame left open by an exception inside super() would turn up as its successor's parent
	is((grep { /^acme\.Exc\$(Derived|Chain)\.<init> -> acme\.Exc\.attempt$/ } keys %$e), 0, 'no frame outlives an exception out of super()');
	ok(!(grep { /<init> -> acme\.Exc\.main/ } keys %$e), 'main is never inside a constructor');
};

subtest 'recursion 10,000 deep, and StackOverflowError' => sub {
	my ($t) = one('Deep', [10000], qr/lambda\$|\.forever(Finally)?$/);
	cmp_ok($t->{depth}, '>=', 10001, 'the deepest frame is there');
	is($t->{edges}{'acme.Deep.down -> acme.Deep.down'}, 10000, 'every level is in the one above');
	cmp_ok($t->{calls}{'acme.Deep.forever'}, '>', 100, 'the frames up to the overflow are there');
	is($t->{edges}{'acme.Deep.main -> acme.Deep.after'}, 9, 'after an overflow, nesting is right again');
	is($t->{edges}{'acme.Deep.main -> acme.Deep.overflow'}, 3, 'and stays so');
};

subtest 'StackOverflowError in a class of two loaders' => sub {
	my $jar = "$work/Twins-woven.jar";
	weave_ok(program('Twins'), '{ "jweave": 1, "rules": [ { "match": "acme.Twins$Twin#*" } ] }', $jar);
	my $r = java([ '-jar', $jar ]);
	is($r->{out}, "class java.lang.StackOverflowError\n", 'the program runs') or diag($r->{err});
	my $edges = trace($r->{trace}, 'two loaders')->{edges};
	is($edges->{'acme.Twins$Twin.catches -> acme.Twins$Twin.after'}, 100, 'a call that goes on is open, whichever loader it is of')
		or diag(explain({ map { $_ => $edges->{$_} } grep { /after/ } keys %$edges }));
};

subtest 'shapes of code: lambdas, interfaces, enums, records, generics, inner classes, monitors' => sub {
	my ($t) = one('Shapes', [], qr/\.(values|valueOf|x|y|v|l|r|toString|equals|hashCode|\$values)$|Leaf\.<init>|Pair\.<init>|Shapes\$1\.<init>|Op\$[12]\.<init>/);
	is($t->{edges}{'acme.Shapes.main -> acme.Shapes$Greeter.greet'}, 2, 'a default method is called from main');
	ok(!(grep { /Box\.(compareTo|get)$/ && $t->{calls}{$_} > 2 } keys %{ $t->{calls} }), 'bridges are not counted unless asked for');
};

subtest 'bridges when asked' => sub {
	my $jar = "$work/Shapes.jar";
	weave_ok($jar, '{ "jweave": 1, "rules": [ { "select": { "class": "acme.Shapes**", "kind": "bridge" } } ] }', "$work/bridges.jar");
	my $r = java([ '-jar', "$work/bridges.jar" ]);
	my $calls = counts($r->{trace});
	is_deeply($calls, { 'acme.Shapes$IntBox.get' => 2 }, 'the bridge methods that ran, and nothing else') or diag(explain($calls));
};

subtest '10,000 short threads, odd names' => sub {
	my ($t, $r) = one('Threads', [10000], qr/lambda\$/);
	my %named = map { $_ => 1 } @{ $t->{threads} };
	my @short = grep { /^s\d+$/ } @{ $t->{threads} };
	is(scalar(@short), 10000, 'every short thread has its row and its name');
	for my $name ('plain', 'two words', 'co:lon', '[brackets] (and) {more}', "w\xc3\xb6rker \xe2\x98\x95",
		"\xf0\x9f\x98\x80 smile", '# not a comment', 'back\\slash "quote"', 'LEVEL THREAD SIZE 3') {
		ok($named{$name}, "a thread is called '$name'");
	}
	is((grep { /[\x00-\x1f]/ } @{ $t->{threads} }), 0, 'no control character in any name');
	my ($plain) = grep { $t->{threads}[$_] eq 'plain' } 0 .. $#{ $t->{threads} };
	is_deeply($t->{by_thread}[$plain], { 'acme.Threads.lambda$main$1' => 1, 'acme.Threads.named' => 1, 'acme.Threads.work' => 1 },
		'a thread has its own calls and no others') or diag(explain($t->{by_thread}[$plain]));
	my ($brackets) = grep { $t->{threads}[$_] eq '[brackets] (and) {more}' } 0 .. $#{ $t->{threads} };
	is($t->{by_thread}[$brackets]{'acme.Threads.work'}, 6, 'and as many as it made');
	ok($named{before} || $named{after} || (grep { /before|after/ } @{ $t->{threads} }), 'a renamed thread is found');
};

SKIP: {
	my $java = jdk25() or skip 'no JDK 25', 1;
	subtest 'the same on JDK 25' => sub {
		for my $case ([ 'Exc', [2], qr/lambda\$/ ], [ 'Deep', [10000], qr/lambda\$|\.forever/ ]) {
			my ($name, $args, $extra) = @$case;
			my $r = same_runs("$name on 25", "$work/$name.jar", "$work/$name-woven.jar", $args, java => $java);
			my $t = trace($r->{trace}, "$name on 25");
			same_counts("$name on 25", $t, claimed($r->{out}), $extra);
		}
	};
}
done_testing();
