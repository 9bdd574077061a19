/*
 * t_engine_memory.c: tasks of an engine without memory at any place: an error, nothing lost or read
 * that is not there.
 */
#include "base/memory.h"
#include "tests/tap.h"
#include "trace/engine/engine.h"

#include "base/banned.h"

#define TASKS 70 /* more than lists have room for at first */

static const struct trace_scene_process process = { .application = 1, .number = 1, .threads = 2 };
static const struct trace_scene_thread threads[] = { { .name = "a (1/2)", .number = 1 },
						     { .name = "b", .number = 2 } };
static const char *const hosts[] = { "node1" };
static const struct trace_scene scene = { .end = 1000000000,
					  .processes = &process,
					  .threads = threads,
					  .hosts = hosts,
					  .process_count = 1,
					  .thread_count = 2,
					  .host_count = 1 };

static const struct jw_capture flink = { .as = JW_AS_CLASS,
					 .type = 1,
					 .label = "Flink subtask class" };
static const struct jw_capture tid = { .as = JW_AS_VALUE, .type = 2, .label = "task" };
static const struct jw_capture stage = { .as = JW_AS_STRING, .type = 3, .label = "task stage" };
static const struct trace_text text = { 1, "acme.Stage" };
static const struct trace_names names = { .texts = &text, .text_count = 1 };

static struct jw_arena arena;

static void run_task(struct trace_engine *g, uint64_t i)
{
	const struct trace_output *o = &trace_engine_output;
	uint64_t now = 1000 + i * 10000000, end = now + (i == 60 ? 100000000 : 1000000);

	o->enter(g, 0, now, 1);
	o->captured(g, 0, now, i % 2 ? &tid : &flink, i);
	o->captured(g, 0, now, &stage, 1 + i % 3); /* of which one has a text */
	o->event(g, 0, now, TRACE_TYPE_MONITOR, TRACE_WAIT_ENTER);
	o->event(g, 0, now, TRACE_TYPE_MONITOR_CLASS, 1 + i % 20);
	o->state(g, 0, now, end, TRACE_BLOCKED);
	o->arrow(g, 1, end - 1, 0, end, 305);
	o->event(g, 0, end, TRACE_TYPE_MONITOR, 0);
	o->leave(g, 0, end, false);
}

static enum jw_status run(struct trace_engine *g, size_t *n)
{
	const struct trace_output *o = &trace_engine_output;
	struct trace_engine_groups groups;
	struct jw_err e = { 0 };

	JW_TRY(o->begin(g, &scene, &e));
	for (uint64_t i = 0; i < TASKS; i++) {
		run_task(g, i);
		JW_TRY(o->check(g, &e));
	}
	o->over(g, scene.end);
	for (uint64_t i = 1; i < 20; i++)
		o->name(g, TRACE_NAME_CLASS, i, jw_span_str("acme.Lock"));
	o->name(g, TRACE_NAME_ROW, 0, jw_span_str("a (1/2)"));
	JW_TRY(o->end(g, &names, &e));
	const struct trace_engine_list list = trace_engine_list(g);

	*n = list.n;
	return trace_engine_groups(&list, TRACE_BY_STAGE, &arena, &groups, &e);
}

TEST(without_memory)
{
	long n = 0;
	size_t tasks = 0;
	bool failed;

	do {
		jw_mem_fail_after(n++);
		struct trace_engine *g = trace_engine_new(&arena);
		enum jw_status status = g ? run(g, &tasks) : JW_NOMEM;

		failed = jw_mem_fail_after(-1);
		if (failed && status != JW_NOMEM)
			is_int(status, JW_NOMEM);
		trace_engine_free(g);
		jw_arena_free(&arena);
	} while (failed);
	ok(n > 10);
	is_int(tasks, TASKS);
}
