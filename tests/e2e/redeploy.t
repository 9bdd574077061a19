#!/usr/bin/perl
# A woven web application that is deployed and taken away again and again in a Tomcat that is not woven:
# the first copy of it begins the recording and loads the library, which stays when the class loader that
# brought it is collected. One recording holds all of them, and every method has its name. Ten times;
# JWEAVE_REDEPLOYMENTS says otherwise.
# Slow: 30 s, a Tomcat that deploys an application ten times, on two JVMs.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use Test::More;

my $tomcat = $ENV{JWEAVE_TOMCAT} || '/usr/share/tomcat10';
-e "$tomcat/lib/catalina.jar" && -e "$tomcat/bin/tomcat-juli.jar"
	or plan skip_all => "no Tomcat 10 in $tomcat (Debian: tomcat10-common; or JWEAVE_TOMCAT)";
my $n = $ENV{JWEAVE_REDEPLOYMENTS} || 10;
my $programs = "$E2E::root/testdata/programs";
my $api = join ':', glob("$tomcat/lib/*.jar"), "$tomcat/bin/tomcat-juli.jar";

for (qw(web web/WEB-INF web/WEB-INF/lib web/WEB-INF/classes)) { mkdir "$work/$_"; }
my @old = ('--release', 11); # what Tomcat 10 asks for
compile("$work/redeploy", ["$programs/acme/web/Redeploy.java"], @old, '-cp', $api);
compile("$work/shop", ["$programs/acme/shop/Shop.java"], @old);
compile("$work/web/WEB-INF/classes", ["$programs/acme/web/Till.java"], @old, '-cp', "$api:$work/shop");
jar("$work/web/WEB-INF/lib/shop.jar", "$work/shop");
jar("$work/plain.war", "$work/web");
weave_ok("$work/plain.war", '{ "jweave": 1, "rules": [ { "match": "acme.**" } ] }', "$work/woven.war", '--no-guard');

my @javas = ([ 'JDK 17', $E2E::default_java ]);
push @javas, [ 'JDK 25', jdk25() ] if jdk25();
without25('the same');
for (@javas) {
	my ($jdk, $java) = @$_;
	my @runs;
	for my $war (qw(plain woven)) {
		my $base = "$work/base-$war-" . $jdk =~ s/ //r;
		mkdir $base;
		push @runs, java([ '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xmx256m', '-cp', "$work/redeploy:$api", 'acme.web.Redeploy', $base, "$work/$war.war", $n ],
			java => $java, trace => "$war-" . $jdk =~ s/ //r, seconds => 300);
	}
	my ($plain, $woven) = @runs;
	is($plain->{out}, 'right ' . 2 * $n . "\nalive 0\n", "$jdk: unwoven, every answer is right and every loader goes")
		or diag($plain->{err});
	is($woven->{out}, $plain->{out}, "$jdk: woven too") or diag($woven->{err});
	is($woven->{status}, $plain->{status}, "$jdk: it ends as the plain one");
	is(scalar(() = $woven->{err} =~ /^jweave: /mg), 1, "$jdk: one line at the end") or diag($woven->{err});
	my $name = $woven->{trace} =~ s{.*/}{}r;
	is(join(' ', grep { /^\Q$name\E/ } ls($woven->{folder})), "$name.pcf $name.prv $name.row", "$jdk: and one trace");
	my $calls = counts($woven->{trace});
	is($calls->{'acme.web.Till.doGet'}, 2 * $n, "$jdk: it has the calls of all");
	is($calls->{'acme.shop.Shop.open'}, $n, "$jdk: each was opened");
	is($calls->{'acme.shop.Shop.close'}, $n, "$jdk: and closed");
	unlike(slurp("$woven->{trace}.pcf"), qr/unknown 0x/, "$jdk: every method has its name");
}
done_testing();
