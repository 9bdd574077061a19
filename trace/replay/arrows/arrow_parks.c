/*
 * arrow_parks.c: who let a thread go on that had parked, by what the natives of the JDK tell
 * (UNPARK, PARKED): whatever waits in the JDK parks.
 *
 *     A  ....UNPARK B..........        the first since B went on last: that is the permit
 *                    \                 (LockSupport), whether B was parked then or not
 *     B  ..PARK=======PARKED...
 *
 * A park that returns without a permit timed out, was interrupted or woke for no reason: it has no
 * arrow by this.
 *
 * Where woven code tells what the thread waits in (a call of put, take, get, lock ...), that may
 * park more than once, and what it does may have an arrow of its own: it is one wait. The arrow of
 * its last park is drawn when the call is over, if there was none.
 */
#include "trace/replay/arrows/arrow_parks.h"
#include "trace/replay/arrows/arrow_list.h"
#include "trace/replay/arrows/arrow_search.h"
#include "trace/replay/track.h"
#include "trace/replay/world.h"

#include "base/banned.h"

/* A thread that may go on. */
struct permit {
	struct trace_entry entry;
	struct trace_point from;
};

bool trace_permit_may_go(const struct trace_entry *e)
{
	(void)e;
	return true;
}

/* What WHO does that lets the other one go on: a call that is traced, else unpark itself. */
static uint32_t tag_of(const struct trace_who *who)
{
	const struct trace_inside *inside = trace_innermost(&who->track->insides);
	const struct jw_operation *op = inside ? inside->method->about.operation : NULL;

	if (!op || op->role == JW_ROLE_NONE)
		op = jw_operation_find(JW_SPAN_LIT("park/unpark"));
	return trace_arrow_tag(op);
}

void trace_arrows_unpark(struct trace_arrows *a, const struct trace_who *who, uint64_t time,
			 uint64_t object)
{
	uint32_t task = who->place.task;
	uint64_t id = object & ~JWR_OBJECT_THREAD;
	bool has_row = a->world->tasks[task].lane_cap || trace_table_find(&a->rows, task, id);

	if (!(object & JWR_OBJECT_THREAD) || !has_row || trace_table_find(&a->permits, task, id))
		return;
	struct permit *p = trace_table_add(&a->permits, task, id, sizeof(*p));

	if (p)
		p->from = (struct trace_point){ time, who->place, tag_of(who) };
}

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

void trace_arrows_unparked(struct trace_arrows *a, const struct trace_who *who, uint64_t time)
{
	struct permit *p = (struct permit *)trace_table_find(&a->permits, who->place.task, who->id);
	struct trace_inside *call = waiting_call(who);
	struct trace_point to = { time, who->place, 0 };

	if (!p)
		return;
	if (call) {
		call->unparked = p->from;
		call->went_on = time;
	} else {
		trace_arrow_put(a->world, &p->from, &to);
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
