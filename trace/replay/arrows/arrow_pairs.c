/*
 * arrow_pairs.c: exchanges: two and two.
 */
#include "trace/replay/arrows/arrow_list.h"
#include "trace/replay/arrows/arrow_objects.h"
#include "trace/replay/arrows/arrow_pairs.h"

#include "base/banned.h"

/* Of three, nobody knows who meets whom. Once all but one have met and gone, that one waits for
 * another: of those that go it is told in `odd` whether they were an odd number. */
static void mix(struct trace_object *o)
{
	o->meeting.mixed = true;
	o->meeting.odd = false;
	for (struct trace_waiter *one = o->first; one; one = one->after) {
		if (one->served && !one->partner) { /* whom it has met has gone */
			o->meeting.odd = !o->meeting.odd;
			continue;
		}
		one->bound = false;
		one->served = true;
		one->partner = NULL;
	}
}

/* Are two there that may have met, but perhaps have not yet? */
static bool is_crowd(const struct trace_object *o)
{
	for (const struct trace_waiter *one = o->first; one; one = one->after)
		if (one->partner)
			return true;
	return false;
}

void trace_pair_meet(struct trace_object *o, struct trace_waiter *w, const struct trace_point *from)
{
	struct trace_waiter *first = o->first;

	if (o->meeting.mixed || is_crowd(o)) {
		if (o->meeting.mixed)
			w->served = true;
		else
			mix(o);
		return;
	}
	while (first->served)
		first = first->after;
	if (first == w)
		return;
	first->served = first->bound = w->served = true;
	first->from = *from;
	first->partner = w;
	w->partner = first;
}

/* One of a crowd goes. */
static void thin_out(struct trace_object *o, struct trace_waiter *w, enum trace_outcome outcome)
{
	struct trace_waiter *left = o->first == w ? w->after : o->first;
	bool alone = left && (left->after ? left->after == w && !w->after : true);

	if (outcome == TRACE_DONE)
		o->meeting.odd = !o->meeting.odd;
	if (left && !alone)
		return;
	o->meeting.mixed = false;
	if (left)
		left->served = o->meeting.odd; /* it has met the one that goes, or nobody yet */
	o->meeting.odd = false;
}

bool trace_pair_over(struct trace_object *o, struct trace_waiter *w, enum trace_outcome outcome,
		     struct trace_point *from)
{
	*from = w->from;
	if (o->meeting.mixed)
		thin_out(o, w, outcome);
	if (w->partner) {
		w->partner->partner = NULL;
		if (outcome != TRACE_DONE) /* they have not met: it waits for another one */
			w->partner->bound = w->partner->served = false;
	}
	return w->bound && outcome == TRACE_DONE;
}
