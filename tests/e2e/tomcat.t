#!/usr/bin/perl
# Tomcat 10, woven everywhere at once: the jars of its folders bin and lib, and a web application with
# a library and a compiled JSP. Under the load of 5 to 100 users it answers as before, its trace counts
# what was asked for, names every method and thread, and shows who waited in which state. Then the same
# by `jweave run`, twice: the second run weaves nothing.
# Slow: 60 s, Tomcat starts several times.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use JSON::PP;
use Test::More;
use Time::HiRes qw(sleep);

my $tomcat = $ENV{JWEAVE_TOMCAT} || '/usr/share/tomcat10';
my $compiler = '/usr/share/java/eclipse-jdt-core.jar';
-e "$tomcat/lib/catalina.jar" && -e "$tomcat/bin/bootstrap.jar"
	or plan skip_all => "no Tomcat 10 in $tomcat (Debian: tomcat10-common; or JWEAVE_TOMCAT)";
my @users = (5, 10, 50, 100);
my $each = 3; # pages for each user, one of each kind

my $programs = "$E2E::root/testdata/programs";
my $rules = spit("$work/rules.json", <<'J');
{ "jweave": 1, "include": [ "preset:jdk-threads" ],
  "rules": [ { "id": "all", "match": "**" },
             { "id": "ours", "select": { "package": [ "acme.**", "org.apache.jsp" ] } } ] }
J

# ---- the container and the application ----
for (qw(server server/lib server/bin web web/WEB-INF web/WEB-INF/lib web/WEB-INF/classes)) { mkdir "$work/$_"; }
sh([ 'sh', '-c', 'cp -L "$1"/lib/*.jar "$2/lib" && cp -L "$1"/bin/*.jar "$2/bin"', 'sh', $tomcat, "$work/server" ]);
sh([ 'cp', '-L', $compiler, "$work/server/lib" ]) if -e $compiler; # of JSPs; outside Debian it is there
my $api = join ':', glob("$work/server/lib/*.jar");
compile("$work/load", ["$programs/acme/Load.java"]);
compile("$work/shop", ["$programs/acme/shop/Shop.java"]);
compile("$work/web/WEB-INF/classes", ["$programs/acme/web/Till.java"], '-cp', "$api:$work/shop");
jar("$work/web/WEB-INF/lib/shop.jar", "$work/shop");
sh([ 'cp', "$programs/web/list.jsp", "$work/web" ]);
jar("$work/plain.war", "$work/web");

sub base {
	my ($name, $war) = @_;
	my $base = "$work/base-$name";
	mkdir "$base$_" for '', qw(/conf /webapps /logs /temp /work);
	sh([ 'cp', (map { "$programs/web/$_" } qw(server.xml web.xml context.xml)), "$base/conf" ]);
	sh([ 'cp', $war, "$base/webapps/shop.war" ]);
	return $base;
}

# Starts Tomcat by COMMAND (what comes before java's options), asks it for pages, ends it by SIGNAL;
# { status, signal, log, answers }.
sub serve {
	my ($home, $base, $signal, $users, @command) = @_;
	my $log = "$base/out.log";
	my $pid = fork() // die "fork: $!";
	if (!$pid) {
		setpgrp; # a time limit of our own below: `timeout` would stand between us and the signal
		chdir $base or die;
		open STDIN, '<', '/dev/null';
		open STDOUT, '>', $log;
		open STDERR, '>&', \*STDOUT;
		$SIG{INT} = 'DEFAULT';
		%ENV = (%ENV, JWEAVE_OUTPUT => "$base/trace", JWEAVE_MAX_SIZE => '512M', XDG_CACHE_HOME => "$work/cache");
		exec @command, "-Dcatalina.home=$home", "-Dcatalina.base=$base", "-Djava.io.tmpdir=$base/temp", '-cp',
			"$home/bin/bootstrap.jar:$home/bin/tomcat-juli.jar", 'org.apache.catalina.startup.Bootstrap', 'start';
	}
	my $port;
	for (1 .. 600) {
		my $text = slurp($log) // '';
		($port) = $text =~ /Starting ProtocolHandler \["http-nio-127\.0\.0\.1-auto-\d+-(\d+)"/;
		last if $port && $text =~ /Server startup in/;
		sleep 0.1;
	}
	my $load = $port ? sh([ $E2E::default_java, '-cp', "$work/load", 'acme.Load', "http://127.0.0.1:$port/shop/",
		$each, @$users ], seconds => 240, env => { JWEAVE => 'off' })->{out} : 'it did not start';
	kill $signal, $pid;
	my $gone = 0;
	for (1 .. 900) { # the conversion is part of the end
		$gone = waitpid $pid, 1;
		last if $gone;
		sleep 0.1;
	}
	my $end = $?;
	if (!$gone) {
		kill 'KILL', -$pid;
		waitpid $pid, 0;
		$end = 9;
	}
	return { log => slurp($log), answers => $load, status => $end >> 8, signal => $end & 127 };
}

sub answers {
	my ($n) = @_;
	my $asked = 0;
	$asked += $_ for @$n;
	return join '', (map { "users $_\n" } @$n), (map { "$_ $asked\n" } qw(paid served listed)), "errors 0\n";
}

# ---- as it is; this compiles the JSP ----
my $base = base('plain', "$work/plain.war");
my @quick = qw(-XX:TieredStopAtLevel=1 -XX:+UseSerialGC); # where it is not about compiled probes
my $plain = serve("$work/server", $base, 'TERM', [5], $E2E::default_java, @quick);
is($plain->{answers}, answers([5]), 'Tomcat as it is serves');
my ($jsp) = split /\n/, sh([ 'find', $base, '-name', 'list_jsp.class' ])->{out};
BAIL_OUT("no compiled JSP: $plain->{log}") unless $jsp;
sh([ 'mkdir', '-p', "$work/web/WEB-INF/classes/org/apache/jsp" ]);
sh([ 'cp', $jsp, "$work/web/WEB-INF/classes/org/apache/jsp" ]);
sh([ 'cp', "$programs/web/list.xml", "$work/web/WEB-INF/web.xml" ]);
jar("$work/shop.war", "$work/web");

# ---- woven, all of it ----
my $r = sh([ $jweave, '-r', $rules, '-o', "$work/woven", "$work/server/lib", "$work/server/bin" ], seconds => 300);
is($r->{status}, 0, 'every jar of bin and lib is woven') or diag($r->{err});
is(join(' ', ls("$work/woven/lib")), join(' ', ls("$work/server/lib")), 'and lib has the jars that it had');
weave_ok("$work/shop.war", $rules, "$work/woven.war");
$base = base('woven', "$work/woven.war");
my $t = serve("$work/woven", $base, 'TERM', \@users, $E2E::default_java);
is($t->{answers}, answers(\@users), 'under load every answer is right');
is("$t->{status}/$t->{signal}", "$plain->{status}/$plain->{signal}", 'it ends as the plain one');
# (on a busy machine it warns of its own slowness: "took [108] milliseconds")
is(join("\n", grep { !/took \[\d+\] milliseconds/ } $t->{log} =~ /^((?:WARNING|SEVERE).*)/mg), '', 'and warns of nothing');
is(scalar(() = $t->{log} =~ /^jweave: /mg), 1, 'thirty woven jars, one line at the end');
is(join(' ', grep { /^trace/ } ls($base)), 'trace.pcf trace.prv trace.row', 'and one trace');

# ---- what the trace says ----
my $said = trace("$base/trace", 'the trace', '--counts');
my $asked = 0;
$asked += $_ for @users;
is_deeply({ map { $_ => $said->{calls}{$_} } qw(acme.web.Till.doGet acme.web.Till.answer acme.shop.Shop.pay
	acme.shop.Shop.order acme.shop.Shop.serve org.apache.jsp.list_jsp._jspService org.apache.jsp.list_jsp.sum) },
	{ 'acme.web.Till.doGet' => 2 * $asked, 'acme.web.Till.answer' => 2 * $asked, 'acme.shop.Shop.pay' => $asked,
	'acme.shop.Shop.order' => $asked, 'acme.shop.Shop.serve' => $asked + 1, # the last one waits until the end
	'org.apache.jsp.list_jsp._jspService' => $asked, 'org.apache.jsp.list_jsp.sum' => $asked },
	'the application was called as often as it was asked');
ok(exists $said->{calls}{$_}, "of the container: $_") for qw(org.apache.catalina.startup.Bootstrap.main
	org.apache.catalina.core.StandardWrapperValve.invoke org.apache.coyote.http11.Http11Processor.service);
unlike(slurp("$base/trace.pcf"), qr/unknown 0x/, 'every method has its name');

# Threads as Tomcat names them; those of the JVM itself are not Java's to name.
my %threads = map { $_->{name} => $_ } @{ decode_json(sh([ $jweave, 'report', '--json', "$base/trace.prv" ])->{out})->{threads} };
my @exec = grep { /^http-nio-127\.0\.0\.1-auto-\d+-exec-\d+$/ } keys %threads;
cmp_ok(scalar(@exec), '>', 10, 'threads are named as Tomcat names them: workers, ' . @exec);
ok((grep { /\Q$_\E/ } keys %threads), "threads: $_") for 'main', 'Acceptor', 'Poller', 'Catalina-utility-1', 'shop clerk';
# (Thread-0 is Tomcat's hook for the end, which it gives no name)
is(join(', ', sort grep { !/-exec-\d+$|-(?:Acceptor|Poller)$|^Catalina-utility-\d+$|^(?:main|JVM|shop clerk|Thread-0)$/ }
	keys %threads), '', 'and no thread has another name');
my $alive = sub { # its time in any state but Not created
	my ($states, $ns) = ($_[0]{states}, 0);
	$ns += $states->{$_} for grep { $_ ne '2' } keys %$states;
	return $ns;
};
is(join(', ', grep { abs($alive->($threads{$_}) - $threads{$_}{lifeNs}) > 1000 } keys %threads), '',
	'the states of each thread sum to its life');

# Customers wait for the clerk (Object.wait, state 5), who serves for a millisecond each, and for the
# till (a monitor, state 9), which takes as long.
my ($waits, $blocks) = (0, 0);
$waits += $threads{$_}{states}{5} // 0 for @exec;
$blocks += $threads{$_}{states}{9} // 0 for @exec;
cmp_ok($waits, '>=', 0.9e6 * $asked, 'workers wait as long as orders took: ' . int($waits / 1e6) . ' ms');
cmp_ok($blocks, '>', 0, 'and are blocked where another pays: ' . int($blocks / 1e6) . ' ms');
cmp_ok($threads{'shop clerk'}{states}{5}, '>', 0.9e6 * $asked, 'the clerk waits for orders, and sleeps over each');

# ---- the newest JDK, under all users at once ----
without25('all users at once');
if (my $java = jdk25()) {
	$base = base('newest', "$work/woven.war");
	$t = serve("$work/woven", $base, 'TERM', [ $users[-1] ], $java, '--enable-native-access=ALL-UNNAMED');
	is($t->{answers}, answers([ $users[-1] ]), "JDK 25: every answer to $users[-1] users is right");
	is(scalar(() = $t->{log} =~ /^jweave: /mg), 1, 'JDK 25: one line at the end');
	unlike($t->{log}, qr/native access|restricted method/i, 'JDK 25: and the VM warns of nothing');
	my $calls = trace("$base/trace", 'JDK 25', '--counts')->{calls};
	is($calls->{'acme.web.Till.doGet'}, 2 * $users[-1], 'JDK 25: the application was called as often as it was asked');
	unlike(slurp("$base/trace.pcf"), qr/unknown 0x/, 'JDK 25: every method has its name');
	my $names = () = slurp("$base/trace.row") =~ /^http-nio-127\.0\.0\.1-auto-\d+-exec-\d+$/mg;
	cmp_ok($names, '>', 10, "JDK 25: threads are named as Tomcat names them: workers, $names");
}

# ---- jweave run ----
for my $try ([ 'first', 'TERM', qr/note: wove .* of 3 jars and folders$/m ], [ 'second', 'INT', qr/note: traces .* of 3 jars and folders, woven by an earlier run$/m ]) {
	my ($name, $signal, $wove) = @$try;
	$base = base("run-$name", "$work/plain.war");
	$t = serve("$work/server", $base, $signal, [10], $jweave, 'run', '-r', $rules, '--', $E2E::default_java, @quick);
	is($t->{answers}, answers([10]), "jweave run, the $name: every answer is right");
	is($t->{status}, $signal eq 'INT' ? 130 : 143, "SIG$signal ends it as it ends java");
	like($t->{log}, $wove, "the $name run says what it has woven");
	like($t->{log}, qr/^jweave: .* -> \S*trace\.prv$/m, 'and says where the trace is');
	my $calls = trace("$base/trace", "jweave run, the $name", '--counts')->{calls};
	is($calls->{'org.apache.catalina.startup.Bootstrap.main'}, 1, 'what the class path names is traced');
	is($calls->{'acme.web.Till.doGet'}, 2 * 10, 'and the web application, as often as it was asked');
	unlike(slurp("$base/trace.pcf"), qr/unknown 0x/, 'every method has its name');
}
done_testing();
