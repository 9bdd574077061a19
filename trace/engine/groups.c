/*
 * groups.c: tasks added up: by stage, by executor, by host.
 */
#include <stdlib.h>
#include <string.h>

#include "trace/engine/causes.h"
#include "trace/engine/engine.h"

#include "base/banned.h"

struct entry {
	const struct trace_engine_task *task;
	const char *name;
	uint32_t process; /* of executors: two may have one name */
};

static int by_name(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	if (!order && x->task->application != y->task->application)
		order = x->task->application < y->task->application ? -1 : 1;
	if (!order && x->process != y->process)
		order = x->process < y->process ? -1 : 1;
	if (!order && x->task->ns != y->task->ns)
		order = x->task->ns < y->task->ns ? -1 : 1;
	return order;
}

static int by_begin(const void *a, const void *b)
{
	const struct trace_engine_group *x = a, *y = b;

	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return strcmp(x->name, y->name);
}

static struct entry entry_of(const struct trace_engine_task *t, enum trace_engine_by by)
{
	const struct entry e = { .task = t,
				 .name = by == TRACE_BY_STAGE  ? t->stage
					 : by == TRACE_BY_HOST ? t->host
							       : t->executor,
				 .process = by == TRACE_BY_EXECUTOR ? t->process : 0 };

	return e;
}

static bool same(const struct entry *a, const struct entry *b)
{
	return a->process == b->process && a->task->application == b->task->application &&
	       strcmp(a->name, b->name) == 0;
}

static void add(struct trace_engine_group *g, const struct trace_engine_task *t)
{
	uint64_t end = t->begin + t->ns;

	g->begin = g->tasks && g->begin < t->begin ? g->begin : t->begin;
	g->end = g->end > end ? g->end : end;
	g->tasks++;
	g->failed += t->failed;
	g->stragglers += t->straggler;
	g->ns += t->ns;
	g->longest_ns = t->ns > g->longest_ns ? t->ns : g->longest_ns;
	g->did.lock_ns += t->did.lock_ns;
	g->did.file_ns += t->did.file_ns;
	g->did.measured |= t->did.measured;
	for (size_t i = 0; i < TRACE_REPORT_TIMES; i++)
		g->did.inside.ns[i] += t->did.inside.ns[i];
	for (size_t i = 0; i < TRACE_MEASURES; i++)
		g->did.measures[i] += t->did.measures[i];
}

enum jw_status trace_engine_groups(const struct trace_engine_list *list, enum trace_engine_by by,
				   struct jw_arena *arena, struct trace_engine_groups *out,
				   struct jw_err *e)
{
	struct entry *all = JW_NEW_ARRAY(arena, struct entry, list->n + 1);

	*out = (struct trace_engine_groups){ .at = JW_NEW_ARRAY(arena, struct trace_engine_group,
								list->n + 1) };
	if (!all || !out->at)
		return jw_nomem(e);
	bool several = false;
	for (size_t i = 0; i < list->n; i++) {
		all[i] = entry_of(&list->tasks[i], by);
		several |= list->tasks[i].application != list->tasks[0].application;
	}
	if (list->n > 1)
		qsort(all, list->n, sizeof(*all), by_name);
	for (size_t i = 0, end; i < list->n; i = end) {
		struct trace_engine_group *g = &out->at[out->n++];

		*g = (struct trace_engine_group){ .name = all[i].name,
						  .job = several ? all[i].task->job : "" };
		for (end = i; end < list->n && same(&all[i], &all[end]); end++)
			add(g, all[end].task);
		uint64_t low = all[i + (end - i - 1) / 2].task->ns;

		g->median_ns = low + (all[i + (end - i) / 2].task->ns - low) / 2;
	}
	if (out->n > 1)
		qsort(out->at, out->n, sizeof(*out->at), by_begin);
	return JW_OK;
}
