/*
 * t_diff_waits.c: two sides of runs compared by what their threads waited for, and where.
 */
#include <string.h>

#include "tests/tap.h"
#include "trace/diff/diff.h"
#include "trace/report/report.h"

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

static void end(void)
{
	for (size_t i = 0; i < 2; i++)
		trace_diff_side_close(&sides[i]);
	jw_arena_free(&arena);
}

/* The pair that is called LABEL; NULL: none. */
static const struct trace_diff_pair *pair_of(const char *label)
{
	for (size_t i = diff.first[TRACE_DIFF_WAIT]; i < diff.first[TRACE_DIFF_WAIT + 1]; i++)
		if (strcmp(trace_diff_item_of(&diff.pairs[i])->label, label) == 0)
			return &diff.pairs[i];
	return NULL;
}

static struct trace_report_stall park(uint32_t line, uint64_t ns, enum trace_report_waiter waiter)
{
	return (struct trace_report_stall){ .method = "Pool.borrow",
					    .source = "Pool.java",
					    .line = line,
					    .callee = "",
					    .how = TRACE_REPORT_PARK,
					    .class_name = "a.Bag",
					    .object = line,
					    .objects = 1,
					    .channel = "",
					    .count = 2,
					    .ns = ns,
					    .longest_ns = ns - 1,
					    .waiter = waiter };
}

static void run(struct trace_diff_side *side, const struct trace_report_stall *stalls, size_t n)
{
	const struct trace_report report = {
		.duration_ns = 1000000000, .states_known = true, .stalls = stalls, .stall_count = n
	};

	ok(trace_diff_side_add(side, &report, &err) == JW_OK);
}

/* Wherever in the method, for whatever object of the class; other words for what has no class. */
TEST(waits_of_a_kind_are_one)
{
	begin(8);
	for (uint64_t i = 0; i < 8; i++) {
		const struct trace_report_stall a[] = { park(3, 10000000 + i,
							     TRACE_REPORT_OTHERS) };
		struct trace_report_stall b[] = { park(4, 20000000 + i, TRACE_REPORT_OTHERS),
						  park(9, 30000000 + i, TRACE_REPORT_OTHERS),
						  park(4, 7000000, TRACE_REPORT_OTHERS) };

		b[2].how = TRACE_REPORT_SLEEP;
		b[2].class_name = "";
		run(&sides[0], a, 1);
		run(&sides[1], b, 3);
	}
	ok(trace_diff_compare(&sides[0], &sides[1], &arena, &diff, &err) == JW_OK);
	is_int(diff.first[TRACE_DIFF_WAIT + 1] - diff.first[TRACE_DIFF_WAIT], 2);
	const struct trace_diff_pair *pair = pair_of("park for a.Bag in Pool.borrow");

	ok(pair);
	is_int((long)pair->figures[0].b, 4);
	is_int((long)pair->figures[1].a, 10000003);
	is_int((long)pair->figures[1].b, 50000007);
	is_int((long)pair->figures[2].b, 30000002);
	is_str(trace_diff_verdict_word(pair->figures[1].verdict), "changed");
	pair = pair_of("Thread.sleep in Pool.borrow");
	ok(pair);
	ok(!pair->a);
	end();
}

/* Loops that wait do so as long as the run takes; but who had nothing else to do may have now. */
TEST(idle_threads_say_nothing)
{
	const struct trace_report_stall busy = park(3, 1000000, TRACE_REPORT_OTHERS);
	const struct trace_report_stall little = park(3, 9000000, TRACE_REPORT_LITTLE_ELSE);
	const struct trace_report_stall idle = park(3, 9000000, TRACE_REPORT_IDLE);
	static const char label[] = "park for a.Bag in Pool.borrow";

	begin(1);
	run(&sides[0], &little, 1);
	run(&sides[1], &little, 1);
	ok(trace_diff_compare(&sides[0], &sides[1], &arena, &diff, &err) == JW_OK);
	ok(!pair_of(label));
	end();

	begin(1);
	run(&sides[0], &little, 1);
	run(&sides[1], &idle, 1);
	ok(trace_diff_compare(&sides[0], &sides[1], &arena, &diff, &err) == JW_OK);
	ok(!pair_of(label));
	end();

	begin(1);
	run(&sides[0], &little, 1);
	run(&sides[1], &busy, 1);
	ok(trace_diff_compare(&sides[0], &sides[1], &arena, &diff, &err) == JW_OK);
	ok(pair_of(label));
	is_int((long)pair_of(label)->figures[1].a, 9000000);
	end();
}

/* A summary does not know where its threads have waited: nothing has gone. */
TEST(summaries_know_no_places)
{
	const struct trace_report_stall busy = park(3, 1000000, TRACE_REPORT_OTHERS);
	const struct trace_report summary = { .duration_ns = 1000000000 };

	begin(1);
	run(&sides[0], &busy, 1);
	ok(trace_diff_side_add(&sides[1], &summary, &err) == JW_OK);
	ok(trace_diff_compare(&sides[0], &sides[1], &arena, &diff, &err) == JW_OK);
	const struct trace_diff_pair *pair = pair_of("park for a.Bag in Pool.borrow");

	ok(pair);
	ok(!pair->changed);
	is_str(trace_diff_verdict_word(pair->figures[1].verdict), "unknown");
	end();
}
