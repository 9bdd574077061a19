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

/* The nearest of the callers of O, whose number is DEPTH, that has captured something itself so far: how far up it is, from 1; 0: none.
 * What it has is after *MARK, *N of which are its own. */
static size_t find_outer(const struct trace_slow_thread *thread, size_t depth, size_t end,
			 size_t *mark, size_t *n)
{
	*n = 0;
	for (size_t up = 1; up <= depth; up++) {
		*mark = thread->frames[depth - up].said;
		for (size_t i = *mark; i < end; i++)
			*n += thread->said.at[i].own;
		if (*n)
			return up;
		end = *mark;
	}
	return 0;
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
	size_t said = all->n - o->frame->said, mark = 0, outer;
	size_t up = find_outer(thread, t->depth, o->frame->said, &mark, &outer);
	struct trace_slow_kept *k =
		jw_mem_alloc(sizeof(*k) + parts * sizeof(*k->parts) + stack * sizeof(*k->stack) +
			     (said + outer) * sizeof(*k->said));

	if (!k)
		return NULL;
	*k = (struct trace_slow_kept){ .method = o->call->method,
				       .begin = o->call->enter,
				       .at = o->at,
				       .parts = (struct trace_slow_entry *)(k + 1),
				       .stack_count = stack,
				       .stack_all = t->depth,
				       .said_count = said,
				       .outer_count = outer,
				       .outer = up ? t->calls[t->depth - up].method : 0 };
	if (parts)
		memcpy(k->parts, log->at + o->call->mark, parts * sizeof(*k->parts));
	k->stack = (uint64_t *)(k->parts + parts);
	for (size_t i = 0; i < stack; i++)
		k->stack[i] = t->calls[t->depth - stack + i].method;
	k->said = (struct trace_slow_value *)(k->stack + stack);
	if (said)
		memcpy(k->said, all->at + o->frame->said, said * sizeof(*k->said));
	for (size_t i = mark, n = said; n < said + outer; i++)
		if (all->at[i].own)
			k->said[n++] = all->at[i];
	k->part_count = trace_slow_fold(k->parts, parts, TRACE_SLOW_SHOWN);
	take_times(follow, o, k);
	return k;
}
