/*
 * t_causes.c: medians of others; what a task had no CPU for.
 */
#include "tests/tap.h"
#include "trace/engine/causes.h"

#include "base/banned.h"

TEST(medians_without_one)
{
	static const uint64_t sorted[] = { 1, 1, 2, 5, 9, 9, 20 };

	is_int(trace_median_without(sorted, 7, false, 0), 5);
	is_int(trace_median_without(sorted, 7, true, 5), (2 + 9) / 2);
	is_int(trace_median_without(sorted, 7, true, 1), (5 + 9) / 2);
	is_int(trace_median_without(sorted, 7, true, 20), (2 + 5) / 2);
	is_int(trace_median_without(sorted, 2, true, 1), 1);
	is_int(trace_median_without(sorted, 1, true, 1), 0);
	is_int(trace_median_without(sorted, 0, false, 1), 0);
	is_int(trace_median_without((const uint64_t[]){ 3, UINT64_MAX }, 2, false, 0),
	       3 + (UINT64_MAX - 3) / 2);
}

enum { TASKS = 6, LATE = 4 };

/* All ran for 100 ms, of which they had a CPU for 95; LATE for 900, and had one for LATE_CPU. */
static const struct trace_engine_task *compare(uint64_t late_cpu, bool known)
{
	static struct trace_engine_task tasks[TASKS];
	static uint64_t room[TASKS * TRACE_STAGE_ROOM];

	for (size_t i = 0; i < TASKS; i++) {
		tasks[i] = (struct trace_engine_task){ .ns = (i == LATE ? 900 : 100) * 1000000 };
		tasks[i].did.inside.ns[TRACE_REPORT_RUNNING] = tasks[i].ns;
		tasks[i].did.measured = (uint32_t)known << TRACE_MEASURE_CPU_NS;
		if (known)
			tasks[i].did.measures[TRACE_MEASURE_CPU_NS] =
				(i == LATE ? late_cpu : 95) * 1000000;
	}
	trace_engine_compare(tasks, TASKS, room);
	return &tasks[LATE];
}

TEST(a_task_without_a_cpu)
{
	const struct trace_engine_task *t = compare(150, true);

	is_int(t->straggler, true);
	is_int(t->cause_count, 1);
	is_int(t->causes[0].kind, TRACE_CAUSE_CPU);
	is_int(t->causes[0].value, 750000000);
	is_int(t->causes[0].median, 5000000);
}

TEST(a_task_that_had_one)
{
	const struct trace_engine_task *t = compare(890, true);

	is_int(t->cause_count, 1);
	is_int(t->causes[0].kind, TRACE_CAUSE_RUN);
	t = compare(1000, true); /* of other threads, too */
	is_int(t->causes[0].kind, TRACE_CAUSE_RUN);
	is_int(t->causes[0].value, 900000000);
	t = compare(0, false);
	is_int(t->causes[0].kind, TRACE_CAUSE_RUN);
}

/* It failed: the engine says nothing of it. All others ran for 100 ms, too, whatever CPU they had. */
TEST(a_task_that_nothing_is_told_of)
{
	static struct trace_engine_task tasks[TASKS];
	static uint64_t room[TASKS * TRACE_STAGE_ROOM];

	for (size_t i = 0; i < TASKS; i++) {
		tasks[i] = (struct trace_engine_task){ .ns = (i == LATE ? 900 : 100) * 1000000,
						       .failed = i == LATE };
		tasks[i].did.inside.ns[TRACE_REPORT_RUNNING] = i == LATE ? 300000000 : 60000000;
		tasks[i].did.inside.ns[TRACE_REPORT_WAITING] = i == LATE ? 600000000 : 40000000;
		if (i == LATE)
			continue;
		tasks[i].did.measured = 1u << TRACE_MEASURE_CPU_NS | 1u << TRACE_MEASURE_FETCH_NS |
					1u << TRACE_MEASURE_WRITE_NS;
		tasks[i].did.measures[TRACE_MEASURE_CPU_NS] = 2000000;
		tasks[i].did.measures[TRACE_MEASURE_FETCH_NS] = 30000000;
		tasks[i].did.measures[TRACE_MEASURE_WRITE_NS] = 5000000;
	}
	trace_engine_compare(tasks, TASKS, room);
	is_int(tasks[LATE].cause_count, 2);
	is_int(tasks[LATE].causes[0].kind, TRACE_CAUSE_WAIT);
	is_int(tasks[LATE].causes[0].median, 40000000);
	is_int(tasks[LATE].causes[1].kind, TRACE_CAUSE_RUN);
	is_int(tasks[LATE].causes[1].value, 300000000);
	is_int(tasks[LATE].causes[1].median, 60000000);
	is_int(tasks[0].median_ns, 100000000);
}

/* 16 records where others have one do not take seconds: something else does. */
TEST(a_few_records_are_no_skew)
{
	static struct trace_engine_task tasks[TASKS];
	static uint64_t room[TASKS * TRACE_STAGE_ROOM];

	for (uint64_t few = 0; few < 2; few++) {
		for (size_t i = 0; i < TASKS; i++) {
			uint64_t *records = &tasks[i].did.measures[TRACE_MEASURE_RECORDS_OUT];

			tasks[i] = (struct trace_engine_task){ .ns = (i == LATE ? 900 : 100) *
								     1000000 };
			tasks[i].did.inside.ns[TRACE_REPORT_RUNNING] = tasks[i].ns;
			*records = (few ? 1u : 1000u) * (i == LATE ? 16u : 1u);
		}
		trace_engine_compare(tasks, TASKS, room);
		is_int(tasks[LATE].causes[0].kind, few ? TRACE_CAUSE_RUN : TRACE_CAUSE_SKEW);
	}
}
