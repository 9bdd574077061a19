# I/O inside the JDK (JWEAVE_EVENTS=io,net,file,process): natives that are bound anew tell of each read and write, with
# the bytes that crossed, by connection and file: as many as the program counts itself. The program notices nothing.
# Slow: 12 s, every call of I/O, on two JVMs.
use strict;
use warnings;
use Test::More;
use lib 'tests/runtime-jni';
use Runtime;

my ($SELECT, $ACCEPT, $CONNECT, $READ, $WRITE, $FORCE, $CHILD) = @wait{qw(select accept connect read write force child)};

# Connections by number: {family, role, from, to, before => [written, read], end => [written, read, as]}; files: {path => number}
sub channels {
	my ($r) = @_;
	my (%connections, %files);
	$connections{ $_->[0] } = { role => $_->[2], family => $_->[3], from => "$_->[4]:$_->[5]", to => "$_->[6]:$_->[7]",
		before => [ @$_[ 9, 10 ] ], end => [] } for @{ $r->{meta}{connection} || [] };
	$connections{ $_->[0] }{end} = [ @$_[ 2, 3, 4 ] ] for @{ $r->{meta}{'connection-end'} || [] };
	$files{ $_->[1] } = $_->[0] for @{ $r->{meta}{file} || [] };
	return (\%connections, \%files);
}

sub has_module {
	my ($java, $module) = @_;
	return slurp($java =~ s{bin/java$}{release}r) !~ /^MODULES="(.*)"/m || " $1 " =~ / \Q$module\E /;
}

# A network of its own that drops packets where they are sent, as a queue that is full does.
my $narrow = 'ip link set lo mtu 1500 up && tc qdisc add dev lo root tbf rate 200mbit burst 64kbit limit 20000';
my $can_narrow = system("unshare -rn sh -c '$narrow' >/dev/null 2>&1") == 0;

without_others('taps');
for my $jvm (jvms()) {
	my ($label, $java) = @$jvm;
	# before 13 java.net's datagram sockets are natives of their own (docs/waits.md)
	my $old = $label < 13;
	for my $what (qw(streams channels selector http datagrams files sendfile child late urgent closes reset)) {
		next if $what eq 'http' && !has_module($java, 'jdk.httpserver') || $what eq 'datagrams' && $old;
		my @options = $what eq 'streams' || $what eq 'files' ? ([], ['-Xint'], ['-Xcheck:jni']) : (['-Xcheck:jni']);
		for my $options (@options) {
			my $name = join ' ', $label, $what, @$options;
			my $n = 5;
			my $got = run(java => $java, jvm => $options, args => [ 'Io', $what, $n ], env => { JWEAVE_EVENTS => 'io,net,file,process' });
			my $r = only_recording($got->{dir});
			is("$got->{status} $got->{err}", '0 ', "$name: the program and the VM say nothing");
			is(scalar @{ $r->{meta}{'tap-refused'} || [] }, 0, "$name: no native is refused");
			my ($bytes, $waits, $open) = moved($r);
			my ($connections, $files) = channels($r);
			cmp_ok($open, "<=", $what eq "http" ? 2 : 0, "$name: each wait has its end, but what daemons do");
			is(scalar(grep { $_->{backwards} } values %{ $r->{threads} }), 0, "$name: in order");

			# the program's own figures: of sockets those of all connections
			my ($written, $read) = (0, 0);
			for (grep { $connections->{$_} } keys %$bytes) {
				$written += $bytes->{$_}[0] // 0;
				$read += $bytes->{$_}[1] // 0;
			}
			my %own = map { /^(\S+) (\d+) (\d+)$/ ? ($1 => "$2 $3") : () } split /\n/, $got->{out};
			is("$written $read", $own{$what}, "$name: as many bytes as the program counts")
				if $what =~ /^(?:streams|channels|selector|datagrams|sendfile|late|urgent|closes|reset)$/;
			if ($what eq 'http') {
				is($written, $read, "$name: what is written is read");
				cmp_ok($written, '>', (split ' ', $own{http})[0], "$name: and more than the bodies");
			}
			for (grep { /\.bin$/ } keys %own) {
				my $path = "$got->{dir}/$_";
				my $b = $bytes->{ $files->{$path} // 0 } || [];
				is(join(' ', map { $_ // 0 } @$b[ 0, 1 ]), $own{$_}, "$name: $_");
			}
			if ($what eq 'sendfile') {
				is(join(' ', map { $_ // 0 } @{ $bytes->{ $files->{"$got->{dir}/sent.bin"} } }), '10000 50000', "$name: the file is read by it");
			}
			# by a channel, by a stream's descriptor, and, since 16, by a mapped buffer
			is($waits->{$FORCE}, $label < 16 ? 2 : 3, "$name: files are forced to disk") if $what eq 'files';
			if ($what eq 'child') {
				is($waits->{$CHILD}, 1, "$name: the process is waited for");
				my @pipes = grep { $files->{$_} && /^pipe:/ } keys %$files;
				my ($w, $r) = (0, 0);
				for (@pipes) { $w += $bytes->{ $files->{$_} }[0] // 0; $r += $bytes->{ $files->{$_} }[1] // 0 }
				is("$w $r", '500 500', "$name: what it was given, and gave");
			}
			ok($waits->{$SELECT}, "$name: a selector waits") if $what eq 'selector';

			# each connection has its two ends, and the kernel has counted the same
			my %ends = map { ("$_->{from} $_->{to}" => $_) } grep { $_->{family} eq 'tcp' && $_->{role} ne 'listen' } values %$connections;
			my @alone = grep { my ($from, $to) = split ' '; !$ends{"$to $from"} } keys %ends;
			is("@alone", '', "$name: connections have two ends");
			my %as = map { ($_->{end}[2] // 'none' => 1) } values %ends;
			is(join(' ', sort keys %as), $what eq 'urgent' ? 'other' : 'whole', "$name: the kernel agrees, where nothing went another way")
				if %ends;
			is(join(' ', sort map { "@{ $_->{before} } @{ $_->{end} }[0,1]" } values %ends), '200 3000 207 3050 3000 200 3050 207', "$name: what was moved before")
				if $what eq 'late';
			# an echo of C clients with M messages: 2CM from writes to reads, C from connects to accepts
			my %arrows = (streams => '904:30 909:3', channels => '904:10 909:1', selector => '904:10 909:1', urgent => '');
			my $arrows = $arrows{$what};
			is(arrows($got->{dir}), $arrows, "$name: arrows") if defined $arrows;
			is(($waits->{$ACCEPT} // 0) . ' ' . ($waits->{$CONNECT} // 0), '3 3', "$name: accepts and connects") if $what eq 'streams';
		}
	}

	# packets that are sent again are no other bytes
	SKIP: {
		skip 'no network of its own (unshare -rn, ip, tc)', 2 unless $can_narrow;
		my $got = run(java => $java, args => [ 'Io', 'closes', 1 ], env => { JWEAVE_EVENTS => 'net' },
			sh => qq{set -- unshare -rn sh -c '$narrow && exec "\$@"' sh "\$@"});
		is("$got->{status} $got->{err}", '0 ', "$label, packets are dropped: the program and the VM say nothing");
		my %as = map { ($_->{end}[2] => 1) } grep { $_->{end}[2] } values %{ (channels(only_recording($got->{dir})))[0] };
		is(join(' ', sort keys %as), 'whole', "$label, packets are dropped: the kernel agrees");
	}

	# who wakes a selector (the JDK's way to do it is seen from 17 on)
	my $got = run(java => $java, args => [ 'Io', 'wakeups', 20 ], env => { JWEAVE_EVENTS => 'io' });
	is("$got->{status} $got->{out}", "0 wakeups 0 0\n", "$label, wakeups: the program is as without");
	my ($woken) = arrows($got->{dir}, 402) =~ /^402:(\d+)$/;
	ok($woken && $woken >= 10 && $woken <= 20, "$label, wakeups: arrows, but to selects that found themselves woken: " . ($woken // 0)) if $label >= 17;

	# with waits alone a pipe is any pipe
	$got = run(java => $java, args => [ 'Io', 'child', 5 ], env => { JWEAVE_EVENTS => 'io' });
	is(join(' ', grep { !m{^/} } map { $_->[1] } @{ only_recording($got->{dir})->{meta}{file} || [] }), 'pipe', "$label, io alone: a pipe");

	# what is not asked for is not told, nor bound
	$got = run(java => $java, args => [ 'Io', 'streams,files,selector', 3 ], env => { JWEAVE_EVENTS => 'net' });
	my $r = only_recording($got->{dir});
	my ($bytes, $waits) = moved($r);
	is(scalar @{ $r->{meta}{file} || [] }, 0, "$label, net alone: no file");
	is($waits->{$SELECT} // 0, 0, "$label, net alone: no selector");
	cmp_ok($waits->{$READ}, '>', 0, "$label, net alone: sockets");
	is(scalar(grep { $_->[0] =~ /EPoll|FileInputStream/ } @{ $r->{meta}{tap} }), 0, "$label, net alone: what waits and files are not bound");
	$got = run(java => $java, args => [ 'Io', 'streams', 3 ], env => { JWEAVE_EVENTS => 'gc' });
	is(scalar(grep { $_->[0] >= 28 && $_->[0] <= 30 } map { @{ $_->{told} || [] } } values %{ only_recording($got->{dir})->{threads} }), 0, "$label: nothing where it is not asked for");

	# what the JDK has not loaded is bound when the program needs it, and is not loaded for us
	my @bound = map { $got = run(java => $java, args => [ 'Io', $_, 2 ]); join ' ', grep { /EPoll/ } map { $_->[0] } @{ only_recording($got->{dir})->{meta}{tap} } } qw(files selector);
	is_deeply(\@bound, [ '', $label >= 21 ? 'sun.nio.ch.EPoll.ctl sun.nio.ch.EPoll.wait' : 'sun.nio.ch.EPoll.wait' ], "$label: selectors are bound where there are some");

	# of waits alone a read is told when it takes long, with its connection; what is read is not
	for my $mode ('stream', 'flight') {
		$got = run(java => $java, args => [ 'Io', 'reads' ], env => { JWEAVE_MODE => $mode });
		my $reads = only_recording($got->{dir});
		my %connection = map { ($_->[0] => "$_->[2] " . ($_->[11] // 'counted')) } @{ $reads->{meta}{connection} || [] };
		is(join(' ', grep { !/ named$/ } values %connection), '', "$label, $mode: no connection is counted");
		is(scalar @{ $reads->{meta}{'connection-end'} || [] }, 0, "$label, $mode: nor compared with the kernel's counts");
		my %number;
		for my $name ('reader', 'again', $mode eq 'stream' ? 'first' : ()) {
			my ($thread) = grep { $_->{name} eq $name } values %{ $reads->{threads} };
			my @io = grep { $_->[0] == 28 && ($_->[1] & 0xff) == $READ || $_->[0] == 29 && ($_->[1] & 0xff) == $READ } @{ $thread->{told} };
			is(join(' ', map { "$_->[0]:" . ($_->[0] == 28 ? $connection{ $_->[1] >> 8 } // '' : $_->[1] >> 8) } @io), $name ne 'first' ? '28:accept named 29:0' : '28: 29:0',
				"$label, $mode, $name: one read");
			$number{$name} = $io[0][1] >> 8;
			ok(!$thread->{backwards}, "$label, $mode, $name: in order");
		}
		isnt($number{reader}, $number{again}, "$label, $mode: a descriptor that names another connection");
		my ($main) = grep { $_->{name} eq 'main' } values %{ $reads->{threads} };
		cmp_ok(scalar(grep { $_->[0] == 28 && ($_->[1] & 0xff) == $READ } @{ $main->{told} }), '<', 10, "$label, $mode: reads that do not wait are not told");
	}

	# a thread that waits long before it calls anything traced has waited, at first so long in all (37)
	for ([ 300, 300 ], [ 1100, 1024 ]) {
		my ($n, $kept) = @$_;
		$got = run(java => $java, args => [ 'Io', 'idle', $n ]);
		my ($idle) = grep { $_->{name} eq 'idle' } values %{ only_recording($got->{dir})->{threads} };
		my @told = map { $_->[0] } grep { $_->[0] != 24 && $_->[0] != 35 } @{ $idle->{told} };
		is(join(' ', @told), join(' ', (37) x ($n > $kept), (28, 29) x $kept), "$label: the latest of $n waits before the first call");
		ok(!$idle->{backwards}, "$label: in order");
	}

	# a summary adds up what was waited for
	$got = run(java => $java, args => [ 'Io', 'streams,selector', 5 ], env => { JWEAVE_EVENTS => 'io,net', JWEAVE_MODE => 'summary' });
	my ($folder) = glob "$got->{dir}/*.jwr";
	my $report = `'$build/jweave' report --json '$folder' 2>&1`;
	my %counts = map { /"wait":\s*"(\w+)".*?"count":\s*(\d+)/s ? ($1 => $2) : () } split /(?="wait":)/, $report;
	my @kinds = ('read', 'write', 'accept', 'connect', 'select');
	is(join(' ', map { $counts{$_} ? $_ : "no $_" } @kinds), "@kinds", "$label, summary: by kind");
}
done_testing();
