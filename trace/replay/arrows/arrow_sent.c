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
#include "trace/replay/arrows/arrow_search.h"
#include "trace/replay/arrows/arrow_sent.h"

#include "base/banned.h"

/* ---- wait and notify ---- */

static void bind(struct trace_object *o, struct trace_waiter *w, const struct trace_point *from)
{
	w->bound = true;
	w->from = *from;
	o->open--;
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
	bool known = o->sent > 0 && !o->doubt;

	o->open--;
	if (known)
		*from = o->token;
	o->sent -= o->sent > 0;
	o->doubt &= o->sent > 0;
	return known;
}

/* One that is open is gone, and nobody let it: but who was sent may have been sent to it. */
static void give_up(struct trace_object *o)
{
	o->open--;
	if (o->sent > o->open)
		o->sent = o->open;
	o->doubt = o->sent > 0;
}

void trace_sent_wait(struct trace_object *o)
{
	o->open++;
}

void trace_sent_one(struct trace_object *o, const struct trace_point *from)
{
	if (o->open == o->sent)
		return;
	if (o->open == 1) {
		bind(o, first_open(o), from);
		return;
	}
	if (o->sent++ == 0)
		o->token = *from;
	else
		o->doubt |= o->token.time != from->time ||
			    !trace_same_place(&o->token.place, &from->place);
}

void trace_sent_all(struct trace_object *o, const struct trace_point *from)
{
	for (struct trace_waiter *w = o->first; w; w = w->after) {
		if (w->bound || w->served)
			continue;
		if (o->sent == 0)
			bind(o, w, from);
		else /* who of them was sent for before? */
			w->served = true;
	}
	o->open = o->sent = 0;
	o->doubt = false;
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

void trace_sent_take(struct trace_waiter *w, uint64_t need)
{
	w->need = need;
	if (w->before && !w->before->before) /* what was for the one before may go to this one */
		w->before->bound = false;
}

void trace_sent_give(struct trace_object *o, const struct trace_point *from, uint64_t n)
{
	struct trace_waiter *alone = o->first == o->last ? o->first : NULL;
	uint64_t before = o->stock;

	if (o->arriving++ && alone) /* which of the two gives first? */
		alone->bound = false;
	if (before == 0)
		o->token = *from;
	o->doubt = before > 0 && (o->doubt || o->token.time != from->time ||
				  !trace_same_place(&o->token.place, &from->place));
	o->stock += n;
	o->opened = *from;
	if (!alone || before >= alone->need || o->stock < alone->need)
		return;
	alone->bound = true;
	alone->from = *from;
}

void trace_sent_drop(struct trace_object *o, uint64_t n)
{
	o->stock -= n < o->stock ? n : o->stock;
	o->doubt &= o->stock > 0;
}

bool trace_sent_taken(struct trace_object *o, const struct trace_waiter *w,
		      enum trace_outcome outcome, struct trace_point *from)
{
	bool got = outcome == TRACE_DONE || outcome == TRACE_UNKNOWN;
	/* all there is comes from one, who gave it since W began */
	bool one = w->need > 0 && o->stock >= w->need && !o->doubt && o->token.time >= w->begin;

	if (!got)
		return false;
	*from = w->bound ? w->from : o->token;
	trace_sent_drop(o, w->need);
	return w->bound || one;
}
