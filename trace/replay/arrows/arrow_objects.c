/*
 * arrow_objects.c: which object an operation is about, and who waits there.
 */
#include "trace/replay/arrows/arrow_objects.h"
#include "trace/replay/arrows/arrow_table.h"
#include "trace/replay/inside.h"
#include "trace/replay/track.h"

#include "base/banned.h"

/* ---- objects ---- */

/* What each role is about, by the operations that have to do with each other; of a role that is not
 * here, a task. */
static const uint8_t kinds[JW_ROLE_SERVE + 1] = {
	[JW_ROLE_WAIT] = TRACE_IS_SIGNAL,       [JW_ROLE_NOTIFY] = TRACE_IS_SIGNAL,
	[JW_ROLE_NOTIFY_ALL] = TRACE_IS_SIGNAL, [JW_ROLE_LOCK] = TRACE_IS_LOCK,
	[JW_ROLE_UNLOCK] = TRACE_IS_LOCK,       [JW_ROLE_VIEW] = TRACE_IS_LOCK,
	[JW_ROLE_HOLD] = TRACE_IS_LOCK,         [JW_ROLE_TAKE] = TRACE_IS_STORE,
	[JW_ROLE_GIVE] = TRACE_IS_STORE,        [JW_ROLE_CLEAR] = TRACE_IS_STORE,
	[JW_ROLE_PASS] = TRACE_IS_GATE,         [JW_ROLE_OPEN] = TRACE_IS_GATE,
	[JW_ROLE_MEET] = TRACE_IS_GATE,         [JW_ROLE_PAIR] = TRACE_IS_MEETING,
};

static enum trace_object_kind kind_of(const struct jw_operation *op)
{
	enum trace_object_kind kind = kinds[op->role];

	return kind == TRACE_IS_LOCK && op->type == JW_OPERATIONS_MONITOR ? TRACE_IS_MONITOR : kind;
}

/* Two objects may share a number, and one object may be of several kinds. */
static uint32_t space(uint32_t task, const struct jw_operation *op)
{
	return task << 8 | (uint32_t)op->type << 4 | kind_of(op);
}

struct trace_object *trace_object_find(const struct trace_arrows *a, uint32_t task,
				       const struct jw_operation *op, uint64_t number)
{
	return number ? (struct trace_object *)trace_table_find(&a->objects, space(task, op),
								number)
		      : NULL;
}

struct trace_object *trace_object_get(struct trace_arrows *a, uint32_t task,
				      const struct jw_operation *op, uint64_t number)
{
	struct trace_object *o = trace_object_find(a, task, op, number);

	if (o)
		return o;
	o = trace_table_add(&a->objects, space(task, op), number, sizeof(*o));
	if (o)
		o->kind = kind_of(op);
	return o;
}

/* Does O still say something, though nobody waits there? */
static bool is_of_use(const struct trace_object *o)
{
	switch (o->kind) {
	case TRACE_IS_TASK:
		return o->task.completing || o->task.running || o->task.submit.time ||
		       o->task.other;
	case TRACE_IS_STORE:
		return o->store.stock || o->store.giving;
	case TRACE_IS_LOCK:
		return o->lock.held || o->lock.readers || o->lock.view_of;
	case TRACE_IS_MONITOR:
		return o->monitor.held;
	case TRACE_IS_GATE:
		return o->gate.arriving;
	default: /* they are about their waiters alone */
		return false;
	}
}

void trace_object_tidy(struct trace_arrows *a, struct trace_object *o)
{
	if (!o->first && !is_of_use(o))
		trace_table_remove(&a->objects, &o->entry);
}

bool trace_object_may_go(const struct trace_entry *e)
{
	const struct trace_object *o = (const struct trace_object *)e;

	return !o->first;
}

/* ---- who waits there ---- */

void trace_object_append(struct trace_object *o, struct trace_waiter *w)
{
	w->object = o;
	w->before = o->last;
	*(o->last ? &o->last->after : &o->first) = w;
	o->last = w;
}

void trace_object_detach(struct trace_object *o, struct trace_waiter *w)
{
	*(w->before ? &w->before->after : &o->first) = w->after;
	*(w->after ? &w->after->before : &o->last) = w->before;
	w->object = NULL;
}

struct trace_waiter *trace_object_enqueue(struct trace_arrows *a, const struct trace_who *who,
					  const struct jw_operation *op, uint64_t number,
					  uint64_t time)
{
	struct trace_object *o = trace_object_get(a, who->place.task, op, number);
	struct trace_waiter *w =
		o ? jw_mem_zalloc(op->role == JW_ROLE_GET ? 2 : 1, sizeof(*w)) : NULL;

	if (!w) {
		a->failed = true;
		return NULL;
	}
	w->place = who->place;
	w->begin = time;
	trace_object_append(o, w);
	return w;
}
