#!/usr/bin/perl
# Every text that a user can see is in a test: of each string in the rooms that has two words or more, in
# whatever table it is, and of each string handed to a function that fails, warns or notes, the longest
# fixed part must be found in a test, a golden file or a .want file; of a string of several lines, that of each.
# What is no text for users is listed here, with the reason. And none says only that something failed.
use strict;
use warnings;
use File::Find;
use Test::More;

my @rooms = qw(base cfr rules trace weaver runtime-jni cli);

# The functions that take a message, be it of one word.
my $tellers = join '|', qw(jw_fail jw_fail_errno jw_fail_stdout jw_err_where rules_json_fail rules_json_fail_in fail fail_at fail_here entry_fail
	bad refuse find finding cli_verify_finding damaged refused cli_error cli_warn cli_note cli_detail trace_note weave_tally_note weave_types_note
	weave_leave give_up rt_say rt_note take_note);

# What no input provokes: strings for the compiler and the assembler, and of calls that name a bug of ours, or a
# buffer that has no limit and so outgrows none.
my $string = qr/"(?:[^"\\]|\\.)*"/;
my $nested = qr/\((?:[^()"]|$string|(??{ our $inside }))*\)/;
our $inside = $nested;
my $silent = qr/(?:\b(?:_Static_assert|assert|__asm__|jw_bug|jw_buf_finish|jw_memory_fail)\s*$nested|#include[^\n]*)/;
# Files that have none, or X-lists whose column of texts is for readers of the code: PLACE => why.
my %untold = (
	'cli/cmd_completion.c' => 'programs for shells, which tests/cli/deb.sh runs',
	'trace/format/recording.h' => 'what each kind of record is, for readers',
	'trace/engine/facts.def' => 'labels of captures, which tests/cli/tasks.sh looks for in the presets',
	'base/status.h' => 'what each status is, for readers',
);
# Single strings: TEXT => why.
my %none = (
	'the VM has no memory for the gates of JWEAVE_BUDGET: all is recorded' => '64 KB of a heap that has just begun',
	'there is no thread to keep recording within JWEAVE_BUDGET: all is recorded' => 'nor would the JVM have had its own',
	'more connections and files were used than are told apart (262144)' => 'so many take minutes',
	'(default rules)' => 'a name for rules that are generated, none of which can be wrong or choose nothing',
	'an event is too large' => 'no text of an event has 256 MB',
	"cannot read what was put aside beside '%s'" => 'the disk fails under a file that has no name',
	'%s: cannot give what was written this name' => 'the folder of the output goes while it is written',
	'PRAGMA page_size = 16384; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -8192; BEGIN' => 'SQL',
	'PRAGMA user_version = 1; PRAGMA analysis_limit = 1000; ANALYZE; COMMIT' => 'SQL',
	'<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=%s"><title>jweave</title>' => 'HTML',
	"default-src 'none'; frame-ancestors 'none'; sandbox" => 'a header of HTTP',
	'text/plain; charset=utf-8' => 'likewise',
	'{ if [ -n "$1" ]; then ssh -- "$1" "cd $2 && tar -cf - $5 ."; else tar -C "$3" -cf - "$5" .; fi || echo failed >"$4.failed"; } | tar -xf - -C "$4" && [ ! -e "$4.failed" ]' => 'a program for sh',
	"cannot rename '%s' to '%s'" => 'two names in one folder, the second just removed',
	'interpreted mode' => "what is looked for in the VM's words",
	'java.lang.Object#' => 'a part of match lines',
	'jweave run 1 ' => 'a part of what is hashed',
	'this part of the run has too many calls' => 'layers of an index that jweave made keep below that',
	'this build of jweave has no library for that' => 'the builds for fuzzing, which start no java',
	'the cache is on a file system from which nothing may be executed' => 'tests mount none',
	'too many jars are woven (%zu)' => 'so many as make a table of 16 MiB',
	'the system gives no random bytes' => 'Linux has 12 of them at any time after its start',
);

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

# The C text TEXT without comments, strings and lines as they are.
sub uncomment {
	my ($text) = @_;
	$text =~ s{($string)|'(?:[^'\\]|\\.)*'|/\*.*?\*/|//[^\n]*}{$1 // "\n" x ($& =~ tr/\n//)}gse;
	return $text;
}

my %escape = (n => "\n", t => "\t", '"' => '"', '\\' => '\\', r => "\r", e => "\033");
sub plain {
	my ($text) = @_;
	return $text =~ s/\\(.)/$escape{$1} \/\/ "\\$1"/ger;
}

# The longest fixed part of the format FORMAT, blanks as one.
sub longest {
	my ($format) = @_;
	my ($part) = sort { length $b <=> length $a }
		split /%[-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh|h|ll|l|z|j|t)?[a-zA-Z]/, $format =~ s/%%/\0/gr;
	return ($part // '') =~ s/\0/%/gr =~ s/\s+/ /gr =~ s/^ | $//gr;
}

my %messages; # text => [ where ]
for my $file (files(qr/\.(?:c|h|def|java)$/, @rooms)) {
	next if $untold{$file};
	my $text = uncomment(slurp($file));
	$text =~ s/($silent)/"\n" x ($1 =~ tr{\n}{})/ge;
	# adjacent strings are one; the lines of a macro go on after a backslash
	while ($text =~ /((?:$string(?:\s|\\\n)*)+)/g) {
		my ($at, $all) = ($-[0], $1);
		my $line = 1 + (substr($text, 0, $at) =~ tr/\n//);
		my $joined = join '', map { substr $_, 1, -1 } $all =~ /$string/g;
		my $told = substr($text, 0, $at) =~ /\b(?:\w+_)?(?:$tellers)\s*\([^;{}]*\z/;
		for (split /\n/, plain($joined)) {
			push @{ $messages{$_} }, "$file:$line"
				if $told ? /[a-z]{2,}/ : /[A-Za-z]{2,}['"),.:;]* +['"(]*[a-z]{2,}/;
		}
	}
}

# (adjacent strings of C are one)
my $tests = join "\n", map { my $t = slurp($_); /\.[ch]$/ ? plain($t =~ s/"\s*\n\s*"//gr) : $t }
	grep { !/messages\.t$/ } files(qr/\.(?:c|h|sh|t|pm|pl|py|txt|want|json|svg)$/, 'tests', 'testdata');
$tests =~ s/\s+/ /g;
my ($held, @missing, @empty, %used) = (0);
for my $m (sort keys %messages) {
	my ($longest, $where) = (longest($m), $messages{$m}[0]);
	push @empty, "$where: $m" if $m =~ /^(?:[^ ]* ?: ?)?(?:it )?(?:failed|failure|error|wrong|bad)[.!]?$/i;
	if ($none{$m}) {
		$used{$m} = 1;
	} elsif (length $longest < 4 || index($tests, $longest) >= 0 || index($tests, $longest =~ s/"/\\"/gr) >= 0) {
		$held++;
	} else {
		push @missing, "$where: $m";
	}
}
cmp_ok(scalar(keys %messages), '>', 900, 'texts are found: ' . keys %messages);
is(join("\n", @missing), '', "every text is in a test: $held")
	or diag("provoke it in tests/*/g_*.sh or a unit test, and run make golden");
is(join("\n", grep { !$used{$_} } sort keys %none), '', 'every exception is needed');
is(join("\n", grep { !-e } sort keys %untold), '', 'and every file there');
is(join("\n", @empty), '', 'no message says only that something failed');
done_testing();
