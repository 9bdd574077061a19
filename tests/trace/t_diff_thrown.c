/*
 * t_diff_thrown.c: classes of exceptions, of two sides of which one may not have recorded them.
 */
#include "tests/tap.h"
#include "trace/diff/diff.h"
#include "trace/report/report.h"

#include "base/banned.h"

/* One run of a method that FAILED so often, with COUNT classes of exceptions. */
static void run(struct trace_diff_side *side, uint64_t failed, size_t count)
{
	struct trace_report_method method = { .label = "Main.fail",
					      .class_name = "acme.Main",
					      .name = "fail",
					      .descriptor = "()V",
					      .calls = 10,
					      .exceptional = failed };
	struct trace_report_type thrown = { .name = "a.Error", .count = { failed, 0, failed } };
	struct trace_report report = { .duration_ns = 1000000000,
				       .exceptions_known = true,
				       .states_known = true,
				       .exceptions = { &thrown, count },
				       .methods = &method,
				       .method_count = 1 };
	struct jw_err e = { 0 };

	ok(trace_diff_side_add(side, &report, &e) == JW_OK);
}

TEST(classes_that_a_side_did_not_record_are_neither_new_nor_gone)
{
	static const struct {
		uint64_t a, b;
		size_t a_classes, b_classes;
		const char *verdict;
	} cases[] = { { 5, 5, 0, 1, "unknown" },
		      { 5, 5, 1, 0, "unknown" },
		      { 5, 5, 1, 1, "same" },
		      { 0, 5, 0, 1, "changed" } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct jw_arena arena = { 0 };
		struct trace_diff_side a, b;
		struct trace_diff diff;
		struct jw_err e = { 0 };

		ok(trace_diff_side_open(&a, &arena, 1, &e) == JW_OK);
		ok(trace_diff_side_open(&b, &arena, 1, &e) == JW_OK);
		run(&a, cases[i].a, cases[i].a_classes);
		run(&b, cases[i].b, cases[i].b_classes);
		ok(trace_diff_compare(&a, &b, &arena, &diff, &e) == JW_OK);
		const struct trace_diff_pair *pair = &diff.pairs[diff.first[TRACE_DIFF_THROWN]];

		is_str(trace_diff_verdict_word(pair->figures[0].verdict), cases[i].verdict);
		ok(trace_diff_side_lacks(&a, TRACE_DIFF_THROWN) == (i == 0));
		ok(trace_diff_side_lacks(&b, TRACE_DIFF_THROWN) == (i == 1));
		trace_diff_side_close(&a);
		trace_diff_side_close(&b);
		jw_arena_free(&arena);
	}
}
