/*
 * slow_call.c: see slow_call.h.
 */
#include "trace/slowest/slow_call.h"

#include <string.h>

#include "base/memory.h"
#include "trace/slowest/slowest.h"

#include "base/banned.h"

void trace_slow_find_idle(const struct trace_slow_thread *thread, struct trace_slow_over *o)
{
	const struct trace_slow_log *log = &thread->log;

	o->idle = o->turns = 0;
	for (size_t i = o->call->mark; i < log->n; i++) {
		o->turns += log->at[i].wait.for_work ? log->at[i].count : 0;
		o->idle += log->at[i].wait.for_work ? log->at[i].wait.ns : 0;
	}
	o->idle = o->idle < o->ns ? o->idle : o->ns;
}

static void take_times(const struct trace_follow *follow, const struct trace_slow_over *o,
		       struct trace_slow_kept *k)
{
	const struct trace_followed_thread *t = &follow->threads[o->at];

	k->ns = o->ns;
	k->idle = o->idle;
	k->failed = o->failed;
	k->open = follow->over;
	k->pauses =
		follow->processes[follow->scene->threads[o->at].process].pauses - o->call->pauses;
	for (size_t i = 0; i < TRACE_REPORT_TIMES; i++)
		k->inside.ns[i] = t->split.ns[i] - o->call->before.ns[i];
	k->way = o->frame->way;
	k->within = o->frame->within;
	k->within_ns = o->frame->within_ns;
}

struct trace_slow_kept *trace_slow_copy(const struct trace_follow *follow,
					const struct trace_slow_thread *thread,
					const struct trace_slow_over *o)
{
	const struct trace_followed_thread *t = &follow->threads[o->at];
	const struct trace_slow_log *log = &thread->log;
	size_t parts = log->n - o->call->mark;
	size_t stack = t->depth < TRACE_SLOW_STACK ? t->depth : TRACE_SLOW_STACK;
	const struct trace_slow_said *all = &thread->said;
	size_t said = all->n - o->frame->said;
	struct trace_slow_kept *k =
		jw_mem_alloc(sizeof(*k) + parts * sizeof(*k->parts) + stack * sizeof(*k->stack) +
			     said * sizeof(*k->said));

	if (!k)
		return NULL;
	*k = (struct trace_slow_kept){ .method = o->call->method,
				       .begin = o->call->enter,
				       .at = o->at,
				       .parts = (struct trace_slow_entry *)(k + 1),
				       .stack_count = stack,
				       .stack_all = t->depth,
				       .said_count = said };
	if (parts)
		memcpy(k->parts, log->at + o->call->mark, parts * sizeof(*k->parts));
	k->stack = (uint64_t *)(k->parts + parts);
	for (size_t i = 0; i < stack; i++)
		k->stack[i] = t->calls[t->depth - stack + i].method;
	k->said = (struct trace_slow_value *)(k->stack + stack);
	if (said)
		memcpy(k->said, all->at + o->frame->said, said * sizeof(*k->said));
	k->part_count = trace_slow_fold(k->parts, parts, TRACE_SLOW_SHOWN);
	take_times(follow, o, k);
	return k;
}
