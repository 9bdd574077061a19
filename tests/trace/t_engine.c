/*
 * t_engine.c: tasks of an engine: what is told of each, which took much longer than the others of
 * their stage, and why.
 */
#include <string.h>

#include "base/memory.h"
#include "tests/tap.h"
#include "trace/engine/engine.h"

#include "base/banned.h"

#define MS UINT64_C(1000000)

enum { THREADS = 6 };

static struct trace_scene_process processes[] = {
	{ .application = 1,
	  .number = 1,
	  .first = 0,
	  .threads = 3,
	  .host = 0,
	  .pid = 10,
	  .role = "executor 0" },
	{ .application = 1,
	  .number = 2,
	  .first = 3,
	  .threads = 3,
	  .host = 1,
	  .pid = 11,
	  .role = "executor 1" },
};
static struct trace_scene_thread threads[THREADS] = {
	{ .name = "a", .process = 0, .number = 1 },
	{ .name = "b", .process = 0, .number = 2 },
	{ .name = "vm", .process = 0, .number = 3, .is_vm = true },
	{ .name = "Map (1/2)#0", .process = 1, .number = 1 },
	{ .name = "d", .process = 1, .number = 2 },
	{ .name = "vm", .process = 1, .number = 3, .is_vm = true },
};
static const char *const hosts[] = { "node1", "node2" };
static const struct trace_scene scene = {
	.end = 100000 * MS,
	.processes = processes,
	.threads = threads,
	.hosts = hosts,
	.process_count = 2,
	.thread_count = THREADS,
	.host_count = 2,
};

static const struct jw_capture tid = {
	.as = JW_AS_VALUE, .type = 1, .label = "Spark TID", .hold = JW_HOLD_CALL
};
static const struct jw_capture stage = { .as = JW_AS_VALUE, .type = 2, .label = "Spark stage" };
static const struct jw_capture records = { .as = JW_AS_VALUE,
					   .type = 3,
					   .label = "Spark task shuffle records read" };
static const struct jw_capture bytes = { .as = JW_AS_VALUE,
					 .type = 4,
					 .label = "Spark task shuffle bytes read" };
static const struct jw_capture fetch = { .as = JW_AS_VALUE,
					 .type = 5,
					 .label = "Spark task fetch wait ms" };
static const struct jw_capture spill = {
	.as = JW_AS_CLASS, .type = 6, .label = "Spark spill", .hold = JW_HOLD_CALL
};
static const struct jw_capture spilled = { .as = JW_AS_VALUE,
					   .type = 7,
					   .label = "Spark task bytes spilled" };
static const struct jw_capture write_ns = { .as = JW_AS_VALUE,
					    .type = 8,
					    .label = "Spark task shuffle write ns" };
static const struct jw_capture attempt = { .as = JW_AS_VALUE,
					   .type = 9,
					   .label = "Spark task attempt" };
static const struct jw_capture input = { .as = JW_AS_VALUE,
					 .type = 10,
					 .label = "Spark task input bytes" };
static const struct jw_capture hadoop = {
	.as = JW_AS_CLASS, .type = 11, .label = "Hadoop task", .hold = JW_HOLD_CALL
};
static const struct jw_capture hadoop_id = { .as = JW_AS_STRING,
					     .type = 12,
					     .label = "Hadoop attempt of task" };
static const struct jw_capture shuffled = { .as = JW_AS_VALUE,
					    .type = 13,
					    .label = "Hadoop bytes shuffled" };
static const struct jw_capture cpu = { .as = JW_AS_VALUE, .type = 14, .label = "Hadoop CPU ms" };
static const struct jw_capture hadoop_spill = {
	.as = JW_AS_CLASS, .type = 15, .label = "Hadoop spill", .hold = JW_HOLD_CALL
};
static const struct jw_capture flink = {
	.as = JW_AS_CLASS, .type = 16, .label = "Flink subtask class", .hold = JW_HOLD_CALL
};
static const struct jw_capture ends_as = { .as = JW_AS_VALUE,
					   .type = 18,
					   .label = "Flink subtask ends as" };
static const struct jw_capture other = { .as = JW_AS_VALUE, .type = 17, .label = "anything" };

static struct jw_arena arena;
static struct trace_engine *engine;
static struct trace_engine_list list;
static const struct trace_output *out = &trace_engine_output;
static uint64_t now;                  /* ms */
static const char *thread_name = "d"; /* of thread 4 */

static void begin(void)
{
	struct jw_err e = { 0 };

	trace_engine_free(engine);
	jw_arena_free(&arena);
	engine = trace_engine_new(&arena);
	is_int(out->begin(engine, &scene, &e), JW_OK);
	now = 0;
}

static void finish(const struct trace_names *names)
{
	struct jw_err e = { 0 };
	static const char *const channels[] = { "/data/part-3", "tcp 10.0.0.1:1 > 10.0.0.2:2",
						"pipe:(7)" };

	out->over(engine, now * MS);
	for (uint64_t i = 0; i < 3; i++)
		out->name(engine, TRACE_NAME_CHANNEL, i + 1, jw_span_str(channels[i]));
	out->name(engine, TRACE_NAME_CLASS, 1, jw_span_str("acme.Lock"));
	out->name(engine, TRACE_NAME_CLASS, 2,
		  jw_span_str("java.util.concurrent.locks.ReentrantLock$NonfairSync"));
	out->name(engine, TRACE_NAME_CLASS, 3, jw_span_str("acme.Queue"));
	out->name(engine, TRACE_NAME_ROW, 1, jw_span_str("keeper"));
	out->name(engine, TRACE_NAME_ROW, 3, jw_span_str("Map (1/2)#0"));
	out->name(engine, TRACE_NAME_ROW, 4, jw_span_str(thread_name));
	is_int(out->end(engine, names, &e), JW_OK);
	list = trace_engine_list(engine);
}

static void enter(uint32_t at)
{
	out->enter(engine, at, now * MS, 1);
}

static void leave(uint32_t at)
{
	out->leave(engine, at, now * MS, false);
}

static void tell(uint32_t at, const struct jw_capture *what, uint64_t value)
{
	out->captured(engine, at, now * MS, what, value);
}

/* For MILLISECONDS thread AT is in STATE. */
static void be(uint32_t at, uint64_t milliseconds, uint64_t state)
{
	out->state(engine, at, now * MS, (now + milliseconds) * MS, state);
	now += milliseconds;
}

/* It waits, in STATE, as TYPE and VALUE say, for what CLASS and CHANNEL are. */
static void wait(uint32_t at, uint64_t milliseconds, uint64_t state, enum trace_type type,
		 uint64_t value, uint64_t class, uint64_t channel)
{
	out->event(engine, at, now * MS, type, value);
	if (class)
		out->event(engine, at, now * MS, TRACE_TYPE_MONITOR_CLASS, class);
	if (channel)
		out->event(engine, at, now * MS, TRACE_TYPE_CHANNEL, channel);
	be(at, milliseconds, state);
	out->event(engine, at, now * MS, type, 0);
}

static void begin_task(uint32_t at, uint64_t id, uint64_t of)
{
	enter(at);
	tell(at, &tid, id);
	tell(at, &stage, of);
}

/* N tasks of stage OF, from ID on, which run 100 ms and have 1000 records of 8000 bytes. */
static void others(uint64_t id, uint64_t of, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++) {
		begin_task(0, id + i, of);
		be(0, 100, TRACE_RUNNING);
		leave(0);
		tell(0, &records, 1000 + i);
		tell(0, &bytes, 8000 + i);
	}
}

static const struct trace_engine_task *first(void)
{
	static const struct trace_engine_task none = { .id = "" };

	return list.n ? &list.tasks[0] : &none;
}

/* The first task is the straggler 99, whose first cause is KIND. */
static void is_straggler(enum trace_cause_kind kind)
{
	const struct trace_engine_task *t = first();

	is_str(t->id, "99");
	ok(t->straggler);
	is_int(list.stragglers, 1);
	ok(t->cause_count > 0);
	is_str(trace_cause_words[t->causes[0].kind], trace_cause_words[kind]);
}

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
