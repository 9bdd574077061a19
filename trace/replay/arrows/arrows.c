/*
 * arrows.c: what begins and ends, sent on by the role of its operation (base/operations.def).
 *
 * A class of the program's own may do an operation by another call of the same at the same object:
 * the outermost is what the program does, and the others are a part of it.
 */
#include <string.h>

#include "trace/format/methodmap.h"
#include "trace/replay/arrows/arrow_list.h"
#include "trace/replay/arrows/arrow_locks.h"
#include "trace/replay/arrows/arrow_monitors.h"
#include "trace/replay/arrows/arrow_objects.h"
#include "trace/replay/arrows/arrow_parks.h"
#include "trace/replay/arrows/arrow_search.h"
#include "trace/replay/arrows/arrow_table.h"
#include "trace/replay/arrows/arrow_tasks.h"
#include "trace/replay/arrows/arrow_threads.h"
#include "trace/replay/arrows/arrow_waits.h"
#include "trace/replay/arrows/arrows.h"
#include "trace/replay/inside.h"
#include "trace/replay/track.h"
#include "trace/replay/world.h"

#include "base/banned.h"

static bool never(const struct trace_entry *e)
{
	(void)e;
	return false;
}

struct trace_arrows *trace_arrows_new(struct trace_world *world)
{
	struct trace_arrows *a = jw_mem_zalloc(1, sizeof(*a));

	if (!a)
		return NULL;
	a->world = world;
	a->rows.may_go = never;
	a->known.may_go = trace_known_may_go;
	a->objects.may_go = trace_object_may_go;
	a->permits.may_go = trace_permit_may_go;
	a->wakes.may_go = trace_permit_may_go;
	a->interrupts.may_go = trace_permit_may_go;
	a->ends.may_go = trace_permit_may_go;
	if (trace_rows_by_id(a))
		return a;
	trace_arrows_free(a);
	return NULL;
}

void trace_arrows_free(struct trace_arrows *a)
{
	if (!a)
		return;
	trace_table_free(&a->rows);
	trace_table_free(&a->known);
	trace_table_free(&a->objects);
	trace_table_free(&a->permits);
	trace_table_free(&a->wakes);
	trace_table_free(&a->interrupts);
	trace_table_free(&a->ends);
	jw_mem_free(a->late);
	jw_mem_free(a);
}

void trace_arrows_cut(struct trace_arrows *a)
{
	trace_table_sweep(&a->known);
	trace_table_sweep(&a->objects);
	trace_table_sweep(&a->permits);
	trace_table_sweep(&a->wakes);
	trace_table_sweep(&a->interrupts);
	trace_table_sweep(&a->ends);
}

bool trace_arrows_failed(const struct trace_arrows *a)
{
	return !a || a->failed || a->rows.failed || a->known.failed || a->objects.failed ||
	       a->permits.failed || a->wakes.failed || a->interrupts.failed || a->ends.failed ||
	       a->world->arrows.failed;
}

/* ---- calls ---- */

/* The type that METHOD returns. */
static char returned_type(const struct trace_method *method)
{
	const char *close = strchr(method->descriptor, ')');

	return *(close ? close + 1 : "V");
}

static bool is_timed(const struct trace_method *method)
{
	return strstr(method->descriptor, "Ljava/util/concurrent/TimeUnit;") != NULL;
}

static bool is_stamped(const struct trace_method *method)
{
	return strcmp(method->class_name, "java.util.concurrent.locks.StampedLock") == 0;
}

/* What it returned says whether it got what it waited for, or its time was over. */
static enum trace_outcome outcome_of(const struct trace_inside *inside, bool failed)
{
	enum trace_outcome by_value = TRACE_UNKNOWN;

	if (failed)
		return TRACE_FAILED;
	if (inside->has_returned)
		by_value = inside->returned > 0 ? TRACE_DONE : TRACE_GIVEN_UP;
	if (is_stamped(inside->method) && !inside->has_returned)
		return TRACE_DONE;
	switch (returned_type(inside->method)) {
	case 'Z':
	case 'J': /* ns that were left, or a stamp */
		return by_value;
	case 'L': /* Exchanger.exchange() fails when its time is over, and may return null */
		if (!is_timed(inside->method) ||
		    inside->method->about.operation->role == JW_ROLE_PAIR)
			return TRACE_DONE;
		return inside->has_other ? inside->other ? TRACE_DONE : TRACE_GIVEN_UP
					 : TRACE_UNKNOWN;
	default:
		return TRACE_DONE;
	}
}

/* Locks that several may own at once, whose other half is unknown: whose release let the
 * next one in cannot be known. */
static bool is_half(const struct trace_method *method)
{
	return strcmp(method->class_name,
		      "java.util.concurrent.locks.ReentrantReadWriteLock$ReadLock") == 0;
}

/* CyclicBarrier.await() returns how many were still to come. */
static enum trace_last last_of(const struct trace_inside *inside)
{
	if (!inside->has_returned || returned_type(inside->method) != 'I' ||
	    strcmp(inside->method->name, "await") != 0)
		return TRACE_LAST_UNKNOWN;
	return inside->returned == 0 ? TRACE_LAST_YES : TRACE_LAST_NO;
}

static bool is_monitor_wait(const struct jw_operation *op)
{
	return op->type == JW_OPERATIONS_MONITOR && op->role == JW_ROLE_WAIT;
}

/* How much INSIDE takes or gives at once. */
static uint64_t amount_of(const struct trace_inside *inside)
{
	if (!inside->has_amount)
		return 1;
	return inside->amount > 0 ? (uint64_t)inside->amount : 0;
}

/* Does it take whatever there is, without waiting, and return how much that was? */
static bool drains(const struct trace_inside *inside)
{
	return inside->method->about.operation->role == JW_ROLE_TAKE &&
	       returned_type(inside->method) == 'I';
}

/* ---- what begins, by role ---- */

static void begin_park(struct trace_arrows *a, const struct trace_who *who,
		       struct trace_inside *inside)
{
	if (inside->method->about.operation->type == JW_OPERATIONS_PARK)
		trace_thread_parks(a, who);
}

/* Is NAME, a method of StampedLock, about owning it to read: readLock, tryReadLock, unlockRead? */
static bool is_to_read(const char *name)
{
	return strncmp(name, "read", 4) == 0 || strstr(name, "Read");
}

/* The lock that INSIDE is about; *SHARED: to own it with others. 0: it cannot be known. */
static uint64_t lock_of(const struct trace_arrows *a, const struct trace_who *who,
			const struct trace_inside *inside, bool *shared)
{
	const struct jw_operation *op = inside->method->about.operation;
	const char *name = inside->method->name;
	uint32_t task = who->place.task;
	uint64_t lock = trace_lock_number(a, task, op, inside->object, shared);

	if (is_stamped(inside->method))
		*shared = is_to_read(name) ||
			  (strcmp(name, "unlock") == 0 && !trace_lock_is_owned(a, task, op, lock));
	return lock == inside->object && is_half(inside->method) ? 0 : lock;
}

static struct trace_waiter *wait_for_lock(struct trace_arrows *a, const struct trace_who *who,
					  const struct trace_inside *inside)
{
	bool shared;
	uint64_t lock = lock_of(a, who, inside, &shared);
	struct trace_waiter *w = NULL;

	if (lock)
		w = trace_object_wait(a, who, inside->method->about.operation, lock, inside->begin,
				      1);
	if (w)
		w->shared = shared;
	return w;
}

static void begin_unlock(struct trace_arrows *a, const struct trace_who *who,
			 struct trace_inside *inside)
{
	const struct jw_operation *op = inside->method->about.operation;
	struct trace_point from = trace_point_of(who, inside);
	bool shared = false;
	uint64_t lock =
		op->type == JW_OPERATIONS_LOCK ? lock_of(a, who, inside, &shared) : inside->object;

	trace_monitor_given_by(a, who, inside);
	if (shared && lock)
		trace_lock_shared(a, &from, op, lock);
	else if (lock)
		trace_object_send(a, &from, op, lock, 1);
}

static void begin_wait(struct trace_arrows *a, const struct trace_who *who,
		       struct trace_inside *inside)
{
	const struct jw_operation *op = inside->method->about.operation;

	if (op->role == JW_ROLE_GET)
		inside->waiter = trace_task_waits(a, who, inside);
	else if (op->type == JW_OPERATIONS_LOCK)
		inside->waiter = wait_for_lock(a, who, inside);
	else
		inside->waiter = trace_object_wait(a, who, op, inside->object, inside->begin,
						   drains(inside) ? 0 : amount_of(inside));
	if (inside->waiter && is_monitor_wait(op))
		inside->waiter->held = trace_monitor_waits(a, who, inside);
	else if (inside->waiter && op->role == JW_ROLE_WAIT)
		inside->waiter->held = trace_lock_waits(a, who, inside);
}

static void begin_send(struct trace_arrows *a, const struct trace_who *who,
		       struct trace_inside *inside)
{
	struct trace_point from = trace_point_of(who, inside);

	trace_object_send(a, &from, inside->method->about.operation, inside->object,
			  amount_of(inside));
}

static void begin_tier(struct trace_arrows *a, const struct trace_who *who,
		       struct trace_inside *inside)
{
	(void)who;
	(void)inside;
	a->tiers = true;
}

static void begin_complete(struct trace_arrows *a, const struct trace_who *who,
			   struct trace_inside *inside)
{
	struct trace_point from = trace_point_of(who, inside);

	trace_task_completes(a, &from, inside->object);
}

/* ---- what ends, by role ---- */

static void end_start(struct trace_arrows *a, const struct trace_who *who,
		      struct trace_inside *inside, uint64_t time, bool failed)
{
	(void)time;
	trace_thread_started(a, who, inside, failed);
}

static void end_join(struct trace_arrows *a, const struct trace_who *who,
		     struct trace_inside *inside, uint64_t time, bool failed)
{
	if (failed)
		trace_thread_failed(a, who, inside, time);
	else
		trace_thread_joined(a, who, inside, time);
}

static void end_park(struct trace_arrows *a, const struct trace_who *who,
		     struct trace_inside *inside, uint64_t time, bool failed)
{
	if (inside->method->about.operation->type == JW_OPERATIONS_PARK)
		trace_thread_parked(a, who, inside, time);
	else if (failed)
		trace_thread_failed(a, who, inside, time);
}

/* The wait of INSIDE is over: an arrow from who let it go, or interrupted it. */
static void end_wait(struct trace_arrows *a, const struct trace_who *who,
		     struct trace_inside *inside, uint64_t time, bool failed)
{
	struct trace_waiter *w = inside->waiter;
	const struct jw_operation *op = inside->method->about.operation;
	struct trace_point from = { 0 }, to = { time, who->place, 0 };
	bool known = false;

	if (w && w->object) {
		enum trace_outcome outcome = outcome_of(inside, failed);

		w->last = last_of(inside);
		w->ended = time;
		/* JVM TI said nothing of a wait that may have expired */
		if (is_monitor_wait(op) && !failed &&
		    strcmp(inside->method->descriptor, "()V") != 0)
			outcome = TRACE_UNKNOWN;
		known = trace_object_over(a, w, op, outcome, &from);
	} else if (w) {
		known = w->bound && !failed;
		from = w->from;
	}
	if (w && is_monitor_wait(op))
		trace_monitor_waited(a, who, inside, w->held);
	else if (w && op->role == JW_ROLE_WAIT)
		trace_lock_waited(a, who, inside, w->held);
	jw_mem_free(w);
	inside->waiter = NULL;
	if (drains(inside) && inside->returned > 0)
		trace_object_retract(a, who->place.task, op, inside->object,
				     (uint64_t)inside->returned);
	if (known) /* a task that failed has ended, too */
		trace_arrow_put(a->world, &from, &to);
	else if (failed)
		trace_thread_failed(a, who, inside, time);
}

static void end_give(struct trace_arrows *a, const struct trace_who *who,
		     struct trace_inside *inside, uint64_t time, bool failed)
{
	if (failed)
		trace_thread_failed(a, who, inside, time);
	if (failed || outcome_of(inside, failed) == TRACE_GIVEN_UP)
		trace_object_retract(a, who->place.task, inside->method->about.operation,
				     inside->object, amount_of(inside));
	trace_object_arrived(a, who->place.task, inside->method->about.operation, inside->object);
}

static void end_clear(struct trace_arrows *a, const struct trace_who *who,
		      struct trace_inside *inside, uint64_t time, bool failed)
{
	(void)time;
	if (!failed)
		trace_object_clear(a, who->place.task, inside->method->about.operation,
				   inside->object, inside->begin);
}

static void end_open(struct trace_arrows *a, const struct trace_who *who,
		     struct trace_inside *inside, uint64_t time, bool failed)
{
	(void)time;
	(void)failed;
	trace_object_arrived(a, who->place.task, inside->method->about.operation, inside->object);
}

/* It lets others go when it ends. */
static void end_hold(struct trace_arrows *a, const struct trace_who *who,
		     struct trace_inside *inside, uint64_t time, bool failed)
{
	struct trace_point from = trace_point_of(who, inside);

	(void)failed;
	from.time = time;
	trace_monitor_given_by(a, who, inside);
	trace_object_send(a, &from, inside->method->about.operation, inside->object, 1);
}

static void end_other(struct trace_arrows *a, const struct trace_who *who,
		      struct trace_inside *inside, uint64_t time, bool failed)
{
	if (failed)
		trace_thread_failed(a, who, inside, time);
}

static void end_submit(struct trace_arrows *a, const struct trace_who *who,
		       struct trace_inside *inside, uint64_t time, bool failed)
{
	(void)time;
	trace_task_submitted(a, who, inside, failed);
}

static void end_run(struct trace_arrows *a, const struct trace_who *who,
		    struct trace_inside *inside, uint64_t time, bool failed)
{
	(void)failed;
	trace_task_ran(a, who, inside, time);
}

static void end_complete(struct trace_arrows *a, const struct trace_who *who,
			 struct trace_inside *inside, uint64_t time, bool failed)
{
	struct trace_point from = trace_point_of(who, inside);
	bool in_vain = failed || outcome_of(inside, failed) == TRACE_GIVEN_UP;

	(void)time;
	trace_task_completed(a, &from, inside->object, in_vain);
}

static void end_view(struct trace_arrows *a, const struct trace_who *who,
		     struct trace_inside *inside, uint64_t time, bool failed)
{
	(void)time;
	if (!failed)
		trace_lock_viewed(a, who, inside);
}

/* ---- roles ---- */

/* What each does when a call or method of it begins, and ends; NULL: nothing. */
static const struct {
	void (*begin)(struct trace_arrows *a, const struct trace_who *who,
		      struct trace_inside *inside);
	void (*end)(struct trace_arrows *a, const struct trace_who *who,
		    struct trace_inside *inside, uint64_t time, bool failed);
} roles[] = {
	[JW_ROLE_NONE] = { NULL, end_other },
	[JW_ROLE_START] = { trace_thread_starts, end_start },
	[JW_ROLE_JOIN] = { NULL, end_join },
	[JW_ROLE_WAKE] = { trace_thread_wake, NULL },
	[JW_ROLE_WOKEN] = { begin_park, end_park },
	[JW_ROLE_WAIT] = { begin_wait, end_wait },
	[JW_ROLE_NOTIFY] = { begin_send, NULL },
	[JW_ROLE_NOTIFY_ALL] = { begin_send, NULL },
	[JW_ROLE_LOCK] = { begin_wait, end_wait },
	[JW_ROLE_UNLOCK] = { begin_unlock, NULL },
	[JW_ROLE_VIEW] = { NULL, end_view },
	[JW_ROLE_HOLD] = { trace_monitor_holds, end_hold },
	[JW_ROLE_TAKE] = { begin_wait, end_wait },
	[JW_ROLE_GIVE] = { begin_send, end_give },
	[JW_ROLE_CLEAR] = { NULL, end_clear },
	[JW_ROLE_TIER] = { begin_tier, NULL },
	[JW_ROLE_PASS] = { begin_wait, end_wait },
	[JW_ROLE_OPEN] = { begin_send, end_open },
	[JW_ROLE_MEET] = { begin_wait, end_wait },
	[JW_ROLE_PAIR] = { begin_wait, end_wait },
	[JW_ROLE_SUBMIT] = { trace_task_submits, end_submit },
	[JW_ROLE_RUN] = { trace_task_runs, end_run },
	[JW_ROLE_GET] = { begin_wait, end_wait },
	[JW_ROLE_COMPLETE] = { begin_complete, end_complete },
	[JW_ROLE_REMOTE] = { NULL, end_other },
	[JW_ROLE_SERVE] = { NULL, end_other },
};

void trace_arrows_begin(struct trace_arrows *a, const struct trace_who *who, uint64_t time)
{
	struct trace_inside *inside = trace_innermost(&who->track->insides);
	const struct jw_operation *op = inside->method->about.operation;

	if (!op || inside->begun || (op->object && !inside->object))
		return;
	/* what it is about may have taken a while to tell, and others went on meanwhile: not before
	 * that does it begin to take effect */
	if (!inside->known)
		inside->begin = time;
	inside->known = true;
	if (!trace_inside_told(inside))
		return;
	const struct trace_inside *around = trace_inside_around(&who->track->insides);

	if (around) { /* what it does it does from there on: that is where the trace shows it */
		inside->part = true;
		inside->begin = around->begin;
		return;
	}
	inside->begun = true;
	if (roles[op->role].begin)
		roles[op->role].begin(a, who, inside);
}

/* What is around INSIDE may neither hear of an interrupt nor return the future. */
static void end_part(struct trace_arrows *a, const struct trace_who *who,
		     const struct trace_inside *inside, uint64_t time, bool failed)
{
	if (failed)
		trace_thread_failed(a, who, inside, time);
	else if (inside->method->about.operation->role == JW_ROLE_SUBMIT)
		trace_task_submitted(a, who, inside, false);
}

/* May a thread park inside of OP? */
static bool may_park(const struct jw_operation *op)
{
	return (op->type >= JW_OPERATIONS_LOCK && op->type <= JW_OPERATIONS_QUEUE) ||
	       op->role == JW_ROLE_GET;
}

void trace_arrows_end(struct trace_arrows *a, const struct trace_who *who, uint64_t time,
		      bool failed)
{
	struct trace_inside *inside = trace_innermost(&who->track->insides);
	const struct jw_operation *op = inside->method->about.operation;

	if (inside->part) {
		end_part(a, who, inside, time, failed);
		return;
	}
	if (op && op->role == JW_ROLE_START && !inside->begun) {
		/* Thread.startVirtualThread(): the thread is what it returns */
		inside->object = inside->other;
		inside->begun = inside->object != 0;
	}
	if (op && op->role == JW_ROLE_RUN && !inside->begun && inside->is_body) {
		/* only now is it known whose body it was */
		inside->begun = true;
		trace_task_runs(a, who, inside);
	}
	if (!op || !inside->begun)
		return;
	size_t late = a->late_n; /* grows: it may be known later who let it go on */

	trace_arrows_expect(a->world, &(struct trace_point){ time, who->place, 0 });
	if (roles[op->role].end)
		roles[op->role].end(a, who, inside, time, failed);
	if (!trace_arrows_met(a->world) && a->late_n <= late)
		trace_arrows_park_over(a, who, inside);
	if (may_park(op))
		trace_thread_blocked(a, who);
}

void trace_arrows_abandon(struct trace_arrows *a, const struct trace_who *who)
{
	struct trace_inside *inside = trace_innermost(&who->track->insides);
	const struct jw_operation *op = inside->method->about.operation;
	struct trace_waiter *w = inside->waiter;
	struct trace_point from;

	if (!op)
		return;
	if (w && w->object)
		(void)trace_object_over(a, w, op, TRACE_GIVEN_UP, &from);
	jw_mem_free(w);
	inside->waiter = NULL;
	trace_arrows_park_over(a, who, inside);
	trace_thread_left(a, who);
}
