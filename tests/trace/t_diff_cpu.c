/*
 * t_diff_cpu.c: two sides of runs compared by the CPU time that methods themselves took.
 */
#include "tests/tap.h"
#include "tests/trace/make_sides.h"
#include "trace/diff/diff.h"
#include "trace/report/report.h"

#include "base/banned.h"

/* The figure of the one method. */
static const struct trace_diff_figure *compared(size_t column)
{
	compare();
	return &diff.pairs[0].figures[column];
}

/* A run on a machine that is BUSY times too busy: two threads ran a method for so much longer than
 * they had a CPU; a third one has no CPU time told, so that its running time counts. */
static void add(struct trace_diff_side *side, uint64_t ms, uint64_t busy)
{
	const struct trace_report_share shares[] = {
		{ .of = 0, .own_ns = 3 * ms * busy * 1000000 },
		{ .of = 1, .own_ns = ms * 1000000 },
		{ .of = 2, .own_ns = 1000000 },
	};
	const struct trace_report_thread threads[] = {
		{ .name = "a", .running_ns = 4000 * busy, .cpu_ns = 4000 },
		{ .name = "b", .running_ns = 1000, .cpu_ns = 5000 }, /* of before its row, too */
		{ .name = "c", .running_ns = 1000 },
		{ .name = "JVM", .is_vm = true },
	};
	struct trace_report_method m = { .label = "Main.step [acme.Main.step():void Main.java:1]",
					 .class_name = "acme.Main",
					 .name = "step",
					 .descriptor = "()V",
					 .calls = 10 };

	m.shares = shares;
	m.share_count = 3;
	m.exclusive_ns = shares[0].own_ns + shares[1].own_ns + shares[2].own_ns;
	m.self.ns[TRACE_REPORT_RUNNING] = m.exclusive_ns;
	struct trace_report report = { .duration_ns = 10000000000,
				       .states_known = true,
				       .methods = &m,
				       .method_count = 1,
				       .threads = threads,
				       .thread_count = 4 };

	ok(trace_diff_side_add(side, &report, &err) == JW_OK);
}

TEST(own_cpu_time_on_a_busy_machine)
{
	static const uint64_t busy[] = { 9, 2, 14, 5, 3 };

	begin(5);
	for (size_t i = 0; i < 5; i++) {
		add(&sides[0], 100 + i, busy[i]);
		add(&sides[1], 120 + i, busy[4 - i]);
	}
	ok(compared(TRACE_DIFF_SELF)->verdict == TRACE_DIFF_NOISE);
	const struct trace_diff_figure *cpu = compared(TRACE_DIFF_CPU);

	ok(cpu->verdict == TRACE_DIFF_CHANGED);
	is_int((uint64_t)(cpu->a / 1e6 + 0.5), 4 * 102 + 1);
	is_int((uint64_t)(cpu->b / 1e6 + 0.5), 4 * 122 + 1);
	/* the JVM's row, which is there where it has collected, is no thread */
	is_int(diff.first[TRACE_DIFF_ROLE + 1] - diff.first[TRACE_DIFF_ROLE], 3);
	end();
}

TEST(own_cpu_time_where_nobody_told_it)
{
	begin(1);
	for (size_t i = 0; i < 2; i++) {
		const struct trace_report_method m = {
			.label = "step", .class_name = "", .name = "", .descriptor = "", .calls = 1
		};
		const struct trace_report report = {
			.duration_ns = 1000, .states_known = true, .methods = &m, .method_count = 1
		};

		ok(trace_diff_side_add(&sides[i], &report, &err) == JW_OK);
	}
	ok(compared(TRACE_DIFF_CPU)->verdict == TRACE_DIFF_NOT_KNOWN);
	end();
}

/* The CPU worked for 2 of 4 s in a call that counts as I/O: its own CPU time is not known, and not 0. */
TEST(own_cpu_time_in_calls_that_count_as_io)
{
	const struct trace_report_share share = { .of = 0, .own_ns = 4000000000 };

	for (int works = 0; works < 2; works++) {
		begin(1);
		for (size_t i = 0; i < 2; i++) {
			const struct trace_report_thread thread = { .name = "a",
								    .running_ns = 1000000,
								    .cpu_ns = works ? 2000000000
										    : 1000000 };
			struct trace_report_method m = { .label = "Statement.executeQuery",
							 .class_name = "",
							 .name = "",
							 .descriptor = "",
							 .calls = 1,
							 .exclusive_ns = 4000000000 };

			m.shares = &share;
			m.share_count = 1;
			m.self.ns[TRACE_REPORT_IO] = 4000000000;
			const struct trace_report report = { .duration_ns = 4000000000,
							     .states_known = true,
							     .methods = &m,
							     .method_count = 1,
							     .threads = &thread,
							     .thread_count = 1 };

			ok(trace_diff_side_add(&sides[i], &report, &err) == JW_OK);
		}
		ok((compared(TRACE_DIFF_CPU)->verdict == TRACE_DIFF_NOT_KNOWN) == works);
		end();
	}
}
