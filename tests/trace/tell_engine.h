/*
 * tell_engine.h: tells an engine (trace/engine/engine.h) what two processes did, each with two threads and its VM.
 *
 *     begin -> enter, tell, be, wait, leave .. -> finish: LIST has what it found
 */
#ifndef JW_TESTS_TRACE_TELL_ENGINE_H
#define JW_TESTS_TRACE_TELL_ENGINE_H

#include <string.h>

#include "base/memory.h"
#include "tests/tap.h"
#include "trace/engine/engine.h"

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
static inline void wait(uint32_t at, uint64_t milliseconds, uint64_t state, enum trace_type type,
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

static inline const struct trace_engine_task *first(void)
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

#endif
