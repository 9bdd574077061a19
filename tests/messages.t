#!/usr/bin/perl
# Every message of the program stands in a test: for each string handed to a function that fails,
# warns or notes, its longest fixed part must be found in a test, a golden file or a .want file. And none
# says only that something failed.
use strict;
use warnings;
use File::Find;
use Test::More;

my @rooms = qw(base cfr rules trace weaver runtime-jni cli);

# The functions that take a message; jw_bug (a bug of ours, which no input provokes) is none of them.
my $tellers = join '|', qw(jw_fail jw_fail_errno jw_err_where rules_json_fail rules_json_fail_in fail fail_at fail_here entry_fail bad refuse
	find finding damaged refused cli_error cli_warn cli_note cli_detail trace_note weave_tally_note weave_types_note
	rt_say rt_note take_note);

sub slurp {
	my ($file) = @_;
	open my $f, '<:raw', $file or die "$file: $!";
	local $/;
	return scalar <$f>;
}

sub files {
	my ($wanted, @roots) = @_;
	my @found;
	find({ no_chdir => 1, wanted => sub { push @found, $_ if -f && /$wanted/ } }, grep { -e } @roots);
	return sort @found;
}

# The C text TEXT without comments, strings as they are.
sub uncomment {
	my ($text) = @_;
	$text =~ s{("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|/\*.*?\*/|//[^\n]*}{defined $1 ? $1 : ' '}gse;
	return $text;
}

# The strings of the call whose "(" is behind AT in TEXT, adjacent ones joined.
sub strings {
	my ($text, $at) = @_;
	my ($depth, @strings, $joined) = (0);
	pos($text) = $at;
	while ($text =~ /\G(?:("(?:[^"\\]|\\.)*")|('(?:[^'\\]|\\.)*')|(\s+)|(.))/gs) {
		if (defined $1) {
			my $s = substr($1, 1, -1);
			$joined = defined $joined ? $joined . $s : $s;
			next;
		}
		next if defined $3;
		my $c = $4 // '';
		if (defined $joined && $c !~ /^[A-Z]$/) { # (PRIu64 joins strings, too)
			push @strings, $joined;
			undef $joined;
		}
		$depth++ if $c eq '(';
		last if $c eq ')' && --$depth == 0;
	}
	return @strings;
}

my %escape = (n => "\n", t => "\t", '"' => '"', '\\' => '\\', r => "\r", e => "\033");
# The fixed parts of the format FORMAT.
sub parts {
	my ($format) = @_;
	$format =~ s/\\(.)/$escape{$1} \/\/ "\\$1"/ge;
	return split /%[-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh|h|ll|l|z|j|t)?[a-zA-Z]/, $format =~ s/%%/\0/gr =~ s/\0/%/gr;
}

my %messages; # text => [ where ]
for my $file (files(qr/\.c$/, @rooms)) {
	my $text = uncomment(slurp($file));
	while ($text =~ /\b(?:\w+_)?(?:$tellers)\s*(?=\()/g) {
		my $at = pos $text;
		my $line = 1 + (substr($text, 0, $at) =~ tr/\n//);
		push @{ $messages{$_} }, "$file:$line" for grep { /[a-z]{2,}/ } strings($text, $at);
	}
}

# (adjacent strings of C are one)
my $tests = join "\n", map { my $t = slurp($_); /\.[ch]$/ ? $t =~ s/"\s*\n\s*"//gr : $t }
	grep { !/messages\.t$/ } files(qr/\.(?:c|h|sh|t|pm|pl|txt|want|json)$/, 'tests', 'testdata');
my ($held, @missing, @empty) = (0);
for my $m (sort keys %messages) {
	my ($longest) = sort { length $b <=> length $a } parts($m);
	my $where = $messages{$m}[0];
	push @empty, "$where: $m" if $m =~ /^(?:[^ ]* ?: ?)?(?:it )?(?:failed|failure|error|wrong|bad)[.!]?$/i;
	if (length $longest < 4 || index($tests, $longest) >= 0 || index($tests, $longest =~ s/"/\\"/gr) >= 0) {
		$held++;
	} else {
		push @missing, "$where: $m";
	}
}
cmp_ok(scalar(keys %messages), '>', 300, 'messages are found: ' . keys %messages);
cmp_ok($held, '>', 300, "most stand in a test: $held");
is(join("\n", @missing), '', 'every message stands in a test')
	or diag("add it to tests/cli/g_messages.sh or g_errors.sh, and run make golden");
is(join("\n", @empty), '', 'no message says only that something failed');
done_testing();
