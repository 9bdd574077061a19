#!/usr/bin/perl
# Every message of the program stands in a test: for each string handed to a function that fails,
# warns or notes, its longest fixed part must be found in a test, a golden file or a .want file.
# What cannot be provoked is listed below, with the reason. And none says only that something failed.
use strict;
use warnings;
use File::Find;
use Test::More;

my @rooms = qw(base cfr rules trace weaver runtime-jni cli);

# The functions that take a message; jw_bug (a bug of ours, which no input provokes) is none of them.
my $tellers = join '|', qw(jw_fail jw_fail_errno jw_err_where rules_json_fail fail fail_at fail_here entry_fail bad refuse
	cli_error cli_warn cli_note cli_detail trace_note weave_tally_note weave_types_note rt_say rt_note take_note);

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
	while ($text =~ /\b(?:$tellers)\s*(?=\()/g) {
		my $at = pos $text;
		my $line = 1 + (substr($text, 0, $at) =~ tr/\n//);
		push @{ $messages{$_} }, "$file:$line" for grep { /[a-z]{2,}/ } strings($text, $at);
	}
}
# What no test provokes, each with its reason: file, the message (its beginning), why.
my @without = (
	[ 'base/file.c', 'too large for this machine', 'a file over SIZE_MAX: takes a machine of 32 bits' ],
	[ 'rules/select.c', 'selectors and groups are nested too deep', 'the reader of JSON refuses 64 levels first: this holds when that changes' ],
	[ 'cli/run_weave.c', 'nothing to weave', 'ends a run whose entry stays as it is, and is never shown' ],
	[ 'cli/run_weave.c', "'%s' holds over %d files: not looked through", 'takes a folder of 200,000 files on the class path' ],
	[ 'trace/world.c', 'a Paraver trace holds at most %d threads', 'takes a recording of 65,536 threads, 4 GiB of windows' ],
	[ 'weaver/runtime_image.c', 'this build of jweave carries no runtime', 'takes a jweave built without the runtime' ],
	[ 'runtime-jni/jni.c', 'an archive was woven by an older jweave', 'takes an archive of a version before captures, which no release was' ],
	[ 'runtime-jni/jni.c', 'the VM refuses to bind the anchor', 'RegisterNatives of a class that we defined does not fail in HotSpot' ],
	[ 'runtime-jni/jni.c', 'tracing is off: out of memory', 'a few hundred bytes when the process has just begun: where malloc fails there, the JVM has died of it' ],
	[ 'runtime-jni/events.c', 'the VM grants no JVM TI', 'HotSpot grants it to everybody; another VM may not' ],
	[ 'runtime-jni/finish.c', 'and %zu more: jweave prv tells them all', 'takes a program whose own recording has more than a handful of damages' ],
);
my %used;
sub is_without {
	my ($file, $message) = @_;
	for my $w (@without) {
		return $used{"$w->[0] $w->[1]"} = 1 if $file eq $w->[0] && index($message, $w->[1]) == 0;
	}
	return 0;
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
	} elsif (!is_without($where =~ s/:.*//r, $m)) {
		push @missing, "$where: $m";
	}
}
cmp_ok(scalar(keys %messages), '>', 300, 'messages are found: ' . keys %messages);
cmp_ok($held, '>', 300, "most stand in a test: $held");
is(join("\n", @missing), '', 'every message stands in a test, or is listed as one that no test provokes')
	or diag("add it to tests/cli/g_messages.sh or g_errors.sh, and run make golden");
is(join("\n", @empty), '', 'no message says only that something failed');
is(join(', ', grep { !$used{$_} } map { "$_->[0] $_->[1]" } @without), '', 'the list of those has nothing that is not needed');
done_testing();
