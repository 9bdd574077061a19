/*
 * arrow_objects.c: what threads wait at, and what lets them go.
 *
 *     WAIT, NOTIFY    sent to one of several, or to all: arrow_sent.c
 *     TAKE, GIVE      the same, but what nobody waits for is kept
 *     LOCK, UNLOCK    who owns the lock at last has it from the one who freed it last: a reader
 *                     from the last writer, a writer from the last of all; of monitors,
 *                     arrow_monitors.c says who owns them
 *     PASS, OPEN      the first to pass shows that the gate is open: the latest to arrive so far
 *                     has opened it, for all who are there
 *     PAIR            two and two
 *
 * A call that has begun does not wait yet: the program decides in it. Calls that are open at the
 * same time may take effect in any order. So the latest at a gate was not the last where another
 * one was just arriving, nor where the first to go on was there hardly sooner (GATE_NEAR): the last
 * one waits for nobody. A barrier returns who was the last. Of a lock it is who has it that counts;
 * elsewhere, too, arrows are facts only for calls that began in the order in which they took
 * effect, which calls less than a microsecond apart may not.
 */
#include <string.h>

#include "trace/reader/reader.h"
#include "trace/replay/arrows/arrow_list.h"
#include "trace/replay/arrows/arrow_monitors.h"
#include "trace/replay/arrows/arrow_objects.h"
#include "trace/replay/arrows/arrow_search.h"
#include "trace/replay/arrows/arrow_sent.h"
#include "trace/replay/arrows/arrow_table.h"
#include "trace/replay/arrows/arrow_tasks.h"
#include "trace/replay/inside.h"
#include "trace/replay/track.h"

#include "base/banned.h"

#define GATE_NEAR  1000 /* ns */
#define LATE_LIMIT 4096

/* ---- objects ---- */

/* Roles that have to do with each other. One object may be several things: a queue, and a monitor;
 * and two objects may share a number. */
static uint32_t group_of(enum jw_operation_role role)
{
	switch (role) {
	case JW_ROLE_WAIT:
	case JW_ROLE_NOTIFY:
	case JW_ROLE_NOTIFY_ALL:
		return 1;
	case JW_ROLE_LOCK:
	case JW_ROLE_UNLOCK:
	case JW_ROLE_VIEW:
	case JW_ROLE_HOLD:
		return 2;
	case JW_ROLE_TAKE:
	case JW_ROLE_GIVE:
	case JW_ROLE_CLEAR:
		return 3;
	case JW_ROLE_PASS:
	case JW_ROLE_OPEN:
	case JW_ROLE_MEET:
		return 4;
	case JW_ROLE_PAIR:
		return 5;
	default: /* tasks */
		return 6;
	}
}

static uint32_t space(uint32_t task, const struct jw_operation *op)
{
	return task << 8 | (uint32_t)op->type << 4 | group_of(op->role);
}

struct trace_object *trace_object_find(const struct trace_arrows *a, uint32_t task,
				       const struct jw_operation *op, uint64_t number)
{
	return number ? (struct trace_object *)trace_table_find(&a->objects, space(task, op),
								number)
		      : NULL;
}

struct trace_object *trace_object_get(struct trace_arrows *a, uint32_t task,
				      const struct jw_operation *op, uint64_t number)
{
	struct trace_object *o = trace_object_find(a, task, op, number);

	return o ? o : trace_table_add(&a->objects, space(task, op), number, sizeof(*o));
}

void trace_object_tidy(struct trace_arrows *a, struct trace_object *o)
{
	if (!o->first && !o->stock && !o->arriving && !o->held && !o->readers && !o->submit.time &&
	    !o->other)
		trace_table_remove(&a->objects, &o->entry);
}

bool trace_object_may_go(const struct trace_entry *e)
{
	const struct trace_object *o = (const struct trace_object *)e;

	return !o->first;
}

/* ---- locks ---- */

static const struct jw_operation any_lock = { .type = JW_OPERATIONS_LOCK, .role = JW_ROLE_LOCK };

static bool over_lock(struct trace_object *o, const struct trace_waiter *w,
		      enum trace_outcome outcome, struct trace_point *from)
{
	/* readers wait for a writer, a writer for all */
	const struct trace_point *freed = w->shared ? &o->token : &o->opened;
	bool mine = o->held && trace_same_place(&o->owner, &w->place);

	if (outcome != TRACE_DONE) {
		o->round += !w->shared;
		return false;
	}
	/* still held: somebody freed it where nobody saw it, as Condition.await does */
	bool known = !o->held && (w->shared || !o->readers) && freed->time >= w->begin;

	*from = *freed;
	if (w->shared) {
		o->readers++;
		/* after a writer that has given up a reader may wait for readers */
		return known && w->round == o->round;
	}
	o->owner = w->place;
	o->held = mine ? o->held + 1 : 1;
	return known;
}

static void unlock(struct trace_object *o, const struct trace_point *from)
{
	if (o->held > 1 && trace_same_place(&o->owner, &from->place)) {
		o->held--;
		return;
	}
	o->held = 0;
	o->opened = o->token = *from;
}

void trace_lock_viewed(struct trace_arrows *a, const struct trace_who *who,
		       const struct trace_inside *inside)
{
	const struct jw_operation *op = inside->method->about.operation;
	struct trace_object *o =
		inside->other ? trace_object_get(a, who->place.task, op, inside->other) : NULL;

	if (!o || inside->other == inside->object)
		return;
	o->other = inside->object;
	o->shared = strcmp(inside->method->name, "readLock") == 0 ||
		    strcmp(inside->method->name, "asReadLock") == 0;
}

uint64_t trace_lock_number(const struct trace_arrows *a, uint32_t task,
			   const struct jw_operation *op, uint64_t number, bool *shared)
{
	const struct trace_object *o = trace_object_find(a, task, op, number);

	*shared = false;
	/* StampedLock has a view that has views; numbers may meet, so that there are no more */
	for (int depth = 0; depth < 2 && o && o->other; depth++) {
		*shared |= o->shared;
		number = o->other;
		o = trace_object_find(a, task, op, number);
	}
	return number;
}

bool trace_lock_is_owned(const struct trace_arrows *a, uint32_t task, const struct jw_operation *op,
			 uint64_t number)
{
	const struct trace_object *o = trace_object_find(a, task, op, number);

	return o && o->held;
}

/* The lock that INSIDE, which waits at a condition, frees meanwhile; 0: unknown. */
static uint64_t lock_of_condition(const struct trace_arrows *a, const struct trace_who *who,
				  const struct trace_inside *inside)
{
	bool shared;
	uint64_t lock = trace_lock_number(a, who->place.task, &any_lock, inside->object, &shared);

	return lock != inside->object ? lock : 0;
}

uint32_t trace_lock_waits(const struct trace_arrows *a, const struct trace_who *who,
			  const struct trace_inside *inside)
{
	struct trace_object *o =
		trace_object_find(a, who->place.task, &any_lock, lock_of_condition(a, who, inside));
	uint32_t held = o ? o->held : 0;

	if (!held || !trace_same_place(&o->owner, &who->place))
		return 0;
	o->held = 0;
	o->opened = o->token = trace_point_of(who, inside);
	return held;
}

void trace_lock_waited(struct trace_arrows *a, const struct trace_who *who,
		       const struct trace_inside *inside, uint32_t held)
{
	uint64_t lock = held ? lock_of_condition(a, who, inside) : 0;
	struct trace_object *o =
		lock ? trace_object_get(a, who->place.task, &any_lock, lock) : NULL;

	if (!o)
		return;
	o->owner = who->place;
	o->held = held;
}

void trace_lock_shared(struct trace_arrows *a, const struct trace_point *from,
		       const struct jw_operation *op, uint64_t number)
{
	struct trace_object *o = trace_object_find(a, from->place.task, op, number);

	if (!o)
		return;
	o->readers -= o->readers > 0;
	if (!o->readers)
		o->opened = *from;
	trace_object_tidy(a, o);
}

/* ---- gates ---- */

/* FROM arrives at O, and STAYS there until the last one has come. */
static void arrive(struct trace_object *o, const struct trace_point *from, bool stays)
{
	o->doubt = o->arriving > 0;
	o->opened = *from;
	o->arriving += !stays;
}

/* Does W, the first to pass, leave it open whether the latest was the last to arrive? */
static bool is_latest_known(const struct trace_object *o, const struct trace_waiter *w)
{
	bool itself = w->begin == o->opened.time && trace_same_place(&w->place, &o->opened.place);

	return itself || (!o->doubt && o->opened.time - w->begin >= GATE_NEAR);
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
	o->round++;
	for (struct trace_waiter *one = o->first; one; one = one->after) {
		if (one->served)
			continue;
		one->served = true;
		one->round = o->round;
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

static bool over_gate(struct trace_arrows *a, struct trace_object *o, struct trace_waiter *w,
		      const struct jw_operation *op, enum trace_outcome outcome,
		      struct trace_point *from)
{
	struct trace_point itself = { w->begin, w->place, trace_arrow_tag(op) };
	bool known = op->role == JW_ROLE_MEET ? is_latest_known(o, w) : !o->doubt;

	if (outcome != TRACE_DONE)
		return false;
	if (w->last != TRACE_LAST_UNKNOWN)
		return over_told_gate(a, o, w, &itself, from);
	known &= !(a->tiers && is_phasers(o->opened.tag));
	if (!w->served)
		open_gate(o, known ? &o->opened : NULL);
	*from = w->from;
	return w->bound;
}

/* ---- pairs ---- */

/* Of three, nobody knows who meets whom. Once all but one have met and gone, that one waits for
 * another: of those that go it is told in `sent` whether they were an odd number. */
static void mix(struct trace_object *o)
{
	o->mixed = true;
	o->sent = 0;
	for (struct trace_waiter *one = o->first; one; one = one->after) {
		if (one->served && !one->partner) { /* whom it has met has gone */
			o->sent ^= 1;
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

static void pair(struct trace_object *o, struct trace_waiter *w, const struct trace_point *from)
{
	struct trace_waiter *first = o->first;

	if (o->mixed || is_crowd(o)) {
		if (o->mixed)
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
		o->sent ^= 1;
	if (left && !alone)
		return;
	o->mixed = false;
	if (left)
		left->served = o->sent != 0; /* it has met the one that goes, or nobody yet */
	o->sent = 0;
}

static bool over_pair(struct trace_object *o, struct trace_waiter *w, enum trace_outcome outcome,
		      struct trace_point *from)
{
	*from = w->from;
	if (o->mixed)
		thin_out(o, w, outcome);
	if (w->partner) {
		w->partner->partner = NULL;
		if (outcome != TRACE_DONE) /* they have not met: it waits for another one */
			w->partner->bound = w->partner->served = false;
	}
	return w->bound && outcome == TRACE_DONE;
}

/* ---- what begins and ends ---- */

void trace_object_append(struct trace_object *o, struct trace_waiter *w)
{
	w->object = o;
	w->before = o->last;
	*(o->last ? &o->last->after : &o->first) = w;
	o->last = w;
}

void trace_object_detach(struct trace_object *o, struct trace_waiter *w)
{
	*(w->before ? &w->before->after : &o->first) = w->after;
	*(w->after ? &w->after->before : &o->last) = w->before;
	w->object = NULL;
}

struct trace_waiter *trace_object_wait(struct trace_arrows *a, const struct trace_who *who,
				       const struct jw_operation *op, uint64_t number,
				       uint64_t time, uint64_t amount)
{
	struct trace_object *o = trace_object_get(a, who->place.task, op, number);
	struct trace_waiter *w =
		o ? jw_mem_zalloc(op->role == JW_ROLE_GET ? 2 : 1, sizeof(*w)) : NULL;
	struct trace_point from = { time, who->place, trace_arrow_tag(op) };

	if (!w) {
		a->failed = true;
		return NULL;
	}
	w->place = who->place;
	w->begin = time;
	trace_object_append(o, w);
	switch (op->role) {
	case JW_ROLE_LOCK:
		w->round = o->round;
		break;
	case JW_ROLE_TAKE:
		trace_sent_take(w, amount);
		break;
	case JW_ROLE_WAIT:
		trace_sent_wait(o);
		break;
	case JW_ROLE_MEET:
		arrive(o, &from, true);
		break;
	case JW_ROLE_PAIR:
		pair(o, w, &from);
		break;
	default:
		break;
	}
	return w;
}

bool trace_object_over(struct trace_arrows *a, struct trace_waiter *w,
		       const struct jw_operation *op, enum trace_outcome outcome,
		       struct trace_point *from)
{
	struct trace_object *o = w->object;
	bool known = false;

	switch (op->role) {
	case JW_ROLE_WAIT:
		known = trace_sent_waited(o, w, outcome, from);
		break;
	case JW_ROLE_TAKE:
		known = trace_sent_taken(o, w, outcome, from);
		break;
	case JW_ROLE_LOCK:
		known = op->type == JW_OPERATIONS_MONITOR
				? trace_monitor_entered(o, w, outcome, from)
				: over_lock(o, w, outcome, from);
		break;
	case JW_ROLE_PASS:
	case JW_ROLE_MEET:
		known = over_gate(a, o, w, op, outcome, from);
		break;
	case JW_ROLE_PAIR:
		known = over_pair(o, w, outcome, from);
		break;
	default: /* GET */
		known = trace_task_over(a, w, outcome, from);
		break;
	}
	trace_object_detach(o, w);
	trace_object_tidy(a, o);
	return known;
}

void trace_object_clear(struct trace_arrows *a, uint32_t task, const struct jw_operation *op,
			uint64_t number, uint64_t since)
{
	struct trace_object *o = trace_object_find(a, task, op, number);

	if (!o || o->opened.time >= since)
		return;
	trace_sent_drop(o, o->stock);
	trace_object_tidy(a, o);
}

void trace_object_retract(struct trace_arrows *a, uint32_t task, const struct jw_operation *op,
			  uint64_t number, uint64_t amount)
{
	struct trace_object *o = trace_object_find(a, task, op, number);

	if (!o)
		return;
	trace_sent_drop(o, amount);
	trace_object_tidy(a, o);
}

void trace_object_send(struct trace_arrows *a, const struct trace_point *from,
		       const struct jw_operation *op, uint64_t number, uint64_t amount)
{
	bool kept = op->role == JW_ROLE_GIVE || op->role == JW_ROLE_OPEN;
	struct trace_object *o = kept ? trace_object_get(a, from->place.task, op, number)
				      : trace_object_find(a, from->place.task, op, number);

	if (!o)
		return;
	switch (op->role) {
	case JW_ROLE_NOTIFY:
		trace_sent_one(o, from);
		break;
	case JW_ROLE_NOTIFY_ALL:
		trace_sent_all(o, from);
		break;
	case JW_ROLE_GIVE:
		trace_sent_give(o, from, amount);
		break;
	case JW_ROLE_HOLD: /* its end */
		trace_monitor_leaves(o, from);
		break;
	case JW_ROLE_UNLOCK:
		if (op->type == JW_OPERATIONS_MONITOR)
			trace_monitor_leaves(o, from);
		else
			unlock(o, from);
		break;
	default: /* OPEN */
		arrive(o, from, false);
		break;
	}
	trace_object_tidy(a, o);
}

void trace_object_arrived(struct trace_arrows *a, uint32_t task, const struct jw_operation *op,
			  uint64_t number)
{
	struct trace_object *o = trace_object_find(a, task, op, number);

	if (!o)
		return;
	o->arriving -= o->arriving > 0;
	trace_object_tidy(a, o);
}
