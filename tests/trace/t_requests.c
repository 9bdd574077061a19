/*
 * t_requests.c: requests on the connections of a .prv, of those that answer and of those that ask.
 */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "tests/tap.h"
#include "trace/paraver/prv_source.h"
#include "trace/requests/requests.h"
#include "trace/select/select.h"

#include "base/banned.h"

#define HEAD "#Paraver (1/1/2025 at 0:00):10000_ns:0:1:1(2:0),0\n"

static struct jw_arena arena;
static struct trace_request_list list;
static struct jw_err err;

static const char rows[] = "LEVEL THREAD SIZE 2\nreader\nwriter\n";
static const char names[] =
	"EVENT_TYPE\n0    48100030    Java connection or file\nVALUES\n0   End\n"
	"1   tcp 10.0.0.1:80 < 10.0.0.9:4000\n"
	"2   tcp 10.0.0.1:80 < 10.0.0.9:4001\n"
	"3   tcp 10.0.0.1:5000 > 10.0.0.2:5432\n"
	"4   /var/lib/data\n"
	"5   udp 10.0.0.1:53\n\n";

/* THREAD (1, 2) moves 8 bytes on CHANNEL until END, for NS. */
static void put(struct jw_buf *prv, unsigned thread, unsigned channel, bool writes, unsigned end,
		unsigned ns)
{
	jw_put_fmt(prv, "2:0:1:1:%u:%u:48100030:%u:%u:8:48100033:%u\n", thread, end, channel,
		   writes ? 48100032u : 48100031u, ns);
}

static struct trace_range range; /* {0}: all */

static enum jw_status find(struct jw_buf *prv, size_t most)
{
	const struct trace_selection wanted = { .range = range };
	struct trace_select *select = trace_selects(&wanted) ? trace_select_new(&wanted) : NULL;

	jw_put_u1(prv, 0);
	jw_arena_free(&arena);
	err = (struct jw_err){ 0 };
	struct trace_requests *q = trace_requests_new(most, &arena);
	struct trace_prv_source *source =
		q ? trace_prv_source_new(&trace_requests_output, q, select) : NULL;
	enum jw_status status = source ? JW_OK : jw_nomem(&err);

	if (status == JW_OK)
		status = trace_prv_source_feed(source, jw_span_str((const char *)prv->p), &err);
	if (status == JW_OK)
		status = trace_prv_source_finish(source, jw_span_str(names), jw_span_str(rows),
						 &err);
	list = q ? trace_requests_list(q) : (struct trace_request_list){ 0 };
	trace_prv_source_free(source);
	trace_requests_free(q);
	trace_select_free(select);
	jw_buf_free(prv);
	return status;
}

/* "at 10.0.0.1:80 2 of 1: 100..300, 400", by where, how many, connections, shortest, longest, all ns */
static const char *sums(void)
{
	static char text[500];
	size_t n = 0;

	text[0] = 0;
	for (size_t i = 0; i < list.sum_count; i++) {
		const struct trace_request_sum *s = &list.sums[i];

		n += (size_t)snprintf(
			text + n, sizeof(text) - n, "%s%s %llu of %llu: %llu..%llu, %llu",
			i ? "; " : "", s->where, (unsigned long long)s->times.n,
			(unsigned long long)s->connections, (unsigned long long)s->times.least,
			(unsigned long long)s->times.most, (unsigned long long)s->ns);
	}
	return text;
}

/* Requests 200..300 and 400..500: of a range are those that touch it, whole. */
TEST(a_range_has_those_that_touch_it)
{
	static const struct {
		unsigned from, to, before, after;
		const char *sums;
	} cases[] = { { 0, 200, 0, 1, "at 10.0.0.1:80 1 of 1: 100..100, 100" },
		      { 210, 290, 1, 1, "at 10.0.0.1:80 1 of 1: 100..100, 100" },
		      { 250, 450, 1, 1, "at 10.0.0.1:80 2 of 1: 100..100, 200" },
		      { 100, 600, 0, 0, "at 10.0.0.1:80 2 of 1: 100..100, 200" },
		      { 301, 399, 0, 0, "" },
		      { 501, 900, 0, 0, "" } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct jw_buf prv = { 0 };

		jw_put_str(&prv, HEAD);
		put(&prv, 1, 1, false, 200, 50);
		put(&prv, 2, 1, true, 300, 10);
		put(&prv, 1, 1, false, 400, 60);
		put(&prv, 2, 1, true, 500, 10);
		range = (struct trace_range){ .from = { .ns = cases[i].from, .given = true },
					      .to = { .ns = cases[i].to, .given = true } };
		is_int(find(&prv, 9), JW_OK);
		is_str(sums(), cases[i].sums);
		is_int(list.before, cases[i].before);
		is_int(list.after, cases[i].after);
		is_int(list.connections, 1);
	}
	range = (struct trace_range){ 0 };
}

/* A server reads 100..150 and 150..200 (a request in two reads), another thread writes 290..300 and
 * 300..320; then it is asked again, on another connection, too. */
TEST(who_answers)
{
	struct jw_buf prv = { 0 };

	jw_put_str(&prv, HEAD);
	put(&prv, 1, 1, false, 150, 50);
	put(&prv, 1, 1, false, 200, 50);
	put(&prv, 2, 1, true, 300, 10);
	put(&prv, 2, 1, true, 320, 20);
	put(&prv, 1, 2, false, 400, 1);
	put(&prv, 1, 1, false, 500, 60);
	put(&prv, 1, 2, true, 700, 100);
	put(&prv, 1, 1, true, 1500, 10);
	is_int(find(&prv, 9), JW_OK);
	is_str(sums(), "at 10.0.0.1:80 3 of 2: 170..1000, 1470");
	ok(!list.sums[0].asks);
	is_int(list.sums[0].longest_begin, 500);
	is_int(list.slowest_count, 3);
	is_int(list.slowest[0].begin, 500);
	is_int(list.slowest[0].answer_begin, 1490);
	is_int(list.slowest[0].end, 1500);
	is_str(list.slowest[0].connection, "tcp 10.0.0.1:80 < 10.0.0.9:4000");
	is_str(list.slowest[1].connection, "tcp 10.0.0.1:80 < 10.0.0.9:4001");
	is_int(list.slowest[1].answer_begin, 600);
	is_int(list.slowest[2].begin, 150);
	is_int(list.slowest[2].end, 320);
	is_str(list.slowest[2].asker_name, "reader");
	is_str(list.slowest[2].answerer_name, "writer");
	is_int(list.slowest[2].answerer, 2);
}

/* A client writes 90..100 and reads until 250 and 300; what it is told unasked is no request, nor what is not
 * answered. */
TEST(who_asks)
{
	struct jw_buf prv = { 0 };

	jw_put_str(&prv, HEAD);
	put(&prv, 1, 3, false, 50, 40); /* a greeting */
	put(&prv, 1, 3, true, 100, 10);
	put(&prv, 1, 3, false, 250, 30);
	put(&prv, 1, 3, false, 300, 10);
	put(&prv, 1, 3, true, 400, 10);
	is_int(find(&prv, 9), JW_OK);
	is_str(sums(), "to 10.0.0.2:5432 1 of 1: 210..210, 210");
	ok(list.sums[0].asks);
	is_int(list.slowest[0].begin, 90);
	is_int(list.slowest[0].answer_begin, 250);
	is_int(list.slowest[0].end, 300);
}

/* A client's write returns after another thread has read the answer, and so does a server's after the next
 * request was read: each is told after what it came before. */
TEST(writes_that_return_late)
{
	struct jw_buf prv = { 0 };

	jw_put_str(&prv, HEAD);
	for (unsigned at = 1000; at <= 3000; at += 1000) {
		put(&prv, 2, 3, false, at + 250, 30);
		put(&prv, 2, 3, false, at + 270, 10);
		put(&prv, 2, 3, false, at + 300, 10);
		put(&prv, 1, 3, true, at + 310, 210);
	}
	is_int(find(&prv, 9), JW_OK);
	is_str(sums(), "to 10.0.0.2:5432 3 of 1: 200..200, 600");
	is_int(list.slowest[0].begin, 1100);
	is_int(list.slowest[0].answer_begin, 1250);

	prv = (struct jw_buf){ 0 };
	jw_put_str(&prv, HEAD);
	put(&prv, 1, 1, false, 1000, 10);
	put(&prv, 1, 1, false, 1400, 10);
	put(&prv, 2, 1, true, 1450, 250); /* 1200 to 1450, for that of 1000 */
	put(&prv, 2, 1, true, 1600, 50);
	is_int(find(&prv, 9), JW_OK);
	is_str(sums(), "at 10.0.0.1:80 2 of 1: 200..450, 650");
	is_int(list.slowest[1].begin, 1400);
}

/* Files and datagrams have no requests, nor has a read of no bytes. */
TEST(what_is_none)
{
	struct jw_buf prv = { 0 };

	jw_put_str(&prv, HEAD);
	for (unsigned channel = 4; channel <= 6; channel++) {
		put(&prv, 1, channel, false, 100 * channel, 1);
		put(&prv, 1, channel, true, 100 * channel + 10, 1);
	}
	jw_put_str(&prv, "2:0:1:1:1:900:48100030:1:48100031:0:48100033:5\n");
	put(&prv, 1, 1, true, 950, 1);
	jw_put_str(&prv, "2:0:1:1:1:960:48100030:1:48100033:5\n");
	jw_put_str(&prv, "2:0:1:1:1:970:48100033:5\n");
	is_int(find(&prv, 9), JW_OK);
	is_int(list.sum_count, 0);
	is_int(list.slowest_count, 0);
}

/* Of many on one connection the longest are kept, and all are counted. */
TEST(many)
{
	struct jw_buf prv = { 0 };
	unsigned time = 0;

	jw_put_str(&prv, HEAD);
	for (unsigned i = 0; i < 100; i++) {
		unsigned took = i * 37 % 100 + 1;

		put(&prv, 1, 1, false, time += 10, 1);
		put(&prv, 1, 1, true, time += took, 1);
	}
	is_int(find(&prv, 10), JW_OK);
	is_str(sums(), "at 10.0.0.1:80 100 of 1: 1..100, 5050");
	is_int(trace_sketch_at(&list.sums[0].times, 500), 50);
	is_int(list.slowest_count, 10);
	for (unsigned i = 0; i < 10; i++)
		is_int(list.slowest[i].end - list.slowest[i].begin, 100 - i);
}

/* What is written while the request is still read is no answer to it; what begins at its end is. */
TEST(at_once)
{
	struct jw_buf prv = { 0 };

	jw_put_str(&prv, HEAD);
	put(&prv, 1, 1, false, 100, 10);
	put(&prv, 2, 1, true, 105, 20);
	put(&prv, 2, 1, true, 120, 20);
	is_int(find(&prv, 9), JW_OK);
	is_str(sums(), "at 10.0.0.1:80 1 of 1: 20..20, 20");
	is_int(list.slowest[0].answer_begin, 100);
}

TEST(without_memory)
{
	struct jw_buf text = { 0 };
	long n = 0;
	bool failed;

	jw_put_str(&text, HEAD);
	put(&text, 1, 1, false, 100, 10);
	put(&text, 2, 1, true, 200, 20);
	put(&text, 1, 3, true, 300, 10);
	put(&text, 2, 3, false, 400, 20);
	do {
		struct jw_buf prv = { 0 };

		jw_put_bytes(&prv, jw_buf_span(&text));
		jw_put_u1(&prv, 0);
		prv.n--;
		jw_mem_fail_after(n++);
		enum jw_status status = find(&prv, 9);

		failed = jw_mem_fail_after(-1);
		if (failed && status != JW_NOMEM)
			is_int(status, JW_NOMEM);
	} while (failed);
	ok(n > 20);
	is_int(list.sum_count, 2);
	jw_arena_free(&arena);
	jw_buf_free(&text);
}
