/*
 * arrow_parks.c: who let a thread go on that had parked, by what the natives of the JDK tell
 * (UNPARK, PARKED): whatever waits in the JDK parks.
 *
 *     A  ....UNPARK B..........        the first since B went on last: that is the permit
 *                    \                 (LockSupport), whether B was parked then or not
 *     B  ..PARK=======PARKED...
 *
 * A park that returns without a permit timed out or woke for no reason: it has no arrow by this. Who
 * interrupts a thread gives it a permit, too, and ends its sleep, or Object.wait(). Who joins a virtual thread goes on since
 * that has ended, whoever unparks it.
 *
 * Nobody tells who unparks a virtual thread. One that puts something into a queue, and parks for room there, goes on since
 * another one takes something: who does so meanwhile, if only one does, and none was about to when it parked.
 *
 * Where woven code tells what the thread waits in (a call of put, take, get, lock ...), that may
 * park more than once, and what it does may have an arrow of its own: it is one wait. The arrow of
 * its last park is drawn when the call is over, if there was none. Likewise a worker that is woken
 * by a call that submits a task: the arrow leads to the task.
 */
#include "trace/output.h"
#include "trace/replay/arrows/arrow_list.h"
#include "trace/replay/arrows/arrow_objects.h"
#include "trace/replay/arrows/arrow_parks.h"
#include "trace/replay/arrows/arrow_search.h"
#include "trace/replay/arrows/arrow_threads.h"
#include "trace/replay/track.h"
#include "trace/replay/world.h"

#include "base/banned.h"

/* A thread that may go on. */
struct permit {
	struct trace_entry entry;
	struct trace_point from;
	const struct jw_operation *op; /* what the other one did */
};

bool trace_permit_may_go(const struct trace_entry *e)
{
	(void)e;
	return true;
}

static const struct jw_operation *unpark(void)
{
	return jw_operation_find(JW_SPAN_LIT("park/unpark"));
}

/* What WHO does that lets the other one go on: a call that is traced, else unpark itself. */
static const struct jw_operation *operation_of(const struct trace_who *who)
{
	const struct trace_inside *inside = trace_innermost(&who->track->insides);
	const struct jw_operation *op = inside ? inside->method->about.operation : NULL;

	return op && op->role != JW_ROLE_NONE ? op : unpark();
}

/* Is OBJECT a thread of TASK that may have a row? *ID: its own. */
static bool is_shown(const struct trace_arrows *a, uint32_t task, uint64_t object, uint64_t *id)
{
	*id = object & ~JWR_OBJECT_THREAD;
	return object & JWR_OBJECT_THREAD &&
	       (a->world->tasks[task].lane_cap || trace_table_find(&a->rows, task, *id));
}

/* By OP of WHO the thread ID may go on, unless it already may. */
static void permit(struct trace_arrows *a, const struct trace_who *who, uint64_t time, uint64_t id,
		   const struct jw_operation *op)
{
	uint32_t task = who->place.task;

	if (trace_table_find(&a->permits, task, id))
		return;
	struct permit *p = trace_table_add(&a->permits, task, id, sizeof(*p));

	if (!p)
		return;
	p->op = op;
	p->from = (struct trace_point){ time, who->place, trace_arrow_tag(op) };
}

/* ---- who did what last ---- */

/* Who did something last. */
struct latest {
	struct trace_entry entry;
	struct trace_point from;
};

/* WHO has done OP to NUMBER: of several the last one counts. */
static void note(struct trace_table *table, const struct trace_who *who, uint64_t time,
		 uint64_t number, const struct jw_operation *op)
{
	struct trace_entry *e = trace_table_find(table, who->place.task, number);
	struct latest *l = e ? (struct latest *)e
			     : trace_table_add(table, who->place.task, number, sizeof(*l));

	if (l)
		l->from = (struct trace_point){ time, who->place, trace_arrow_tag(op) };
}

/* A virtual thread that ends. */
struct end {
	struct trace_entry entry;
	uint64_t thread; /* jwr_thread_object() */
};

/* WHO is about to end: who joins it parks for OBJECT. */
static void note_end(struct trace_arrows *a, const struct trace_who *who, uint64_t object)
{
	struct trace_entry *e = trace_table_find(&a->ends, who->place.task, object);
	struct end *end = e ? (struct end *)e
			    : trace_table_add(&a->ends, who->place.task, object, sizeof(*end));

	if (end)
		end->thread = jwr_thread_object(who->id);
}

void trace_arrows_unpark(struct trace_arrows *a, const struct trace_who *who, uint64_t time,
			 uint64_t object)
{
	uint64_t id;

	if (object && !(object & JWR_OBJECT_THREAD))
		note_end(a, who, object);
	else if (is_shown(a, who->place.task, object, &id))
		permit(a, who, time, id, operation_of(who));
}

/* Who has done it to NUMBER, which is no longer noted: *FROM. False: nobody, or before BEGIN. */
static bool take(struct trace_table *table, uint32_t task, uint64_t number, uint64_t begin,
		 struct trace_point *from)
{
	struct trace_entry *e = trace_table_find(table, task, number);

	if (!e)
		return false;
	*from = ((const struct latest *)e)->from;
	trace_table_remove(table, e);
	return from->time >= begin;
}

static const struct jw_operation *interrupt(void)
{
	return jw_operation_find(JW_SPAN_LIT("thread/interrupt"));
}

void trace_arrows_interrupt(struct trace_arrows *a, const struct trace_who *who, uint64_t time,
			    uint64_t object)
{
	const struct trace_inside *inside = trace_innermost(&who->track->insides);
	const struct jw_operation *op = interrupt();
	bool woven = inside && inside->method->about.operation == op; /* arrow_threads.c */
	uint64_t id;

	if (woven || !is_shown(a, who->place.task, object, &id))
		return;
	permit(a, who, time, id, op);
	note(&a->interrupts, who, time, id, op);
}

bool trace_arrows_interrupted(struct trace_arrows *a, const struct trace_who *who, uint64_t begin,
			      struct trace_point *from)
{
	uint64_t id = who->carrier ? who->carrier : who->id;

	return take(&a->interrupts, who->place.task, id, begin, from);
}

void trace_arrows_slept(struct trace_arrows *a, const struct trace_who *who, uint64_t time,
			uint64_t begin)
{
	const struct trace_point to = { time, who->place, 0 };
	struct trace_point from;

	if (trace_arrows_interrupted(a, who, begin, &from))
		trace_arrow_put(a->world, &from, &to);
}

/* A waker works once until who selects has seen it: of several the last one is no other's. */
void trace_arrows_wake(struct trace_arrows *a, const struct trace_who *who, uint64_t time,
		       uint64_t number)
{
	note(&a->wakes, who, time, number, unpark());
}

/* A select that found the waker used when it began has not waited for it. */
void trace_arrows_woken(struct trace_arrows *a, const struct trace_who *who, uint64_t time,
			uint64_t begin, uint64_t number)
{
	const struct trace_point to = { time, who->place, 0 };
	struct trace_point from;

	if (number && take(&a->wakes, who->place.task, number, begin, &from))
		trace_arrow_put(a->world, &from, &to);
}

/* ---- parks ---- */

/* The call in which WHO waits, where woven code tells of one; NULL: it does not. */
static struct trace_inside *waiting_call(const struct trace_who *who)
{
	struct trace_insides *in = &who->track->insides;
	uint32_t n = in->n;

	while (n && in->at[n - 1].part)
		n--;
	if (!n || !in->at[n - 1].begun)
		return NULL;
	switch (in->at[n - 1].method->about.operation->role) {
	case JW_ROLE_JOIN:
	case JW_ROLE_WOKEN:
	case JW_ROLE_WAIT:
	case JW_ROLE_LOCK:
	case JW_ROLE_TAKE:
	case JW_ROLE_GIVE:
	case JW_ROLE_PASS:
	case JW_ROLE_MEET:
	case JW_ROLE_PAIR:
	case JW_ROLE_GET:
		return &in->at[n - 1];
	default:
		return NULL;
	}
}

/* The queue in which CALL of WHO, a virtual thread, waits for room; NULL: it does not. */
static const struct trace_object *full_queue(const struct trace_arrows *a,
					     const struct trace_who *who,
					     const struct trace_inside *call)
{
	const struct jw_operation *op = call ? call->method->about.operation : NULL;

	return who->place.row & TRACE_LANE_BIT && op && op->type == JW_OPERATIONS_QUEUE &&
			       op->role == JW_ROLE_GIVE
		       ? trace_object_find(a, who->place.task, op, call->object)
		       : NULL;
}

void trace_arrows_parks(struct trace_arrows *a, const struct trace_who *who, bool at_queue)
{
	struct trace_inside *call = waiting_call(who);
	const struct trace_object *o = full_queue(a, who, call);

	if (o)
		call->room = at_queue && !o->first ? o->store.takes + 1 : 0;
}

/* WHO goes on in CALL, since BEGIN of its park there is room: by whom? */
static void unparked_by_take(const struct trace_arrows *a, const struct trace_who *who,
			     uint64_t time, uint64_t begin, struct trace_inside *call)
{
	const struct trace_object *o = full_queue(a, who, call);

	if (!o || who->carrier || !call->room || o->store.takes != call->room ||
	    o->store.taker.time < begin)
		return;
	call->unparked = o->store.taker;
	call->went_on = time;
}

/* Two that do the same do not hand over to each other, but the lock that both need. So does who
 * submits a task, to whoever is no worker. CALL: of the one that goes on, or NULL. */
static struct trace_point from_other(const struct permit *p, const struct trace_inside *call)
{
	struct trace_point from = p->from;

	if (p->op->role == JW_ROLE_SUBMIT || (call && call->method->about.operation == p->op))
		from.tag = trace_arrow_tag(unpark());
	return from;
}

/* The arrow of a park that ends at TO, in no call that tells of it. */
static void arrow_to_park(struct trace_arrows *a, const struct permit *p,
			  const struct trace_point *to, bool for_work)
{
	const struct trace_point from = from_other(p, NULL);

	if (!for_work || p->op->role != JW_ROLE_SUBMIT) /* which leads to the task */
		trace_arrow_put(a->world, &from, to);
}

/* Who joins a virtual thread goes on since that has ended: of several one may have let the next one go on. */
static bool is_over(struct trace_arrows *a, const struct trace_who *who, uint64_t time,
		    const struct trace_wait *wait, struct trace_point *from)
{
	const struct end *end =
		wait ? (const struct end *)trace_table_find(&a->ends, who->place.task, wait->object)
		     : NULL;

	return end && trace_thread_ended(a, who, end->thread, wait->begin, time, from);
}

void trace_arrows_unparked(struct trace_arrows *a, const struct trace_who *who, uint64_t time,
			   const struct trace_wait *wait)
{
	uint64_t id = who->carrier ? who->carrier : who->id;
	struct permit *p = (struct permit *)trace_table_find(&a->permits, who->place.task, id);
	struct trace_inside *call = waiting_call(who);
	struct trace_point to = { time, who->place, 0 }, end;
	bool over = is_over(a, who, time, wait, &end);

	if (!p && wait && !over)
		unparked_by_take(a, who, time, wait->begin, call);
	if (over && call) {
		call->unparked = end;
		call->went_on = time;
	} else if (over) {
		trace_arrow_put(a->world, &end, &to);
	}
	if (!p)
		return;
	if (over) {
		/* who let it go on has been let go itself, or is its carrier */
	} else if (wait && call) {
		call->unparked = from_other(p, call);
		call->went_on = time;
	} else if (wait) {
		arrow_to_park(a, p, &to, wait->value == TRACE_WAIT_FOR_WORK);
	}
	trace_table_remove(&a->permits, &p->entry);
}

void trace_arrows_park_over(struct trace_arrows *a, const struct trace_who *who,
			    const struct trace_inside *inside)
{
	const struct trace_point to = { inside->went_on, who->place, 0 };

	if (inside->went_on)
		trace_arrow_put(a->world, &inside->unparked, &to);
}
