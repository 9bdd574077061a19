/*
 * arrow_sent.c: what is sent to one of those that wait at an object.
 *
 *     WAIT, NOTIFY    one waiter at the time of a notify: it is bound to it. Several: the notify is
 *                     sent, and the first that goes on was let go by it, if no other was sent
 *                     meanwhile; what two have sent cannot be told apart any more
 *     TAKE, GIVE      the same, but what nobody waits for is kept (the stock), and who finds enough
 *                     waits not
 *
 * Of some things a waiter needs several at once: permits. Who needs more than one and waits alone
 * has them by the GIVE that completed them; among others nobody knows whom they were for.
 */
#include "trace/arrows_int.h"

#include "base/banned.h"

/* ---- one of several ---- */

/* W is no longer one of those that are open. */
static void close_waiter(struct trace_object *o, const struct trace_waiter *w)
{
	o->open--;
	o->greedy -= w->need > 1;
}

static void bind(struct trace_object *o, struct trace_waiter *w, const struct trace_point *from)
{
	w->bound = true;
	w->from = *from;
	close_waiter(o, w);
}

/* The first one that is open; there is one. */
static struct trace_waiter *first_open(const struct trace_object *o)
{
	struct trace_waiter *w = o->first;

	while (w->bound || w->served)
		w = w->after;
	return w;
}

/* Sends N, to one each. Returns for how many there was nobody. */
static uint64_t send(struct trace_object *o, const struct trace_point *from, uint64_t n)
{
	uint64_t open = o->open - o->sent, sent = n < open ? n : open;

	if (sent == 0)
		return n;
	if (o->open == 1) {
		bind(o, first_open(o), from);
		return n - 1;
	}
	if (o->sent == 0)
		o->token = *from;
	else
		o->doubt |= o->token.time != from->time ||
			    !trace_same_place(&o->token.place, &from->place);
	o->sent += (uint32_t)sent;
	return n - sent;
}

/* W, which is open, goes on; true: it is known why. */
static bool receive(struct trace_object *o, const struct trace_waiter *w, struct trace_point *from)
{
	bool known = o->sent > 0 && !o->doubt;

	close_waiter(o, w);
	if (known)
		*from = o->token;
	o->sent -= o->sent > 0;
	o->doubt &= o->sent > 0;
	return known;
}

/* W, which is open, is gone, and nobody let it: but who was sent may have been sent to it. Returns
 * how many were sent for nobody that is left. */
static uint32_t give_up(struct trace_object *o, const struct trace_waiter *w)
{
	uint32_t left = 0;

	close_waiter(o, w);
	o->doubt = o->sent > 0;
	if (o->sent > o->open) {
		left = o->sent - o->open;
		o->sent = o->open;
	}
	o->doubt &= o->sent > 0;
	return left;
}

/* ---- wait and notify ---- */

void trace_sent_wait(struct trace_object *o, struct trace_waiter *w)
{
	w->need = 1;
	o->open++;
}

void trace_sent_one(struct trace_object *o, const struct trace_point *from)
{
	(void)send(o, from, 1);
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

bool trace_sent_waited(struct trace_object *o, struct trace_waiter *w, enum trace_outcome outcome,
		       struct trace_point *from)
{
	if (w->bound) {
		*from = w->from;
		return outcome == TRACE_DONE;
	}
	if (w->served)
		return false;
	if (outcome == TRACE_DONE)
		return receive(o, w, from);
	give_up(o, w);
	return false;
}

/* ---- take and give ---- */

void trace_sent_take(struct trace_object *o, struct trace_waiter *w, uint64_t need)
{
	w->need = need;
	w->served = o->stock >= need;
	if (w->served) {
		o->stock -= need;
		return;
	}
	o->open++;
	o->greedy += need > 1;
}

/* What is kept is enough for some that are open: nobody knows who brought it. */
static void settle(struct trace_object *o)
{
	while (o->open > o->sent && (o->open == 1 || !o->greedy)) {
		struct trace_waiter *w = first_open(o);

		if (o->stock < w->need)
			return;
		o->stock -= w->need;
		w->served = true;
		close_waiter(o, w);
	}
}

void trace_sent_give(struct trace_object *o, const struct trace_point *from, uint64_t n)
{
	if (!o->greedy) {
		o->stock += send(o, from, n);
		return;
	}
	o->stock += n;
	if (o->open != 1)
		return;
	struct trace_waiter *w = first_open(o);

	if (o->stock < w->need)
		return;
	o->stock -= w->need;
	bind(o, w, from);
}

/* N that were meant for one that did not take them. */
static void keep(struct trace_object *o, uint64_t n)
{
	uint64_t open = o->greedy ? 0 : o->open - o->sent, sent = n < open ? n : open;

	o->sent += (uint32_t)sent;
	o->doubt |= sent > 0;
	o->stock += n - sent;
}

/* One has taken what another one, still open, was thought to take: that one waits. */
static void swap_served(struct trace_object *o, const struct trace_waiter *w)
{
	for (struct trace_waiter *other = o->first; other; other = other->after) {
		if (other != w && other->served && other->need == 1) {
			other->served = false;
			o->open++;
			return;
		}
	}
}

/* W, which is open, has taken what it needs; true: it is known whose that was. */
static bool take(struct trace_object *o, struct trace_waiter *w, struct trace_point *from)
{
	if (!o->greedy) {
		if (o->sent == 0)
			swap_served(o, w);
		return receive(o, w, from);
	}
	close_waiter(o, w);
	o->stock -= w->need < o->stock ? w->need : o->stock;
	settle(o);
	return false;
}

bool trace_sent_taken(struct trace_object *o, struct trace_waiter *w, enum trace_outcome outcome,
		      struct trace_point *from)
{
	bool got = outcome == TRACE_DONE || outcome == TRACE_UNKNOWN;

	if (w->bound || w->served) {
		*from = w->from;
		if (!got)
			keep(o, w->need);
		return got && w->bound;
	}
	if (outcome == TRACE_DONE)
		return take(o, w, from);
	o->stock += give_up(o, w);
	settle(o);
	return false;
}
