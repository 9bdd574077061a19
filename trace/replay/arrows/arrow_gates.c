/*
 * arrow_gates.c: gates, which open when the last one has arrived.
 *
 * The first to pass shows that the gate is open: the latest to arrive so far has opened it, for all
 * who are there. A call that has begun has not arrived yet: calls that are open at the same time may
 * take effect in any order. So the latest at a gate was not the last where another one was just
 * arriving, nor where the first to go on was there hardly sooner (GATE_NEAR): the last one waits for
 * nobody. A barrier returns who was the last.
 */
#include <string.h>

#include "trace/reader/reader.h"
#include "trace/replay/arrows/arrow_gates.h"
#include "trace/replay/arrows/arrow_list.h"
#include "trace/replay/arrows/arrow_objects.h"
#include "trace/replay/track.h"

#include "base/banned.h"

#define GATE_NEAR  1000 /* ns */
#define LATE_LIMIT 4096

void trace_gate_arrive(struct trace_object *o, const struct trace_point *from, bool stays)
{
	o->gate.doubt = o->gate.arriving > 0;
	o->gate.latest = *from;
	o->gate.arriving += !stays;
}

/* Does W, the first to pass, leave it open whether the latest was the last to arrive? */
static bool is_latest_known(const struct trace_object *o, const struct trace_waiter *w)
{
	bool itself = w->begin == o->gate.latest.time &&
		      trace_same_place(&w->place, &o->gate.latest.place);

	return itself || (!o->gate.doubt && o->gate.latest.time - w->begin >= GATE_NEAR);
}

/* W is over: whoever says that it was the last will have let it go. */
static void add_late(struct trace_arrows *a, const struct trace_object *o,
		     const struct trace_waiter *w)
{
	if (a->late_n == LATE_LIMIT)
		return;
	struct trace_late *grown = trace_grow(a->late, a->late_n, &a->late_cap, sizeof(*grown));

	if (!grown) {
		a->failed = true;
		return;
	}
	a->late = grown;
	grown[a->late_n++] = (struct trace_late){
		.key = o->entry.key,
		.space = o->entry.space,
		.round = w->round,
		.to = { w->ended, w->place, 0 },
	};
}

/* LAST has let them go that were over before. */
static void settle_late(struct trace_arrows *a, const struct trace_object *o, uint32_t round,
			const struct trace_point *last)
{
	size_t kept = 0;

	for (size_t i = 0; i < a->late_n; i++) {
		const struct trace_late *one = &a->late[i];

		if (one->key == o->entry.key && one->space == o->entry.space && one->round == round)
			trace_arrow_put(a->world, last, &one->to);
		else
			a->late[kept++] = *one;
	}
	a->late_n = kept;
}

/* All that are there may go on; LAST: who let them, if that is known. */
static void open_gate(struct trace_object *o, const struct trace_point *last)
{
	o->gate.round++;
	for (struct trace_waiter *one = o->first; one; one = one->after) {
		if (one->served)
			continue;
		one->served = true;
		one->round = o->gate.round;
		one->bound = last && last->time >= one->begin;
		if (last)
			one->from = *last;
	}
}

/* W, one of those, says itself that it was the last. */
static void correct(struct trace_object *o, const struct trace_waiter *w,
		    const struct trace_point *last)
{
	for (struct trace_waiter *one = o->first; one; one = one->after) {
		if (one->round != w->round || one == w)
			continue;
		one->bound = true;
		one->from = *last;
	}
}

/* Does a phaser open at TAG? */
static bool is_phasers(uint32_t tag)
{
	const struct jw_operation *op = jw_operations;

	while (op->word && trace_arrow_tag(op) != tag)
		op++;
	return op->word && strncmp(op->word, "arrive", strlen("arrive")) == 0;
}

/* The same where each one says whether it was the last. */
static bool over_told_gate(struct trace_arrows *a, struct trace_object *o, struct trace_waiter *w,
			   const struct trace_point *itself, struct trace_point *from)
{
	if (!w->served)
		open_gate(o, NULL);
	if (w->last == TRACE_LAST_YES) {
		correct(o, w, itself);
		settle_late(a, o, w->round, itself);
		return false;
	}
	if (!w->bound)
		add_late(a, o, w);
	*from = w->from;
	return w->bound;
}

bool trace_gate_over(struct trace_arrows *a, struct trace_object *o, struct trace_waiter *w,
		     const struct jw_operation *op, enum trace_outcome outcome,
		     struct trace_point *from)
{
	struct trace_point itself = { w->begin, w->place, trace_arrow_tag(op) };
	bool known = op->role == JW_ROLE_MEET ? is_latest_known(o, w) : !o->gate.doubt;

	if (outcome != TRACE_DONE)
		return false;
	if (w->last != TRACE_LAST_UNKNOWN)
		return over_told_gate(a, o, w, &itself, from);
	known &= !(a->tiers && is_phasers(o->gate.latest.tag));
	if (!w->served)
		open_gate(o, known ? &o->gate.latest : NULL);
	*from = w->from;
	return w->bound;
}
