/*
 * t_call.c: rules with on: call: what they choose, where, and what they may not ask.
 */
#include "tests/tap.h"
#include "rules/rules.h"

#include "base/banned.h"

struct ask {
	const char *cls, *method, *owner, *name, *descriptor;
	enum { PLAIN, SUPER, INTERFACE } how; /* false and true: PLAIN and SUPER */
	const char *super;                    /* of the owner, or NULL */
};

static bool supertypes(void *ctx, rules_take_name *take, void *take_ctx)
{
	const struct ask *a = ctx;

	return take(take_ctx, jw_span_str(a->owner)) ||
	       (a->super && take(take_ctx, jw_span_str(a->super)));
}

/* MONITOR: A is no call, but an instruction on a monitor. */
static struct rules_verdict ask_of(const struct rules *rules, const struct ask *a, bool monitor)
{
	struct rules_class cls = { .name = jw_span_str(a->cls) };
	struct rules_method method = { .name = jw_span_str(a->method),
				       .descriptor = jw_span_str("()V"),
				       .kind = rules_method_kind(jw_span_str(a->method), 0),
				       .has_code = true };
	struct ask copy = *a;
	struct rules_callee callee = { .owner = jw_span_str(a->owner),
				       .name = jw_span_str(a->name),
				       .descriptor = jw_span_str(a->descriptor),
				       .interface = a->how == INTERFACE,
				       .super_call = a->how == SUPER,
				       .monitor = monitor,
				       .supertypes = supertypes,
				       .ctx = &copy };
	struct rules_verdict v = rules_decide_call(rules, &cls, &method, &callee);

	/* the gates never contradict the verdict */
	if (v.why == RULES_WHY_TRACED || v.why == RULES_WHY_SKIPPED)
		ok(rules_has_calls(rules, &cls) && rules_may_call(rules, &callee));
	return v;
}

static struct rules_verdict decide(const struct rules *rules, const struct ask *a)
{
	return ask_of(rules, a, false);
}

static struct rules_verdict decide_monitor(const struct rules *rules, const struct ask *a)
{
	return ask_of(rules, a, true);
}

static struct rules *parse(const char *text)
{
	struct jw_err e = { 0 };
	struct rules *r = NULL;

	if (!ok(rules_parse(jw_span_str(text), "t.json", NULL, &r, &e) == JW_OK))
		tap_note("%s", e.text);
	return r;
}

static const struct ask sleep_call = { "a/B", "run", "java/lang/Thread", "sleep", "(J)V",
				       false, NULL };

TEST(a_call_is_chosen_by_what_it_names)
{
	struct rules *r =
		parse("{\"jweave\":1,\"rules\":[{\"match\":\"**\"},{\"on\":\"call\","
		      "\"match\":\"java.lang.Thread#sleep(long):void\",\"state\":\"io\"}]}");
	struct ask other = sleep_call;

	is_int(decide(r, &sleep_call).why, RULES_WHY_TRACED);
	is_int(decide(r, &sleep_call).rule, 1);
	is_int(rules_rule(r, 1)->state, 12);
	ok(rules_rule(r, 1)->call && !rules_rule(r, 0)->call);
	is_int(rules_rule(r, 0)->state, RULES_NO_STATE);
	other.descriptor = "(JI)V";
	is_int(decide(r, &other).why, RULES_WHY_UNMATCHED);
	other = sleep_call;
	other.owner = "java/lang/Thread2";
	is_int(decide(r, &other).why, RULES_WHY_UNMATCHED);
	rules_free(r);
}

TEST(rules_for_bodies_and_for_calls_are_apart)
{
	struct rules *r =
		parse("{\"jweave\":1,\"rules\":[{\"on\":\"call\",\"match\":\"**#sleep(..)\"},"
		      "{\"action\":\"skip\",\"match\":\"**\"}]}");
	struct rules_class cls = { .name = JW_SPAN_LIT("a/B") };

	is_int(decide(r, &sleep_call).why, RULES_WHY_TRACED);
	ok(!rules_may_choose(r, &cls, NULL));
	rules_free(r);
	r = parse("{\"jweave\":1,\"rules\":[{\"match\":\"**\"}]}");
	is_int(decide(r, &sleep_call).why, RULES_WHY_UNMATCHED);
	ok(!rules_has_calls(r, &cls));
	rules_free(r);
}

TEST(the_last_call_rule_decides)
{
	struct rules *r = parse(
		"{\"jweave\":1,\"rules\":[{\"on\":\"call\",\"match\":\"**#sleep(..)\"},"
		"{\"on\":\"call\",\"action\":\"skip\",\"match\":\"**\",\"within\":\"a.**\"}]}");
	struct ask other = sleep_call;

	is_int(decide(r, &sleep_call).why, RULES_WHY_SKIPPED);
	is_int(decide(r, &sleep_call).rule, 1);
	other.cls = "c/D";
	is_int(decide(r, &other).why, RULES_WHY_TRACED);
	rules_free(r);
}

TEST(a_rule_that_skips_calls_everywhere_decides_them_too)
{
	struct rules *r =
		parse("{\"jweave\":1,\"rules\":[{\"on\":\"call\",\"match\":\"**#sleep(..)\"},"
		      "{\"on\":\"call\",\"action\":\"skip\",\"match\":\"**#sleep(long)\"}]}");

	is_int(decide(r, &sleep_call).why, RULES_WHY_SKIPPED);
	is_int(decide(r, &sleep_call).rule, 1);
	rules_free(r);
}

TEST(excludes_are_about_the_code_that_calls)
{
	struct rules *r = parse("{\"jweave\":1,\"exclude\":[\"a.B#run\",\"java.lang.Thread\"],"
				"\"rules\":[{\"on\":\"call\",\"match\":\"**\"}]}");
	struct ask other = sleep_call;

	is_int(decide(r, &sleep_call).why, RULES_WHY_EXCLUDED);
	other.method = "walk";
	is_int(decide(r, &other).why, RULES_WHY_TRACED);
	other.cls = "java/util/Timer";
	is_int(decide(r, &other).why, RULES_WHY_JDK);
	other.cls = "jweave/rt/x/Probe";
	is_int(decide(r, &other).why, RULES_WHY_RUNTIME);
	rules_free(r);
}

TEST(constructors_are_named)
{
	struct rules *r =
		parse("{\"jweave\":1,\"rules\":[{\"on\":\"call\",\"match\":\"java.**\"}]}");
	struct ask made = { "a/B", "run", "java/util/ArrayList", "<init>", "()V", false, NULL };

	is_int(decide(r, &made).why, RULES_WHY_UNMATCHED);
	rules_free(r);
	r = parse("{\"jweave\":1,\"rules\":[{\"on\":\"call\",\"match\":\"java.**#<init>\"}]}");
	is_int(decide(r, &made).why, RULES_WHY_TRACED);
	rules_free(r);
}

TEST(subtypes_count_once)
{
	struct rules *r =
		parse("{\"jweave\":1,\"rules\":[{\"on\":\"call\",\"select\":{\"subtypeOf\":"
		      "\"java.lang.Thread\",\"method\":\"start\"}}]}");
	struct ask mine = { "a/B", "run", "a/Mine", "start", "()V", false, "java/lang/Thread" };

	ok(rules_needs_supertypes(r));
	is_int(decide(r, &mine).why, RULES_WHY_TRACED);
	mine.super = "java/lang/Object";
	is_int(decide(r, &mine).why, RULES_WHY_UNMATCHED);
	mine = (struct ask){ "a/Mine", "start", "java/lang/Thread", "start", "()V", true, NULL };
	is_int(decide(r, &mine).why, RULES_WHY_UNMATCHED);
	mine.method = "begin";
	is_int(decide(r, &mine).why, RULES_WHY_TRACED);
	rules_free(r);
	r = parse("{\"jweave\":1,\"rules\":[{\"on\":\"call\",\"match\":\"java.lang.Thread#start\"}]"
		  "}");
	mine.method = "start";
	is_int(decide(r, &mine).why, RULES_WHY_TRACED);
	ok(!rules_needs_supertypes(r));
	rules_free(r);
}

TEST(calls_through_an_interface)
{
	struct ask call = { "a/B", "run", "java/util/List", "size", "()I", INTERFACE, NULL };
	struct rules *r = parse("{\"jweave\":1,\"rules\":[{\"on\":\"call\",\"select\":{\"class\":"
				"\"java.**\",\"classModifiers\":\"interface\"}}]}");

	is_int(decide(r, &call).why, RULES_WHY_TRACED);
	call.how = PLAIN;
	is_int(decide(r, &call).why, RULES_WHY_UNMATCHED);
	rules_free(r);
	r = parse("{\"jweave\":1,\"rules\":[{\"on\":\"call\",\"match\":\"!interface java.**\"}]}");
	is_int(decide(r, &call).why, RULES_WHY_TRACED);
	call.how = INTERFACE;
	is_int(decide(r, &call).why, RULES_WHY_UNMATCHED);
	rules_free(r);
}

static const struct ask enter = { "a/B", "run", RULES_MONITOR_OWNER, RULES_MONITOR_ENTER, "()V",
				  false, NULL };

TEST(monitors_are_chosen_by_the_code_around_them)
{
	struct rules *r =
		parse("{\"jweave\":1,\"rules\":[{\"on\":\"call\",\"match\":\"**\"},"
		      "{\"on\":\"monitor\",\"match\":\"a.**#run\",\"event\":{\"type\":\"monitor\","
		      "\"value\":\"enter\"}}]}");
	struct ask other = enter;

	is_int(decide_monitor(r, &enter).why, RULES_WHY_TRACED);
	is_int(decide_monitor(r, &enter).rule, 1);
	ok(rules_rule(r, 1)->monitor && rules_rule(r, 1)->call && !rules_rule(r, 0)->monitor);
	/* by no rule for calls, nor a call of that name by one for monitors */
	other.method = "walk";
	is_int(decide_monitor(r, &other).why, RULES_WHY_UNMATCHED);
	other = enter;
	other.name = RULES_MONITOR_EXIT;
	is_int(decide_monitor(r, &other).why, RULES_WHY_UNMATCHED);
	other = enter;
	is_int(decide(r, &other).rule, 0);
	rules_free(r);
}

TEST(monitors_are_skipped_at_both_ends)
{
	struct rules *r = parse(
		"{\"jweave\":1,\"include\":[\"preset:monitors\"],\"rules\":[{\"on\":\"monitor\","
		"\"action\":\"skip\",\"match\":[\"a.B\",\"a.C\"]}]}");
	struct ask other = enter;

	is_int(decide_monitor(r, &enter).why, RULES_WHY_SKIPPED);
	other.name = RULES_MONITOR_EXIT;
	is_int(decide_monitor(r, &other).why, RULES_WHY_SKIPPED);
	other.cls = "a/D";
	is_str(rules_rule(r, decide_monitor(r, &other).rule)->id, "monitors.exit");
	other.method = "<clinit>";
	is_int(decide_monitor(r, &other).why, RULES_WHY_TRACED);
	rules_free(r);
}

/* What the presets make of calls. */
static const struct {
	struct ask ask;
	const char *rule;
	int state;
} preset_rows[] = {
	{ { "a/B", "m", "a/My", "start", "()V", false, "java/lang/Thread" }, "threads.start", 7 },
	{ { "a/B", "m", "java/lang/Thread", "join", "(J)V", false, NULL }, "threads.join", 8 },
	{ { "a/B", "m", "a/My", "sleep", "(J)V", false, "java/lang/Thread" }, "threads.sleep", 5 },
	{ { "a/B", "m", "a/B", "wait", "(J)V", false, NULL }, "monitors.wait", 5 },
	{ { "a/B", "m", "a/B", "wait", "(I)V", false, NULL }, NULL, 0 },
	{ { "a/B", "m", "java/lang/Object", "notifyAll", "()V", false, NULL },
	  "monitors.notifyAll",
	  13 },
	{ { "a/B", "m", "java/util/concurrent/locks/LockSupport", "parkNanos", "(J)V", false,
	    NULL },
	  "park.wait",
	  5 },
	{ { "a/B", "m", "java/util/concurrent/locks/ReentrantLock", "lock", "()V", false,
	    "java/util/concurrent/locks/Lock" },
	  "locks.lock",
	  9 },
	{ { "a/B", "m", "a/Q", "poll", "(JLjava/util/concurrent/TimeUnit;)Ljava/lang/Object;",
	    false, "java/util/concurrent/BlockingQueue" },
	  "queues.take.timed",
	  5 },
	{ { "a/B", "m", "a/Q", "poll", "()Ljava/lang/Object;", false,
	    "java/util/concurrent/BlockingQueue" },
	  "queues.take.now",
	  RULES_NO_STATE },
	{ { "a/B", "m", "a/E", "submit",
	    "(Ljava/util/concurrent/Callable;)Ljava/util/concurrent/Future;", false,
	    "java/util/concurrent/Executor" },
	  "tasks.submit",
	  7 },
	{ { "a/B", "m", "java/util/concurrent/locks/ReentrantLock", "tryLock", "()Z", false,
	    "java/util/concurrent/locks/Lock" },
	  "locks.tryLock",
	  9 },
	{ { "a/B", "m", "a/In", "read", "([B)I", false, "java/io/InputStream" }, "io.read", 12 },
	{ { "a/B", "m", "a/In", "read", "()I", false, "java/io/InputStream" }, "io.read.byte", 12 },
	{ { "a/B", "m", "java/io/FileOutputStream", "write", "([BII)V", false,
	    "java/io/OutputStream" },
	  "io.write.part",
	  12 },
	{ { "a/B", "m", "java/io/PrintWriter", "println", "(Ljava/lang/String;)V", false,
	    "java/io/Writer" },
	  "io.writeText.all",
	  12 },
	{ { "a/B", "m", "java/nio/channels/FileChannel", "read", "(Ljava/nio/ByteBuffer;)I", false,
	    "java/nio/channels/Channel" },
	  "io.channels.read.bytes",
	  12 },
	{ { "a/B", "m", "java/io/RandomAccessFile", "readFully", "([B)V", false,
	    "java/io/DataInput" },
	  "io.read.fully",
	  12 },
	{ { "a/B", "m", "java/sql/PreparedStatement", "executeQuery", "()Ljava/sql/ResultSet;",
	    false, "java/sql/Statement" },
	  "jdbc.execute",
	  12 },
	{ { "a/B", "m", "java/net/http/HttpClient", "send",
	    "(Ljava/net/http/HttpRequest;Ljava/net/http/HttpResponse$BodyHandler;)"
	    "Ljava/net/http/HttpResponse;",
	    false, NULL },
	  "http.request",
	  12 },
	{ { "a/B", "m", "a/Hello", "say", "()V", INTERFACE, "java/rmi/Remote" }, "rmi.call", 3 },
	{ { "a/B", "m", "a/HelloImpl", "say", "()V", false, "java/rmi/Remote" }, NULL, 0 },
	{ { "a/B", "m", "a/Hello", "toString", "()Ljava/lang/String;", INTERFACE,
	    "java/rmi/Remote" },
	  NULL,
	  0 },
	{ { "a/B", "m", "a/Hello", "equals", "(La/Hello;)Z", INTERFACE, "java/rmi/Remote" },
	  "rmi.call",
	  3 },
	{ { "a/B", "m", "java/rmi/registry/Registry", "lookup",
	    "(Ljava/lang/String;)Ljava/rmi/Remote;", INTERFACE, "java/rmi/Remote" },
	  "rmi.registry",
	  3 },
	{ { "a/B", "m", "java/io/ByteArrayInputStream", "read", "()I", false,
	    "java/io/InputStream" },
	  NULL,
	  0 },
	{ { "a/B", "m", "java/nio/file/Files", "exists", "()Z", false, NULL }, "io.files", 12 },
	{ { "a/B", "m", "java/nio/file/Files", "write",
	    "(Ljava/nio/file/Path;Ljava/lang/Iterable;[Ljava/nio/file/OpenOption;)"
	    "Ljava/nio/file/Path;",
	    false, NULL },
	  "io.files.writeLines",
	  12 },
	{ { "a/B", "m", "java/util/jar/JarFile", "<init>", "(Ljava/io/File;)V", false, NULL },
	  "io.open",
	  12 },
	{ { "a/B", "m", "java/util/jar/JarFile", "close", "()V", false, "java/util/zip/ZipFile" },
	  "io.close",
	  12 },
	{ { "a/B", "m", "java/nio/MappedByteBuffer", "force", "()Ljava/nio/MappedByteBuffer;",
	    false, NULL },
	  "io.flush",
	  12 },
	{ { "a/B", "m", "java/net/InetAddress", "getByName",
	    "(Ljava/lang/String;)Ljava/net/InetAddress;", false, NULL },
	  "io.resolve",
	  12 },
	{ { "a/B", "m", "java/net/InetAddress", "getByAddress", "([B)Ljava/net/InetAddress;", false,
	    NULL },
	  NULL,
	  0 },
	{ { "a/B", "m", "java/nio/channels/SocketChannel", "open",
	    "(Ljava/net/SocketAddress;)Ljava/nio/channels/SocketChannel;", false,
	    "java/nio/channels/Channel" },
	  "io.connect.new",
	  12 },
	{ { "a/B", "m", "java/nio/channels/SocketChannel", "open",
	    "()Ljava/nio/channels/SocketChannel;", false, "java/nio/channels/Channel" },
	  "io.open",
	  12 },
	{ { "a/B", "m", "java/net/Socket", "<init>", "(Ljava/lang/String;I)V", false, NULL },
	  "io.connect.new",
	  12 },
	{ { "a/B", "m", "java/net/Socket", "<init>", "()V", false, NULL }, "io.open.socket", 12 },
	{ { "a/B", "m", "javax/net/ssl/SSLSocketFactory", "createSocket",
	    "(Ljava/net/Socket;Ljava/lang/String;IZ)Ljava/net/Socket;", false,
	    "javax/net/SocketFactory" },
	  "io.open.socket",
	  12 },
	{ { "a/B", "m", "java/lang/IO", "println", "(Ljava/lang/Object;)V", false, NULL },
	  "io.writeText.IO",
	  12 },
	{ { "a/B", "m", "java/lang/IO", "readln", "()Ljava/lang/String;", false, NULL },
	  "io.readText.IO",
	  12 },
	{ { "a/B", "m", "java/io/Console", "readPassword", "()[C", false, NULL },
	  "io.readText.console",
	  12 },
	{ { "a/B", "m", "java/util/concurrent/StructuredTaskScope", "fork",
	    "(Ljava/util/concurrent/Callable;)"
	    "Ljava/util/concurrent/StructuredTaskScope$Subtask;",
	    false, NULL },
	  "tasks.submit",
	  7 },
	{ { "a/B", "m", "java/util/concurrent/StructuredTaskScope$ShutdownOnFailure", "joinUntil",
	    "(Ljava/time/Instant;)Ljava/util/concurrent/StructuredTaskScope;", false, NULL },
	  "tasks.await",
	  8 },
	{ { "a/B", "m", "java/util/concurrent/RecursiveTask", "quietlyJoin", "()V", false,
	    "java/util/concurrent/ForkJoinTask" },
	  "tasks.get",
	  8 },
	{ { "a/B", "m", "a/My", "onSpinWait", "()V", false, "java/lang/Thread" },
	  "threads.spin",
	  5 },
	{ { "a/B", "m", "a/Promise", "join", "()Ljava/lang/Object;", false,
	    "java/util/concurrent/CompletableFuture" },
	  "tasks.get",
	  8 },
	{ { "a/B", "m", "java/lang/Process", "waitFor", "()I", false, NULL }, "tasks.await", 8 },
	{ { "a/B", "m", "java/lang/ref/ReferenceQueue", "remove", "()Ljava/lang/ref/Reference;",
	    false, NULL },
	  "queues.take.references",
	  5 },
};

TEST(presets_choose_what_they_say)
{
	struct rules *r = parse("{\"jweave\":1,\"include\":[\"preset:jdk-threads\",\"preset:io\","
				"\"preset:rmi\",\"preset:jdbc\",\"preset:http\"],\"rules\":[]}");

	for (size_t i = 0; r && i < sizeof preset_rows / sizeof *preset_rows; i++) {
		struct rules_verdict v = decide(r, &preset_rows[i].ask);

		if (!preset_rows[i].rule) {
			is_int(v.why, RULES_WHY_UNMATCHED);
			continue;
		}
		if (!is_int(v.why, RULES_WHY_TRACED)) {
			tap_note("%s", preset_rows[i].rule);
			continue;
		}
		is_str(rules_rule(r, v.rule)->id, preset_rows[i].rule);
		is_int(rules_rule(r, v.rule)->state, preset_rows[i].state);
	}
	rules_free(r);
}
