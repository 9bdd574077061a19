/*
 * arrow_tasks.c: tasks that are submitted, run, and waited for.
 *
 * An executor hands out a future, and either may be what runs and what is waited for: each knows
 * the other's number while the task is neither run nor forgotten.
 */
#include "trace/arrows_int.h"

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

void trace_task_submits(struct trace_arrows *a, const struct trace_who *who,
			struct trace_inside *inside)
{
	struct trace_object *o = get(a, who->place.task, inside->object);

	if (!o)
		return;
	/* twice at once: nobody knows which of them runs first */
	o->doubt = o->submit.time != 0;
	o->submit = trace_point_of(who, inside);
}

/* Neither is waited for nor will run: what they knew of each other is forgotten. */
static void forget(struct trace_arrows *a, uint32_t task, struct trace_object *o)
{
	struct trace_object *other = find(a, task, o->other);

	o->other = 0;
	if (other && other->other == o->entry.key) {
		other->other = 0;
		trace_object_tidy(a, other);
	}
	trace_object_tidy(a, o);
}

void trace_task_submitted(struct trace_arrows *a, const struct trace_who *who,
			  const struct trace_inside *inside, bool failed)
{
	uint32_t task = who->place.task;
	struct trace_object *o = find(a, task, inside->object);

	if (!o)
		return; /* it has run meanwhile */
	if (failed) {
		o->submit.time = 0;
		forget(a, task, o);
		return;
	}
	uint64_t number = inside->other;

	if (number == 0 || number == inside->object || o->other)
		return;
	struct trace_object *future = get(a, task, number);

	if (!future)
		return;
	future->other = inside->object;
	o = find(a, task, inside->object); /* adding one may have swept it away */
	if (o)
		o->other = number;
}

void trace_task_runs(struct trace_arrows *a, const struct trace_who *who,
		     struct trace_inside *inside)
{
	uint32_t task = who->place.task;
	struct trace_object *o = find(a, task, inside->object);
	struct trace_point to = { inside->begin, who->place, 0 };

	if (o && !o->submit.time && o->other)
		o = find(a, task, o->other);
	if (!o || !o->submit.time)
		return;
	if (!o->doubt)
		trace_arrow_put(a->world, &o->submit, &to);
	/* until it has run its future has to be found */
	o->submit.time = 0;
	o->held = 1;
}

static void let_go(struct trace_object *o, const struct trace_point *from)
{
	for (struct trace_waiter *w = o->first; w; w = w->after) {
		if (w->bound)
			continue;
		w->bound = true;
		w->from = *from;
	}
}

void trace_task_done(struct trace_arrows *a, const struct trace_point *from, uint64_t number)
{
	uint32_t task = from->place.task;
	struct trace_object *o = find(a, task, number);
	struct trace_object *other = o ? find(a, task, o->other) : NULL;

	if (other) {
		let_go(other, from);
		other->held = 0;
	}
	if (!o)
		return;
	let_go(o, from);
	o->held = 0;
	forget(a, task, o);
}

void trace_task_ran(struct trace_arrows *a, const struct trace_who *who,
		    const struct trace_inside *inside, uint64_t time)
{
	struct trace_point from = trace_point_of(who, inside);

	from.time = time;
	trace_task_done(a, &from, inside->object);
}
