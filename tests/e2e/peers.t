#!/usr/bin/perl
# Two JVMs that talk by TCP: sockets, TLS, RMI, HTTP, a database. Each request of the one has an arrow to the other, and
# one back, before it is over; none runs backwards, and bytes are matched. So too when the second claims
# another host whose clocks are wrong.
# Slow: 60 s, a dozen pairs of JVMs.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use JSON::PP;
use List::Util qw(max min sum0);
use Test::More;

my $jar = program('Peers');
my $woven = "$work/Peers-woven.jar";
weave_ok($jar, WHOLE, $woven, '--no-guard');

my ($SERVER, $CLIENT) = (1, 2); # tasks, by their ranks
my ($CONNECT, $WRITE) = (909, 904);
my ($h2) = grep { -e } $ENV{JW_H2} // (), '/usr/share/java/h2.jar';

# What the trace BASE says: arrows { tag, from, to (tasks), send, receive }, and calls of request(): [begin, end].
sub read_trace {
	my ($base) = @_;
	my (@arrows, @calls, %open);
	my ($request) = slurp("$base.pcf") =~ /^(\d+)\s+Peers\.request /m or die 'no request()';
	open my $in, '<', "$base.prv" or die "$base: $!";
	while (<$in>) {
		chomp;
		my ($kind, @f) = split /:/;
		push @arrows, { tag => $f[13], from => $f[2], send => $f[4], to => $f[8], receive => $f[10] } if $kind eq '3';
		next unless $kind eq '2';
		my ($task, $thread, $time, @pairs) = @f[ 2 .. $#f ];
		while (my ($type, $value) = splice @pairs, 0, 2) {
			next unless $type == 60000019;
			my $stack = $open{"$task.$thread"} ||= [];
			if ($value > 0) { push @$stack, [ $value, $time ]; next; }
			my ($method, $begin) = @{ pop @$stack };
			push @calls, [ $begin, $time ] if $method == $request;
		}
	}
	return (\@arrows, \@calls);
}

# Of those ARROWS from FROM to TO that are in the time of each of CALLS: how many there are.
sub in_each {
	my ($arrows, $calls, $from, $to) = @_;
	my @between = grep { $_->{from} == $from && $_->{to} == $to } @$arrows;
	return map { my $c = $_; scalar grep { $_->{send} >= $c->[0] && $_->{receive} <= $c->[1] } @between } @$calls;
}
sub least { return min(in_each(@_)) }
# "least to most" there, and back, in each call.
sub of_each {
	my ($arrows, $calls) = @_;
	return join ', ', map { my @n = in_each($arrows, $calls, @$_); min(@n) . ' to ' . max(@n) } [ $CLIENT, $SERVER ], [ $SERVER, $CLIENT ];
}

sub convert {
	my ($name, @recordings) = @_;
	my $p = sh([ $jweave, 'prv', '-o', "$work/$name", '--map', $woven, @recordings ]);
	is($p->{status}, 0, "$name: jweave prv merges them") or diag($p->{err});
	my $report = decode_json(sh([ $jweave, 'report', '--json', '--map', $woven, @recordings ])->{out} || '{}');
	my $summary = decode_json(sh([ $jweave, 'prv', '--json', '--force', '-o', "$work/$name", '--map', $woven, @recordings ])->{out} || '{}');
	is_deeply([ @$summary{qw(sockets clocks)} ], [ @$report{qw(sockets clocks)} ], "$name: jweave prv --json says the same of sockets");
	return ($report, read_trace("$work/$name"), $p->{err});
}

# The recordings of a run: of who asks, of who serves.
sub run_peers {
	my ($name, $java, $kind, $clients, $messages, @options) = @_;
	my $dir = "$work/run.$name" =~ tr/ /-/r;
	mkdir $dir;
	my $r = java([ @options, '-Djava.rmi.server.hostname=127.0.0.1', '-cp', $kind eq 'jdbc' ? "$woven:$h2" : $woven, 'acme.Peers', 'ask', $kind, $clients, $messages ],
		java => $java, dir => $dir, env => { JWEAVE_EVENTS => 'gc,monitor,park,sleep,io,net', JWEAVE_OUTPUT => "$dir/t-%p",
			JWEAVE_CONVERT => 'off', JWEAVE_TMP => undef, OMPI_COMM_WORLD_RANK => $CLIENT - 1 });
	is("$r->{status} $r->{out}", "0 status 0\n", "$name: the program runs") or diag($r->{err});
	my @recordings = glob("$dir/t-*.jwr");
	is(scalar @recordings, 2, "$name: two recordings") or BAIL_OUT("@recordings $r->{err}");
	return sort { (slurp("$a/meta") =~ /^rank\t0$/m ? 1 : 0) <=> (slurp("$b/meta") =~ /^rank\t0$/m ? 1 : 0) } @recordings;
}

my @tls = ();
if (sh([ E2E::tool('keytool'), '-genkeypair', '-alias', 'peers', '-keyalg', 'EC', '-dname', 'CN=localhost', '-ext', 'san=ip:127.0.0.1',
	'-keystore', "$work/keys", '-storepass', 'peers-test', '-storetype', 'PKCS12' ])->{status} == 0) {
	@tls = map { "-Djavax.net.ssl.$_" } "keyStore=$work/keys", 'keyStorePassword=peers-test', "trustStore=$work/keys", 'trustStorePassword=peers-test';
}

# report --requests of N questions: who asks has waited for so many answers, longer than it took to give them.
# Until they began, that is: a busy machine may stop who has answered before its write returns.
sub timed {
	my ($name, $kind, $n, @recordings) = @_;
	my $said = decode_json(sh([ $jweave, 'report', '--requests', '--json', '--map', $woven, @recordings ])->{out} || '{}');
	my ($asked) = sort { $b->{count} <=> $a->{count} } grep { $_->{asks} && $_->{task} == $CLIENT } @{ $said->{requests} };
	my ($given) = sort { $b->{count} <=> $a->{count} } grep { !$_->{asks} && $_->{task} == $SERVER } @{ $said->{requests} };
	is($asked->{where} =~ s/^to //r, $given->{where} =~ s/^at //r, "$name: --requests: one address");
	my $exact = $kind =~ /^(echo|url|http)$/;
	if ($exact) {
		is("$asked->{count} $given->{count}", "$n $n", "$name: --requests: so many were asked, and answered");
	} else { # and what else these say
		cmp_ok($_->{count}, '>=', $n, "$name: --requests: so many at least: $_->{where}") for $asked, $given;
	}
	like(sh([ $jweave, 'report', '--map', $woven, @recordings ])->{out}, qr/; ended by \S.* of \Q$given->{process}\E \(\d+\)/,
		"$name: which process the thread is of that ended a wait") if $kind eq 'echo';
	if ($exact) { # else the two sides do not count the same ones, and their times say nothing of each other
		my @waited = sort { $b <=> $a } map { $_->{ns} } grep { $_->{asks} } @{ $said->{slowest} };
		my @took = sort { $b <=> $a } map { $_->{answerNs} } grep { !$_->{asks} } @{ $said->{slowest} };
		my @pairs = 0 .. min($#waited, $#took);
		ok(@pairs > 0 && !(grep { $waited[$_] < $took[$_] } @pairs), "$name: --requests: to ask takes longer than to answer")
			or diag("@waited[@pairs]\n@took[@pairs]");
	}
	is(scalar(grep { $_->{answerNs} > $_->{ns} || !$_->{ns} || !$_->{askerName} || $_->{process} eq '' } @{ $said->{slowest} }), 0,
		"$name: --requests: the slowest");
}

sub talk {
	my ($label, $java, $kind, $clients, $messages, @options) = @_;
	my $name = "$label $kind";
	my @recordings = run_peers($name, $java, $kind, $clients, $messages, @options);
	my ($report, $arrows, $calls) = convert("$label-$kind", @recordings);
	my $sockets = $report->{sockets};
	my $there = grep { $_->{from} == $CLIENT && $_->{to} == $SERVER && $_->{tag} == $WRITE } @$arrows;
	my $back = grep { $_->{from} == $SERVER && $_->{to} == $CLIENT && $_->{tag} == $WRITE } @$arrows;

	is(scalar @$calls, $clients * $messages, "$name: requests");
	cmp_ok(least($arrows, $calls, $CLIENT, $SERVER), '>=', 1, "$name: each request has an arrow there");
	cmp_ok(least($arrows, $calls, $SERVER, $CLIENT), '>=', 1, "$name: and one back");
	is($sockets->{backwards}, 0, "$name: none runs backwards");
	is(scalar(grep { $_->{send} > $_->{receive} } @$arrows), 0, "$name: nor in the trace");
	# H2 tries its own port first, and does not read what it answers
	cmp_ok($sockets->{matched} + ($kind eq 'jdbc' ? 2000 : 0), '>=', 0.99 * $sockets->{between},
		"$name: of the bytes between both 99 % are matched") or diag(encode_json($sockets));
	is($sockets->{unmatched}{$_}{bytes}, 0, "$name: $_: no bytes") for qw(unsure otherWay missing datagram other);
	ok(!$report->{clocks}, "$name: they have one clock");
	timed($name, $kind, $clients * $messages, @recordings);
	my $made = () = slurp($recordings[0] . '/meta') =~ /^connection\t\d+\t\d+\tconnect\t/mg;
	return ($there, $back, $made, $arrows, of_each([ grep { $_->{tag} == $WRITE } @$arrows ], $calls));
}

sub all_ways {
	my ($label, $java) = @_;
	my ($there, $back, $made, $arrows) = talk($label, $java, 'echo', 3, 20);
	is("$there $back", '60 60', "$label echo: 2CM arrows");
	is(scalar(grep { $_->{tag} == $CONNECT && $_->{from} == $CLIENT && $_->{to} == $SERVER } @$arrows), 3, "$label echo: and C");

	# each call is one message there and one back; others say hello on a new connection, ask the registry, renew leases, and try
	# a connection that was idle
	($there, $back, $made) = talk($label, $java, 'rmi', 1, 211);
	cmp_ok($there, '>=', 211, "$label rmi: 211 arrows there");
	cmp_ok($back, '>=', 211, "$label rmi: 211 back");
	cmp_ok(max($there, $back), '<', 2 * 211, "$label rmi: few others ($there, $back, $made connections)");

	# head and body are two writes, of which one read may get both: a request is one arrow or two, each way
	for my $kind ('url', 'http') {
		like((talk($label, $java, $kind, 1, 30))[4], qr/^1 to [12], [12] to 2$|^1 to [12], 1 to 1$/, "$label $kind: one or two each way");
	}
	SKIP: {
		skip "$label: no keytool", 1 unless @tls;
		talk($label, $java, 'tls', 2, 20, @tls);
	}
	SKIP: {
		skip "$label: no H2 (libh2-java, or JW_H2)", 1 unless $h2;
		is((talk($label, $java, 'jdbc', 1, 30))[4], '1 to 1, 1 to 1', "$label jdbc: exactly one there and one back, each request");
	}
}

all_ways('17');
SKIP: {
	my $java = jdk25() or skip 'no JDK 25', 1;
	all_ways('25', $java);
}

# What tells of clocks in the recording FROM, by CHANGE (tick, mono, wall); TO is of another HOST.
sub elsewhere {
	my ($from, $to, $host, $change) = @_;
	mkdir $to;
	my ($meta, $data) = map { slurp("$from/$_") } qw(meta data);
	$meta =~ s/^(clock-point|alive)\t(\d+)\t(\d+)\t(\d+)$/join "\t", $1, $change->($2, $3, $4)/mge;
	$meta =~ s/^host\t.*$/host\t$host/m;
	$meta =~ s/^boot\t\S+/boot\t$host/m if $host ne 'same';
	$meta =~ s/\t127\.0\.0\.1\t/\t10.0.0.1\t/g; # which means one machine to the other, too
	for (my $at = 0; $at + 64 <= length $data;) {
		my ($magic, undef, undef, $bytes, @points) = unpack 'a4VVVQ<6', substr $data, $at, 64;
		if ($magic ne 'JWR1') { $at += 512; next; }
		substr($data, $at + 16, 48) = pack 'Q<6', $change->(@points[ 0 .. 2 ]), $change->(@points[ 3 .. 5 ]);
		$at += int((64 + $bytes + 511) / 512) * 512;
	}
	spit("$to/meta", $meta);
	spit("$to/data", $data);
	return $to;
}

# Messages there and back, in the order of who asks: [when, for how long], by the clock of who asks.
sub took {
	my ($arrows) = @_;
	my @there = sort { $a->{send} <=> $b->{send} } grep { $_->{from} == $CLIENT && $_->{to} == $SERVER } @$arrows;
	my @back = sort { $a->{receive} <=> $b->{receive} } grep { $_->{from} == $SERVER && $_->{to} == $CLIENT } @$arrows;
	return ([ map { [ $_->{send}, $_->{receive} - $_->{send} ] } @there ], [ map { [ $_->{receive}, $_->{receive} - $_->{send} ] } @back ]);
}

# No message runs backwards where the clock that was wrong is D(t) late, -there <= D <= back at each: how late any line D that these
# allow can be AT a time at most. Of a slope it is the least that messages allow, and that has one peak.
sub latest {
	my ($at, $there, $back) = @_;
	my $span = max(1, $back->[-1][0] - $back->[0][0], $there->[-1][0] - $there->[0][0]);
	my $upper = sub { my ($slope) = @_; return min(map { $_->[1] - $slope * ($_->[0] - $at) } @$back) };
	my $room = sub { my ($slope) = @_; return $upper->($slope) + min(map { $_->[1] + $slope * ($_->[0] - $at) } @$there) };
	my $peak = sub {
		my ($of, $low, $high) = @_;
		for (1 .. 60) {
			my ($a, $b) = ($low + ($high - $low) / 3, $high - ($high - $low) / 3);
			if ($of->($a) < $of->($b)) { $low = $a } else { $high = $b }
		}
		return $of->(($low + $high) / 2);
	};
	# slopes without room cost as much as they lack
	return $peak->(sub { my $lack = $room->($_[0]); return $upper->($_[0]) + ($lack < 0 ? 1e6 * $lack : 0) }, -1e9 / $span, 1e9 / $span);
}

my ($client, $server) = run_peers('clocks', undef, 'echo', 2, 3000);
SKIP: {
	skip 'ticks are nanoseconds on this machine: another host cannot be made up', 1 if slurp("$server/meta") =~ /^clock\tmonotonic/m;
	# 7 s late and 200 ppm fast, as its monotonic clock and its wall clock say
	my ($first) = slurp("$server/meta") =~ /^clock-point\t\d+\t(\d+)/m;
	my $wrong = sub {
		my ($tick, $mono, $wall) = @_;
		my $drift = int(($mono - $first) * 2e-4);
		return ($tick, $mono + 1_000_000_000_000 + $drift, $wall - 7_000_000_000 + $drift);
	};
	my (undef, $true) = convert('one-host', $client, $server);
	my ($report, $arrows, $calls, $said) = convert('hosts', elsewhere($client, "$work/here.jwr", 'here', sub { @_ }),
		elsewhere($server, "$work/elsewhere.jwr", 'elsewhere', $wrong));
	my ($there, $back) = took($true);
	my ($there_now, $back_now) = took($arrows);
	my $shortest = min(map { $_->[1] } @$there) + min(map { $_->[1] } @$back);

	is(scalar @$there, 6002, 'clocks: arrows there, of one host');
	is(scalar(@$there_now) . ' ' . @$back_now, scalar(@$there) . ' ' . @$back, 'clocks: as many of two');
	# where messages are short the clocks are right; elsewhere as right as messages can tell, which a busy machine decides: at the
	# ends no more than any line may be that lets none run backwards. Of some points of a recording what its clocks said was read
	# late, too, as whoever reads them has to wait for a CPU: no line mends that, so these are a tenth at most
	my @off = map { abs($there_now->[$_][1] - $there->[$_][1]) } 0 .. $#$there;
	cmp_ok(min(@off), '<=', $shortest, 'clocks: right within the shortest round trip where messages are short');
	my ($first_time, $last_time) = ($there->[0][0], $there->[-1][0]);
	my $most = max(map { my $at = $_; (latest($at, $there, $back), latest($at, $back, $there)) } $first_time, $last_time);
	my $off = (sort { $a <=> $b } @off)[ 0.9 * @off ];
	cmp_ok($off, '<=', $most, sprintf('clocks: of nine in ten messages no more off than these can tell (%d ns of %d; the most is %d, the shortest round trip %d)',
		$off, $most, max(@off), $shortest));
	is($report->{sockets}{backwards}, 0, 'clocks: no arrow runs backwards');
	is($report->{clocks}{machines}, 2, 'clocks: of two machines');
	is($report->{clocks}{messages}, @$there + @$back, 'clocks: by all messages');
	is($report->{clocks}{backwardsBefore}, scalar @$there, 'clocks: before, all there ran backwards');
	like($said, qr/the clocks of 2 machines were set by \d+ messages between them: of the arrows \d+ ran backwards before, by up to (?:6999|7000)\.\d+ ms; now 0 do, by up to 0\.000 ms/,
		'clocks: and it is said');
	like(sh([ $jweave, 'report', '--map', $woven, '--top=3', "$work/here.jwr", "$work/elsewhere.jwr" ])->{out},
		qr/^the clocks of 2 machines were set by \d+ messages between them$/m, 'clocks: in the report, too');
}

# One host has one clock: if one is wrong, arrows are left out, and that is said.
my $late = elsewhere($server, "$work/late.jwr", 'same', sub { ($_[0], $_[1] + 1_000_000_000, $_[2] + 1_000_000_000) });
$client = elsewhere($client, "$work/early.jwr", 'same', sub { @_ });
my $text = sh([ $jweave, 'report', '--map', $woven, '--top=3', $client, $late ])->{out};
like($text, qr/^ +bytes +% +ends  of sockets, both ways$/m, 'a wrong clock: bytes of sockets');
like($text, qr/^ *2400000 +100\.0 +written by one recorded end and read by the other$/m, 'a wrong clock: all are matched');
like(sh([ $jweave, 'report', '--map', $woven, '--top=3', '--from=10%', $client, $late ])->{out},
	qr/\Qof sockets, both ways (of the whole run, whatever is selected)\E$/m, 'a range: bytes are of the whole run');
like($text, qr/^left out: 6000 arrows that would run backwards, by up to 9\d\d\.\d+ ms$/m, 'a wrong clock: those back are left out');
$text = sh([ $jweave, 'report', '--map', $woven, '--top=3', $client ])->{out};
like($text, qr/^ *1200000 +2  the other end was not recorded$/m, 'one recording alone: nobody at the other end')
	or diag($text);

# And the other reasons, made up.
sub reasons { return sh([ $jweave, 'report', '--top=3', @_ ])->{out} =~ s/.*of sockets, both ways\n//sr }
my $same = sub { @_ };
my @far = map { elsewhere($server, "$work/far-$_.jwr", "far-$_", $same) } 1, 2;
like(reasons(elsewhere($client, "$work/near.jwr", 'near', $same), @far), qr/^ *3600000 +100\.0 +6  several connections may be the other end$/m,
	'two machines with the same addresses');
my $unix = elsewhere($client, "$work/unix.jwr", 'near', $same);
spit("$unix/meta", slurp("$unix/meta") =~ s/\tconnect\ttcp\t/\tconnect\tunix\t/gr);
like(reasons($unix), qr/^ *1200000 +2  unix sockets and others$/m, 'unix sockets');
my $silent = elsewhere($client, "$work/silent.jwr", 'same', $same);
my ($reader) = slurp("$silent/meta") =~ /^thread\t(\d+)\t.*\tclient 0$/m;
my $data = slurp("$silent/data");
for (my $at = 0; $at + 64 <= length $data; $at += 512) { # what one thread did is told by another that did nothing
	my ($magic, $uid, $seq, $bytes) = unpack 'a4VVV', substr $data, $at, 64;
	substr($data, $at + 64, $bytes) = pack('Q<Q<', 0, 0) x ($bytes / 16) if $magic eq 'JWR1' && $uid == $reader;
}
spit("$silent/data", $data);
my $heard = elsewhere($server, "$work/heard.jwr", 'same', $same);
like(reasons($silent, $heard),
	qr/^ *600000 +33\.3 +1  not both written and read while both ends were recorded$/m, 'an end that tells nothing');
like(sh([ $jweave, 'prv', '-o', "$work/silent", $silent, $heard ])->{err},
	qr/of 1800000 bytes that recorded ends of connections have written and read 0\.0 % are matched, and have arrows: 'jweave report' says why not the others/,
	'which the conversion says, too');
done_testing();
