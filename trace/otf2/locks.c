/*
 * locks.c: who holds which lock, as far as operations tell it.
 *
 *     takes     monitor enter, lock, lock with others     when the call has returned, by no exception
 *               a synchronized method                     when it begins
 *     lets go   monitor exit, unlock                      when the call begins
 *               a synchronized method                     when it ends
 *     waits     Object.wait, Condition.await              lets go, and takes back at its end
 *
 * A lock that a thread takes again and again is taken once. Whether tryLock had an effect is not
 * told, so it takes nothing; nor does anything that no operation tells, as a wait of a thread for a
 * monitor. A condition does not say which lock it belongs to: if the thread holds one, it is that.
 * A monitor has one holder: who has it when another one takes it has let it go by then.
 */
#include "base/grow.h"
#include "trace/otf2/otf2_int.h"

#include "base/banned.h"

static const struct jw_growth grow = { NULL, 0, 0 };

enum act { NOTHING, TAKES, LETS_GO, WAITS };

struct rule {
	enum jw_operation_type type;
	uint32_t number; /* ORDER: operations.def */
	enum act begins, ends;
};

static const struct rule rules[] = {
	{ JW_OPERATIONS_MONITOR, 1, WAITS, WAITS },
	{ JW_OPERATIONS_MONITOR, 4, NOTHING, TAKES },
	{ JW_OPERATIONS_MONITOR, 5, LETS_GO, NOTHING },
	{ JW_OPERATIONS_MONITOR, 6, TAKES, LETS_GO },
	{ JW_OPERATIONS_LOCK, 1, NOTHING, TAKES },
	{ JW_OPERATIONS_LOCK, 3, LETS_GO, NOTHING },
	{ JW_OPERATIONS_LOCK, 4, NOTHING, TAKES },
	{ JW_OPERATIONS_LOCK, 5, LETS_GO, NOTHING },
	{ JW_OPERATIONS_CONDITION, 1, WAITS, WAITS },
};

static const struct rule *rule_of(const struct trace_otf2_operation *op)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (rules[i].type == op->type && rules[i].number == op->number)
			return &rules[i];
	return NULL;
}

static uint32_t lock_of(struct trace_otf2 *w, uint32_t thread,
			const struct trace_otf2_operation *op)
{
	bool monitor = op->type == JW_OPERATIONS_MONITOR;
	uint64_t key = trace_otf2_object(w->scene->threads[thread].process, op->object);
	uint32_t lock = trace_methods_number(&w->locks, key << 1 | monitor);

	if (lock == TRACE_NO_METHOD && w->locks.refused == 0)
		trace_otf2_fails(w, JW_NOMEM);
	while (lock != TRACE_NO_METHOD && w->lock_states.n <= lock) {
		if (w->why.status != JW_OK || JW_GROW(&w->lock_states, &grow, &w->why) != JW_OK)
			return TRACE_NO_METHOD;
		w->lock_states.at[w->lock_states.n++] = (struct trace_otf2_lock){ 0 };
	}
	return lock;
}

static struct trace_otf2_held *find(struct trace_otf2_lane *lane, uint32_t lock)
{
	for (size_t i = lane->held.n; i-- > 0;)
		if (lane->held.at[i].lock == lock)
			return &lane->held.at[i];
	return NULL;
}

static void put(struct trace_otf2 *w, uint32_t thread, uint64_t time, enum trace_otf2_kind kind,
		const struct trace_otf2_held *held)
{
	const uint64_t order = held->order;

	trace_otf2_put(w, thread, time, kind, held->lock, &order);
}

/* HELD, one of LANE's, is free. */
static void let_go(struct trace_otf2 *w, uint32_t thread, uint64_t time,
		   struct trace_otf2_held *held)
{
	struct trace_otf2_lane *lane = &w->lanes[thread];

	put(w, thread, time, TRACE_OTF2_RELEASE, held);
	w->lock_states.at[held->lock].holder = 0;
	*held = lane->held.at[--lane->held.n];
}

/* THREAD has taken what WANTED says, as many times. */
static void take(struct trace_otf2 *w, uint32_t thread, uint64_t time,
		 struct trace_otf2_held wanted)
{
	struct trace_otf2_lane *lane = &w->lanes[thread];
	struct trace_otf2_held *held = find(lane, wanted.lock);

	if (held) {
		held->count += wanted.count;
		return;
	}
	struct trace_otf2_lock *lock = &w->lock_states.at[wanted.lock];

	if (wanted.monitor && lock->holder) {
		held = find(&w->lanes[lock->holder - 1], wanted.lock);
		if (held)
			let_go(w, lock->holder - 1, time, held);
	}
	if (w->why.status != JW_OK || JW_GROW(&lane->held, &grow, &w->why) != JW_OK)
		return;
	wanted.order = ++lock->order;
	lock->holder = thread + 1;
	lane->held.at[lane->held.n++] = wanted;
	put(w, thread, time, TRACE_OTF2_ACQUIRE, &wanted);
}

/* The lock that a condition belongs to; NULL: it is not known. */
static struct trace_otf2_held *only_lock(struct trace_otf2_lane *lane)
{
	struct trace_otf2_held *only = NULL;

	for (size_t i = 0; i < lane->held.n; i++) {
		if (lane->held.at[i].monitor)
			continue;
		if (only)
			return NULL;
		only = &lane->held.at[i];
	}
	return only;
}

void trace_otf2_lock_begins(struct trace_otf2 *w, uint32_t thread, uint64_t time,
			    const struct trace_otf2_operation *op)
{
	struct trace_otf2_lane *lane = &w->lanes[thread];
	const struct rule *rule = rule_of(op);
	uint32_t lock = rule ? lock_of(w, thread, op) : TRACE_NO_METHOD;

	if (lock == TRACE_NO_METHOD || rule->begins == NOTHING)
		return;
	if (rule->begins == TAKES) {
		take(w, thread, time,
		     (struct trace_otf2_held){ lock, 0, 1, op->type == JW_OPERATIONS_MONITOR });
		return;
	}
	struct trace_otf2_held *held =
		op->type == JW_OPERATIONS_CONDITION ? only_lock(lane) : find(lane, lock);

	if (!held)
		return;
	if (rule->begins == WAITS)
		lane->waits = *held;
	else if (--held->count)
		return;
	let_go(w, thread, time, held);
}

void trace_otf2_lock_ends(struct trace_otf2 *w, uint32_t thread, uint64_t time,
			  const struct trace_otf2_operation *op)
{
	struct trace_otf2_lane *lane = &w->lanes[thread];
	const struct rule *rule = op->object ? rule_of(op) : NULL;
	uint32_t lock = rule ? lock_of(w, thread, op) : TRACE_NO_METHOD;

	if (lock == TRACE_NO_METHOD)
		return;
	if (rule->ends == TAKES) {
		lane->taken =
			(struct trace_otf2_held){ lock, 0, 1, op->type == JW_OPERATIONS_MONITOR };
		lane->taken_at = time;
	} else if (rule->ends == WAITS && lane->waits.count) {
		take(w, thread, time, lane->waits);
		lane->waits.count = 0;
	} else if (rule->ends == LETS_GO) {
		struct trace_otf2_held *held = find(lane, lock);

		if (held && --held->count == 0)
			let_go(w, thread, time, held);
	}
}

void trace_otf2_lock_settle(struct trace_otf2 *w, uint32_t thread, bool failed)
{
	struct trace_otf2_lane *lane = &w->lanes[thread];
	struct trace_otf2_held taken = lane->taken;

	lane->taken.count = 0;
	if (!failed)
		take(w, thread, lane->taken_at, taken);
}
