# What is thrown, thrown again and caught: the program counts it, the trace must say the same, by class; on 17 and
# 25, with every method traced and with none, interpreted and compiled, and in a storm.
# Slow: 40 s, thirty JVMs.
use strict;
use warnings;
use lib 'tests/e2e';
use Test::More;
use JSON::PP;
use E2E;

my %kinds = (48100006 => 'thrown', 48100007 => 'again', 48100008 => 'caught');
my $preset = '"include": [ "preset:exceptions" ], "exclude": [ "acme.Count", "acme.Progress" ]';
my %rules = (
	'methods and exceptions' => WHOLE() =~ s/"exclude".*\n/$preset,/r,
	'exceptions alone' => "{ \"jweave\": 1, $preset }",
);

# { "thrown:CLASS" => N }: the events of the trace
sub events {
	my ($base) = @_;
	my ($type, %label, %n) = ('');
	for (split /\n/, slurp("$base.pcf")) {
		$type = $1 if /^0    (\d+) /;
		$label{$type}{$1} = $2 if $kinds{$type} && /^(\d+)\s+(\S+)/ && $1;
		$type = '' if $_ eq '';
	}
	open my $in, '<', "$base.prv" or die;
	while (<$in>) {
		next unless /^2:(?:\d+:){5}(.*)/;
		my @e = split /:/, $1;
		while (my ($t, $v) = splice @e, 0, 2) {
			$n{"$kinds{$t}:$label{$t}{$v}"}++ if $kinds{$t};
		}
	}
	return \%n;
}

# The same of the report.
sub reported {
	my $r = sh([ $jweave, 'report', '--json', "$_[0].prv" ]);
	my %n;
	for my $c (@{ decode_json($r->{out})->{exceptions} }) {
		$c->{$_} and $n{"$_:$c->{class}"} = $c->{$_} for values %kinds;
	}
	return \%n;
}

# Every row: in flight or not, in turns, and not at its end. How many flights.
sub flights {
	my ($base) = @_;
	my (%on, $n, @wrong);
	open my $in, '<', "$base.prv" or die;
	while (<$in>) {
		next unless /^2:(\d+:\d+:\d+:\d+):(\d+):(.*)/;
		my ($row, $time, @e) = ($1, $2, split /:/, $3);
		while (my ($t, $v) = splice @e, 0, 2) {
			next unless $t == 48000002;
			push @wrong, "$row at $time: $v" if $v == ($on{$row} || 0);
			$on{$row} = $v;
			$n += $v;
		}
	}
	push @wrong, map { "$_ at its end" } grep { $on{$_} } sort keys %on;
	return ($n, "@wrong[0 .. ($#wrong < 3 ? $#wrong : 3)]");
}

my $jar = program('Throws');
my $java25 = jdk25();
for my $what (sort keys %rules) {
	my $woven = "$work/Throws-" . ($what =~ s/\W/-/gr) . '.jar';
	my $said = weave_ok($jar, $rules{$what}, $woven)->{out};
	like($said, qr/ and the exceptions of \d\d /, "$what: the line of success says so");
	for my $vm ([ '17', [] ], [ '17', ['-Xint'] ], [ '25', [] ]) {
		my ($version, $options) = @$vm;
		my $name = "$what, $version @$options";
		SKIP: {
			skip 'no JDK 25', 7 if $version eq '25' && !$java25;
			my @o = ($version eq '25' ? (java => $java25) : (), vm => $options);
			my $storm = @$options ? 500 : 45000;
			my $r = same_runs($name, $jar, $woven, [$storm], @o);
			my $claimed = claimed($r->{out});
			my $truth = { map { /^(thrown|again|caught):/ ? ($_ => $claimed->{$_}) : () } keys %$claimed };
			is_deeply(events($r->{trace}), $truth, "$name: thrown, thrown again and caught, by class");
			is_deeply(reported($r->{trace}), $truth, "$name: and so says the report");
			my ($n, $wrong) = flights($r->{trace});
			is($wrong, '', "$name: in flight or not, in turns");
			cmp_ok($n, '>=', $storm, "$name: flights");
			trace($r->{trace}, $name, '--counts');
		}
	}
}

# one that nobody catches
my $end = java([ '-jar', "$work/Throws-methods-and-exceptions.jar", 0, 'die' ]);
is($end->{status}, 1, 'an exception out of main');
my ($n, $wrong) = flights($end->{trace});
is($wrong, '', 'its flight ends');
is(events($end->{trace})->{'thrown:acme.Throws$Boom'}, claimed($end->{out})->{'thrown:acme.Throws$Boom'} + 1, 'it is thrown');

done_testing();
