/*
 * t_engine_ends.c: how tasks of an engine end, and what those are called that are called after threads.
 */
#include "tests/trace/tell_engine.h"

#include "base/banned.h"

TEST(what_failed_or_did_not_end_is_no_measure)
{
	begin();
	others(0, 1, 2);
	for (uint64_t i = 0; i < 5; i++) {
		begin_task(1, 10 + i, 1);
		be(1, 1, TRACE_RUNNING);
		out->leave(engine, 1, now * MS, true);
	}
	begin_task(1, 99, 1);
	be(1, 700, TRACE_RUNNING);
	finish(NULL);
	is_straggler(TRACE_CAUSE_RUN);
	ok(first()->open);
	is_int(first()->median_ns, 100 * MS);
	ok(list.tasks[3].failed);
}

/* By Runtime.halt, System.exit, a signal, in whatever thread: what is open there is told to end with it. */
TEST(what_its_process_cut_off_did_not_end)
{
	begin();
	others(0, 1, 2);
	begin_task(1, 98, 1);
	be(1, 9, TRACE_RUNNING);
	threads[1].end = now * MS + 1; /* it was just in time */
	leave(1);
	begin_task(1, 99, 1);
	be(1, 10, TRACE_RUNNING);
	threads[1].end = now * MS;
	leave(1);
	finish(NULL);
	threads[1].end = 0;
	is_int(list.n, 4);
	is_str(list.tasks[2].id, "99");
	ok(list.tasks[2].open);
	is_int(list.tasks[3].median_ns, 100 * MS); /* 99 is not among the others */
	is_str(list.tasks[3].id, "98");
	ok(!list.tasks[3].open);
}

TEST(a_task_that_is_called_after_its_thread)
{
	begin();
	enter(3);
	tell(3, &flink, 1);
	be(3, 5, TRACE_RUNNING);
	leave(3);
	finish(NULL);
	is_str(first()->id, "Map (1/2)#0");
	is_str(first()->stage, "Map");
}

TEST(a_process_that_is_alone_has_its_title)
{
	processes[0].role = "";
	processes[0].title = "Shop";
	begin();
	others(0, 1, 1);
	finish(NULL);
	is_str(first()->executor, "Shop");
	processes[0].title = "";
	begin();
	others(0, 1, 1);
	finish(NULL);
	is_str(first()->executor, "process 10");
	processes[0].role = "executor 0";
}

/* Its thread catches what ends it: the engine says how it ended. */
TEST(how_an_engine_says_that_a_task_ended)
{
	static const struct {
		uint64_t state;
		bool failed, cancelled;
	} ends[] = { { 4, false, false }, { 6, false, true }, { 7, true, false } };

	for (size_t i = 0; i < 3; i++) {
		begin();
		enter(3);
		tell(3, &flink, 1);
		be(3, 5, TRACE_RUNNING);
		tell(3, &ends_as, 7 - i); /* what it says last counts */
		tell(3, &ends_as, ends[i].state);
		leave(3);
		enter(3);
		tell(3, &flink, 1);
		leave(3);
		finish(NULL);
		is_int(list.n, 2);
		ok(first()->failed == ends[i].failed);
		ok(first()->cancelled == ends[i].cancelled);
		is_int(list.tasks[1].median_ns, i ? 0 : 5 * MS);
	}
}

TEST(the_attempt_that_a_thread_is_called_after)
{
	static const struct {
		const char *name;
		int attempt; /* -1: unknown */
	} called[] = {
		{ "Map (1/2)#0", 0 },  { "Map (a) (2/2)#13", 13 }, { "Map (1/2)", -1 },
		{ "Map (1/2)#", -1 },  { "Map (1/2)#1 x", -1 },    { "Map (/2)#1", -1 },
		{ "Map (1-2)#1", -1 }, { "Map #1", -1 },           { "Map (1/2)#12345678901", -1 },
	};

	for (size_t i = 0; i < sizeof(called) / sizeof(*called); i++) {
		begin();
		enter(4);
		tell(4, &flink, 1);
		leave(4);
		thread_name = called[i].name;
		finish(NULL);
		is_str(first()->id, called[i].name);
		ok(first()->has_attempt == (called[i].attempt >= 0));
		is_int(first()->attempt, called[i].attempt < 0 ? 0 : called[i].attempt);
	}
	thread_name = "d";
}
