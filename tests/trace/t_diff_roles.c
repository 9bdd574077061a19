/*
 * t_diff_roles.c: roles of threads in a comparison of jobs: by the roles of their processes.
 */
#include "base/memory.h"
#include "tests/tap.h"
#include "trace/diff/diff.h"
#include "trace/report/report.h"

#include "base/banned.h"

static struct trace_report_thread threads[] = {
	{ .name = "main", .process = "executor 0", .kind = "executor", .calls = 1 },
	{ .name = "main", .process = "executor 1", .kind = "executor", .calls = 2 },
	{ .name = "main", .process = "h2 7", .kind = "", .calls = 4 },
};

/* Threads and calls of the role LABEL, of N threads: 2003 are two threads, and three calls; 0: there is none. */
static int role(const char *label, size_t n)
{
	const struct trace_report r = {
		.duration_ns = 1, .threads = threads, .thread_count = n, .process_count = n
	};
	const struct trace_diff_item like = { .kind = TRACE_DIFF_ROLE,
					      .label = label,
					      .class_name = "",
					      .name = "",
					      .descriptor = "" };
	struct jw_arena arena = { 0 };
	struct trace_diff_side side;
	struct jw_err e = { 0 };

	is_int(trace_diff_side_open(&side, &arena, 1, &e), JW_OK);
	is_int(trace_diff_side_add(&side, &r, &e), JW_OK);
	const struct trace_diff_item *item = trace_diff_side_find(&side, &like);
	int out = item ? (int)(1000 * item->values[0] + item->values[1]) : 0;

	trace_diff_side_close(&side);
	jw_arena_free(&arena);
	return out;
}

/* Each process of a job has a thread main: which became slower? */
TEST(roles_of_processes)
{
	is_int(role("main of executor", 3), 2003);
	is_int(role("main of h* *", 3), 1004); /* of a trace: numbers are no matter */
	is_int(role("main", 3), 0);
	/* all of one role */
	is_int(role("main", 2), 2003);
	is_int(role("main", 1), 1001);
}
