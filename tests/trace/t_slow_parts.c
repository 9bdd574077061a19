/*
 * t_slow_parts.c: the parts of a slow call: while it reads its thread waits, and each instant counts once;
 * what an arrow tells of who ended a wait is not what was seen a bit too late.
 */
#include <stdio.h>

#include "base/memory.h"
#include "base/text.h"
#include "tests/tap.h"
#include "trace/paraver/prv_source.h"
#include "trace/slowest/slowest.h"

#include "base/banned.h"

#define HEAD         "#Paraver (1/1/2025 at 0:00):10000_ns:0:1:1(2:0),0\n"
#define FOR_REQUESTS "5"
#define TO_READ      "9"

static struct jw_arena arena;
static struct trace_slow_list list;

static void find(const char *prv)
{
	struct jw_err e = { 0 };

	jw_arena_free(&arena);
	struct trace_slowest *s = trace_slowest_new(1, &arena);
	struct trace_prv_source *source =
		s ? trace_prv_source_new(&trace_slowest_output, s, NULL) : NULL;

	list = (struct trace_slow_list){ 0 };
	ok(source != NULL);
	if (!source)
		return;
	is_int(trace_prv_source_feed(source, jw_span_str(prv), &e), JW_OK);
	is_int(trace_prv_source_finish(source, jw_span_str(""),
				       jw_span_str("LEVEL THREAD SIZE 2\nmain\nholder\n"), &e),
	       JW_OK);
	list = trace_slowest_list(s);
	trace_prv_source_free(source);
	trace_slowest_free(s);
}

/* A call [1000, 9000) that reads in [2000, 6000), STATES meanwhile, and waits as KIND in [2100, 5900):
 * how long the read was, without that. */
static uint64_t read_ns(const char *states, const char *kind)
{
	struct jw_buf prv = { 0 };
	uint64_t ns = 0, waited = 0;

	jw_put_fmt(&prv,
		   HEAD
		   "1:0:1:1:1:0:2000:1\n2:0:1:1:1:1000:60000019:1\n2:0:1:1:1:2000:48101009:3\n%s"
		   "1:0:1:1:1:6000:10000:1\n2:0:1:1:1:6000:48101009:0\n2:0:1:1:1:9000:60000019:0\n",
		   states);
	jw_put_u1(&prv, 0);
	find((const char *)prv.p);
	is_int(list.n, 1);
	for (size_t i = 0; list.n && i < list.calls[0].part_count; i++) {
		const struct trace_slow_part *p = &list.calls[0].parts[i];

		ns += p->io ? p->wait.ns : 0;
		waited += p->io ? 0 : p->wait.ns;
	}
	is_int(waited, *kind ? 3800 : 0);
	jw_buf_free(&prv);
	return ns;
}

#define BEGIN(kind) "2:0:1:1:1:2100:48100028:" kind "\n"
#define END         "2:0:1:1:1:5900:48100028:0\n"

TEST(a_wait_that_its_state_tells_too_counts_once)
{
	is_int(read_ns("1:0:1:1:1:2000:6000:12\n", ""), 4000);
	/* all of it in a state of waiting: a worker that waits for its next request */
	is_int(read_ns("1:0:1:1:1:2000:2100:12\n1:0:1:1:1:2100:5900:34\n" BEGIN(
			       FOR_REQUESTS) "1:0:1:1:1:5900:6000:12\n" END,
		       FOR_REQUESTS),
	       200);
	/* none of it */
	is_int(read_ns("1:0:1:1:1:2000:6000:12\n" BEGIN(TO_READ) END, TO_READ), 200);
	/* a part of it */
	is_int(read_ns("1:0:1:1:1:2000:3000:12\n" BEGIN(
			       FOR_REQUESTS) "1:0:1:1:1:3000:4000:34\n"
					     "1:0:1:1:1:4000:6000:12\n" END,
		       FOR_REQUESTS),
	       200);
}

/* It goes on when the read is over, and even when another one begins: until then it counts. */
TEST(a_wait_that_is_over_after_the_read)
{
	is_int(read_ns("1:0:1:1:1:2000:6000:12\n" BEGIN(TO_READ) "2:0:1:1:1:5900:48101009:0\n" END,
		       TO_READ),
	       100);
	is_int(read_ns("1:0:1:1:1:2000:6000:12\n" BEGIN(TO_READ) "2:0:1:1:1:5800:48101009:0\n2:0:1:"
								 "1:1:5800:48101009:3\n" END,
		       TO_READ),
	       100 + 100);
}

/* A call [1000, 9000) that waits in [2000, 6000) for a monitor that method 2 of the other thread gives back
 * at 5900; that it has it is SEEN then, or when it has done so and the method is over. */
static const struct trace_slow_part *blocked(unsigned seen)
{
	struct jw_buf prv = { 0 };
	char early[64] = "", late[64] = "";

	snprintf(seen < 5900 ? early : late, sizeof(early), "2:0:1:1:1:%u:48100040:2\n", seen);
	jw_put_fmt(&prv,
		   HEAD "2:0:1:1:2:500:60000019:2\n2:0:1:1:1:1000:60000019:1\n"
			"1:0:1:1:1:2000:6000:9\n2:0:1:1:1:2000:48100001:1:48100002:7\n"
			"%s3:0:1:1:2:5900:5900:0:1:1:1:6000:6000:0:305\n2:0:1:1:2:5910:60000019:0\n"
			"%s2:0:1:1:1:6000:48100001:0:48100002:0\n2:0:1:1:1:9000:60000019:0\n",
		   early, late);
	jw_put_u1(&prv, 0);
	find((const char *)prv.p);
	jw_buf_free(&prv);
	return is_int(list.n, 1) && is_int(list.calls[0].part_count, 1) ? list.calls[0].parts
									: NULL;
}

TEST(an_arrow_tells_more_than_what_was_seen)
{
	for (unsigned seen = 5800; seen <= 5950; seen += 150) {
		const struct trace_slow_part *p = blocked(seen);

		if (!p || !is_int(p->ender_count, 1))
			return;
		is_int(p->enders[0].number, 2);
		is_str(p->enders[0].method, "function 2");
		is_int(p->enders[0].ns, 4000);
	}
}

TEST(cleanup)
{
	jw_arena_free(&arena);
}
