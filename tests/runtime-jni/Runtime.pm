# What the tests of the runtime share: JVMs, programs that call Probe by hand, and a reader of
# recordings that is written from recording.h alone, apart from the one in trace/.
package Runtime;
use strict;
use warnings;
use Cwd qw(abs_path);
use Exporter 'import';
use File::Temp qw(tempdir);
use IPC::Open3;
use Symbol qw(gensym);
use lib 'tests';
use Tools;

our @EXPORT = qw(cc java_home jvms without_others run recording only_recording object_number classes fresh validate arrows moved %wait $build $work $lib slurp);
our $build = abs_path($ENV{BUILD} || 'build');
our $work  = abs_path(tempdir(CLEANUP => 1));
our $lib   = "$build/libjweave-rt.so";

sub slurp {
	my ($path) = @_;
	open my $f, '<:raw', $path or return '';
	local $/;
	my $text = <$f>;
	return defined $text ? $text : '';
}

# [label, java]...: the JDK that built this, a 25 where there is one, and those of JW_JVMS: "HOME:HOME", which may be
# runtimes without a compiler. The label is the feature release.
sub jvms {
	my $home = java_home();
	my @all = ([ '17', $home && -x "$home/bin/java" ? "$home/bin/java" : 'java' ]);
	for my $dir ($ENV{JW_JDK25} || (), glob '/usr/lib/jvm/*') {
		next unless -x "$dir/bin/java" && slurp("$dir/release") =~ /^JAVA_VERSION="25/m;
		push @all, [ '25', "$dir/bin/java" ];
		last;
	}
	for my $dir (split /:/, $ENV{JW_JVMS} // '') {
		my ($version) = slurp("$dir/release") =~ /^JAVA_VERSION="(?:1\.)?(\d+)/m;
		die "JW_JVMS: no JVM in $dir" if !$version || !-x "$dir/bin/java";
		push @all, [ $version, "$dir/bin/java" ];
	}
	return @all;
}

# Where there are none of JW_JVMS, a skipped test says what is not tried on them.
sub without_others {
	my ($what) = @_;
	Test::More->builder->skip('no JW_JVMS (8, 11, 21)', "other JVMs: $what") unless $ENV{JW_JVMS};
}

# The folder of tests/runtime-jni/java/*.java, compiled against Probe by the Makefile.
sub classes {
	my $out = "$build/tests/runtime-jni/java";
	-d $out or die "no $out: make check-runtime-jni";
	return $out;
}

my $runs = 0;

sub fresh {
	my $dir = "$work/run" . ++$runs;
	mkdir $dir or die $!;
	return $dir;
}

# run(java => J, args => [..], jvm => [..], env => {..}, dir => D, kill => 'TERM', sh => 'ulimit ...', grant => 0, aot => 1):
# kill: sent once the program has printed "ready". meanwhile => sub { my ($pid, $dir) = @_; ... }: called
# then, while the program runs; it is killed 60 s later. Returns {status, signal, out, err, dir}.
sub run {
	my %o = @_;
	my $dir = $o{dir} || fresh();
	my @jvm = $o{jvm} ? @{ $o{jvm} } : ();
	push @jvm, '--enable-native-access=ALL-UNNAMED' if $o{java} =~ /25/ && ($o{grant} // 1);
	my @command = ($o{java}, '-Xmx64m', ($o{aot} ? () : '-Xshare:auto'), @jvm, '-cp', $o{cp} || classes(), @{ $o{args} });
	my %env = (JWEAVE_LIB => $lib, JWEAVE_CONVERT => 'off', JWEAVE_SUMMARY => '0', %{ $o{env} || {} });
	my $pid = fork;
	die $! unless defined $pid;
	if (!$pid) {
		chdir $dir or die;
		delete $ENV{$_} for grep { /^JWEAVE/ } keys %ENV;
		for (keys %env) { $ENV{$_} = $env{$_} if defined $env{$_} }
		$SIG{$_} = 'DEFAULT' for qw(INT HUP TERM);
		open STDIN, '<', '/dev/null';
		open STDOUT, '>', "$dir/out.txt";
		open STDERR, '>', "$dir/err.txt";
		exec 'sh', '-c', ($o{sh} || ':') . '; exec timeout -s KILL 120 "$@"', 'sh', @command if !$o{kill} && !$o{meanwhile};
		exec 'sh', '-c', ($o{sh} || ':') . '; exec "$@"', 'sh', @command;
		die;
	}
	if ($o{kill} || $o{meanwhile}) {
		for (1 .. 600) {
			last if slurp("$dir/out.txt") =~ /^ready/m;
			select undef, undef, undef, 0.1;
		}
	}
	if ($o{meanwhile}) {
		local $SIG{ALRM} = sub { kill 'KILL', $pid };
		alarm 60;
		$o{meanwhile}->($pid, $dir);
		waitpid $pid, 0;
		alarm 0;
	} else {
		kill $o{kill}, $pid if $o{kill};
		waitpid $pid, 0;
	}
	return { status => $? >> 8, signal => $? & 127, out => slurp("$dir/out.txt"),
		err => slurp("$dir/err.txt"), dir => $dir };
}

sub records {
	my ($thread, $bytes) = @_;
	my @q = unpack 'Q<*', $bytes;
	my $runs = 0; # a chunk begins with the carrier itself
	while (@q) {
		my ($tick, $word) = splice @q, 0, 2;
		$thread->{backwards}++ if $tick < $thread->{last_tick};
		$thread->{last_tick} = $tick;
		my ($kind, $payload) = ($word >> 56, $word & (1 << 56) - 1);
		if ($kind == 4) { $runs = $payload; next }
		if ($kind == 5) { $thread->{virtual}{$payload}{5}++; $runs = 0 if $runs == $payload; next }
		if ($runs) { $thread->{virtual}{$runs}{$kind}++; next }
		# pauses, and waits for monitors, are chance: apart from what the thread did
		push @{ $thread->{ $kind < 6 ? 'events' : 'told' } }, [ $kind, $payload ];
	}
}

# A recording: {meta => {item => [[fields]...]}, threads => {uid => {events, name, end_name, lost, ...}}}
sub recording {
	my ($folder) = @_;
	my %r = (meta => {}, threads => {}, chunks => 0, windows => 0);
	my @lines = grep { length } split /\n/, slurp("$folder/meta");
	for (@lines) {
		my ($item, @fields) = split /\t/, $_, -1;
		s/\\x([0-9a-fA-F]{2})/chr hex $1/ge for @fields;
		push @{ $r{meta}{$item} }, \@fields;
	}
	for (@{ $r{meta}{thread} || [] }) {
		$r{threads}{ $_->[0] } = { uid => $_->[0], start => $_->[1], flags => $_->[5], name => $_->[6],
			java_id => $_->[4], events => [], last_tick => 0, backwards => 0, lost => 0, seqs => {} };
	}
	$r{threads}{ $_->[0] }{end_name} = $_->[2] for @{ $r{meta}{'thread-end'} || [] };
	$r{threads}{ $_->[0] }{lost} += $_->[1] for @{ $r{meta}{lost} || [] };
	# a ring has data.1, data.2 ... in place of data
	my $data = slurp("$folder/data");
	for my $file (sort { ($a =~ /(\d+)$/)[0] <=> ($b =~ /(\d+)$/)[0] } glob "$folder/data.*") {
		$data .= slurp($file);
		$data .= "\0" x (-length($data) % 512);
		$r{ring}++;
	}
	my %chunks;
	for (my $at = 0; $at + 64 <= length $data;) {
		my ($magic, $uid, $seq, $bytes) = unpack 'V4', substr $data, $at, 16;
		if ($magic != 0x3152574a) { $at += 512; next }
		my $records = substr $data, $at + 64, $bytes;
		$at += int((64 + $bytes + 511) / 512) * 512;
		next if length $records < $bytes || substr($records, -16) eq "\0" x 16; # killed in mid-write: the window has it
		push @{ $chunks{$uid} }, [ $seq, $records ];
		$r{threads}{$uid}{seqs}{$seq}++;
		$r{chunks}++;
	}
	my $place = $r{meta}{windows} ? $r{meta}{windows}[0][0] : '';
	my $windows = $place && $place ne 'anonymous' ? slurp($place) : '';
	for (my $at = 0; $at + 69632 <= length $windows; $at += 69632) {
		my ($cursor, $limit, $magic, $uid, $seq) = unpack 'Q<Q<VVV', substr $windows, $at, 28;
		next unless $magic == 0x3152574a && $cursor > 4096;
		next if $r{threads}{$uid}{seqs}{$seq};
		push @{ $chunks{$uid} }, [ $seq, substr $windows, $at + 4096, $cursor - 4096 ];
		$r{windows}++;
	}
	for my $uid (sort { $a <=> $b } keys %chunks) {
		my $next = 0;
		for (sort { $a->[0] <=> $b->[0] } @{ $chunks{$uid} }) {
			if ($r{ring} && $next == 0) { $r{overwritten} += $next = $_->[0] }
			$r{gaps}++ if $_->[0] != $next++;
			records($r{threads}{$uid}, $_->[1]);
		}
	}
	return \%r;
}

# Is the trace in a folder a right one? {names => [row], calls => {row => {function => n}}} of it, and what is WANTED:
# states => 1: {states => {row => [[begin, end, state]..]}}
# events => [type..]: those lines that have such an event: {events => [[time, row, {type => value}]..]}
# undef: it is not. A trace may be long: no more of it is kept.
sub validate {
	my ($dir, %wanted) = @_;
	my ($prv) = glob "$dir/*.prv";
	return undef unless $prv;
	my $said = `perl tests/paraver/validate.pl --counts '$prv' 2>&1`;
	if ($?) { print map { "# $_\n" } grep { defined } (split /\n/, $said)[ 0 .. 9 ]; return undef }
	(my $row = $prv) =~ s/prv$/row/;
	my ($names) = slurp($row) =~ /^LEVEL THREAD SIZE \d+\n(.*)/ms;
	my %t = (names => [ split /\n/, $names ], calls => {}, states => {}, events => []);
	for (split /\n/, $said) {
		my ($thread, $function, $n) = split /\t/;
		$t{calls}{$thread}{$function} = $n;
	}
	my $types = join '|', @{ $wanted{events} || [] };
	my $events = $types ? qr/^2:.*:(?:$types):/ : qr/(?!)/;
	my $states = $wanted{states} ? qr/^1:/ : qr/(?!)/;
	open my $lines, '<', $prv or die "$prv: $!";
	while (my $line = <$lines>) {
		next unless $line =~ $events || $line =~ $states;
		chomp $line;
		my @f = split /:/, $line;
		push @{ $t{states}{ $t{names}[ $f[4] - 1 ] } }, [ @f[ 5 .. 7 ] ] if $f[0] eq '1';
		push @{ $t{events} }, [ $f[5], $t{names}[ $f[4] - 1 ], { @f[ 6 .. $#f ] } ] if $f[0] eq '2';
	}
	return \%t;
}

# The one recording in a folder, read.
sub only_recording {
	my ($dir) = @_;
	my @all = glob "$dir/*.jwr";
	return @all == 1 ? recording($all[0]) : undef;
}

# The number of an object (jwr_object) whose identity hash is HASH, and whose class's name hashes to NAME.
sub object_number {
	my ($hash, $name) = @_;
	return (($name & 0xffffffff) * 0x9e3779b1 & 0xffffffff) >> 8 << 31 | $hash;
}

# What is waited for, as AWAIT and AWAITED say it (jwr_await).
our %wait = (select => 2, accept => 4, connect => 5, read => 6, write => 7, force => 8, child => 9);

# Arrows of the trace of what is in the folder DIR, by tag, those of I/O or of one TAG: "904:30 909:3".
sub arrows {
	my ($dir, $tag) = @_;
	my ($folder) = glob "$dir/*.jwr";
	system("'$build/jweave' prv -q --force -o '$dir/arrows' '$folder' >/dev/null 2>&1") == 0 or return 'no trace';
	my %n;
	/^3:.*:(\d+)$/ and $n{$1}++ for split /\n/, slurp("$dir/arrows.prv");
	return join ' ', map { "$_:$n{$_}" } grep { $tag ? $_ == $tag : $_ >= 900 && $_ < 1000 } sort keys %n;
}

# What the records of all threads say: {number => [written, read]}, and how often which wait was told.
sub moved {
	my ($r) = @_;
	my (%bytes, %waits, $open);
	for my $thread (values %{ $r->{threads} }) {
		my @stack;
		for (@{ $thread->{told} || [] }) {
			my ($kind, $payload) = @$_;
			push @stack, [ $payload & 0xff, $payload >> 8 ] if $kind == 28;
			if ($kind == 29) {
				my $wait = pop @stack or next;
				$open++ if $wait->[0] != ($payload & 0xff);
				$waits{ $wait->[0] }++;
				$bytes{ $wait->[1] }[ $wait->[0] == $wait{read} ] += $payload >> 24 if $wait->[0] == $wait{read} || $wait->[0] == $wait{write};
			}
		}
		$open += @stack;
	}
	return (\%bytes, \%waits, $open || 0);
}

1;
