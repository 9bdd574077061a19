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
# What no test of texts provokes, and why: a pattern on "FILE MESSAGE", in the order of the reasons.
my @without = (
	# the system refuses what it has just granted, or at a moment that no script can choose
	qr{^base/file\.c (?:.*: )?(?:cannot (?:create a temporary|read|look at|map|rename|read back)|too large for this machine)},
	qr{^base/file\.c (?:TMPDIR is too long|the name of the output is empty)},
	qr{^weaver/folder\.c .*(?:cannot (?:look at|make|read|set|replace)|the name of the output is too long)},
	qr{^weaver/tree\.c .*(?:cannot read the folder|too deep)},
	qr{^cli/(?:many|cache|gzip|cmd_score)\.c .*(?:cannot (?:look at|make|open|read)|removed again and again)},
	qr{^trace/recording\.c .*path too long},
	# takes an archive of gigabytes, a class file of them, or more calls and threads than a test should make
	qr{would pass 4 GiB|class file too large|does not fit in memory|the patterns of the rules have},
	qr{^cfr/(?:pool_add|smt)\.c .*(?:too long|too large|more than 65535 locals)},
	qr{^rules/(?:select|rule)\.c .*(?:nested too deep|too many conditions in all)},
	qr{^trace/.*(?:virtual threads found all|holds at most %d threads|one id stands for two)},
	qr{^cli/run_weave\.c .*holds over %d files},
	# damage inside class files and archives: the fuzz targets of cfr, weaver and base find each of them
	qr{^cfr/(?:check|class|code|smt|smt_put)\.c },
	qr{^base/zip\.c damaged archive|^weaver/jar\.c .*overlaps|^weaver/module_info\.c },
	qr{^weaver/entry\.c .*(?:was left as it is|archives deep)|^cli/cmd_verify\.c archives nest too deep},
	qr{^weaver/class_path\.c .*has no manifest},
	# only where another message has been said before, or of another version of the program
	qr{^rules/glob\.c an empty pattern},
	qr{^cli/args\.c .*is not in this version|^weaver/runtime_image\.c this build|^trace/map_read\.c .*newer than this},
	qr{^weaver/entry\.c classes of version},
	qr{^cli/run_weave\.c (?:nothing to weave|.*it runs without tracing)},
	# of recordings that are cut at a certain byte, or of a process at a certain moment: their counts vary;
	# the tests of trace/, of the runtime and tests/e2e/ends.t hold what they lead to
	qr{^trace/(?:recording|world|info|report|prv_head|paraver)\.c },
	qr{^cli/(?:cmd_prv|cmd_ctl|run_after|profile|cmd_score|cmd_run)\.c },
	qr{^runtime-jni/},
);
my %used;
sub is_without {
	my ($line) = @_;
	for my $i (0 .. $#without) {
		return $used{$i} = 1 if $line =~ $without[$i];
	}
	return 0;
}

my $tests = join "\n", map { slurp($_) } grep { !/messages\.t$/ } files(qr/\.(?:c|h|sh|t|pm|pl|txt|want|json)$/, 'tests', 'testdata');
my ($held, @missing, @empty) = (0);
for my $m (sort keys %messages) {
	my ($longest) = sort { length $b <=> length $a } parts($m);
	my $where = $messages{$m}[0];
	push @empty, "$where: $m" if $m =~ /^(?:[^ ]* ?: ?)?(?:it )?(?:failed|failure|error|wrong|bad)[.!]?$/i;
	if (length $longest < 4 || index($tests, $longest) >= 0 || index($tests, $longest =~ s/"/\\"/gr) >= 0) {
		$held++;
	} elsif (!is_without($where =~ s/:.*/ $m/r)) {
		push @missing, "$where: $m";
	}
}
cmp_ok(scalar(keys %messages), '>', 300, 'messages are found: ' . keys %messages);
cmp_ok($held, '>', 300, "most stand in a test: $held");
is(join("\n", @missing), '', 'every message stands in a test, or is listed as one that no test provokes')
	or diag("add it to tests/cli/g_messages.sh or g_errors.sh, and run make golden");
is(join("\n", @empty), '', 'no message says only that something failed');
is(join(', ', map { "$without[$_]" } grep { !$used{$_} } 0 .. $#without), '', 'the list of those has nothing that is not needed');
done_testing();
