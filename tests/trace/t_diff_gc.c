/*
 * t_diff_gc.c: pauses of the garbage collector, of two sides.
 */
#include "tests/tap.h"
#include "tests/trace/make_sides.h"
#include "trace/report/report.h"

#include "base/banned.h"

static void run(struct trace_diff_side *side, uint64_t pauses, uint64_t ns)
{
	const struct trace_report report = {
		.duration_ns = 1000000000,
		.states_known = true,
		.pauses = { .count = pauses, .ns = ns, .longest_ns = pauses ? ns / pauses * 2 : 0 }
	};

	ok(trace_diff_side_add(side, &report, &err) == JW_OK);
}

TEST(more_memory_means_fewer_pauses)
{
	begin(4);
	for (uint64_t i = 0; i < 4; i++) {
		run(&sides[0], i == 1, i == 1 ? 400000 : 0);
		run(&sides[1], 340 + i, 127000000 + 1000000 * i);
	}
	compare();
	const struct trace_diff_pair *pair = find(TRACE_DIFF_GC, "pauses of the garbage collector");

	ok(pair);
	is_int((long)pair->figures[0].a, 0);
	is_int((long)pair->figures[0].b, 341);
	for (size_t c = 0; c < 2; c++)
		is_int(pair->figures[c].verdict, TRACE_DIFF_CHANGED);
	is_int(pair->figures[2].verdict, TRACE_DIFF_SMALL);
	end();
}

TEST(no_pauses_are_no_row)
{
	begin(1);
	run(&sides[0], 0, 0);
	run(&sides[1], 0, 0);
	compare();
	is_int(diff.first[TRACE_DIFF_GC + 1] - diff.first[TRACE_DIFF_GC], 0);
	end();
}
