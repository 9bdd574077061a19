# E2E.pm: what the end-to-end tests share: compile, jar, weave, run, and read what the trace says.
#
# A test is a Perl program over Test::More, started in the project's root with BUILD in the
# environment. Everything it makes lies in $E2E::work, which is removed at the end.
package E2E;
use strict;
use warnings;
use Cwd qw(abs_path getcwd);
use File::Temp qw(tempdir);
use Exporter 'import';
use Test::More;

our @EXPORT = qw($work $jweave compile jar program weave weave_ok java run_ok trace counts claimed reflection
	validate spit slurp sh ls same_runs jdk25 WHOLE);

our $root = getcwd();
our $build = $ENV{BUILD} || "$root/build";
our $jweave = "$build/jweave";
our $work = tempdir('jweave-e2e-XXXXXX', TMPDIR => 1, CLEANUP => 1);
our $java_home = $ENV{JAVA_HOME} || '';
our $default_java = $java_home ne '' && -x "$java_home/bin/java" ? "$java_home/bin/java" : 'java';

# Everything of a test program but what counts it.
use constant WHOLE => <<'END';
{ "jweave": 1,
  "exclude": [ "acme.Count", "acme.Progress" ],
  "rules": [ { "select": { "class": "acme.**", "kind": [ "method", "constructor", "clinit", "lambda" ] } } ] }
END

# Runs COMMAND (a list) with ENV; { out, err, status, signal }. Never without a time limit.
sub sh {
	my ($command, %o) = @_;
	my $n = ++our $runs;
	my ($out, $err) = ("$work/out.$n", "$work/err.$n");
	my $pid = fork();
	die "fork: $!" unless defined $pid;
	if (!$pid) {
		for (keys %{ $o{env} || {} }) {
			if (defined $o{env}{$_}) { $ENV{$_} = $o{env}{$_}; } else { delete $ENV{$_}; }
		}
		if ($o{dir}) { chdir $o{dir} or die "$o{dir}: $!"; }
		open STDIN, '<', $o{in} || '/dev/null' or die;
		open STDOUT, '>', $o{stdout} || $out or die;
		open STDERR, '>', $err or die;
		exec 'timeout', '-k', '5', $o{seconds} || 120, @$command or die "exec: $!";
	}
	waitpid $pid, 0;
	my $status = $?;
	return {
		out => $o{stdout} ? '' : slurp($out), err => slurp($err), status => $status >> 8,
		signal => $status & 127, command => "@$command",
	};
}

sub slurp {
	my ($file) = @_;
	open my $f, '<:raw', $file or return undef;
	local $/;
	my $text = <$f>;
	return defined $text ? $text : '';
}

sub spit {
	my ($file, $text) = @_;
	open my $f, '>:raw', $file or die "$file: $!";
	print $f $text;
	close $f or die "$file: $!";
	return $file;
}

sub ls {
	my ($dir) = @_;
	opendir my $d, $dir or return ();
	return sort grep { !/^\.\.?$/ } readdir $d;
}

sub tool {
	my ($name) = @_;
	return $java_home ne '' && -x "$java_home/bin/$name" ? "$java_home/bin/$name" : $name;
}

# Compiles FILES into DIR.
sub compile {
	my ($dir, $files, @options) = @_;
	mkdir $dir;
	my $r = sh([ tool('javac'), '-nowarn', '-g', '-parameters', @options, '-d', $dir, @$files ]);
	$r->{status} == 0 or BAIL_OUT("javac: $r->{err}");
	return $dir;
}

# A jar of the classes in DIR.
sub jar {
	my ($file, $dir, $main) = @_;
	my $r = sh([ tool('jar'), '--create', '--file', $file, ($main ? ('--main-class', $main) : ()), '-C', $dir, '.' ]);
	$r->{status} == 0 or BAIL_OUT("jar: $r->{err}");
	return $file;
}

# The jar of one program of testdata/programs/acme, and the classes that it needs.
sub program {
	my ($name) = @_;
	my $sources = "$root/testdata/programs/acme";
	compile("$work/$name.classes", [ map { "$sources/$_.java" } $name, 'Count', 'Progress' ]);
	return jar("$work/$name.jar", "$work/$name.classes", "acme.$name");
}

sub weave {
	my ($in, $rules, $out, @options) = @_;
	my $file = $rules =~ /^\s*\{/ ? spit("$work/rules-" . ++our $rule_files . '.json', $rules) : $rules;
	return sh([ $jweave, @options, $in, $file, $out ]);
}

sub weave_ok {
	my ($in, $rules, $out, @options) = @_;
	my $r = weave($in, $rules, $out, @options);
	is($r->{status}, 0, "weaves to " . ($out =~ s{.*/}{}r)) or diag($r->{err});
	return $r;
}

# Runs java with ARGS. In a folder of its own, where the trace NAME.prv lies afterwards.
sub java {
	my ($args, %o) = @_;
	my $name = $o{trace} || 'trace-' . ++our $traces;
	my $dir = "$work/run.$name";
	mkdir $dir;
	my $r = sh([ $o{java} || $default_java, @{ $o{vm} || [] }, @$args ], %o, dir => $o{dir} || $dir,
		env => { JWEAVE_OUTPUT => "$dir/$name", JWEAVE_TMP => $dir, %{ $o{env} || {} } });
	$r->{trace} = "$dir/$name";
	$r->{folder} = $dir;
	return $r;
}

# The unwoven and the woven jar behave alike; the result of the woven run.
sub same_runs {
	my ($name, $plain, $woven, $args, %o) = @_;
	my $a = java([ '-jar', $plain, @$args ], %o, env => { %{ $o{env} || {} } });
	my $b = java([ '-jar', $woven, @$args ], %o);
	is($b->{out}, $a->{out}, "$name: the same output");
	is("$b->{status}/$b->{signal}", "$a->{status}/$a->{signal}", "$name: the same exit status");
	my @said = grep { !/^jweave: / } split /\n/, $b->{err};
	is(join("\n", @said) . "\n", $a->{err} eq '' ? "\n" : $a->{err}, "$name: the same messages") if $o{messages};
	$b->{plain} = $a;
	return $b;
}

# What a program printed of its own calls: { NAME => N }.
sub claimed {
	my ($out) = @_;
	my %n;
	$n{$1} += $2 while $out =~ /^count (\S+) (\d+)$/mg;
	return \%n;
}

# Reads NAME.prv/.pcf/.row without any of jweave's code: the calls and exits of each function on each
# thread. Dies on what does not even parse; tests/paraver/validate.pl judges the rest.
#     { threads => [names], calls => { FULL => n }, by_thread => [ { FULL => n } ], depth, open, exits, enters }
sub trace {
	my ($base) = @_;
	my (%label, $values, $type);
	for (split /\n/, slurp("$base.pcf") // die "no $base.pcf\n") {
		if (/^EVENT_TYPE$/) { $type = undef; $values = 0; next; }
		if (/^VALUES$/) { $values = 1; next; }
		if (/^$/) { $values = 0; next; }
		if ($values && $type && $type == 60000019 && /^(\d+)\s+(.*)$/) { $label{$1} = $2; next; }
		$type = $1 if !$values && /^\d+\s+(\d+)\s+\S/;
	}
	my @threads;
	my @row = split /\n/, slurp("$base.row") // die "no $base.row\n", -1;
	for my $i (0 .. $#row) {
		next unless $row[$i] =~ /^LEVEL THREAD SIZE (\d+)$/;
		@threads = @row[ $i + 1 .. $i + $1 ];
		last;
	}
	open my $prv, '<', "$base.prv" or die "no $base.prv\n";
	my $header = <$prv>;
	my %t = (threads => \@threads, header => $header, calls => {}, by_thread => [], depth => 0,
		enters => 0, exits => 0, unbalanced => 0, edges => {}, types => {});
	my @stack;
	while (<$prv>) {
		next unless /^2:/;
		chomp;
		my (undef, undef, undef, undef, $thread, undef, @pairs) = split /:/;
		while (@pairs) {
			my ($kind, $value) = splice @pairs, 0, 2;
			$t{types}{$kind}++;
			next unless $kind == 60000019;
			my $s = $stack[$thread] ||= [];
			if ($value) {
				my $full = name_of($label{$value} // "value $value");
				$t{calls}{$full}++;
				$t{by_thread}[ $thread - 1 ]{$full}++;
				$t{edges}{ (@$s ? $s->[-1] : '') . " -> $full" }++;
				push @$s, $full;
				$t{depth} = @$s if @$s > $t{depth};
				$t{enters}++;
			} else {
				$t{exits}++;
				$t{unbalanced}++ unless @$s;
				pop @$s;
			}
		}
	}
	$t{unbalanced} += @{ $_ || [] } for @stack;
	return \%t;
}

# "Storm.down [acme.exc.Storm.down(int):int Storm.java:31]" -> "acme.exc.Storm.down"
sub name_of {
	my ($label) = @_;
	return $label =~ /\[([^(\]]+)/ ? $1 : $label;
}

sub counts {
	my ($base) = @_;
	return trace($base)->{calls};
}

# The strict reader has nothing to say.
sub validate {
	my ($base, $name) = @_;
	my $r = sh([ 'perl', "$root/tests/paraver/validate.pl", "$base.prv" ]);
	is($r->{status}, 0, "$name: the trace is valid") or diag(substr($r->{out} . $r->{err}, 0, 2000));
}

# The reflection view of every class of JAR, as text.
sub reflection {
	my ($jar, @needs) = @_;
	my $classes = "$work/compare.classes";
	compile($classes, [ map { "$root/testdata/programs/acme/$_.java" } qw(Compare Link) ]) unless -d $classes;
	my $r = sh([ $default_java, '-cp', $classes, 'acme.Compare', $jar, @needs ], seconds => 300);
	return $r->{status} == 0 ? $r->{out} : "failed: $r->{err}";
}

# Links every class of JAR, so that the verifier reads every method; what Link printed.
sub link_all {
	my ($jar, $needs, %o) = @_;
	my $classes = "$work/compare.classes";
	compile($classes, [ map { "$root/testdata/programs/acme/$_.java" } qw(Compare Link) ]) unless -d $classes;
	my $r = sh([ $o{java} || $default_java, '-XX:+UnlockDiagnosticVMOptions', '-XX:+BytecodeVerificationLocal',
		'-XX:+BytecodeVerificationRemote', '-cp', $classes, 'acme.Link', $jar, @$needs ], seconds => 300);
	return $r->{out} . $r->{err};
}

# A java of JDK 25, or nothing.
sub jdk25 {
	for my $home ($ENV{JWEAVE_JDK25} || (), glob('/usr/lib/jvm/*')) {
		my $release = slurp("$home/release") // next;
		return "$home/bin/java" if $release =~ /^JAVA_VERSION="25/m && -x "$home/bin/java";
	}
	return;
}

1;
