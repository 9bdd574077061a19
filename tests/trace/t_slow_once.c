/*
 * t_slow_once.c: calls of a thread that waits once, or a few times, nearly all its life.
 */
#include "base/memory.h"
#include "tests/tap.h"
#include "trace/paraver/prv_source.h"
#include "trace/slowest/slowest.h"

#include "base/banned.h"

static struct jw_arena arena;
static struct trace_slow_list list;

static enum jw_status find(const char *prv)
{
	struct jw_err err = { 0 };

	jw_arena_free(&arena);
	struct trace_slowest *s = trace_slowest_new(3, &arena);
	struct trace_prv_source *source =
		s ? trace_prv_source_new(&trace_slowest_output, s, NULL) : NULL;
	enum jw_status status = source ? JW_OK : jw_nomem(&err);

	if (status == JW_OK)
		status = trace_prv_source_feed(source, jw_span_str(prv), &err);
	if (status == JW_OK)
		status = trace_prv_source_finish(source, jw_span_str(""),
						 jw_span_str("LEVEL THREAD SIZE 1\nmain\n"), &err);
	trace_prv_source_free(source);
	list = status == JW_OK ? trace_slowest_list(s) : (struct trace_slow_list){ 0 };
	trace_slowest_free(s);
	return status;
}

/* main waits, as EVENT says, nearly all its life, WAITS times, in one call each; the last time until END. */
static void tell_sleeper(struct jw_buf *prv, const char *event, unsigned waits, unsigned end)
{
	jw_put_str(prv, "#Paraver (1/1/2025 at 0:00):10000_ns:0:1:1(1:0),0\n"
			"2:0:1:1:1:0:60000019:1\n1:0:1:1:1:0:10:1\n");
	for (unsigned i = 0; i < waits; i++) {
		unsigned begin = 10 + i * (9900 / waits), over = 10 + (i + 1) * (9900 / waits) - 2;

		over = i + 1 == waits ? end : over;
		jw_put_fmt(prv,
			   "2:0:1:1:1:%u:60000019:2\n1:0:1:1:1:%u:%u:5\n"
			   "2:0:1:1:1:%u:%s:48100021:1\n"
			   "2:0:1:1:1:%u:%.8s:0:48100021:0:60000019:0\n",
			   begin, begin, over, begin, event, over, event);
	}
	if (end < 10000)
		jw_put_fmt(prv, "1:0:1:1:1:%u:10000:1\n", end);
	jw_put_str(prv, "2:0:1:1:1:10000:60000019:0\n");
	jw_put_u1(prv, 0);
}

/* One long wait is no loop of a worker: only one that goes on to the end may be, or several. */
TEST(a_thread_that_waits_once)
{
	static const struct {
		const char *event;
		unsigned waits, end;
		bool little;
	} cases[] = {
		{ "48100028:3", 1, 9900, false } /* sleep */,
		{ "48100028:3", 2, 9900, false },
		{ "48100028:3", 1, 10000, true },
		{ "48100001:2", 1, 9900, false } /* Object.wait(), as Thread.join() */,
		{ "48100001:2", 1, 10000, true },
		{ "48100028:1", 1, 9900, false } /* park */,
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct jw_buf prv = { 0 };

		tell_sleeper(&prv, cases[i].event, cases[i].waits, cases[i].end);
		is_int(find((const char *)prv.p), JW_OK);
		const struct trace_slow_call *last = &list.calls[list.n - 1];

		is_str(last->method, "function 2");
		if (!ok(last->little_else == cases[i].little))
			tap_note("case %zu", i);
		jw_buf_free(&prv);
	}
}
