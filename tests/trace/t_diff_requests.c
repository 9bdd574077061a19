/*
 * t_diff_requests.c: two sides of runs compared by the requests on their connections.
 */
#include <string.h>

#include "tests/tap.h"
#include "trace/diff/diff.h"
#include "trace/report/report.h"
#include "trace/requests/requests.h"

#include "base/banned.h"

static struct jw_arena arena;
static struct trace_diff_side sides[2];
static struct trace_diff diff;
static struct jw_err err;

static void begin(size_t runs)
{
	for (size_t i = 0; i < 2; i++)
		ok(trace_diff_side_open(&sides[i], &arena, runs, &err) == JW_OK);
}

/* The pair that is called LABEL. */
static const struct trace_diff_pair *pair_of(const char *label)
{
	for (size_t i = diff.first[TRACE_DIFF_REQUEST]; i < diff.first[TRACE_DIFF_REQUEST + 1]; i++)
		if (strcmp(trace_diff_item_of(&diff.pairs[i])->label, label) == 0)
			return &diff.pairs[i];
	ok(!"there is such a pair");
	return &diff.pairs[0];
}

static void end(void)
{
	for (size_t i = 0; i < 2; i++)
		trace_diff_side_close(&sides[i]);
	jw_arena_free(&arena);
}

/* A run in which COUNT requests were answered, each in NS, and as many asked of two processes; 0: not known. */
static void run_requests(struct trace_diff_side *side, uint64_t count, uint64_t ns)
{
	const struct trace_report report = { .duration_ns = 1000000000 };
	struct trace_sketch times = { 0 };
	struct jw_err e = { 0 };

	for (uint64_t i = 0; i < count; i++)
		ok(trace_sketch_add(&times, ns));
	const struct trace_request_sum sums[] = {
		{ .where = "at a:80", .times = times, .ns = count * ns },
		{ .where = "to b:1", .asks = true, .times = times, .ns = count * ns },
		{ .where = "to b:1", .asks = true, .process = 1, .times = times, .ns = count * ns },
	};
	const struct trace_request_list list = { .sums = sums, .sum_count = count ? 3 : 0 };

	ok(trace_diff_side_add(side, &report, &e) == JW_OK);
	ok(trace_diff_side_requests(side, &list, &e) == JW_OK);
	trace_sketch_free(&times);
}

TEST(slower_answers)
{
	const struct trace_diff_figure *figures;

	begin(8);
	for (uint64_t i = 0; i < 8; i++) {
		run_requests(&sides[0], 100, 10000000 + i);
		run_requests(&sides[1], 120, 20000000 + i);
	}
	ok(trace_diff_compare(&sides[0], &sides[1], &arena, &diff, &err) == JW_OK);
	is_int(diff.first[TRACE_DIFF_REQUEST + 1] - diff.first[TRACE_DIFF_REQUEST], 2);
	figures = pair_of("at a:80")->figures;
	is_int((long)figures[0].a, 100);
	is_int((long)figures[0].b, 120);
	ok(figures[3].b > 1.9 * figures[3].a);
	is_str(trace_diff_verdict_word(figures[3].verdict), "changed");
	figures = pair_of("to b:1")->figures;
	is_int((long)figures[0].b, 240);
	ok(figures[1].b > 20000000 - 1 && figures[1].b < 20000010);
	end();
}

/* Where bytes were not recorded, nothing is known of requests: they have not gone, nor are others new. */
TEST(what_is_not_known)
{
	for (size_t without = 0; without < 2; without++) {
		begin(1);
		run_requests(&sides[without], 0, 0);
		run_requests(&sides[!without], 5, 1000);
		ok(trace_diff_compare(&sides[0], &sides[1], &arena, &diff, &err) == JW_OK);
		ok(!pair_of("at a:80")->changed);
		for (size_t c = 0; c < 5; c++)
			is_str(trace_diff_verdict_word(pair_of("at a:80")->figures[c].verdict),
			       "unknown");
		end();
	}
}
