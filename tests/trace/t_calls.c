/*
 * Calls with states, operations and captures, in recordings made by hand.
 */
#include "tests/tap.h"
#include "tests/trace/make_calls.h"

#include "base/banned.h"

#define T 1000000

static struct trace_summary summary;

/* Converts NAME with MAP; the text of the .prv, to be freed. */
static char *convert(const char *name, const char *map)
{
	static struct jw_arena arena;
	struct jw_err e = { 0 };
	const char *path = make_path("%s.jwr", name);

	jw_arena_free(&arena);
	memset(&summary, 0, sizeof(summary));
	if (!ok(make_convert(&path, 1, name, map, &arena, &summary, &e) == JW_OK))
		tap_note("%s", e.text);
	is_int(make_validate(name), 0);
	return make_slurp(make_path("%s.prv", name));
}

static bool has_lines(const char *text, const char *const *lines)
{
	bool all = true;

	for (; *lines; lines++) {
		if (strstr(text, *lines))
			continue;
		tap_note("no line %s", *lines);
		all = false;
	}
	return all;
}

enum { SLEEP, JOIN, PLAIN, IDLE, ODD, READ, TAKE, STEP, REMOTE, BARE, SERVE, TASK, STAGE, CONTEXT };
static const struct make_site sites[] = {
	[SLEEP] = { 5, "java.lang.Thread.sleep(J)V", "" },
	[JOIN] = { 8, "java.lang.Thread.join()V", "" },
	[PLAIN] = { -1, "acme.Work.run()V", "" },
	[IDLE] = { 0, "acme.Work.idle()V", "" },
	[ODD] = { 77, "acme.Work.odd()V", "" },
	[READ] = { 12, "java.io.InputStream.read([B)I", "io/read|this:identity|return:value" },
	[TAKE] = { 5, "java.util.concurrent.BlockingQueue.take()Ljava/lang/Object;",
		   "queue/take|this:identity" },
	[STEP] = { -1, "acme.Kernel.step(ILjava/lang/String;)I",
		   "|arg0:value:48200001:0:iteration|arg1:string:48200002:9:[name]|"
		   "return:value:48200003|exception:class:48200004" },
	[REMOTE] = { 3, "acme.Hello.say()V", "rmi/call|this:class|this:identity" },
	[BARE] = { 3, "acme.Hello.tell()V", "rmi/call|this:identity" },
	[SERVE] = { -1, "acme.HelloImpl.say()V", "rmi/serve|this:identity" },
	[TASK] = { -1, "acme.Task.run(J)V",
		   "|arg0:value:48200010:0:TID|arg1:string:48200011:0:stage" },
	[STAGE] = { -1, "acme.Stage.run(Ljava/lang/String;)V", "|arg0:string:48200011:0:stage" },
	[CONTEXT] = { -1, "acme.Context.<init>(I)V", "|arg0:value:48200012:0:partition" },
};

static const char *site_map(void)
{
	make_map_lines = "h\tcall\t48200010\t48200011\nh\taround\t48200012\n";
	return make_sites("calls.map", sites, sizeof(sites) / sizeof(*sites));
}

TEST(a_call_has_its_state)
{
	struct make m = make_begin("states");

	make_thread(&m, 1, 0, "main");
	make_event(&m, 1, T + 1000, JWR_ENTER, make_method(0));
	make_call(&m, 1, T + 2000, SLEEP, 0);
	make_returned(&m, 1, T + 4000, SLEEP);
	make_call(&m, 1, T + 5000, JOIN, 0); /* one inside another, and one without a state */
	make_call(&m, 1, T + 6000, PLAIN, 0);
	make_call(&m, 1, T + 7000, SLEEP, 0);
	make_failed(&m, 1, T + 8000, SLEEP);
	make_returned(&m, 1, T + 9000, PLAIN);
	make_failed(&m, 1, T + 10000, JOIN);
	make_call(&m, 1, T + 11000, IDLE, 0);
	make_call(&m, 1, T + 12000, ODD, 0);
	make_returned(&m, 1, T + 13000, ODD);
	make_returned(&m, 1, T + 14000, IDLE);
	make_event(&m, 1, T + 20000, JWR_EXIT, make_method(0));
	make_finish(&m, true);
	char *prv = convert("states", site_map());

	ok(has_lines(prv,
		     (const char *const[]){ "1:1:1:1:1:0:1001:1\n", "1:1:1:1:1:1001:2001:5\n",
					    "1:1:1:1:1:2001:2501:1\n", "1:1:1:1:1:2501:3501:8\n",
					    "1:1:1:1:1:3501:4001:5\n", "1:1:1:1:1:4001:5001:8\n",
					    "1:1:1:1:1:5001:11001:1\n", NULL }));
	free(prv);
}

TEST(what_the_vm_tells_wins)
{
	struct make m = make_begin("wins");

	make_thread(&m, 1, 0, "main");
	make_call(&m, 1, T + 2000, JOIN, 0);
	make_event(&m, 1, T + 4000, JWR_CONTENDED, 5);
	make_event(&m, 1, T + 6000, JWR_ENTERED, 5);
	make_event(&m, 1, T + 8000, JWR_WAIT, 5);
	make_event(&m, 1, T + 9000, JWR_WAITED, 5);
	make_returned(&m, 1, T + 10000, JOIN); /* which waits so itself */
	make_call(&m, 1, T + 10000, READ, 0);
	make_event(&m, 1, T + 11000, JWR_WAIT, 5);
	make_event(&m, 1, T + 11500, JWR_EXPIRED, 5);
	make_returned(&m, 1, T + 12000, READ);
	make_event(&m, 1, T + 12000, JWR_ENTER, make_method(0));
	make_finish(&m, true);
	char *prv = convert("wins", site_map());

	ok(has_lines(prv,
		     (const char *const[]){ "1:1:1:1:1:1001:2001:8\n", "1:1:1:1:1:2001:3001:9\n",
					    "1:1:1:1:1:3001:5001:8\n", "1:1:1:1:1:5001:5501:12\n",
					    "1:1:1:1:1:5501:5751:5\n", "1:1:1:1:1:5751:6001:12\n",
					    "1:1:1:1:1:6001:7001:1\n", NULL }));
	free(prv);
}

/* A remote call on an object of the class with number CLASS, from AT to AT + 500. */
static void call_remote(struct make *m, uint64_t at, uint64_t class)
{
	make_call(m, 1, T + at, REMOTE, 0);
	make_event(m, 1, T + at + 2, JWR_VALUE, class);
	make_event(m, 1, T + at + 4, JWR_OBJECT, 5);
	make_returned(m, 1, T + at + 500, REMOTE);
}

TEST(a_call_is_remote_by_the_class_of_its_object)
{
	struct make m = make_begin("remote");

	make_thread(&m, 1, 0, "main");
	make_meta(&m, "text|1|jdk.proxy2.$Proxy9");
	make_meta(&m, "text|2|acme.HelloImpl_Stub");
	make_meta(&m, "text|3|acme.HelloImpl");
	make_meta(&m, "text|4|acme.$Proxy");
	make_event(&m, 1, T, JWR_ENTER, make_method(0));
	call_remote(&m, 1000, 1);
	call_remote(&m, 2000, 3); /* of this process */
	call_remote(&m, 3000, 2);
	call_remote(&m, 4000, 4);
	call_remote(&m, 5000, 0); /* who knows */
	make_call(&m, 1, T + 6000, BARE, 5);
	make_returned(&m, 1, T + 6500, BARE);
	make_finish(&m, true);
	char *prv = convert("remote", site_map());

	ok(has_lines(prv, (const char *const[]){
				  "1:1:1:1:1:0:501:1\n", "1:1:1:1:1:501:751:3\n",
				  "1:1:1:1:1:751:1501:1\n", "1:1:1:1:1:1501:1751:3\n",
				  "1:1:1:1:1:1751:2501:1\n", "1:1:1:1:1:2501:2751:3\n",
				  "1:1:1:1:1:2751:3001:1\n", "1:1:1:1:1:3001:3251:3\n", NULL }));
	ok(has_lines(prv, (const char *const[]){
				  ":503:48100023:1:48101010:1:48100004:5\n",
				  ":751:48100004:0:48101010:0:60000019:0\n", ":1001:60000019:2\n",
				  ":1251:60000019:0\n", ":1503:48100023:1:48101010:1:48100004:5\n",
				  ":2001:60000019:2\n", ":2503:48100023:1:48101010:1:48100004:5\n",
				  NULL }));
	free(prv);
}

TEST(remote_calls_are_served_by_threads_of_rmi)
{
	struct make m = make_begin("serve");
	static const char *const names[] = { "main", "RMI TCP Connection(2)-127.0.0.1",
					     "RMI TCP Accept-0", "" };

	for (uint32_t i = 0; i < 4; i++) {
		make_thread(&m, i + 1, 0, names[i]);
		make_call(&m, i + 1, T + 1000, SERVE, 5);
		make_call(&m, i + 1, T + 2000, SERVE, 6); /* in turn */
		make_returned(&m, i + 1, T + 3000, SERVE);
		make_returned(&m, i + 1, T + 4000, SERVE);
	}
	make_finish(&m, true);
	char *prv = convert("serve", site_map());
	size_t served = 0;

	for (const char *p = prv; (p = strstr(p, ":48101010:2:48100004:5\n")); p++)
		served++;
	is_int(served, 2);
	ok(has_lines(prv, (const char *const[]){
				  "2:2:1:1:2:501:60000019:1:48100023:1:48101010:2:48100004:5\n",
				  "2:4:1:1:4:501:60000019:1:48100023:1:48101010:2:48100004:5\n",
				  NULL }));
	ok(!strstr(prv, ":48101010:2:48100004:6"));
	free(prv);
}

TEST(a_state_ends_with_its_thread)
{
	struct make m = make_begin("ends");

	make_thread(&m, 1, 0, "main");
	make_thread(&m, 2, T + 1000, "dies");
	make_event(&m, 1, T + 100, JWR_ENTER, make_method(0));
	make_call(&m, 2, T + 2000, SLEEP, 0);
	make_meta(&m, "thread-end|2|%u|dies", T + 6000);
	make_call(&m, 1, T + 3000, JOIN, 0); /* and one with the trace */
	make_event(&m, 1, T + 8000, JWR_ENTER, make_method(0));
	make_finish(&m, true);
	char *prv = convert("ends", site_map());

	ok(has_lines(prv,
		     (const char *const[]){ "1:2:1:1:2:1001:3001:5\n", "1:2:1:1:2:3001:5001:2\n",
					    "1:1:1:1:1:1501:5001:8\n", NULL }));
	free(prv);
}

TEST(an_end_that_was_lost_is_found_with_the_next)
{
	struct make m = make_begin("lost");

	make_thread(&m, 1, 0, "main");
	make_call(&m, 1, T + 2000, JOIN, 0);
	make_call(&m, 1, T + 3000, SLEEP, 0); /* its end is missing */
	make_returned(&m, 1, T + 4000, JOIN);
	make_returned(&m, 1, T + 5000, JOIN); /* of nothing */
	make_event(&m, 1, T + 8000, JWR_ENTER, make_method(0));
	make_finish(&m, true);
	char *prv = convert("lost", site_map());

	ok(has_lines(prv, (const char *const[]){ "1:1:1:1:1:1501:2001:5\n",
						 "1:1:1:1:1:2001:5001:1\n", NULL }));
	free(prv);
}

TEST(a_virtual_thread_keeps_its_state)
{
	struct make m = make_begin("virtual");

	make_thread(&m, 1, 0, "main");
	make_thread(&m, 2, 0, "carrier");
	make_event(&m, 1, T + 100, JWR_ENTER, make_method(0));
	make_event(&m, 2, T + 1000, JWR_SWITCH, 7);
	make_call(&m, 2, T + 1000, SLEEP, 0);
	make_event(&m, 2, T + 2000, JWR_SWITCH, 8);
	make_event(&m, 2, T + 2000, JWR_ENTER, make_method(0));
	make_event(&m, 2, T + 4000, JWR_SWITCH, 7);
	make_returned(&m, 2, T + 4000, SLEEP);
	make_event(&m, 2, T + 5000, JWR_END, 7);
	make_event(&m, 2, T + 6000, JWR_END, 8);
	make_finish(&m, true);
	char *prv = convert("virtual", site_map());

	ok(has_lines(prv,
		     (const char *const[]){ "1:2:1:1:2:501:2001:5\n", "1:2:1:1:2:2001:2501:1\n",
					    "1:3:1:1:3:1001:3001:1\n", NULL }));
	free(prv);
}

TEST(an_operation_is_an_event)
{
	struct make m = make_begin("operation");

	make_thread(&m, 1, 0, "main");
	make_call(&m, 1, T + 2000, READ, jwr_object(77, 1));
	make_event(&m, 1, T + 4000, JWR_VALUE, 512);
	make_returned(&m, 1, T + 4000, READ);
	make_call(&m, 1, T + 5000, READ, jwr_object(78, 1));
	make_event(&m, 1, T + 6000, JWR_VALUE, JWR_PAYLOAD_MASK); /* -1: the end */
	make_returned(&m, 1, T + 6000, READ);
	make_call(&m, 1, T + 7000, READ, jwr_object(77, 1));
	make_failed(&m, 1, T + 8000, READ);
	make_call(&m, 1, T + 9000, TAKE, jwr_object(79, 1)); /* it never ends */
	make_finish(&m, true);
	char *prv = convert("operation", site_map());
	char *pcf = make_slurp(make_path("operation.pcf"));

	ok(has_lines(
		prv,
		(const char *const[]){
			"2:1:1:1:1:1001:60000019:1:48100023:1:48101009:3:48100004:2147483725\n",
			"2:1:1:1:1:2001:48100005:512:48100004:0:48101009:0:60000019:0\n",
			"2:1:1:1:1:2501:60000019:1:48100023:1:48101009:3:48100004:2147483726\n",
			"2:1:1:1:1:3001:48100004:0:48101009:0:60000019:0\n",
			"2:1:1:1:1:3501:60000019:1:48100023:1:48101009:3:48100004:2147483725\n",
			"2:1:1:1:1:4001:48100004:0:48101009:0:48100024:1:60000019:0\n",
			"2:1:1:1:1:4501:60000019:2:48100023:2:48101008:2:48100004:2147483727\n",
			NULL }));
	ok(strstr(pcf, "0    48100023    Java call site\nVALUES\n0      End\n"
		       "1      InputStream.read in Calls.main (Calls.java:6) [io/read]\n"));
	ok(strstr(pcf, "0    48101009    Java I/O operation\nVALUES\n0      End\n1      open\n"));
	ok(strstr(pcf, "0    48101008    Java queue operation\nVALUES\n0      End\n1      put\n"));
	ok(!strstr(pcf, "48101001"));
	ok(strstr(pcf, "0    48100005    Java I/O bytes\n\n"));
	free(prv);
	free(pcf);
}

TEST(captures_have_types_of_their_own)
{
	struct make m = make_begin("captures");

	make_thread(&m, 1, 0, "main");
	make_meta(&m, "text|1|acme.Oops\ntext|2|two [2]");
	make_event(&m, 1, T + 2000, JWR_ENTER, make_site(STEP));
	make_event(&m, 1, T + 2002, JWR_VALUE, 7);
	make_event(&m, 1, T + 2004, JWR_VALUE, 2);
	make_event(&m, 1, T + 3000, JWR_VALUE, 70);
	make_returned(&m, 1, T + 3000, STEP);
	make_event(&m, 1, T + 4000, JWR_ENTER, make_site(STEP));
	make_event(&m, 1, T + 4002, JWR_VALUE, JWR_PAYLOAD_MASK); /* -1 is left out */
	make_event(&m, 1, T + 4004, JWR_VALUE, 0);
	make_event(&m, 1, T + 5000, JWR_VALUE, 1);
	make_failed(&m, 1, T + 5000, STEP);
	make_finish(&m, true);
	char *prv = convert("captures", site_map());
	char *pcf = make_slurp(make_path("captures.pcf"));

	ok(has_lines(prv, (const char *const[]){
				  "2:1:1:1:1:1002:48200001:7\n", "2:1:1:1:1:1003:48200002:2\n",
				  "2:1:1:1:1:1501:48200003:70:60000019:0\n",
				  "2:1:1:1:1:2003:48200002:0\n",
				  "2:1:1:1:1:2501:48200004:1:48100024:1:60000019:0\n", NULL }));
	ok(!strstr(prv, ":2002:"));
	ok(strstr(pcf, "0    48200001    iteration (48200001)\n\n"));
	ok(strstr(pcf, "0    48200002    (name) (48200002)\nVALUES\n0      null\n"
		       "1      acme.Oops\n2      two (2)\n"));
	free(prv);
	free(pcf);
}

/* A task with number TID of the stage with text STAGE begins. */
static void begin_task(struct make *m, uint32_t uid, uint64_t tick, uint64_t tid, uint64_t stage)
{
	make_event(m, uid, tick, JWR_ENTER, make_site(TASK));
	make_event(m, uid, tick, JWR_VALUE, tid);
	make_event(m, uid, tick, JWR_VALUE, stage);
}

TEST(what_holds_is_shown_until_its_call_ends)
{
	struct make m = make_begin("held");

	make_thread(&m, 1, 0, "main");
	make_meta(&m, "text|1|map\ntext|2|reduce");
	make_event(&m, 1, T + 1000, JWR_ENTER, make_site(STAGE));
	make_event(&m, 1, T + 1000, JWR_VALUE, 1);
	begin_task(&m, 1, T + 2000, 0, 2); /* the first of all */
	begin_task(&m, 1, T + 3000, 41, 0);
	make_returned(&m, 1, T + 4000, TASK);
	make_failed(&m, 1, T + 5000, TASK);
	make_returned(&m, 1, T + 6000, STAGE);
	begin_task(&m, 1, T + 7000, 7, 1); /* it never ends */
	make_event(&m, 1, T + 8000, JWR_ENTER, make_method(0));
	make_finish(&m, true);
	char *prv = convert("held", site_map());
	char *pcf = make_slurp(make_path("held.pcf"));

	ok(has_lines(prv, (const char *const[]){
				  ":501:60000019:1:48200011:1\n",
				  ":1001:60000019:2:48200010:1:48200011:2\n",
				  ":1501:60000019:2:48200010:42:48200011:0\n",
				  ":2001:48200011:2:48200010:1:60000019:0\n",
				  ":2501:48200011:1:48200010:0:48100024:1:60000019:0\n",
				  ":3001:48200011:0:60000019:0\n",
				  ":3501:60000019:2:48200010:8:48200011:1\n",
				  ":5001:48200011:0:48200010:0:60000019:0:60000019:0\n", NULL }));
	ok(has_lines(pcf,
		     (const char *const[]){
			     "0    48200010    TID (48200010)\nVALUES\n0      No longer held\n"
			     "1      0\n"
			     "42     41\n8      7\n",
			     "0    48200011    stage (48200011)\nVALUES\n0      No longer held\n"
			     "1      map\n"
			     "2      reduce\n",
			     NULL }));
	free(prv);
	free(pcf);
}

/* A context of PARTITION is made, and does nothing. */
static void make_context(struct make *m, uint64_t tick, uint64_t partition)
{
	make_event(m, 1, tick, JWR_ENTER, make_site(CONTEXT));
	make_event(m, 1, tick, JWR_VALUE, partition);
	make_returned(m, 1, tick + 200, CONTEXT);
}

TEST(what_holds_around_goes_with_the_call_around)
{
	struct make m = make_begin("around");

	make_thread(&m, 1, 0, "main");
	make_context(&m, T + 1000, 3); /* in no task */
	begin_task(&m, 1, T + 2000, 7, 0);
	make_event(&m, 1, T + 2400, JWR_ENTER, make_site(PLAIN));
	make_call(&m, 1, T + 2500, SLEEP, 0); /* which holds nothing */
	make_context(&m, T + 3000, 4);
	make_returned(&m, 1, T + 3500, SLEEP);
	make_context(&m, T + 4000, 5);
	make_returned(&m, 1, T + 5000, TASK);
	make_event(&m, 1, T + 6000, JWR_ENTER, make_method(0));
	make_finish(&m, true);
	char *prv = convert("around", site_map());

	ok(has_lines(prv, (const char *const[]){
				  ":501:60000019:1:48200012:4\n", ":601:48200012:0:60000019:0\n",
				  ":1001:60000019:2:48200010:8:48200011:0\n", ":48200012:5\n",
				  ":1601:60000019:0\n", ":48200012:6\n", ":2101:60000019:0\n",
				  ":2501:48200012:5:48200012:0:48200011:0:48200010:0:60000019:0",
				  NULL }));
	free(prv);
}

TEST(what_virtual_threads_hold_goes_with_them)
{
	struct make m = make_begin("held_virtual");

	make_thread(&m, 1, 0, "main");
	make_thread(&m, 2, 0, "carrier");
	make_event(&m, 1, T + 100, JWR_ENTER, make_method(0));
	make_event(&m, 2, T + 1000, JWR_SWITCH, 7);
	begin_task(&m, 2, T + 1000, 5, 0);
	make_event(&m, 2, T + 2000, JWR_SWITCH, 8);
	begin_task(&m, 2, T + 2000, 6, 0);
	make_event(&m, 2, T + 3000, JWR_SWITCH, 7);
	make_returned(&m, 2, T + 3000, TASK);
	make_event(&m, 2, T + 4000, JWR_END, 7);
	make_event(&m, 2, T + 5000, JWR_END, 8);
	make_finish(&m, true);
	char *prv = convert("held_virtual", site_map());

	ok(has_lines(prv, (const char *const[]){
				  ":48200010:6:", ":1501:48200011:0:48200010:0:", ":48200010:7:",
				  ":2501:48200011:0:48200010:0:", NULL }));
	free(prv);
}

static void make_own_event(struct make *m, uint64_t tick, uint64_t type, uint64_t value)
{
	make_event(m, 1, tick, JWR_EVENT, type);
	make_event(m, 1, tick, JWR_EVENT_VALUE, value);
}

/* Paraver finds a type by its label: whoever wrote the other one, a label is there once. */
TEST(labels_of_types_are_the_only_ones)
{
	struct make m = make_begin("labels");

	make_thread(&m, 1, 0, "main");
	make_meta(&m, "text|1|acme.Oops\nevent-label|5|x (6)\nevent-label|6|x\nevent-label|7|x\n"
		      "event-label|8|User function\nevent-label|9|iteration (48200001)\n"
		      "event-label|10|alone");
	make_event(&m, 1, T + 2000, JWR_ENTER, make_site(STEP));
	make_event(&m, 1, T + 2002, JWR_VALUE, 7);
	make_returned(&m, 1, T + 3000, STEP);
	for (uint32_t type = 5; type <= 10; type++)
		make_own_event(&m, T + 4000 + type, type, 1);
	make_finish(&m, true);
	char *prv = convert("labels", site_map());
	char *pcf = make_slurp(make_path("labels.pcf"));

	ok(has_lines(pcf, (const char *const[]){
				  "\n0    5    x (6)\n", "\n0    6    x (6) (6)\n",
				  "\n0    7    x (7)\n", "\n0    8    User function (8)\n",
				  "\n0    9    iteration (48200001) (9)\n", "\n0    10    alone\n",
				  "\n0    60000019    User function\n",
				  "\n0    48200001    iteration (48200001)\n", NULL }));
	free(prv);
	free(pcf);
}
