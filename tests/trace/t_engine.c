/*
 * t_engine.c: tasks of an engine: what is told of each, which took much longer than the others of
 * their stage, and why.
 */
#include "tests/trace/tell_engine.h"

#include "base/banned.h"

TEST(what_a_task_did)
{
	begin();
	others(0, 4, 1);
	begin_task(1, 7, 4);
	tell(1, &attempt, 2);
	be(1, 30, TRACE_RUNNING);
	out->event(engine, 2, now * MS, TRACE_TYPE_GC, 1);
	be(1, 20, TRACE_OTHERS);
	out->event(engine, 2, now * MS, TRACE_TYPE_GC, 0);
	wait(1, 10, TRACE_BLOCKED, TRACE_TYPE_MONITOR, TRACE_WAIT_ENTER, 1, 0);
	wait(1, 5, TRACE_IO, TRACE_TYPE_WAIT, TRACE_WAIT_READ - TRACE_WAIT_LAST_MONITOR, 0, 1);
	wait(1, 4, TRACE_SYNCHRONIZATION, TRACE_TYPE_WAIT,
	     TRACE_WAIT_PARK - TRACE_WAIT_LAST_MONITOR, 2, 0);
	tell(1, &spill, 1);
	leave(1);
	tell(1, &input, 100);
	tell(1, &bytes, 50);
	tell(1, &bytes, 60);
	tell(1, &fetch, 3);
	tell(1, &other, 12345);
	finish(NULL);
	is_int(list.n, 2);
	is_int(list.stages, 1);
	is_int(list.stragglers, 0);
	const struct trace_engine_task *t = &list.tasks[1];

	is_str(t->id, "7");
	is_str(t->stage, "4");
	is_str(t->executor, "executor 0");
	is_str(t->host, "node1");
	ok(t->has_attempt && !t->has_partition);
	is_int(t->attempt, 2);
	is_int(t->begin, 100 * MS);
	is_int(t->ns, 69 * MS);
	is_int(t->did.inside.ns[TRACE_REPORT_RUNNING], 30 * MS);
	is_int(t->did.inside.ns[TRACE_REPORT_GC], 20 * MS);
	is_int(t->did.inside.ns[TRACE_REPORT_BLOCKED], 10 * MS);
	is_int(t->did.lock_ns, 14 * MS);
	is_int(t->did.file_ns, 5 * MS);
	is_int(t->did.measures[TRACE_MEASURE_BYTES_IN], 160);
	is_int(t->did.measures[TRACE_MEASURE_FETCH_NS], 3 * MS);
	is_int(t->did.measures[TRACE_MEASURE_SPILL_NS], 0);
	ok(!(t->did.measured >> TRACE_MEASURE_RECORDS_IN & 1));
	is_int(t->median_ns, 100 * MS);
}

TEST(a_skewed_key)
{
	begin();
	others(0, 1, 5);
	begin_task(1, 99, 1);
	be(1, 800, TRACE_RUNNING);
	wait(1, 150, TRACE_SYNCHRONIZATION, TRACE_TYPE_WAIT,
	     TRACE_WAIT_PARK - TRACE_WAIT_LAST_MONITOR, 3, 0);
	leave(1);
	tell(1, &records, 6000);
	tell(1, &bytes, 90000);
	finish(NULL);
	is_straggler(TRACE_CAUSE_SKEW);
	const struct trace_cause *c = first()->causes;

	is_int(c->measure, TRACE_MEASURE_BYTES_IN);
	is_int(c->value, 90000);
	is_int(c->median, 8002);
	ok(c->share > 0.99);
	ok(c[1].kind == TRACE_CAUSE_RUN);
}

TEST(pauses_of_the_collector)
{
	begin();
	others(0, 1, 4);
	begin_task(1, 99, 1);
	be(1, 120, TRACE_RUNNING);
	out->event(engine, 2, now * MS, TRACE_TYPE_GC, 1);
	be(1, 300, TRACE_OTHERS);
	out->event(engine, 2, now * MS, TRACE_TYPE_GC, 0);
	leave(1);
	tell(1, &records, 1100);
	finish(NULL);
	is_straggler(TRACE_CAUSE_GC);
	is_int(first()->causes[0].value, 300 * MS);
	is_int(first()->causes[0].median, 0);
}

TEST(a_wait_for_a_fetch)
{
	begin();
	others(0, 1, 4);
	begin_task(1, 99, 1);
	be(1, 120, TRACE_RUNNING);
	wait(1, 400, TRACE_SYNCHRONIZATION, TRACE_TYPE_WAIT,
	     TRACE_WAIT_PARK - TRACE_WAIT_LAST_MONITOR, 3, 0);
	leave(1);
	tell(1, &fetch, 390);
	finish(NULL);
	is_straggler(TRACE_CAUSE_FETCH);
}

TEST(a_spill_that_the_others_did_not_have)
{
	begin();
	others(0, 1, 4);
	begin_task(1, 99, 1);
	be(1, 100, TRACE_RUNNING);
	for (int i = 0; i < 2; i++) {
		enter(1);
		tell(1, &spill, 1);
		be(1, 150, TRACE_RUNNING);
		leave(1);
	}
	leave(1);
	tell(1, &spilled, 1000000);
	finish(NULL);
	is_straggler(TRACE_CAUSE_SPILL);
	is_int(first()->causes[0].value, 300 * MS);
}

TEST(a_lock_and_who_held_it)
{
	begin();
	others(0, 1, 4);
	begin_task(0, 99, 1);
	be(0, 100, TRACE_RUNNING);
	out->event(engine, 0, now * MS, TRACE_TYPE_MONITOR, TRACE_WAIT_ENTER);
	out->event(engine, 0, now * MS, TRACE_TYPE_MONITOR_CLASS, 1);
	be(0, 400, TRACE_BLOCKED);
	out->arrow(engine, 1, now * MS - 1, 0, now * MS, 305);
	out->event(engine, 0, now * MS, TRACE_TYPE_MONITOR, 0);
	leave(0);
	finish(NULL);
	is_straggler(TRACE_CAUSE_LOCK);
	is_str(first()->causes[0].of, "acme.Lock");
	is_str(first()->causes[0].ender, "keeper");
}

TEST(a_slow_disk)
{
	begin();
	others(0, 1, 4);
	begin_task(1, 99, 1);
	be(1, 100, TRACE_RUNNING);
	wait(1, 400, TRACE_IO, TRACE_TYPE_WAIT, TRACE_WAIT_WRITE - TRACE_WAIT_LAST_MONITOR, 0, 1);
	leave(1);
	finish(NULL);
	is_straggler(TRACE_CAUSE_DISK);
	is_str(first()->causes[0].of, "/data/part-3");
}

TEST(a_slow_disk_as_the_engine_says)
{
	begin();
	others(0, 1, 4);
	begin_task(1, 99, 1);
	be(1, 500, TRACE_RUNNING);
	leave(1);
	tell(1, &write_ns, 390 * MS);
	finish(NULL);
	is_straggler(TRACE_CAUSE_DISK);
	is_int(first()->causes[0].value, 390 * MS);
	is_str(first()->causes[0].of, "writing, as the engine says");
}

/* A spill of as much that took longer. */
TEST(a_slow_spill_is_a_slow_disk)
{
	begin();
	for (uint64_t i = 0; i < 5; i++) {
		begin_task(1, i < 4 ? i : 99, 1);
		be(1, 100, TRACE_RUNNING);
		enter(1);
		tell(1, &spill, 1);
		be(1, i < 4 ? 10 : 500, TRACE_RUNNING);
		leave(1);
		leave(1);
		tell(1, &spilled, 5000);
	}
	finish(NULL);
	is_straggler(TRACE_CAUSE_DISK);
}

TEST(sockets_and_other_waits)
{
	begin();
	others(0, 1, 4);
	begin_task(1, 99, 1);
	be(1, 100, TRACE_RUNNING);
	/* a pipe is no disk */
	wait(1, 300, TRACE_IO, TRACE_TYPE_WAIT, TRACE_WAIT_WRITE - TRACE_WAIT_LAST_MONITOR, 0, 3);
	wait(1, 400, TRACE_IO, TRACE_TYPE_WAIT, TRACE_WAIT_READ - TRACE_WAIT_LAST_MONITOR, 0, 2);
	wait(1, 200, TRACE_SYNCHRONIZATION, TRACE_TYPE_WAIT,
	     TRACE_WAIT_PARK - TRACE_WAIT_LAST_MONITOR, 3, 0);
	leave(1);
	finish(NULL);
	is_straggler(TRACE_CAUSE_IO);
	is_str(first()->causes[0].of, "tcp 10.0.0.1:1 > 10.0.0.2:2");
	ok(first()->causes[1].kind == TRACE_CAUSE_WAIT);
	is_str(first()->causes[1].of, "acme.Queue");
}

/* A process that has just begun loads its classes: the first tasks of two take long. */
TEST(the_first_tasks_of_processes_are_compared_with_each_other)
{
	begin();
	for (uint32_t at = 0; at < 4; at += 3) {
		begin_task(at, at, 1);
		be(at, 5000, TRACE_RUNNING);
		leave(at);
	}
	others(10, 1, 4);
	begin_task(1, 99, 1);
	be(1, 400, TRACE_RUNNING);
	leave(1);
	finish(NULL);
	is_straggler(TRACE_CAUSE_RUN);
	begin();
	begin_task(3, 98, 1);
	be(3, 500, TRACE_RUNNING);
	leave(3);
	begin_task(0, 99, 1);
	be(0, 5000, TRACE_RUNNING);
	leave(0);
	others(10, 1, 4);
	finish(NULL);
	is_straggler(TRACE_CAUSE_RUN);
}

/* The first of a stage load what it needs: it took less than they did, with many more records. */
TEST(later_tasks_of_a_stage_are_compared_with_each_other)
{
	begin();
	others(1, 1, 1);
	begin_task(3, 2, 1);
	be(3, 100, TRACE_RUNNING);
	leave(3);
	for (uint32_t at = 0; at < 5; at++) {
		if (threads[at].is_vm)
			continue;
		begin_task(at, 10 + at, 2);
	}
	be(0, 1000, TRACE_RUNNING);
	for (uint32_t at = 0; at < 5; at++) {
		if (threads[at].is_vm)
			continue;
		leave(at);
		tell(at, &records, 1000);
	}
	others(20, 2, 3);
	begin_task(1, 99, 2);
	be(1, 800, TRACE_RUNNING);
	leave(1);
	tell(1, &records, 17000);
	finish(NULL);
	is_straggler(TRACE_CAUSE_SKEW);
	is_int(first()->median_ns, 100 * MS);
}

TEST(limits_of_stragglers)
{
	static const struct {
		uint64_t ms;
		bool is;
	} cases[] = { { 149, false }, { 150, true }, { 1, false } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		begin();
		others(0, 1, 3);
		begin_task(1, 99, 1);
		be(1, cases[i].ms, TRACE_RUNNING);
		leave(1);
		finish(NULL);
		is_int(list.stragglers, cases[i].is);
	}
	begin(); /* one alone has nobody to be compared with */
	others(0, 1, 1);
	others(1, 2, 1);
	begin_task(1, 99, 3);
	be(1, 9000, TRACE_RUNNING);
	leave(1);
	finish(NULL);
	is_int(list.stragglers, 0);
	is_int(list.stages, 3);
}

TEST(a_task_that_is_a_process)
{
	static const struct trace_text texts[] = { { 1, "org.acme.MapTask" },
						   { 2, "attempt_1_0001_m_000000_0" } };
	const struct trace_names names = { .texts = texts, .text_count = 2 };

	begin();
	tell(3, &hadoop_id, 2);
	enter(3);
	tell(3, &hadoop, 1);
	tell(3, &cpu, 1000);
	enter(4); /* threads of its own tell of it, too */
	tell(4, &shuffled, 40);
	tell(4, &shuffled, 2);
	tell(4, &hadoop_spill, 1);
	be(3, 30, TRACE_RUNNING);
	leave(4);
	tell(3, &cpu, 1500);
	leave(3);
	enter(4);
	tell(4, &shuffled, 1000); /* nobody's: it is over */
	leave(4);
	finish(&names);
	is_int(list.n, 1);
	const struct trace_engine_task *t = first();

	is_str(t->id, "attempt_1_0001_m_000000_0");
	is_str(t->stage, "MapTask");
	is_str(t->executor, "executor 1");
	is_int(t->did.measures[TRACE_MEASURE_BYTES_IN], 42);
	is_int(t->did.measures[TRACE_MEASURE_CPU_NS], 500 * MS);
	is_int(t->did.measures[TRACE_MEASURE_SPILL_NS], 30 * MS);
	is_int(t->did.measures[TRACE_MEASURE_SPILLS], 1);
}

TEST(odd_orders)
{
	begin();
	tell(0, &tid, 5); /* outside of any call */
	tell(0, &stage, 5);
	leave(0);
	begin_task(0, 6, 1);
	enter(0);
	tell(0, &tid, 7); /* inside of one */
	be(0, 10, TRACE_RUNNING);
	leave(0);
	leave(0);
	begin_task(0, 8, UINT64_MAX);
	begin_task(4, 8, 1);
	finish(NULL);
	is_int(list.n, 3);
	is_str(list.tasks[0].id, "6");
}

TEST(more_waits_than_are_told_apart)
{
	begin();
	begin_task(1, 1, 1);
	for (uint64_t i = 0; i < 100; i++)
		wait(1, 1 + i % 7, TRACE_IO, TRACE_TYPE_WAIT,
		     TRACE_WAIT_WRITE - TRACE_WAIT_LAST_MONITOR, 0, i < 50 ? 1 : 3 + i);
	uint64_t all = now;

	leave(1);
	finish(NULL);
	uint64_t sum = 0;

	is_int(first()->wait_count, TRACE_TASK_WAITS_MOST);
	for (uint32_t i = 0; i < first()->wait_count; i++)
		sum += first()->waits[i].ns;
	is_int(sum, all * MS);
	is_int(first()->waits[0].channel, 1);
}

TEST(tasks_added_up)
{
	struct trace_engine_groups groups;
	struct jw_err e = { 0 };

	begin();
	others(0, 1, 4);
	begin_task(3, 50, 1);
	be(3, 300, TRACE_RUNNING);
	leave(3);
	others(60, 2, 1);
	finish(NULL);
	is_int(trace_engine_groups(&list, TRACE_BY_STAGE, &arena, &groups, &e), JW_OK);
	is_int(groups.n, 2);
	is_str(groups.at[0].name, "1");
	is_int(groups.at[0].tasks, 5);
	is_int(groups.at[0].stragglers, 1);
	is_int(groups.at[0].ns, 700 * MS);
	is_int(groups.at[0].median_ns, 100 * MS);
	is_int(groups.at[0].longest_ns, 300 * MS);
	is_int(groups.at[0].did.measures[TRACE_MEASURE_RECORDS_IN], 4006);
	is_int(trace_engine_groups(&list, TRACE_BY_EXECUTOR, &arena, &groups, &e), JW_OK);
	is_int(groups.n, 2);
	is_str(groups.at[1].name, "executor 1");
	is_int(trace_engine_groups(&list, TRACE_BY_HOST, &arena, &groups, &e), JW_OK);
	is_str(groups.at[1].name, "node2");
	trace_engine_free(engine);
	engine = NULL;
	jw_arena_free(&arena);
}
