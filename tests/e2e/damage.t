#!/usr/bin/perl
# Whatever the bytes of a recording are, what is made of it is a trace that holds: three real ones (waits, locks and
# I/O; exceptions and pauses; virtual threads), each with bytes of its kinds, payloads, ticks, headers and lines of meta
# changed. JW_DAMAGES of them, from the seed JW_SEED; each that fails is told by its seed.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use Test::More;

my $damages = $ENV{JW_DAMAGES} || 200;
my $seed = $ENV{JW_SEED} || 1;
my $rules = <<'END';
{ "jweave": 1,
  "include": [ "preset:jdk-threads", "preset:io", "preset:monitors", "preset:exceptions" ],
  "exclude": [ "acme.Count", "acme.Progress" ],
  "rules": [ { "select": { "class": "acme.**", "kind": [ "method", "constructor", "lambda" ] } },
	     { "on": "new", "match": "acme.**" } ] }
END
my $java25 = jdk25();
my @programs = (
	[ 'Waits', "$work/file" ],
	[ 'Throws', 40 ],
	$java25 ? [ 'Meet', 3, 'virtual' ] : [ 'Meet', 3 ],
);

# The recording that a woven run of a program leaves, and the method map of its jar.
sub record {
	my ($name, @args) = @_;
	my $woven = "$work/$name-woven.jar";
	weave_ok(program($name), $rules, $woven, '--no-guard');
	my $r = java([ '-jar', $woven, @args ], $args[1] ? (java => $java25) : (), vm => ['-Xmx16m'], trace => $name,
		env => { JWEAVE_KEEP => 1, JWEAVE_ALLOC => '64K' });
	ok(-s "$r->{trace}.jwr/data", "$name: there is a recording") or BAIL_OUT($r->{err});
	return { name => $name, map => $woven, meta => slurp("$r->{trace}.jwr/meta"), data => slurp("$r->{trace}.jwr/data") };
}

# Where the records of the chunks of DATA begin, and the chunks.
sub places {
	my ($data) = @_;
	my (@records, @chunks);
	for (my $at = 0; $at + 64 <= length $data; ) {
		my ($magic, undef, undef, $bytes) = unpack 'V4', substr $data, $at, 16;
		if ($magic != 0x3152574a) { $at += 512; next }
		push @chunks, $at;
		push @records, map { $at + 64 + 16 * $_ } 0 .. $bytes / 16 - 1;
		$at += int((64 + $bytes + 511) / 512) * 512;
	}
	return (\@records, \@chunks);
}

sub any { my ($list) = @_; return $list->[ rand @$list ] }

# One thing of META and DATA is another. Of a record the tick is its first eight bytes, the kind its last, the payload
# what is between.
sub damage {
	my ($r, $meta, $data) = @_;
	my $what = int rand 20;
	if ($what < 9) { # the kind: half of them one that there is
		substr($$data, any($r->{records}) + 15, 1) = chr(rand() < .5 ? rand 23 : rand 256);
	} elsif ($what < 13) {
		substr($$data, any($r->{records}) + 8 + rand 7, 1) = chr rand 256;
	} elsif ($what < 15) { # a whole payload, that of another record
		substr($$data, any($r->{records}) + 8, 7) = substr($$data, any($r->{records}) + 8, 7);
	} elsif ($what < 17) {
		substr($$data, any($r->{records}) + rand 8, 1) = chr rand 256;
	} elsif ($what < 18) {
		substr($$data, any($r->{chunks}) + rand 64, 1) = chr rand 256;
	} elsif ($what < 19) {
		substr($$meta, rand length $$meta, 1) = chr rand 256;
	} else { # a line of meta goes, comes again, or has another number
		my @lines = split /^/, $$meta;
		my $at = 1 + rand @lines - 1;
		my $how = int rand 3;
		if ($how == 0) { splice @lines, $at, 1 }
		elsif ($how == 1) { splice @lines, 1 + rand @lines - 1, 0, $lines[$at] }
		else { $lines[$at] =~ s/\t(\d+)/"\t" . int rand 2 ** rand 50/e }
		$$meta = join '', @lines;
	}
}

my @recordings = map { record(@$_) } @programs;
mkdir "$work/d.jwr";
my ($traces, @bad) = (0);
for my $r (@recordings) {
	($r->{records}, $r->{chunks}) = places($r->{data});
}
for my $i ($seed .. $seed + $damages - 1) {
	my $r = $recordings[ $i % @recordings ];
	my ($meta, $data) = @$r{qw(meta data)};
	srand $i;
	damage($r, \$meta, \$data) for 1 .. 1 + rand 3;
	spit("$work/d.jwr/meta", $meta);
	spit("$work/d.jwr/data", $data);
	my $said = `'$jweave' prv -q --force --map='$r->{map}' -o '$work/d' '$work/d.jwr' 2>&1`;
	my $status = $? >> 8;
	if ($status == 4 && $said =~ /^jweave: /) { # refused, with a reason
		next;
	} elsif ($status != 0) {
		push @bad, "$r->{name}, seed $i: status $status: $said";
		next;
	}
	$traces++;
	$said = `perl tests/paraver/validate.pl '$work/d.prv' 2>&1`;
	next if $? == 0;
	push @bad, "$r->{name}, seed $i: " . ($said =~ s{^\S*/}{}mgr);
	if ($ENV{JW_KEEP_BAD}) {
		system 'cp', '-r', "$work/d.jwr", "$ENV{JW_KEEP_BAD}/$i.jwr";
		system 'cp', $r->{map}, "$ENV{JW_KEEP_BAD}/$r->{name}.jar";
	}
}
is(join("\n", map { substr $_, 0, 300 } @bad), '', "$damages damaged recordings, from seed $seed: every trace of them holds");
cmp_ok($traces, '>', $damages / 2, 'most of them are converted');
done_testing();
