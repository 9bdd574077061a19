/*
 * arrow_monitors.c: who gives back a monitor, and who has it next.
 *
 *     monitor/enter   woven monitorenter: over when it has the monitor
 *     monitor/exit    woven monitorexit: before it gives it back
 *     monitor/hold    a synchronized method: begins when it has it, ends before it gives it back
 *     monitor/wait    gives it back when it begins, has it again when it returns
 *     JVM TI          a contended enter begins, and is over: arrow_told.c
 *
 * What is given back is recorded before, what is had after it is: so these events of one monitor
 * stand in the order in which it changed hands, and the latest one that gave it back let in the one
 * who has it next. That is a fact only while all code that locks the object is woven. Where it
 * shows that there is other code (a contended enter that no woven one follows, a wait that is no
 * woven call, an owner that was not seen), there is no arrow.
 *
 * Nor is it known then who has a monitor that is waited for to the end. (The VM does not say that of virtual threads.)
 */
#include "trace/replay/arrows/arrow_list.h"
#include "trace/replay/arrows/arrow_monitors.h"
#include "trace/replay/arrows/arrow_objects.h"
#include "trace/replay/arrows/arrow_owners.h"
#include "trace/replay/arrows/arrow_search.h"
#include "trace/replay/inside.h"
#include "trace/replay/track.h"
#include "trace/replay/world.h"

#include "base/banned.h"

static const struct jw_operation enter = { .type = JW_OPERATIONS_MONITOR, .role = JW_ROLE_LOCK };

/* It has a new owner. SURE: woven code says so. */
static void change_hands(struct trace_object *o, const struct trace_place *owner, bool sure)
{
	o->monitor.blind |= o->monitor.told && !trace_same_place(&o->monitor.owner, owner);
	o->monitor.owner = *owner;
	o->monitor.held = 1;
	o->monitor.told = !sure;
}

/* Who let W in, if that is known. */
static bool let_in(const struct trace_object *o, const struct trace_waiter *w,
		   struct trace_point *from)
{
	*from = o->monitor.freed;
	return !o->monitor.blind && !o->monitor.held && o->monitor.freed.time &&
	       o->monitor.freed.time >= w->begin;
}

bool trace_monitor_entered(struct trace_object *o, const struct trace_waiter *w,
			   enum trace_outcome outcome, struct trace_point *from)
{
	if (outcome != TRACE_DONE)
		return false;
	if (w->served) { /* JVM TI has told */
		o->monitor.told = false;
		return false;
	}
	if (o->monitor.held && trace_same_place(&o->monitor.owner, &w->place)) {
		o->monitor.held++;
		return false;
	}
	bool known = let_in(o, w, from);

	change_hands(o, &w->place, true);
	return known;
}

bool trace_monitor_had(struct trace_waiter *w, const struct trace_place *place,
		       struct trace_point *from)
{
	bool known = let_in(w->object, w, from);

	change_hands(w->object, place, false);
	w->served = true; /* a woven enter that ends now has it already */
	return known;
}

static void give_back(struct trace_object *o, const struct trace_point *from)
{
	o->monitor.freed = o->monitor.told ? (struct trace_point){ 0 } : *from;
	o->monitor.told = false;
	o->monitor.held = 0;
}

void trace_monitor_leaves(struct trace_object *o, const struct trace_point *from)
{
	bool owned = o->monitor.held && trace_same_place(&o->monitor.owner, &from->place);

	if (!owned) /* it was entered where nobody saw it */
		o->monitor.told = true;
	if (owned && o->monitor.held > 1)
		o->monitor.held--;
	else
		give_back(o, from);
}

void trace_monitor_holds(struct trace_arrows *a, const struct trace_who *who,
			 struct trace_inside *inside)
{
	struct trace_object *o = trace_object_get(a, who->place.task, &enter, inside->object);

	if (!o)
		return;
	if (!o->monitor.held || !trace_same_place(&o->monitor.owner, &who->place))
		change_hands(o, &who->place, true);
	else if (o->monitor.told) /* the enter that JVM TI told of was this method's */
		o->monitor.told = false;
	else
		o->monitor.held++;
}

/* ---- Object.wait() ---- */

uint32_t trace_monitor_waits(struct trace_arrows *a, const struct trace_who *who,
			     const struct trace_inside *inside)
{
	struct trace_object *o = trace_object_find(a, who->place.task, &enter, inside->object);
	struct trace_point from = trace_point_of(who, inside);
	uint32_t held = 0;

	if (!o)
		return 0;
	if (!o->monitor.held || !trace_same_place(&o->monitor.owner, &who->place))
		o->monitor.told = true;
	/* what the VM alone has told of is no woven code, nor after the wait */
	if (!o->monitor.told)
		held = o->monitor.held;
	give_back(o, &from);
	trace_object_tidy(a, o);
	return held;
}

void trace_monitor_waited(struct trace_arrows *a, const struct trace_who *who,
			  const struct trace_inside *inside, uint32_t held)
{
	struct trace_object *o =
		held ? trace_object_get(a, who->place.task, &enter, inside->object)
		     : trace_object_find(a, who->place.task, &enter, inside->object);

	if (!o)
		return;
	change_hands(o, &who->place, held > 0);
	o->monitor.held = held ? held : 1;
}

void trace_monitor_unseen(struct trace_arrows *a, const struct trace_who *who, uint64_t object)
{
	struct trace_object *o = trace_object_find(a, who->place.task, &enter, object);

	if (o)
		o->monitor.blind = true;
}

/* ---- who has it to the end ---- */

void trace_monitor_given_by(struct trace_arrows *a, const struct trace_who *who,
			    const struct trace_inside *inside)
{
	struct trace_task *t = &a->world->tasks[who->place.task];

	t->gives_unseen |= inside->method->about.operation->type == JW_OPERATIONS_MONITOR &&
			   trace_closings_has(&t->rec.closings, inside->method->id, UINT64_MAX);
}

bool trace_monitor_note_owner(struct trace_arrows *a, const struct trace_who *who,
			      const struct trace_wait *wait, struct trace_place *owner)
{
	uint32_t task = who->place.task;
	const struct trace_object *o = trace_object_find(a, task, &enter, wait->object);

	if (!o || !o->monitor.held || o->monitor.told || o->monitor.blind ||
	    o->monitor.owner.row == TRACE_NOWHERE || a->world->tasks[task].gives_unseen)
		return false;
	struct trace_owner *one = trace_owners_get(&a->world->owners, task, who->id);

	a->failed |= !one;
	if (!one)
		return false;
	one->object = wait->object;
	one->begin = wait->begin;
	*owner = one->place = o->monitor.owner;
	return true;
}

const struct trace_row *trace_monitor_owner(const struct trace_world *world,
					    const struct trace_who *who,
					    const struct trace_wait *wait)
{
	const struct trace_owner *one = trace_owners_find(world->owners, who->place.task, who->id);

	return one && one->object == wait->object && one->begin == wait->begin
		       ? trace_row_at(world, one->place)
		       : NULL;
}
