#include "trace/replay/crowd.h"

#include "trace/output.h"
#include "trace/replay/pass.h"
#include "trace/replay/world.h"

#include "base/banned.h"

#define FIRST_CALLS   256
#define FIRST_METHODS 64

/* The crowd of the one row of a task that threads share; NULL: no memory. */
static struct trace_crowd *crowd_of(struct trace_pass *p, const struct trace_row *row)
{
	struct trace_told *told = &p->told;

	if (!told->crowds)
		told->crowds = jw_mem_zalloc(p->world->task_count, sizeof(*told->crowds));
	told->crowd_count = told->crowds ? p->world->task_count : 0;
	p->failed |= !told->crowds;
	return told->crowds ? &told->crowds[row->task - p->world->tasks] : NULL;
}

static bool room_for_call(struct trace_crowd *c)
{
	size_t cap = c->cap ? c->cap * 2 : FIRST_CALLS;

	if (c->n < c->cap)
		return true;
	struct trace_crowd_call *grown = jw_mem_realloc(c->calls, cap * sizeof(*grown));

	if (!grown)
		return false;
	c->calls = grown;
	c->cap = cap;
	return true;
}

static bool room_for_method(struct trace_crowd *c, uint32_t method)
{
	size_t cap = c->method_cap ? c->method_cap : FIRST_METHODS;

	if (method < c->method_cap)
		return true;
	while (cap <= method)
		cap *= 2;
	struct trace_crowd_method *grown = jw_mem_realloc(c->methods, cap * sizeof(*grown));

	if (!grown)
		return false;
	for (size_t i = c->method_cap; i < cap; i++)
		grown[i] = (struct trace_crowd_method){ 0 };
	c->methods = grown;
	c->method_cap = cap;
	return true;
}

void trace_crowd_enter(struct trace_pass *p, const struct trace_row *row, uint64_t time,
		       uint32_t method)
{
	struct trace_crowd *c = crowd_of(p, row);

	if (!c || !room_for_call(c) || !room_for_method(c, method)) {
		p->failed = true;
		return;
	}
	c->calls[c->n++] =
		(struct trace_crowd_call){ .method = method, .below = c->methods[method].open };
	c->methods[method].open = (uint32_t)c->n;
	p->told.output->enter(p->told.ctx, row->order, time, (uint64_t)method + 1);
}

static void pop(struct trace_pass *p, struct trace_crowd *c, const struct trace_row *row,
		uint64_t time)
{
	const struct trace_crowd_call *call = &c->calls[--c->n];

	c->ended -= call->ended;
	p->told.output->leave(p->told.ctx, row->order, time, call->failed);
}

/* Tells of the calls that have ended, and in which no other is open. */
static void tell(struct trace_pass *p, struct trace_crowd *c, const struct trace_row *row,
		 uint64_t time)
{
	while (c->n && c->calls[c->n - 1].ended)
		pop(p, c, row, time);
}

void trace_crowd_leave(struct trace_pass *p, const struct trace_row *row, uint64_t time,
		       uint32_t method, bool failed)
{
	struct trace_crowd *c = crowd_of(p, row);

	if (!c || method >= c->method_cap) /* no memory, some time ago */
		return;
	struct trace_crowd_method *m = &c->methods[method];
	if (!m->open) {
		m->early -= m->early > 0;
		return;
	}
	struct trace_crowd_call *call = &c->calls[m->open - 1];
	m->open = call->below;
	call->ended = true;
	call->failed = failed;
	c->ended++;
	tell(p, c, row, time);
	while (c->ended > TRACE_CROWD_ENDED) { /* the innermost call is open */
		m = &c->methods[c->calls[c->n - 1].method];
		m->open = c->calls[c->n - 1].below;
		m->early++;
		pop(p, c, row, time);
		tell(p, c, row, time);
	}
}

void trace_crowds_free(struct trace_crowd *crowds, size_t count)
{
	for (size_t i = 0; crowds && i < count; i++) {
		jw_mem_free(crowds[i].calls);
		jw_mem_free(crowds[i].methods);
	}
	jw_mem_free(crowds);
}
