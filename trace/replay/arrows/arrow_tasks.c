/*
 * arrow_tasks.c: tasks that are submitted, run, and waited for.
 *
 * An executor hands out a future, and either may be what runs and what is waited for: each knows
 * the other's number while the task is neither run nor forgotten.
 *
 * A FutureTask that is not done tells what it was made of. Who waits for it watches that, too:
 * where one run of it ends until the wait is over, that was the one waited for. The arrow comes
 * from there, and not from the end of FutureTask.run(), inside which the task is done.
 *
 * The body of a lambda expression tells which FutureTask runs it: that is the task then, and the
 * object that was handed over, of which there may be one for all, counts for nothing.
 */
#include "trace/replay/arrows/arrow_list.h"
#include "trace/replay/arrows/arrow_objects.h"
#include "trace/replay/arrows/arrow_search.h"
#include "trace/replay/arrows/arrow_tasks.h"
#include "trace/replay/inside.h"
#include "trace/replay/track.h"

#include "base/banned.h"

static const struct jw_operation any = { .type = JW_OPERATIONS_TASK, .role = JW_ROLE_GET };

static struct trace_object *find(const struct trace_arrows *a, uint32_t task, uint64_t number)
{
	return trace_object_find(a, task, &any, number);
}

static struct trace_object *get(struct trace_arrows *a, uint32_t task, uint64_t number)
{
	return number ? trace_object_get(a, task, &any, number) : NULL;
}

/* ---- handed over ---- */

/* INNER is what FUTURE, a FutureTask, will run. */
static void link_inner(struct trace_arrows *a, uint32_t task, uint64_t future, uint64_t inner)
{
	struct trace_object *o = get(a, task, inner);

	if (!o)
		return;
	/* several are made of it */
	o->task.mixed |= (o->task.other && o->task.other != future) || o->task.submit.time ||
			 o->task.running;
	o->task.other = future;
}

void trace_task_submits(struct trace_arrows *a, const struct trace_who *who,
			struct trace_inside *inside)
{
	struct trace_object *o = get(a, who->place.task, inside->object);

	if (!o)
		return;
	/* twice at once: nobody knows which of them runs first, nor which ends first */
	o->task.doubt = o->task.submit.time != 0;
	o->task.mixed |= o->task.doubt || o->task.running;
	o->task.submit = trace_point_of(who, inside);
	if (inside->inner)
		link_inner(a, who->place.task, inside->object, inside->inner);
}

/* Neither is waited for nor will run: what they knew of each other is forgotten. */
static void forget(struct trace_arrows *a, uint32_t task, struct trace_object *o)
{
	struct trace_object *other = find(a, task, o->task.other);

	o->task.other = 0;
	if (other && other->task.other == o->entry.key) {
		other->task.other = 0;
		trace_object_tidy(a, other);
	}
	trace_object_tidy(a, o);
}

/* The future that INSIDE has returned may be what tells that it runs; it may do so already. */
static void hand_future(struct trace_arrows *a, const struct trace_who *who,
			const struct trace_inside *inside)
{
	struct trace_object *o = find(a, who->place.task, inside->object);
	bool waits = o && o->task.submit.time;
	struct trace_object *f = waits ? get(a, who->place.task, inside->other) : NULL;
	struct trace_point from = trace_point_of(who, inside);

	if (!f || f == o)
		return;
	if (!f->task.running) {
		f->task.submit = from;
	} else if (f->task.ran.time >= from.time) {
		trace_arrow_put(a->world, &from, &f->task.ran);
		f->task.ran.time = 0;
	}
}

void trace_task_submitted(struct trace_arrows *a, const struct trace_who *who,
			  const struct trace_inside *inside, bool failed)
{
	uint32_t task = who->place.task;

	if (!failed && inside->handed)
		hand_future(a, who, inside);
	struct trace_object *o = find(a, task, inside->object);

	if (!o)
		return; /* it has run meanwhile */
	if (failed) {
		o->task.submit.time = 0;
		forget(a, task, o);
		return;
	}
	uint64_t number = inside->other;

	if (number == 0 || number == inside->object || o->task.other || o->task.mixed)
		return;
	struct trace_object *future = get(a, task, number);

	if (!future)
		return;
	future->task.other = inside->object;
	o = find(a, task, inside->object); /* adding one may have swept it away */
	if (o)
		o->task.other = number;
}

/* ---- run ---- */

/* What was handed over for O to run; NULL: nobody knows. */
static struct trace_object *submitted(const struct trace_arrows *a, uint32_t task,
				      struct trace_object *o)
{
	struct trace_object *future = o->task.submit.time ? NULL : find(a, task, o->task.other);

	if (o->task.submit.time)
		return o;
	return future && future->task.submit.time ? future : NULL;
}

/* O runs: what was handed over together with it does not wait any more. */
static void drop_other(const struct trace_arrows *a, uint32_t task, const struct trace_object *o)
{
	struct trace_object *other = find(a, task, o->task.other);

	if (other && other->task.other == o->entry.key && !other->task.mixed)
		other->task.submit.time = 0;
}

void trace_task_runs(struct trace_arrows *a, const struct trace_who *who,
		     struct trace_inside *inside)
{
	uint32_t task = who->place.task;
	struct trace_object *o = get(a, task, inside->object);
	struct trace_object *s = o ? submitted(a, task, o) : NULL;
	struct trace_point to = { inside->begin, who->place, 0 };

	if (!o)
		return;
	o->task.mixed |= o->task.running++ > 0;
	if (!s) {
		o->task.ran = to;
		return;
	}
	if (!s->task.doubt && (s == o || !o->task.mixed))
		trace_arrow_put(a->world, &s->task.submit, &to);
	s->task.submit.time = 0;
	if (s == o)
		drop_other(a, task, o);
}

/* ---- done ---- */

/* A watch sees them all; others of O, when ALL, the first. BY_BODY: at the end of what the
 * FutureTask runs. */
static void let_go(struct trace_object *o, const struct trace_point *from, bool all, bool by_body)
{
	for (struct trace_waiter *w = o->first; w; w = w->after) {
		bool watch = w->watch == w;

		w->twice |= watch && w->bound;
		if (w->bound || !(watch || all))
			continue;
		w->bound = true;
		w->by_body = by_body;
		w->from = *from;
	}
}

void trace_task_done(struct trace_arrows *a, const struct trace_point *from, uint64_t number,
		     bool by_body)
{
	uint32_t task = from->place.task;
	struct trace_object *o = find(a, task, number);
	struct trace_object *other = o ? find(a, task, o->task.other) : NULL;

	if (!o)
		return;
	if (other)
		let_go(other, from, true, by_body);
	let_go(o, from, true, by_body);
	forget(a, task, o);
}

void trace_task_completes(struct trace_arrows *a, const struct trace_point *from, uint64_t number)
{
	struct trace_object *o = get(a, from->place.task, number);
	struct trace_point nobody = { from->time, { from->place.task, TRACE_NOWHERE }, 0 };

	if (!o)
		return;
	if (o->task.completing++) { /* which of the two completes it? */
		for (struct trace_waiter *w = o->first; w; w = w->after)
			w->from = nobody;
		from = &nobody;
	}
	trace_task_done(a, from, number, false);
}

void trace_task_completed(struct trace_arrows *a, const struct trace_point *from, uint64_t number,
			  bool in_vain)
{
	struct trace_object *o = find(a, from->place.task, number);

	if (!o)
		return;
	o->task.completing -= o->task.completing > 0;
	for (struct trace_waiter *w = in_vain ? o->first : NULL; w; w = w->after)
		if (w->bound && w->from.time == from->time &&
		    trace_same_place(&w->from.place, &from->place))
			w->bound = false;
	trace_object_tidy(a, o);
}

void trace_task_ran(struct trace_arrows *a, const struct trace_who *who,
		    const struct trace_inside *inside, uint64_t time)
{
	struct trace_object *o = find(a, who->place.task, inside->object);
	struct trace_point from = trace_point_of(who, inside);

	from.time = time;
	if (!o)
		return;
	o->task.running -= o->task.running > 0;
	if (!o->task.mixed) {
		trace_task_done(a, &from, inside->object, inside->is_body);
		return;
	}
	let_go(o, &from, false, false);
	if (!o->task.running && !o->task.submit.time) {
		o->task.mixed = false;
		forget(a, who->place.task, o);
	}
}

/* ---- waited for ---- */

struct trace_waiter *trace_task_waits(struct trace_arrows *a, const struct trace_who *who,
				      const struct trace_inside *inside)
{
	struct trace_waiter *w = trace_object_enqueue(a, who, inside->method->about.operation,
						      inside->object, inside->begin);
	struct trace_object *inner = w ? get(a, who->place.task, inside->inner) : NULL;

	if (!inner || inner == w->object)
		return w;
	w->watch = &w[1];
	w->watch->watch = w->watch;
	trace_object_append(inner, w->watch);
	return w;
}

bool trace_task_over(struct trace_arrows *a, struct trace_waiter *w, enum trace_outcome outcome,
		     struct trace_point *from)
{
	struct trace_waiter *watch = w->watch;
	bool known = w->bound;

	*from = w->from;
	if (!watch)
		return known;
	if ((outcome == TRACE_DONE || outcome == TRACE_UNKNOWN) && (watch->bound || !w->by_body)) {
		*from = watch->from;
		known = watch->bound && !watch->twice;
	}
	struct trace_object *inner = watch->object;

	trace_object_detach(inner, watch);
	trace_object_tidy(a, inner);
	return known;
}
