/*
 * t_slowest.c: the longest calls of a .prv: when, called by whom, and what happened in each.
 */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "tests/tap.h"
#include "trace/follow/chosen.h"
#include "trace/paraver/prv_source.h"
#include "trace/slowest/slowest.h"

#include "base/banned.h"

#define CHANNEL      "48100030"
#define CHANNEL_READ "48100031"
#define HEAD         "#Paraver (1/1/2025 at 0:00):10000_ns:0:1:1(2:0),0\n"

static struct jw_arena arena;
static struct trace_slow_list list;
static struct jw_err err;

static enum jw_status tell(const char *prv, const char *pcf, const struct trace_output *output,
			   void *ctx)
{
	struct trace_prv_source *source = trace_prv_source_new(output, ctx, NULL);
	enum jw_status status = source ? JW_OK : jw_nomem(&err);

	if (status == JW_OK)
		status = trace_prv_source_feed(source, jw_span_str(prv), &err);
	if (status == JW_OK)
		status = trace_prv_source_finish(source, jw_span_str(pcf),
						 jw_span_str("LEVEL THREAD SIZE 2\nmain\nworker\n"),
						 &err);
	trace_prv_source_free(source);
	return status;
}

static enum jw_status find(const char *prv, const char *pcf, size_t n, struct trace_chosen *chosen)
{
	jw_arena_free(&arena);
	err = (struct jw_err){ 0 };
	struct trace_slowest *s = trace_slowest_new(n, &arena);
	enum jw_status status = s ? JW_OK : jw_nomem(&err);

	if (s && chosen)
		trace_slowest_choose(s, trace_chosen_has, chosen);
	if (status == JW_OK)
		status = tell(prv, pcf, &trace_slowest_output, s);
	list = s && status == JW_OK ? trace_slowest_list(s) : (struct trace_slow_list){ 0 };
	trace_slowest_free(s);
	return status;
}

static const char names[] =
	"EVENT_TYPE\n0    60000019    User function\nVALUES\n0   End\n"
	"1   Api.handle [a.Api.handle():void Api.java:1]\n2   Pool.hold [a.Pool.hold():void]\n"
	"3   Pool.take [a.Pool.take(int):void Pool.java:9]\n4   File.read [a.File.read():int]\n\n"
	"EVENT_TYPE\n0    48100020    Java monitor, class\nVALUES\n1   a.Lock\n2   byte()\n\n"
	"EVENT_TYPE\n0    48100021    Java monitor, where it is waited for\nVALUES\n"
	"1   Pool.take (Pool.java:10)\n\n"
	"EVENT_TYPE\n0    48100023    Java call site\nVALUES\n"
	"1   InputStream.read in File.read (File.java:5) (io/read)\n";

/* main: handle [1000, 9000) { take [1500, 5500) blocked [2000, 5000), read [5500, 6500) of 100
 * bytes, GC [7000, 7500), sleep [8000, 8900) }; worker: hold [100, 5010), who gives the lock back */
static const char known[] =
	HEAD "1:0:1:1:1:0:2000:1\n"
	     "1:0:1:1:2:0:6000:1\n"
	     "2:0:1:1:2:100:60000019:2\n"
	     "2:0:1:1:1:1000:60000019:1\n"
	     "2:0:1:1:1:1500:60000019:3\n"
	     "1:0:1:1:1:2000:5000:9\n"
	     "2:0:1:1:1:2000:48100001:1:48100002:2147483655:48100020:1:48100021:1\n"
	     /* join's: it is not what ends being blocked */
	     "3:0:1:1:2:4000:4000:0:1:1:1:5100:5100:0:102\n"
	     "3:0:1:1:2:4990:4990:0:1:1:1:5000:5000:0:305\n"
	     "1:0:1:1:1:5000:5500:1\n"
	     "2:0:1:1:1:5000:48100001:0:48100002:0:48100020:0:48100021:0\n"
	     "2:0:1:1:2:5010:60000019:0\n"
	     "1:0:1:1:1:5500:6500:12\n"
	     "2:0:1:1:1:5500:60000019:0\n"
	     "2:0:1:1:1:5500:60000019:4:48100023:1:48101009:3\n"
	     "1:0:1:1:1:6500:7000:1\n"
	     "2:0:1:1:1:6500:48100005:100:48101009:0:60000019:0\n"
	     "1:0:1:1:1:7000:7500:15\n"
	     "2:0:1:1:2:7000:48000001:1\n"
	     "1:0:1:1:1:7500:8000:1\n"
	     "2:0:1:1:2:7500:48000001:0\n"
	     "1:0:1:1:1:8000:8900:5\n"
	     "2:0:1:1:1:8000:48100028:3\n"
	     "1:0:1:1:1:8900:10000:1\n"
	     "2:0:1:1:1:8900:48100028:0\n"
	     "2:0:1:1:1:9000:48100024:1:60000019:0\n";

TEST(what_happened_in_a_call)
{
	is_int(find(known, names, 3, NULL), JW_OK);
	is_int(list.n, 3);
	is_int(list.all, 3);
	is_int(list.duration_ns, 10000);
	const struct trace_slow_call *c = &list.calls[0];

	is_str(c->method, "Api.handle");
	is_str(c->label, "Api.handle [a.Api.handle():void Api.java:1]");
	is_int(c->begin, 1000);
	is_int(c->ns, 8000);
	is_str(c->thread, "main");
	ok(c->failed);
	ok(!c->open);
	is_int(c->stack_all, 0);
	is_int(c->pauses, 1);
	is_int(c->inside.ns[TRACE_REPORT_RUNNING], 1000 + 500 + 500 + 500 + 100);
	is_int(c->inside.ns[TRACE_REPORT_BLOCKED], 3000);
	is_int(c->inside.ns[TRACE_REPORT_WAITING], 900);
	is_int(c->inside.ns[TRACE_REPORT_IO], 1000);
	is_int(c->inside.ns[TRACE_REPORT_GC], 500);
	is_str(list.calls[1].method, "Pool.hold");
	is_str(list.calls[1].thread, "worker");
	ok(!list.calls[1].failed);
	is_str(list.calls[2].method, "Pool.take");
	is_int(list.calls[2].stack_all, 1);
	is_str(list.calls[2].stack[0], "Api.handle");
	is_int(list.calls[2].part_count, 1);
	is_int(list.calls[2].inside.ns[TRACE_REPORT_BLOCKED], 3000);
}

TEST(what_it_waited_for_and_who_ended_that)
{
	is_int(find(known, names, 1, NULL), JW_OK);
	is_int(list.n, 1);
	is_int(list.all, 3);
	const struct trace_slow_call *c = &list.calls[0];
	const struct trace_slow_part *p = c->parts;

	is_int(c->part_count, 3);
	ok(p[0].wait.how == TRACE_REPORT_ENTER);
	is_str(p[0].wait.class_name, "a.Lock");
	is_int(p[0].wait.object, 7);
	is_str(p[0].wait.method, "Pool.take");
	is_str(p[0].wait.source, "Pool.java");
	is_int(p[0].wait.line, 10);
	is_int(p[0].wait.ns, 3000);
	is_int(p[0].wait.count, 1);
	is_int(p[0].ender_count, 1);
	is_str(p[0].enders[0].name, "worker");
	is_str(p[0].enders[0].method, "Pool.hold");
	is_int(p[0].enders[0].count, 1);
	is_int(p[0].enders[0].ns, 3000);
	is_str(p[1].io->word, "read");
	is_int(p[1].wait.ns, 1000);
	is_int(p[1].bytes, 100);
	is_str(p[1].wait.callee, "InputStream.read");
	ok(p[2].wait.how == TRACE_REPORT_SLEEP);
	is_int(p[2].wait.ns, 900);
	is_str(p[2].wait.method, "Api.handle");
	is_int(p[2].ender_count, 0);
	ok(!p[2].rest);
}

static bool is_take(void *ctx, const char *class_name, const char *name, const char *descriptor)
{
	(void)ctx;
	return strcmp(class_name, "a.Pool") == 0 && strcmp(name, "take") == 0 &&
	       strcmp(descriptor, "(I)V") == 0;
}

TEST(of_methods_that_are_chosen)
{
	struct trace_chosen chosen = { .chooses = is_take };

	is_int(tell(known, names, &trace_chosen_output, &chosen), JW_OK);
	is_int(chosen.named, 4);
	is_int(chosen.methods.n, 1);
	is_int(find(known, names, 3, &chosen), JW_OK);
	is_int(list.n, 1);
	is_int(list.all, 1);
	is_str(list.calls[0].method, "Pool.take");
	trace_chosen_free(&chosen);
}

/* Who only passes the time on is left out, but not where it is asked for; what is open at the end,
 * and a trace without names. */
TEST(the_innermost_of_those_that_take_the_time)
{
	static const char prv[] = HEAD "2:0:1:1:1:0:60000019:1\n"
				       "2:0:1:1:1:100:60000019:2\n"
				       "2:0:1:1:1:110:60000019:3\n"
				       "2:0:1:1:1:900:60000019:0\n"
				       "2:0:1:1:1:950:60000019:0\n"
				       "2:0:1:1:2:9000:60000019:4\n";

	is_int(find(prv, "", 10, NULL), JW_OK);
	is_int(list.n, 3);
	is_int(list.calls[0].ns, 10000);
	ok(list.calls[0].open);
	is_str(list.calls[0].method, "function 1");
	is_str(list.calls[1].method, "function 4");
	is_str(list.calls[2].method, "function 3"); /* 93 % of that of function 2 */
	is_int(list.calls[2].ns, 790);
}

/* Calls may take no time, as clocks tick: they are told where their method is chosen. */
TEST(calls_that_take_no_time)
{
	static const char prv[] = HEAD "2:0:1:1:1:0:60000019:1\n"
				       "2:0:1:1:1:100:60000019:0\n"
				       "2:0:1:1:1:200:60000019:2\n"
				       "2:0:1:1:1:200:60000019:3\n"
				       "2:0:1:1:1:200:60000019:0\n"
				       "2:0:1:1:1:200:60000019:0\n";
	struct trace_chosen chosen = { .chooses = is_take };

	is_int(find(prv, names, 10, NULL), JW_OK);
	is_int(list.n, 1);
	is_int(tell(prv, names, &trace_chosen_output, &chosen), JW_OK);
	is_int(find(prv, names, 10, &chosen), JW_OK);
	is_int(list.n, 1);
	is_int(list.calls[0].ns, 0);
	is_int(list.calls[0].within_count, 0);
	trace_chosen_free(&chosen);
}

/* A worker that takes from a queue is no slow call, but what it does with what it took is; nor is a
 * call that waits once for long. */
TEST(loops_that_wait_for_work)
{
	static const char prv[] = HEAD "2:0:1:1:1:0:60000019:1\n"
				       "1:0:1:1:1:0:2000:34\n"
				       "2:0:1:1:1:0:48100028:2\n"
				       "1:0:1:1:1:2000:2500:1\n"
				       "2:0:1:1:1:2000:48100028:0\n"
				       "2:0:1:1:1:2000:60000019:2\n"
				       "2:0:1:1:1:2400:60000019:0\n"
				       /* a queue's own way: a call that takes, and parks in it */
				       "2:0:1:1:1:2500:60000019:3:48101008:2\n"
				       "1:0:1:1:1:2500:4000:5\n"
				       "2:0:1:1:1:2500:48100028:1\n"
				       "1:0:1:1:1:4000:5000:1\n"
				       "2:0:1:1:1:4000:48100028:0\n"
				       "2:0:1:1:1:4000:48101008:0:60000019:0\n"
				       "1:0:1:1:1:5000:9000:34\n"
				       "2:0:1:1:1:5000:48100028:2\n"
				       "1:0:1:1:1:9000:10000:1\n"
				       "2:0:1:1:1:9000:48100028:0\n"
				       "2:0:1:1:1:10000:60000019:0\n";

	is_int(find(prv, "", 3, NULL), JW_OK);
	is_int(list.n, 2);
	is_str(list.calls[0].method, "function 3");
	is_int(list.calls[0].ns, 1500);
	is_str(list.calls[1].method, "function 2");
}

/* The worker takes from a queue of its own all its life: six times, of which one takes LONGEST ns. main
 * handles six requests, of which one takes 400 ns. OBJECT: the queue; 0: not told; 1: another one each
 * time, as who asks waits for another answer. ENDED: by main. */
static void tell_timer(struct jw_buf *prv, unsigned longest, unsigned object, bool ended)
{
	jw_put_str(prv, HEAD);
	jw_put_str(prv, "2:0:1:1:2:0:60000019:2\n1:0:1:1:2:0:10:1\n");
	for (unsigned i = 0; i < 6; i++) {
		unsigned begin = 10 + i * 110, end = begin + (i < 5 ? 100 : longest);

		jw_put_fmt(prv, "1:0:1:1:1:%u:%u:1\n", begin, begin + 110);
		jw_put_fmt(prv, "2:0:1:1:1:%u:60000019:1\n", begin);
		jw_put_fmt(prv, "1:0:1:1:2:%u:%u:5\n", begin, end);
		jw_put_fmt(prv,
			   "2:0:1:1:2:%u:60000019:3\n"
			   "2:0:1:1:2:%u:48100028:1:48100020:1:48100021:1:48100002:%u\n",
			   begin, begin, object == 1 ? i + 2 : object);
		if (ended)
			jw_put_fmt(prv, "3:0:1:1:1:%u:%u:0:1:1:2:%u:%u:0:402\n", end - 1, end - 1,
				   end, end);
		if (i < 5)
			jw_put_fmt(prv, "2:0:1:1:1:%u:60000019:0\n", begin + 10);
		else
			jw_put_fmt(prv, "2:0:1:1:1:%u:60000019:0\n", begin + 400);
		jw_put_fmt(prv,
			   "2:0:1:1:2:%u:48100028:0:48100020:0:48100021:0:48100002:0:60000019:0\n",
			   end);
	}
	jw_put_u1(prv, 0);
}

/* What a thread waits for all its life is not slow, however long it took; who contends for a lock
 * all its life is, and where methods are chosen, all is. */
TEST(waits_of_threads_that_do_little_else)
{
	static const char lock[] = "EVENT_TYPE\n0    48100020    Java monitor, class\nVALUES\n"
				   "1   java.util.concurrent.locks.ReentrantLock$NonfairSync\n";
	static const char signal[] = "EVENT_TYPE\n0    48100020    Java monitor, class\nVALUES\n"
				     "1   java.util.concurrent.Semaphore$NonfairSync\n";
	struct trace_chosen chosen = { .chooses = is_take };
	struct jw_buf prv = { 0 };

	tell_timer(&prv, 9000, 0, false);
	is_int(find((const char *)prv.p, "", 20, NULL), JW_OK);
	is_int(list.unusual, 1);
	is_int(list.n, 1 + 5 + 6);
	is_str(list.calls[0].method, "function 1");
	is_int(list.calls[0].ns, 400);
	ok(!list.calls[0].little_else);
	ok(!list.calls[5].little_else);
	ok(list.calls[6].little_else);
	is_str(list.calls[6].method, "function 3");
	is_int(list.calls[6].ns, 9000);

	is_int(find((const char *)prv.p, signal, 20, NULL), JW_OK);
	is_int(list.unusual, 1);
	ok(list.calls[6].little_else);

	is_int(find((const char *)prv.p, lock, 3, NULL), JW_OK);
	is_int(list.unusual, 2);
	is_str(list.calls[0].method, "function 3");
	ok(!list.calls[0].little_else);

	is_int(tell((const char *)prv.p, names, &trace_chosen_output, &chosen), JW_OK);
	is_int(find((const char *)prv.p, names, 3, &chosen), JW_OK);
	is_int(list.calls[0].ns, 9000);
	ok(!list.calls[0].little_else);
	trace_chosen_free(&chosen);
	jw_buf_free(&prv);
}

/* What is not told may be another one each time, if others end these waits. */
TEST(who_asks_waits_for_another_answer_each_time)
{
	for (unsigned object = 0; object < 3; object++)
		for (unsigned ended = 0; ended < 2; ended++) {
			struct jw_buf prv = { 0 };
			bool asks = object == 1 || (object == 0 && ended);

			tell_timer(&prv, 500, object, ended);
			is_int(find((const char *)prv.p, "", 20, NULL), JW_OK);
			is_int(list.unusual, asks ? 2 : 1);
			is_str(list.calls[0].method, asks ? "function 3" : "function 1");
			jw_buf_free(&prv);
		}
}

/* A thread that waits once nearly all its life, in a call of a kind that is over at once as a rule, has something
 * else to do. */
TEST(a_call_that_waits_as_no_other_does)
{
	struct jw_buf prv = { 0 };

	jw_put_str(&prv, HEAD "2:0:1:1:1:0:60000019:1\n1:0:1:1:1:0:100:1\n");
	for (unsigned i = 0; i < 6; i++)
		jw_put_fmt(&prv, "2:0:1:1:1:%u:60000019:2\n2:0:1:1:1:%u:60000019:0\n", i * 10,
			   i * 10 + 5);
	jw_put_str(&prv, "2:0:1:1:1:100:60000019:2\n"
			 "1:0:1:1:1:100:9100:5\n"
			 "2:0:1:1:1:100:48100001:2:48100002:2147483655\n"
			 "2:0:1:1:1:9100:48100001:0:48100002:0:60000019:0:60000019:0\n");
	jw_put_u1(&prv, 0);
	is_int(find((const char *)prv.p, "", 20, NULL), JW_OK);
	is_int(list.unusual, 1);
	is_str(list.calls[0].method, "function 2");
	ok(list.calls[0].usual_ns);
	is_int(list.calls[0].ns, 9000);
	ok(!list.calls[0].little_else);
	jw_buf_free(&prv);
}

/* A read that natives tell of, of a connection, which another thread ends by its write. */
TEST(reads_by_connection)
{
	static const char prv[] =
		HEAD "2:0:1:1:1:0:60000019:1\n"
		     "1:0:1:1:1:0:100:1\n"
		     "2:0:1:1:2:0:60000019:2\n"
		     "1:0:1:1:1:100:900:12\n"
		     "2:0:1:1:1:100:48100028:9\n"
		     "3:0:1:1:2:800:800:0:1:1:1:900:900:0:904\n"
		     "1:0:1:1:1:900:1000:1\n"
		     "2:0:1:1:1:900:" CHANNEL ":1:" CHANNEL_READ ":77:48100028:0\n"
		     "2:0:1:1:1:1000:60000019:0\n";
	static const char pcf[] =
		"EVENT_TYPE\n0    " CHANNEL "    Java channel\nVALUES\n1   tcp a > b\n";

	is_int(find(prv, pcf, 3, NULL), JW_OK);
	is_int(list.n, 2);
	const struct trace_slow_part *p = list.calls[1].parts;

	is_int(list.calls[1].inside.ns[TRACE_REPORT_IO], 800);
	is_int(list.calls[1].part_count, 1);
	ok(p->wait.how == TRACE_REPORT_READ);
	is_int(p->wait.ns, 800);
	is_int(p->bytes, 77);
	is_str(p->wait.channel, "tcp a > b");
	is_int(p->ender_count, 1);
	is_str(p->enders[0].name, "worker");
	is_str(p->enders[0].method, "function 2");
}

/* Waits that differ by who ended them alone are one part. */
TEST(who_ended_the_waits_of_a_part)
{
	struct jw_buf prv = { 0 };

	jw_put_str(&prv, HEAD "2:0:1:1:1:0:60000019:1\n");
	for (unsigned i = 0; i < 3; i++) {
		unsigned begin = 100 * i + 10, end = begin + 50 + 10 * i;

		jw_put_fmt(&prv,
			   "2:0:1:1:2:%u:60000019:%u\n"
			   "1:0:1:1:1:%u:%u:5\n"
			   "2:0:1:1:1:%u:48100028:1\n",
			   begin - 5, i ? 3 : 2, begin, end, begin);
		jw_put_fmt(&prv,
			   "3:0:1:1:2:%u:%u:0:1:1:1:%u:%u:0:904\n"
			   "2:0:1:1:1:%u:48100028:0\n"
			   "2:0:1:1:2:%u:60000019:0\n",
			   end - 1, end - 1, end, end, end, end + 1);
	}
	jw_put_str(&prv, "2:0:1:1:1:1000:60000019:0\n");
	jw_put_u1(&prv, 0);
	is_int(find((const char *)prv.p, "", 1, NULL), JW_OK);
	const struct trace_slow_part *p = list.calls[0].parts;

	is_int(list.calls[0].part_count, 1);
	is_int(p->wait.count, 3);
	is_int(p->wait.ns, 180);
	is_int(p->ender_count, 2);
	is_str(p->enders[0].name, "worker");
	is_str(p->enders[0].method, "function 3");
	is_int(p->enders[0].count, 2);
	is_int(p->enders[0].ns, 130);
	is_str(p->enders[1].method, "function 2");
	is_int(p->enders[1].ns, 50);
	jw_buf_free(&prv);
}

enum { WAITS = 1000 };

/* A call with many waits for monitors, each for another one, of CLASSES in turn; one takes 9 ns, the others 2. */
static void tell_many(struct jw_buf *prv, uint64_t classes)
{
	enum { NS = 10 };

	jw_put_fmt(prv, "%s2:0:1:1:1:0:60000019:1\n", HEAD);
	for (uint64_t i = 0; i < WAITS; i++) {
		uint64_t begin = i * NS, end = begin + 2 + (i == 500 ? 7 : 0);

		jw_put_fmt(prv, "2:0:1:1:1:%llu:60000019:2\n", (unsigned long long)begin);
		jw_put_fmt(prv, "1:0:1:1:1:%llu:%llu:9\n", (unsigned long long)begin,
			   (unsigned long long)end);
		jw_put_fmt(prv, "2:0:1:1:1:%llu:48100001:1:48100002:%llu\n",
			   (unsigned long long)begin,
			   (unsigned long long)((i % classes + 1) << 31 | i));
		jw_put_fmt(prv, "2:0:1:1:1:%llu:48100001:0:48100002:0\n", (unsigned long long)end);
		jw_put_fmt(prv, "2:0:1:1:1:%llu:60000019:0\n", (unsigned long long)end);
	}
	jw_put_u1(prv, 0);
}

/* Those of the longest call: how many there are in all, for how long; SHOWN: not as a sum of the rest. */
struct found {
	size_t parts, shown;
	uint64_t count, ns;
};

static struct found found_of(const struct trace_slow_call *c)
{
	struct found found = { .parts = c->part_count };

	for (size_t i = 0; i < c->part_count; i++) {
		found.shown += !c->parts[i].rest;
		found.count += c->parts[i].wait.count;
		found.ns += c->parts[i].wait.ns;
	}
	return found;
}

/* They are told by their class. (The last of the list is the one call that took longer than usual, by nanoseconds.) */
TEST(many_waits_for_objects_of_a_class)
{
	struct jw_buf prv = { 0 };

	tell_many(&prv, 1);
	is_int(find((const char *)prv.p, "", 2, NULL), JW_OK);
	const struct trace_slow_part *p = list.calls[0].parts;
	struct found found = found_of(&list.calls[0]);

	is_int(found.parts, 1);
	is_int(found.shown, 1);
	is_int(p->wait.object, 0);
	is_int(p->wait.objects, 1);
	is_int(p->wait.class_number, 1);
	is_int(p->wait.longest_ns, 9);
	is_int(found.count, WAITS);
	is_int(found.ns, 2 * WAITS + 7);
	is_int(found.ns, list.calls[0].inside.ns[TRACE_REPORT_BLOCKED]);
	jw_buf_free(&prv);
}

/* Memory is bounded: where they are too different for that, the longest stay, and sums of the rest. */
TEST(many_different_waits)
{
	struct jw_buf prv = { 0 };

	tell_many(&prv, 400);
	is_int(find((const char *)prv.p, "", 2, NULL), JW_OK);
	const struct trace_slow_part *p = list.calls[0].parts;
	struct found found = found_of(&list.calls[0]);

	is_int(found.parts, TRACE_SLOW_SHOWN + 1);
	is_int(found.shown, TRACE_SLOW_SHOWN);
	is_int(p[0].wait.ns, 9);
	ok(p[TRACE_SLOW_SHOWN].rest);
	ok(p[TRACE_SLOW_SHOWN].wait.how == TRACE_REPORT_ENTER);
	is_int(found.count, WAITS);
	is_int(found.ns, 2 * WAITS + 7);
	jw_buf_free(&prv);
}

/* CALLS calls of take, each of which waits for 8 ns and tells nothing of it, inside of handle or not. */
static void tell_stalls(struct jw_buf *prv, unsigned calls, bool inside)
{
	jw_put_str(prv, HEAD);
	if (inside)
		jw_put_str(prv, "2:0:1:1:1:0:60000019:1\n");
	for (unsigned i = 0; i < calls; i++) {
		unsigned begin = 10 + 10 * i;

		jw_put_fmt(prv,
			   "2:0:1:1:1:%u:60000019:3\n"
			   "1:0:1:1:1:%u:%u:5\n"
			   "1:0:1:1:1:%u:%u:1\n"
			   "2:0:1:1:1:%u:60000019:0\n",
			   begin, begin, begin + 8, begin + 8, begin + 10, begin + 9);
	}
	if (inside)
		jw_put_str(prv, "2:0:1:1:1:9990:60000019:0\n");
	jw_put_u1(prv, 0);
}

/* A wait that only the state tells is the call's that ends with it. */
TEST(waits_that_nothing_tells)
{
	struct jw_buf prv = { 0 };

	tell_stalls(&prv, 3 * TRACE_SLOW_LOG, true);
	is_int(find((const char *)prv.p, names, 2, NULL), JW_OK);
	is_int(list.n, 2);
	is_int(list.calls[0].part_count, 1);
	is_int(list.calls[0].parts[0].wait.count, 3 * TRACE_SLOW_LOG);
	is_int(list.calls[0].parts[0].wait.ns, 3 * TRACE_SLOW_LOG * 8);
	is_str(list.calls[0].parts[0].wait.method, "Pool.take");
	is_int(list.calls[1].part_count, 1);
	is_int(list.calls[1].parts[0].wait.ns, 8);
	jw_buf_free(&prv);

	tell_stalls(&prv, 1, false);
	is_int(find((const char *)prv.p, names, 2, NULL), JW_OK);
	is_int(list.n, 1);
	is_int(list.calls[0].part_count, 1);
	is_int(list.calls[0].parts[0].wait.ns, 8);
	jw_buf_free(&prv);
}

TEST(the_longest_of_many)
{
	struct jw_buf prv = { 0 };

	jw_put_str(&prv, HEAD);
	for (unsigned i = 0; i < 100; i++)
		jw_put_fmt(&prv, "2:0:1:1:1:%u:60000019:1\n2:0:1:1:1:%u:60000019:0\n", i * 100,
			   i * 100 + (i * 37 % 50) + 1);
	jw_put_u1(&prv, 0);
	is_int(find((const char *)prv.p, "", 5, NULL), JW_OK);
	is_int(list.n, 5);
	is_int(list.all, 100);
	const uint64_t ns[] = { 50, 50, 49, 49, 48 };

	for (size_t i = 0; i < 5; i++)
		is_int(list.calls[i].ns, ns[i]);
	ok(list.calls[0].begin < list.calls[1].begin);
	ok(list.calls[2].begin < list.calls[3].begin);
	jw_buf_free(&prv);
}

TEST(without_memory)
{
	long n = 0;
	bool failed;

	do {
		jw_mem_fail_after(n++);
		enum jw_status status = find(known, names, 2, NULL);

		failed = jw_mem_fail_after(-1);
		if (failed && status != JW_NOMEM)
			is_int(status, JW_NOMEM);
	} while (failed);
	ok(n > 20);
	is_int(list.n, 2);
	jw_arena_free(&arena);
}
