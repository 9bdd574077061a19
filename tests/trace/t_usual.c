/*
 * t_usual.c: how long calls usually take, and the slow calls of a run: those that took much longer.
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "tests/tap.h"
#include "trace/paraver/prv_source.h"
#include "trace/slowest/slowest.h"
#include "trace/slowest/usual.h"

#include "base/banned.h"

static struct jw_arena arena;
static struct trace_slow_list list;
static struct jw_err err;

/* ---- what is usual ---- */

static void adds(struct trace_usual *u, uint32_t way, uint64_t ns, unsigned times)
{
	for (unsigned i = 0; i < times; i++)
		if (!trace_usual_add(u, way, ns))
			ok(!"memory");
}

TEST(a_median_of_few_is_exact_and_of_many_nearly)
{
	for (uint64_t ns = 64; ns < UINT64_C(1) << 40; ns += 1 + ns / 7) {
		struct trace_usual u = { 0 };
		uint32_t way = trace_usual_way(&u, TRACE_TREE_NONE, 5);

		adds(&u, way, ns, 3);
		adds(&u, way, ns * 1000, 2);
		if (trace_usual_ns(&u, way) != ns)
			is_int(trace_usual_ns(&u, way), ns);
		adds(&u, way, ns - 1, 100);
		adds(&u, way, ns * 1000, 100);
		adds(&u, way, ns, 3);
		double said = (double)trace_usual_ns(&u, way);

		if (fabs(said - (double)ns) > (double)ns * TRACE_SKETCH_ERROR)
			is_int((uint64_t)said, ns);
		trace_usual_free(&u);
	}
	ok(true);
}

TEST(few_calls_are_not_usual)
{
	struct trace_usual u = { 0 };
	uint32_t way = trace_usual_way(&u, TRACE_TREE_NONE, UINT64_C(7) << 40);

	adds(&u, way, 100, TRACE_USUAL_CALLS - 1);
	is_int(trace_usual_ns(&u, way), 0);
	adds(&u, way, 100, 1);
	is_int(trace_usual_ns(&u, way), 100);
	is_int(trace_usual_method(&u, way), UINT64_C(7) << 40);
	trace_usual_free(&u);
}

TEST(each_way_has_its_own)
{
	struct trace_usual u = { 0 };
	uint32_t a = trace_usual_way(&u, TRACE_TREE_NONE, 1), b = trace_usual_way(&u, a, 2),
		 c = trace_usual_way(&u, TRACE_TREE_NONE, 2);

	ok(a != b && b != c);
	is_int(trace_usual_way(&u, a, 2), b);
	adds(&u, b, 1000, 9);
	adds(&u, c, 50, 9);
	is_int(trace_usual_ns(&u, b), 1000);
	is_int(trace_usual_ns(&u, c), 50);
	is_int(trace_usual_ns(&u, a), 0);
	trace_usual_free(&u);
}

TEST(it_follows_what_comes_later_once_settled)
{
	struct trace_usual u = { 0 };
	uint32_t way = trace_usual_way(&u, TRACE_TREE_NONE, 1);

	adds(&u, way, 100, 100);
	adds(&u, way, 100000, 101);
	trace_usual_settle(&u);
	ok(trace_usual_ns(&u, way) > 98000);
	adds(&u, way, UINT64_MAX, 300);
	trace_usual_settle(&u);
	ok(trace_usual_ns(&u, way) > UINT64_C(100000000000)); /* the last bucket */
	trace_usual_free(&u);
}

TEST(more_ways_than_there_may_be)
{
	struct trace_usual u = { .tree = { .limit = 3 } };
	uint32_t way = 0;

	for (uint64_t i = 1; i <= 10; i++)
		way = trace_usual_way(&u, TRACE_TREE_NONE, i);
	is_int(trace_usual_method(&u, way), 0);
	is_int(trace_usual_way(&u, way, 3), way);
	trace_usual_free(&u);
}

/* ---- slow calls ---- */

static struct jw_buf prv;
static uint64_t now;

/* A call of METHOD on THREAD ("1", "2"), which begins now; ends. */
static void begins(const char *thread, unsigned method)
{
	jw_put_fmt(&prv, "2:0:1:1:%s:%llu:60000019:%u\n", thread, (unsigned long long)now, method);
}

static void ends(const char *thread)
{
	begins(thread, 0);
}

static void find(size_t n)
{
	jw_arena_free(&arena);
	struct trace_slowest *s = trace_slowest_new(n, &arena);
	struct trace_prv_source *source = trace_prv_source_new(&trace_slowest_output, s, NULL);
	struct jw_span rows = jw_span_str("LEVEL THREAD SIZE 2\nmain\nworker\n");

	jw_put_u1(&prv, 0);
	is_int(trace_prv_source_feed(source, jw_span_str((const char *)prv.p), &err), JW_OK);
	is_int(trace_prv_source_finish(source, jw_span_str(""), rows, &err), JW_OK);
	trace_prv_source_free(source);
	list = trace_slowest_list(s);
	trace_slowest_free(s);
	jw_buf_free(&prv);
}

static void run_begins(void)
{
	now = 0;
	jw_put_str(&prv, "#Paraver (1/1/2025 at 0:00):1000000000_ns:0:1:1(2:0),0\n");
}

/* Request 2 in loop 1, serve 3 in it, which makes the call 4 in a way; takes NS. */
static void request(uint64_t ns, unsigned inner)
{
	begins("1", 2);
	now += 10;
	begins("1", 3);
	now += 10;
	if (inner) {
		begins("1", inner);
		now += ns;
		ends("1");
	} else {
		now += ns;
	}
	now += 10;
	ends("1");
	now += 10;
	ends("1");
	now += 1000;
}

/* A loop as long as the run, and 100 requests of which the first loads code and two are slow: one of
 * these by itself, and one in a call that the others do not make. */
static void make_requests(void)
{
	run_begins();
	begins("1", 1);
	request(8000000, 0);
	for (unsigned i = 1; i < 100; i++)
		request(i == 50 ? 900000 : i == 70 ? 500000 : 1000 + i, i == 70 ? 4 : 0);
	ends("1");
}

TEST(slow_is_what_takes_longer_than_usual)
{
	make_requests();
	find(5);
	is_int(list.unusual, 2);
	const struct trace_slow_call *c = list.calls;

	is_str(c[0].method, "function 3"); /* the innermost */
	is_int(c[0].ns, 900020);
	ok(c[0].usual_ns > 900 && c[0].usual_ns < 1200);
	is_int(c[0].over_ns, c[0].ns - c[0].usual_ns);
	ok(!c[0].first);
	is_int(c[0].of, 100);
	is_int(c[0].stack_all, 2);
	is_int(c[0].within_count, 0);
	is_str(c[1].method, "function 3");
	is_int(c[1].ns, 500020);
	is_int(c[1].within_count, 1);
	is_str(c[1].within[0], "function 4");
	is_int(c[1].within_ns, 500000);
}

TEST(what_took_long_comes_before_what_is_unusual_by_microseconds)
{
	for (int i = 0; i < 3; i++) {
		run_begins();
		begins("1", 1);
		request(1000, 0);
		for (unsigned k = 1; k < 100; k++)
			request(k == 50 ? 200000 : k == 70 ? 30000 : 1000 + k, 0);
		begins("1", 9);
		now += i ? 30000000 : 10000000; /* and the loop around all of it */
		ends("1");
		if (i == 2) /* a second one, of a millisecond */
			request(1200000, 0);
		ends("1");
		find(5);
		is_int(list.n, i == 2 ? 6 : 5);
		is_int(list.unusual, i == 2 ? 3 : 2);
		ok(list.others_lead == (i == 1));
		is_str(list.calls[0].method, i == 1 ? "function 9" : "function 3");
		is_int(list.calls[list.n - 1].over_ns > 0, i == 1);
	}
}

/* Two threads that make the same calls, told by time or one after the other: thread 1 began first, but
 * is told last; its first call is no slow one, that of thread 0 is. */
static void tell_thread(struct trace_slowest *s, uint32_t at, uint64_t from, uint64_t to)
{
	const struct trace_output *o = &trace_slowest_output;

	for (uint64_t i = from; i < to; i++) {
		uint64_t begin = i * 10000 + (at ? 0 : 500);
		uint64_t ns = i == 0 ? 7000 + at * 500 : i == 20 ? 4000 + at : 1000;

		o->enter(s, at, begin, 3);
		o->leave(s, at, begin + ns, false);
	}
}

static void find_of_two(bool by_time)
{
	const struct trace_scene_process process = { .pid = 1 };
	const struct trace_scene_thread threads[2] = { { .number = 1 }, { .number = 2 } };
	const struct trace_scene scene = { .end = 1000000,
					   .processes = &process,
					   .process_count = 1,
					   .threads = threads,
					   .thread_count = 2 };
	jw_arena_free(&arena);
	struct trace_slowest *s = trace_slowest_new(3, &arena);
	const struct trace_names names = { 0 };

	is_int(trace_slowest_output.begin(s, &scene, &err), JW_OK);
	for (uint64_t i = 0; by_time && i < 50; i++) {
		tell_thread(s, 1, i, i + 1);
		tell_thread(s, 0, i, i + 1);
	}
	if (!by_time) {
		tell_thread(s, 0, 0, 50);
		tell_thread(s, 1, 0, 50);
	}
	trace_slowest_output.over(s, 1000000);
	is_int(trace_slowest_output.end(s, &names, &err), JW_OK);
	list = trace_slowest_list(s);
	trace_slowest_free(s);
}

TEST(the_order_between_threads_changes_nothing)
{
	for (unsigned i = 0; i < 2; i++) {
		find_of_two(i == 0);
		is_int(list.unusual, 3);
		is_int(list.calls[0].ns, 7000);
		is_int(list.calls[0].place, 0);
		ok(!list.calls[0].first);
		is_int(list.calls[1].ns, 4001);
		is_int(list.calls[2].ns, 4000);
		is_int(list.n, 6);
		is_int(list.calls[3].ns, 7500);
		ok(list.calls[3].first);
		is_int(list.calls[3].over_ns, 0);
	}
}

TEST(others_come_last)
{
	make_requests();
	find(5);
	is_int(list.n, 5); /* filled up */
	is_str(list.calls[2].method, "function 1");
	is_int(list.calls[2].usual_ns, 0);
	is_int(list.calls[2].of, 1);
	is_str(list.calls[3].method, "function 3"); /* the first request */
	is_int(list.calls[3].ns, 8000020);
	ok(list.calls[3].first);
	is_int(list.calls[3].over_ns, 0);
	is_str(list.calls[4].method, "function 4");
	make_requests();
	find(1);
	is_int(list.unusual, 1);
	is_int(list.n, 2); /* and one other */
	is_str(list.calls[1].method, "function 1");
}

/* The same method is fast on one way and slow on another. */
TEST(usual_is_meant_of_a_way)
{
	run_begins();
	for (unsigned i = 0; i < 20; i++) {
		request(1000, 4);
		begins("1", 4);
		now += 1000000;
		ends("1");
	}
	find(2);
	is_int(list.unusual, 0);
	is_int(list.n, 2);
	is_int(list.calls[0].ns, 1000000);
	ok(list.calls[0].usual_ns > 875000);
}

/* Two calls inside explain a half each: all three are told. */
TEST(what_no_single_call_explains)
{
	run_begins();
	for (unsigned i = 0; i < 20; i++) {
		begins("2", 1);
		for (unsigned k = 0; k < 2; k++) {
			begins("2", 2);
			now += i == 9 ? 400000 : 1000;
			ends("2");
		}
		ends("2");
	}
	find(9);
	is_int(list.unusual, 3);
	is_str(list.calls[0].method, "function 1");
	is_int(list.calls[0].ns, 800000);
	is_str(list.calls[1].method, "function 2");
	is_str(list.calls[2].method, "function 2");
}

/* A worker that waits for its work is idle, however long. */
TEST(waiting_for_work_is_not_slow)
{
	run_begins();
	for (unsigned i = 0; i < 20; i++) {
		uint64_t ns = i == 7 ? 5000000 : 1000, begin = now;

		begins("1", 2);
		jw_put_fmt(&prv, "1:0:1:1:1:%llu:%llu:34\n2:0:1:1:1:%llu:48100028:2\n",
			   (unsigned long long)begin, (unsigned long long)(begin + ns),
			   (unsigned long long)begin);
		now += ns;
		jw_put_fmt(&prv, "2:0:1:1:1:%llu:48100028:0\n", (unsigned long long)now);
		now += i == 12 ? 90000 : 100;
		ends("1");
	}
	find(1);
	is_int(list.unusual, 1);
	is_int(list.calls[0].ns, 91000);
}

/* One went on as a loop: four times it waited, and worked for a while. */
TEST(a_loop_that_waits_for_work_is_not_slow)
{
	run_begins();
	for (unsigned i = 0; i < 20; i++) {
		begins("1", 2);
		for (unsigned k = 0; k < (i == 7 ? 4 : 1); k++) {
			uint64_t ns = i == 7 ? 5000000 : 1000, begin = now;

			jw_put_fmt(&prv, "1:0:1:1:1:%llu:%llu:34\n2:0:1:1:1:%llu:48100028:2\n",
				   (unsigned long long)begin, (unsigned long long)(begin + ns),
				   (unsigned long long)begin);
			now += ns;
			jw_put_fmt(&prv, "2:0:1:1:1:%llu:48100028:0\n", (unsigned long long)now);
			now += i == 7 ? 1000000 : i == 12 ? 90000 : 100;
		}
		ends("1");
	}
	find(1);
	is_int(list.unusual, 1);
	is_int(list.calls[0].ns, 91000);
}

/* More candidates than are kept: the longest stay, those of when nothing was usual yet, too. */
TEST(many_unusual_calls)
{
	enum { CALLS = 30000 };

	run_begins();
	for (uint64_t i = 0; i < CALLS; i++) {
		begins("1", 1 + (unsigned)(i % 3));
		now += i % 10 == 5 ? 10000 + i : i == 9 ? 20000000 : 100;
		ends("1");
	}
	find(50);
	is_int(list.unusual, 50);
	is_int(list.calls[0].ns, 20000000);
	for (size_t i = 1; i < list.unusual; i++)
		is_int(list.calls[i].ns, 10000 + CALLS - 5 - 10 * (i - 1));
	jw_arena_free(&arena);
}
