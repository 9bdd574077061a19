#!/usr/bin/perl
# The documents: README.md, docs/ and what else is Markdown at the top level. Commands that are printed as ones to run
# are run, links and files that are named exist, and README.md stays short.
#
#   ```sh        run as printed, with sh -e, each block in a folder of its own that holds app.jar (com.acme.Main) and lib/
#   ```console   not run; a comment before it, <!-- not run: WHY -->, says why. Its make targets and jweave commands exist
#   ```jsonc     a rules file in which `jweave check` finds nothing
#   ```java, ```c, ```text   for readers
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(basename dirname);
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use Test::More;

my $build = abs_path($ENV{BUILD} || 'build');
my $work = tempdir('jweave-docs-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $java = $ENV{JAVA_HOME} ? "$ENV{JAVA_HOME}/bin/" : '';
use constant { README_BYTES => 8192, LONG_LINE => 60, UNRUN => 20, SECONDS => 50 };

sub slurp {
	open my $f, '<', $_[0] or die "$_[0]: $!";
	local $/;
	return scalar <$f>;
}

sub spit {
	my ($file, $text) = @_;
	make_path(dirname($file));
	open my $f, '>', $file or die "$file: $!";
	print $f $text;
	close $f or die "$file: $!";
}

my @documents = (grep({ -f } qw(README.md CONTRIBUTING.md CHANGELOG.md SECURITY.md tests/README.md share/examples/README.md)),
	sort glob 'docs/*.md');
my %text = map { $_ => slurp($_) } @documents;

# ---- the parts of a document ----

# blocks TEXT: { kind, line, text, why } of each fenced block
sub blocks {
	my ($n, $why, $open, @blocks) = (0, '');
	for (split /\n/, $_[0]) {
		$n++;
		if ($open && /^```\s*$/) {
			push @blocks, $open;
			undef $open;
		} elsif ($open) {
			$open->{text} .= "$_\n";
		} elsif (/^```(.*)$/) {
			$open = { kind => $1, line => $n, text => '', why => $why };
		}
		$why = /^<!-- not run: (\S.*) -->$/ ? $1 : '';
	}
	push @blocks, { kind => 'without an end', line => $n, text => '', why => '' } if $open;
	return @blocks;
}

# prose TEXT: it without its fenced blocks
sub prose { return $_[0] =~ s/^```.*?^```\s*$//gmsr }

# anchors TEXT: what its headings are called in links, as GitHub makes it
sub anchors {
	return map { lc(s/[^\w\s-]//gr) =~ s/\s/-/gr } prose($_[0]) =~ /^#+ +(.*?)\s*$/mg;
}

# dead_links FILE TEXT: links of it to what is not there
sub dead_links {
	my ($file, $text) = @_;
	my @dead;
	for my $link (prose($text) =~ /\]\(([^)\s]+)\)/g) {
		next if $link =~ m{^(?:https?:|mailto:)};
		my ($path, $anchor) = split /#/, $link, 2;
		my $to = $path eq '' ? $file : $file =~ m{/} ? dirname($file) . "/$path" : $path;
		push @dead, "$file: $link" and next unless -e $to;
		next unless defined $anchor && $to =~ /\.md$/;
		push @dead, "$file: $link: no such heading" unless grep { $_ eq $anchor } anchors(slurp($to));
	}
	return @dead;
}

my $rooms = join '|', qw(base cfr rules weaver trace runtime-jni cli share tests testdata docs);
my %named = map { basename($_) => 1 } split /\n/,
	`find . \\( -name .git -o -path ./build \\) -prune -o -type f -print`;
# no_such_file FILE TEXT: `words` of it that are names of files, of which there is none
sub no_such_file {
	my ($file, $text) = @_;
	my @missing;
	for my $word (prose($text) =~ /`([^`\s]+)`/g) {
		next if $word =~ m{[*\$]|NAME|ROOM|^(?:jni|jvmti)\.h$};
		if ($word =~ m{^(?:$rooms)/}) {
			push @missing, "$file: $word" unless -e $word;
		} elsif ($word =~ /^[a-z][\w-]*\.(?:c|h|def|S|t|sh)$/) {
			push @missing, "$file: $word" unless $named{$word};
		}
	}
	return @missing;
}

# ---- what is said ----

cmp_ok(length $text{'README.md'}, '<=', README_BYTES, 'README.md is at most ' . README_BYTES . ' bytes');
like($text{'README.md'}, qr/^make check$/m, 'README.md has the command that runs the tests');

my %readme = map { s/^\s+|\s+$//gr => 1 } split /\n/, $text{'README.md'};
is_deeply([map { my $d = $_; map { "$d: $_" } grep { length >= LONG_LINE && $readme{$_} } map { s/^\s+|\s+$//gr } split /\n/, $text{$d} }
	grep { m{^docs/} } @documents], [], 'no long line is in README.md and in docs/');
is_deeply([map { dead_links($_, $text{$_}) } @documents], [], 'links lead to files and headings');
is_deeply([map { no_such_file($_, $text{$_}) } grep { !m{^share/} } @documents], [], 'files that are named exist');
is_deeply([grep { index($text{'README.md'}, "]($_)") < 0 } grep { m{^docs/} } @documents], [], 'README.md links to every document');
is_deeply([grep { index($text{'docs/runtime.md'}, "`$_") < 0 } slurp('base/settings.def') =~ /"(JWEAVE_\w+)"/g], [],
	'docs/runtime.md has every setting');

my %presets = map { basename($_, '.json') => 1 } glob 'share/presets/*.json';
my $page = slurp('share/man/jweave-presets.1') =~ s/\\-/-/gr;
is_deeply([grep { index($text{'docs/rules.md'}, "`$_`") < 0 || $page !~ /^\.BR? .*\b\Q$_\E\b/m } sort keys %presets], [],
	'docs/rules.md and jweave-presets(1) have every preset');

# what the folders include though their order does not allow it
my ($exceptions) = slurp('tests/layers.sh') =~ /^exceptions='\n(.*?)^'/ms;
is_deeply([grep { index($text{'docs/architecture.md'}, "`$_`") < 0 } ($exceptions // 'no exceptions') =~ /^\S+: (\S+) - /mg], [],
	'docs/architecture.md names the circles between folders');

SKIP: {
	my @commits = map { [s{\s+}{ }gr =~ m{^([0-9a-f]{7}) (.*)}] } $text{'CONTRIBUTING.md'} =~ /`([0-9a-f]{7} [^`]+)`/g;
	skip 'no history here', 1 if system('git cat-file -e HEAD >/dev/null 2>&1') || -e '.git/shallow';
	is_deeply([map { "@$_" } grep { `git log -1 --format=%s $_->[0] 2>&1` ne "$_->[1]\n" } @commits], [],
		scalar(@commits) . ' commits that CONTRIBUTING.md shows are what it says');
}

# ---- what is run ----

my %commands = map { $_ => 1 } `$build/jweave help` =~ /^  ([a-z]+) +\S/mg;
my $makefile = slurp('Makefile');
my %targets = map { $_ => 1 } map { split } $makefile =~ /^([a-z][a-z0-9 -]*):(?!=)/mg;
# no_such_command LINE: why a line of a console block cannot be right
sub no_such_command {
	my ($line) = @_;
	my @words = split ' ', $line =~ s/\s+#.*//r;
	if (@words && $words[0] eq 'make') {
		return map { "no target $_" } grep { !/^-|=/ && !$targets{$_} && !/^(?:check|fuzz(?:-keep)?)-[a-z_-]+$/ } @words[1 .. $#words];
	}
	return "no command $words[1]" if @words > 1 && $words[0] eq 'jweave' && $words[1] =~ /^[a-z]+$/ && !$commands{ $words[1] };
	return ();
}

# A program of two jars, as the documents have it.
sub make_world {
	spit("$work/src/com/acme/util/Numbers.java", <<'END');
package com.acme.util;
public class Numbers {
	public static long sum(int to) { long s = 0; for (int i = 0; i < to; i++) s += i % 7; return s; }
}
END
	spit("$work/src/com/acme/Main.java", <<'END');
package com.acme;
public class Main {
	static final Object lock = new Object();
	static long total;
	static void work(int n) { long s = com.acme.util.Numbers.sum(n); synchronized (lock) { total += s; } }
	public static void main(String[] args) throws Exception {
		Thread other = new Thread(() -> { for (int i = 0; i < 50; i++) work(1000); }, "other");
		other.start();
		for (int i = 0; i < 50; i++) work(1000);
		other.join();
		System.out.println(total);
	}
}
END
	spit("$work/manifest", "Main-Class: com.acme.Main\nClass-Path: lib/numbers.jar\n");
	make_path("$work/world/lib");
	return !system(<<"END");
exec >$work/made 2>&1; set -e; cd $work; mkdir classes cache bin; ln -s $build/jweave bin/jweave
${java}javac -J-XX:TieredStopAtLevel=1 -g -d classes src/com/acme/Main.java src/com/acme/util/Numbers.java
${java}jar cf world/lib/numbers.jar -C classes com/acme/util; rm -r classes/com/acme/util
${java}jar cfm world/app.jar manifest -C classes com
END
}

# runs TEXT: what is wrong with it as a script, or ''
sub runs {
	my $place = "$work/run." . ++our $runs;
	spit("$place.sh", $_[0]);
	my $path = ($java ? "$java:" : '') . $ENV{PATH};
	my $status = system("cp -r $work/world $place && cd $place && PATH=$work/bin:$path XDG_CACHE_HOME=$work/cache " .
		'timeout ' . SECONDS . " sh -e $place.sh </dev/null >$place.out 2>&1");
	return $status ? "status " . ($status >> 8) . "\n" . slurp("$place.out") : '';
}

my @unrun;
make_world() or BAIL_OUT('the program for the documents: ' . slurp("$work/made"));
for my $document (@documents) {
	unlike(prose($text{$document}), qr/^(?: {4}|\t)(?:jweave|java|make) /m, "$document: commands are in fenced blocks");
	for my $block (blocks($text{$document})) {
		my $place = "$document:$block->{line}";
		if ($block->{kind} eq 'sh') {
			is(runs($block->{text}), '', "$place: runs as printed");
		} elsif ($block->{kind} eq 'jsonc') {
			spit("$work/rules.json", $block->{text});
			is(`$build/jweave check -q $work/rules.json 2>&1` . ($? >> 8), '0', "$place: rules in which nothing is wrong");
		} elsif ($block->{kind} eq 'console') {
			isnt($block->{why}, '', "$place: says why it is not run");
			is_deeply([map { no_such_command($_) } split /\n/, $block->{text}], [], "$place: its commands exist");
			push @unrun, "$place: $block->{why}";
		} else {
			like($block->{kind}, qr/^(?:java|c|text|json|sql)$/, "$place: a kind of block that has a meaning");
		}
	}
}
note('not run:');
note("  $_") for @unrun;
cmp_ok(scalar @unrun, '<=', UNRUN, 'few blocks are not run');

# ---- the tests of the test ----

is_deeply([dead_links('README.md', '[a](docs/nothing.md) [b](docs/rules.md#the-guard) [c](docs/rules.md#no) [d](https://x)')],
	['README.md: docs/nothing.md', 'README.md: docs/rules.md#no: no such heading'], 'a dead link is seen');
is_deeply([no_such_file('x', '`base/nothing.c` `base/zip.h` `nothing.h` `zip.h` `tests/*/t_*.c`')],
	['x: base/nothing.c', 'x: nothing.h'], 'a file that is not there is seen');
is_deeply([map { no_such_command($_) } 'make nothing V=1', 'make -j4 install # all', 'make check-base', 'jweave nothing x', 'jweave run x'],
	['no target nothing', 'no command nothing'], 'a command that is not there is seen');
like(runs("false\ntrue\n"), qr/^status 1/, 'a command that fails is seen');
is_deeply([map { "$_->{kind} $_->{line} $_->{why}" } blocks("a\n<!-- not run: b -->\n```console\nc\n```\n```sh\nd\n```\n")],
	['console 3 b', 'sh 6 '], 'blocks are found');
done_testing();
