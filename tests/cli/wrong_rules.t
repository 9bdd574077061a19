#!/usr/bin/perl
# Rules files with one mistake each, at the command line: exit status 3, one line on stderr that names file,
# line and column, nothing on stdout, and no output. And typing mistakes in every key and word of the format
# get the suggestion that was meant.
# Slow: 12 s, a command for each wrong rule.
use strict;
use warnings;
use File::Temp qw(tempdir);
use Test::More;

my $build = $ENV{BUILD} // 'build';
my $jweave = ($build =~ m{^/} ? $build : "$ENV{PWD}/$build") . '/jweave';
my $dir = tempdir(CLEANUP => 1);
my $bad = 'testdata/rules/bad/';

sub slurp {
	my ($file) = @_;
	open my $f, '<:raw', $file or return '';
	local $/;
	return scalar(<$f>) // '';
}

# jweave ARGS: (status, stdout, stderr)
sub jweave {
	my @args = @_;
	my $pid = fork // die "fork: $!";
	if (!$pid) {
		open STDIN, '<', '/dev/null';
		open STDOUT, '>', "$dir/out";
		open STDERR, '>', "$dir/err";
		exec 'timeout', 60, $jweave, @args or exit 99;
	}
	waitpid $pid, 0;
	return ($? >> 8, slurp("$dir/out"), slurp("$dir/err"));
}

# ---- the files ----

my (@wrong, $files);
for my $file (glob "$bad*.json") {
	my $want = 'jweave: error: ' . slurp($file =~ s/json$/want/r) =~ s/\n?\z/\n/r;
	for my $args ([ 'check', $file ], [ 'testdata/classes/8/Flow.class', $file, "$dir/out.class" ], [ 'list', '-r', $file, 'testdata/classes' ]) {
		my ($status, $out, $err) = jweave(@$args);
		$err =~ s/\Q$bad\E//g;
		push @wrong, "jweave @$args: $status, $out, $err" if $status != 3 || $out ne '' || $err ne $want || -e "$dir/out.class";
	}
	$files++;
}
cmp_ok($files, '>=', 200, "files with a mistake: $files");
is(join("\n", @wrong), '', 'each: status 3, its message on stderr, nothing else, no output');
my @vague = grep { slurp($_) !~ m{^[\w./-]+:\d+:\d+: \S.{8,}} } glob "$bad*.want";
is(join("\n", @vague), '', 'each has file, line and column');

# ---- typing mistakes ----

# WORD with two letters swapped, one left out, one doubled, one wrong, and in small letters
sub typos {
	my ($word) = @_;
	my $n = length $word;
	my $at = int($n / 2);
	my @typos = (
		substr($word, 0, $at - 1) . reverse(substr($word, $at - 1, 2)) . substr($word, $at + 1),
		substr($word, 0, $at) . substr($word, $at + 1),
		substr($word, 0, $at) . substr($word, $at, 1) . substr($word, $at),
		substr($word, 0, $n - 1) . 'q', $word . 's', lc $word);
	my %seen = ($word => 1);
	return grep { length > 1 && !$seen{$_}++ } @typos; # one letter suggests nothing
}

# where => [ a file with %s where the word goes, the words ]
my $rule = '{"jweave":1,"rules":[%s]}';
my @presets = map { m{([^/]+)\.json} } glob 'share/presets/*.json';
my %places = (
	'top' => [ '{"jweave":1,"%s":0}', [ qw(include exclude groups defaults rules runtime description) ] ],
	'rule' => [ sprintf($rule, '{"match":"a.**","%s":0}'), [ qw(description onUnmatched event capture link enabled within state action) ] ],
	'rule, without a selector' => [ sprintf($rule, '{"%s":"a.**"}'), [ qw(match select) ] ],
	'select' => [ sprintf($rule, '{"select":{"%s":0}}'),
		[ qw(class package subtypeOf classAnnotation classModifiers source entry method params returns descriptor
			methodAnnotation modifiers kind code group anyOf) ] ],
	'code' => [ sprintf($rule, '{"select":{"code":{"%s":0}}}'), [ qw(minBytes maxBytes minLines hasLoop hasCall) ] ],
	'event' => [ sprintf($rule, '{"match":"a.**","event":{"%s":0}}'), [ qw(type value label size) ] ],
	'capture' => [ sprintf($rule, '{"match":"a.**","capture":[{"%s":0}]}'), [ qw(what label maxValues hold) ] ],
	'action' => [ sprintf($rule, '{"match":"a.**","action":"%s"}'), [ qw(trace skip) ] ],
	'on' => [ sprintf($rule, '{"match":"a.**","on":"%s"}'), [ qw(execution call) ] ],
	'onUnmatched' => [ sprintf($rule, '{"match":"a.**","onUnmatched":"%s"}'), [ qw(ignore warn error) ] ],
	'kind' => [ sprintf($rule, '{"select":{"class":"a.**","kind":"%s"}}'), [ qw(method constructor clinit lambda accessor bridge synthetic) ] ],
	'modifiers' => [ sprintf($rule, '{"select":{"modifiers":"%s"}}'), [ qw(public protected private package static final abstract synchronized native) ] ],
	'match' => [ sprintf($rule, '{"match":"%s a.**"}'), [ qw(public protected private static final synchronized native) ] ],
	'type of an event' => [ sprintf($rule, '{"match":"a.**","event":{"type":"%s"}}'), [ qw(thread task monitor park lock condition queue jdbc http) ] ],
	'state' => [ sprintf($rule, '{"match":"a.**","on":"call","state":"%s"}'), [ qw(idle running synchronization scheduling blocked tracing-disabled) ] ],
	'link' => [ sprintf($rule, '{"match":"a.**","link":{"%s":0}}'), [ qw(name key end) ] ],
	'end of a link' => [ sprintf($rule, '{"match":"a.**","link":{"name":"x","key":"arg0","end":"%s"}}'), [ qw(send receive both) ] ],
	'capture as' => [ sprintf($rule, '{"match":"a.**","capture":[{"what":"this","as":"%s"}]}'), [ qw(identity value length class string) ] ],
	'preset' => [ '{"jweave":1,"include":["preset:%s"]}', \@presets, 'preset:%s' ],
	'preset, without the word' => [ '{"jweave":1,"include":["%s"]}', \@presets, 'preset:%s' ],
	'group' => [ '{"jweave":1,"groups":{"kernels":"a.**","solvers":"b.**"},"rules":[{"select":{"group":"%s"}}]}', [ qw(kernels solvers) ] ],
);
my ($count, @unhelped) = (0);
for my $place (sort keys %places) {
	my ($form, $words, $suggested) = (@{ $places{$place} }, '%s');
	for my $word (@$words) {
		for my $typo (typos($word)) {
			next if grep { $_ eq $typo } @$words;
			open my $f, '>:raw', "$dir/w.json" or die;
			printf $f $form, $typo;
			close $f;
			my ($status, undef, $err) = jweave('check', "$dir/w.json");
			$count++;
			my $meant = sprintf $suggested, $word;
			push @unhelped, "$place: $typo for $word: $status, $err" if $status != 3 || $err !~ /\Q(did you mean "$meant"?)\E/;
		}
	}
}
cmp_ok($count, '>', 400, "typing mistakes: $count");
is(join('', @unhelped), '', 'for each the word that was meant is suggested');
done_testing();
