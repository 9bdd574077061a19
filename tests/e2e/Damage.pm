# Damage.pm: real recordings (waits, locks and I/O; exceptions and pauses; virtual threads), and ways to damage
# their bytes: kinds, payloads, ticks, headers and lines of meta.
#
#     my @recordings = recordings();
#     damaged(\@recordings, $seed, "$work/d.jwr");     one of them, with one to three changes; it
package Damage;
use strict;
use warnings;
use E2E;
use Exporter 'import';
use Test::More;

our @EXPORT = qw(recordings damaged);

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

sub recordings {
	my @all = map { record(@$_) } @programs;
	($_->{records}, $_->{chunks}) = places($_->{data}) for @all;
	return @all;
}

# Writes one of RECORDINGS, damaged as SEED says, to FOLDER.
sub damaged {
	my ($recordings, $seed, $folder) = @_;
	my $r = $recordings->[ $seed % @$recordings ];
	my ($meta, $data) = @$r{qw(meta data)};
	srand $seed;
	damage($r, \$meta, \$data) for 1 .. 1 + rand 3;
	mkdir $folder;
	spit("$folder/meta", $meta);
	spit("$folder/data", $data);
	return $r;
}

1;
