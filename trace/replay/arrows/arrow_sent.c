/*
 * arrow_sent.c: what is sent to one of those that wait at an object.
 *
 *     WAIT, NOTIFY    one waiter at the time of a notify: it is bound to it. Several: the notify is
 *                     sent, and the first that goes on was let go by it, if no other was sent
 *                     meanwhile; what two have sent cannot be told apart any more
 *     TAKE, GIVE      what was given is kept (the stock) until somebody takes it, and who comes
 *                     last may be the first to take. Who waits alone, from the GIVE on until
 *                     it has gone, was let go by the GIVE that made it enough; whoever else,
 *                     by the one that all there is comes from, if that is one
 *
 * Of some things a waiter needs several at once: permits.
 */
#include "trace/replay/arrows/arrow_list.h"
#include "trace/replay/arrows/arrow_objects.h"
#include "trace/replay/arrows/arrow_sent.h"

#include "base/banned.h"

/* ---- wait and notify ---- */

static void bind(struct trace_object *o, struct trace_waiter *w, const struct trace_point *from)
{
	w->bound = true;
	w->from = *from;
	o->signal.open--;
}

/* The first one that is open; there is one. */
static struct trace_waiter *first_open(const struct trace_object *o)
{
	struct trace_waiter *w = o->first;

	while (w->bound || w->served)
		w = w->after;
	return w;
}

/* One that is open goes on; true: it is known why. */
static bool receive(struct trace_object *o, struct trace_point *from)
{
	bool known = o->signal.sent > 0 && !o->signal.doubt;

	o->signal.open--;
	if (known)
		*from = o->signal.token;
	o->signal.sent -= o->signal.sent > 0;
	o->signal.doubt &= o->signal.sent > 0;
	return known;
}

/* One that is open is gone, and nobody let it: but who was sent may have been sent to it. */
static void give_up(struct trace_object *o)
{
	o->signal.open--;
	if (o->signal.sent > o->signal.open)
		o->signal.sent = o->signal.open;
	o->signal.doubt = o->signal.sent > 0;
}

void trace_sent_wait(struct trace_object *o)
{
	o->signal.open++;
}

void trace_sent_one(struct trace_object *o, const struct trace_point *from)
{
	if (o->signal.open == o->signal.sent)
		return;
	if (o->signal.open == 1) {
		bind(o, first_open(o), from);
		return;
	}
	if (o->signal.sent++ == 0)
		o->signal.token = *from;
	else
		o->signal.doubt |= o->signal.token.time != from->time ||
				   !trace_same_place(&o->signal.token.place, &from->place);
}

void trace_sent_all(struct trace_object *o, const struct trace_point *from)
{
	for (struct trace_waiter *w = o->first; w; w = w->after) {
		if (w->bound || w->served)
			continue;
		if (o->signal.sent == 0)
			bind(o, w, from);
		else /* who of them was sent for before? */
			w->served = true;
	}
	o->signal.open = o->signal.sent = 0;
	o->signal.doubt = false;
}

bool trace_sent_waited(struct trace_object *o, const struct trace_waiter *w,
		       enum trace_outcome outcome, struct trace_point *from)
{
	if (w->bound) {
		*from = w->from;
		return outcome == TRACE_DONE;
	}
	if (w->served)
		return false;
	if (outcome == TRACE_DONE)
		return receive(o, from);
	give_up(o);
	return false;
}

/* ---- take and give ---- */

/*
 * The stock is all that was given and not taken yet by a call that has ended: no less than there
 * is, since some that are open may have taken theirs.
 */

void trace_sent_take(struct trace_object *o, struct trace_waiter *w, uint64_t need,
		     const struct trace_point *from)
{
	o->store.takes++;
	o->store.taker = *from;
	w->need = need;
	if (w->before && !w->before->before) /* what was for the one before may go to this one */
		w->before->bound = false;
}

void trace_sent_give(struct trace_object *o, const struct trace_point *from, uint64_t n)
{
	struct trace_waiter *alone = o->first == o->last ? o->first : NULL;
	uint64_t before = o->store.stock;

	if (o->store.giving++ && alone) /* which of the two gives first? */
		alone->bound = false;
	if (before == 0)
		o->store.token = *from;
	o->store.doubt = before > 0 && (o->store.doubt || o->store.token.time != from->time ||
					!trace_same_place(&o->store.token.place, &from->place));
	o->store.stock += n;
	o->store.last = *from;
	if (!alone || before >= alone->need || o->store.stock < alone->need)
		return;
	alone->bound = true;
	alone->from = *from;
}

void trace_sent_drop(struct trace_object *o, uint64_t n)
{
	o->store.stock -= n < o->store.stock ? n : o->store.stock;
	o->store.doubt &= o->store.stock > 0;
}

bool trace_sent_taken(struct trace_object *o, const struct trace_waiter *w,
		      enum trace_outcome outcome, struct trace_point *from)
{
	bool got = outcome == TRACE_DONE || outcome == TRACE_UNKNOWN;
	/* all there is comes from one, who gave it since W began */
	bool one = w->need > 0 && o->store.stock >= w->need && !o->store.doubt &&
		   o->store.token.time >= w->begin;

	if (!got)
		return false;
	*from = w->bound ? w->from : o->store.token;
	trace_sent_drop(o, w->need);
	return w->bound || one;
}
