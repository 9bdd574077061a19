/*
 * arrow_locks.c: locks of java.util.concurrent.
 *
 * Who owns the lock at last has it from the one who freed it last: a reader from the last writer, a
 * writer from the last of all.
 */
#include <string.h>

#include "trace/replay/arrows/arrow_list.h"
#include "trace/replay/arrows/arrow_locks.h"
#include "trace/replay/arrows/arrow_objects.h"
#include "trace/replay/inside.h"
#include "trace/replay/track.h"

#include "base/banned.h"

static const struct jw_operation any_lock = { .type = JW_OPERATIONS_LOCK, .role = JW_ROLE_LOCK };

bool trace_lock_over(struct trace_object *o, const struct trace_waiter *w,
		     enum trace_outcome outcome, struct trace_point *from)
{
	/* readers wait for a writer, a writer for all */
	const struct trace_point *freed = w->shared ? &o->lock.written : &o->lock.freed;
	bool mine = o->lock.held && trace_same_place(&o->lock.owner, &w->place);

	if (outcome != TRACE_DONE) {
		o->lock.round += !w->shared;
		return false;
	}
	/* still held: somebody freed it where nobody saw it, as Condition.await does */
	bool known = !o->lock.held && (w->shared || !o->lock.readers) && freed->time >= w->begin;

	*from = *freed;
	if (w->shared) {
		o->lock.readers++;
		/* after a writer that has given up a reader may wait for readers */
		return known && w->round == o->lock.round;
	}
	o->lock.owner = w->place;
	o->lock.held = mine ? o->lock.held + 1 : 1;
	return known;
}

void trace_lock_freed(struct trace_object *o, const struct trace_point *from)
{
	if (o->lock.held > 1 && trace_same_place(&o->lock.owner, &from->place)) {
		o->lock.held--;
		return;
	}
	o->lock.held = 0;
	o->lock.freed = o->lock.written = *from;
}

void trace_lock_viewed(struct trace_arrows *a, const struct trace_who *who,
		       const struct trace_inside *inside)
{
	const struct jw_operation *op = inside->method->about.operation;
	struct trace_object *o =
		inside->other ? trace_object_get(a, who->place.task, op, inside->other) : NULL;

	if (!o || inside->other == inside->object)
		return;
	o->lock.view_of = inside->object;
	o->lock.to_read = strcmp(inside->method->name, "readLock") == 0 ||
			  strcmp(inside->method->name, "asReadLock") == 0;
}

uint64_t trace_lock_number(const struct trace_arrows *a, uint32_t task,
			   const struct jw_operation *op, uint64_t number, bool *shared)
{
	const struct trace_object *o = trace_object_find(a, task, op, number);

	*shared = false;
	/* StampedLock has a view that has views; numbers may meet, so that there are no more */
	for (int depth = 0; depth < 2 && o && o->lock.view_of; depth++) {
		*shared |= o->lock.to_read;
		number = o->lock.view_of;
		o = trace_object_find(a, task, op, number);
	}
	return number;
}

bool trace_lock_is_owned(const struct trace_arrows *a, uint32_t task, const struct jw_operation *op,
			 uint64_t number)
{
	const struct trace_object *o = trace_object_find(a, task, op, number);

	return o && o->lock.held;
}

/* The lock that INSIDE, which waits at a condition, frees meanwhile; 0: unknown. */
static uint64_t lock_of_condition(const struct trace_arrows *a, const struct trace_who *who,
				  const struct trace_inside *inside)
{
	bool shared;
	uint64_t lock = trace_lock_number(a, who->place.task, &any_lock, inside->object, &shared);

	return lock != inside->object ? lock : 0;
}

uint32_t trace_lock_waits(const struct trace_arrows *a, const struct trace_who *who,
			  const struct trace_inside *inside)
{
	struct trace_object *o =
		trace_object_find(a, who->place.task, &any_lock, lock_of_condition(a, who, inside));
	uint32_t held = o ? o->lock.held : 0;

	if (!held || !trace_same_place(&o->lock.owner, &who->place))
		return 0;
	o->lock.held = 0;
	o->lock.freed = o->lock.written = trace_point_of(who, inside);
	return held;
}

void trace_lock_waited(struct trace_arrows *a, const struct trace_who *who,
		       const struct trace_inside *inside, uint32_t held)
{
	uint64_t lock = held ? lock_of_condition(a, who, inside) : 0;
	struct trace_object *o =
		lock ? trace_object_get(a, who->place.task, &any_lock, lock) : NULL;

	if (!o)
		return;
	o->lock.owner = who->place;
	o->lock.held = held;
}

void trace_lock_shared(struct trace_arrows *a, const struct trace_point *from,
		       const struct jw_operation *op, uint64_t number)
{
	struct trace_object *o = trace_object_find(a, from->place.task, op, number);

	if (!o)
		return;
	o->lock.readers -= o->lock.readers > 0;
	if (!o->lock.readers)
		o->lock.freed = *from;
	trace_object_tidy(a, o);
}
