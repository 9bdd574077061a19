/*
 * t_diff_waits.c: two sides of runs compared by what their threads waited for, and where.
 */
#include "tests/tap.h"
#include "tests/trace/make_sides.h"
#include "trace/diff/diff.h"
#include "trace/report/report.h"

#include "base/banned.h"

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
	compare();
	is_int(diff.first[TRACE_DIFF_WAIT + 1] - diff.first[TRACE_DIFF_WAIT], 2);
	const struct trace_diff_pair *pair = find(TRACE_DIFF_WAIT, "park for a.Bag in Pool.borrow");

	ok(pair);
	is_int((long)pair->figures[0].b, 4);
	is_int((long)pair->figures[1].a, 10000003);
	is_int((long)pair->figures[1].b, 50000007);
	is_int((long)pair->figures[2].b, 30000002);
	is_str(trace_diff_verdict_word(pair->figures[1].verdict), "changed");
	pair = find(TRACE_DIFF_WAIT, "Thread.sleep in Pool.borrow");
	ok(pair);
	ok(!pair->a);
	end();
}

/* HotSpot's own lock of a class that is being initialized; a wait of which nothing but its state tells. */
TEST(what_they_are_called)
{
	struct trace_report_stall one[] = { park(3, 9000000, TRACE_REPORT_OTHERS),
					    park(4, 9000000, TRACE_REPORT_OTHERS),
					    park(5, 9000000, TRACE_REPORT_OTHERS) };

	one[0].how = TRACE_REPORT_ENTER;
	one[0].class_name = "int[0]";
	one[1].how = TRACE_REPORT_CALL;
	one[1].class_name = "";
	one[2].class_name = "int[0]";
	begin(1);
	run(&sides[0], one, 3);
	run(&sides[1], one, 3);
	compare();
	ok(find(TRACE_DIFF_WAIT, "to enter a class that is being initialized in Pool.borrow"));
	ok(find(TRACE_DIFF_WAIT, "waits in Pool.borrow"));
	ok(find(TRACE_DIFF_WAIT, "park for int[0] in Pool.borrow"));
	end();
}

/* Of two runs: how long A waited, in the difference; -1: that has no such wait. */
static long waited_in_a(enum trace_report_waiter a, enum trace_report_waiter b)
{
	const struct trace_report_stall in_a = park(3, 9000000, a), in_b = park(3, 9000000, b);

	begin(1);
	run(&sides[0], &in_a, 1);
	run(&sides[1], &in_b, 1);
	compare();
	const struct trace_diff_pair *pair = find(TRACE_DIFF_WAIT, "park for a.Bag in Pool.borrow");
	long waited = pair ? (long)pair->figures[1].a : -1;

	end();
	return waited;
}

/* Loops that wait do so as long as the run takes; but who had nothing else to do may have now. */
TEST(idle_threads_say_nothing)
{
	is_int(waited_in_a(TRACE_REPORT_LITTLE_ELSE, TRACE_REPORT_LITTLE_ELSE), -1);
	is_int(waited_in_a(TRACE_REPORT_LITTLE_ELSE, TRACE_REPORT_IDLE), -1);
	is_int(waited_in_a(TRACE_REPORT_LITTLE_ELSE, TRACE_REPORT_OTHERS), 9000000);
}

/* A summary does not know where its threads have waited: nothing has gone. */
TEST(summaries_know_no_places)
{
	const struct trace_report_stall busy = park(3, 1000000, TRACE_REPORT_OTHERS);
	const struct trace_report summary = { .duration_ns = 1000000000 };

	begin(1);
	run(&sides[0], &busy, 1);
	ok(trace_diff_side_add(&sides[1], &summary, &err) == JW_OK);
	compare();
	const struct trace_diff_pair *pair = find(TRACE_DIFF_WAIT, "park for a.Bag in Pool.borrow");

	ok(pair);
	ok(!pair->changed);
	is_str(trace_diff_verdict_word(pair->figures[1].verdict), "unknown");
	end();
}
