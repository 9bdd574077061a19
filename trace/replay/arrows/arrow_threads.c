/*
 * arrow_threads.c: threads that start, end, interrupt and unpark each other.
 *
 * A permit (LockSupport) is not an event: unpark gives one if there is none, park takes it or waits
 * for one. What was given to a thread that then blocked in some other way may have been used up
 * there: it is in doubt.
 */
#include <string.h>

#include "trace/format/recording.h"
#include "trace/reader/reader.h"
#include "trace/replay/arrows/arrow_list.h"
#include "trace/replay/arrows/arrow_search.h"
#include "trace/replay/arrows/arrow_table.h"
#include "trace/replay/arrows/arrow_threads.h"
#include "trace/replay/inside.h"
#include "trace/replay/track.h"
#include "trace/replay/virtual_lanes.h"
#include "trace/replay/world.h"

#include "base/banned.h"

/* What is pending about a thread; a point of time 0: nothing. */
struct known {
	struct trace_entry entry;
	struct trace_point start; /* of a virtual thread that has not been seen yet */
	struct trace_point end;   /* of a virtual thread */
	uint64_t began;           /* that has ended: when, if no arrow leads there; else 0 */
	struct trace_point interrupt;
	struct trace_point permit;       /* given while it was not parked */
	struct trace_point first, later; /* given while it is */
	uint32_t given;
	bool parked, doubt;
	bool felt; /* a park has returned for the interrupt */
};

struct thread_row {
	struct trace_entry entry;
	uint32_t row;
};

bool trace_rows_by_id(struct trace_arrows *a)
{
	const struct trace_world *w = a->world;

	for (size_t i = 0; i < w->thread_rows; i++) {
		uint64_t id = w->rows[i].thread->java_id;
		uint32_t task = (uint32_t)(w->rows[i].task - w->tasks);

		if (id == 0 || w->rows[i].hidden || trace_table_find(&a->rows, task, id))
			continue;
		struct thread_row *one = trace_table_add(&a->rows, task, id, sizeof(*one));

		if (!one)
			return false;
		one->row = (uint32_t)i;
	}
	return true;
}

/* The row of the thread that OBJECT is; NULL: it has none. */
static const struct trace_row *row_of(const struct trace_arrows *a, uint32_t task, uint64_t object,
				      struct trace_place *place)
{
	const struct trace_entry *e = trace_table_find(&a->rows, task, object & ~JWR_OBJECT_THREAD);

	if (!e || !(object & JWR_OBJECT_THREAD))
		return NULL;
	*place = (struct trace_place){ task, ((const struct thread_row *)e)->row };
	return &a->world->rows[place->row];
}

static struct known *known_find(const struct trace_arrows *a, uint32_t task, uint64_t id)
{
	return (struct known *)trace_table_find(&a->known, task, id);
}

/* What is known of the thread that OBJECT is; NULL: it is none, or there is no memory. */
static struct known *known_get(struct trace_arrows *a, uint32_t task, uint64_t object)
{
	uint64_t id = object & ~JWR_OBJECT_THREAD;
	struct known *k = object & JWR_OBJECT_THREAD ? known_find(a, task, id) : NULL;

	if (k || !(object & JWR_OBJECT_THREAD))
		return k;
	return trace_table_add(&a->known, task, id, sizeof(*k));
}

static void tidy(struct trace_arrows *a, struct known *k)
{
	if (!k->start.time && !k->end.time && !k->interrupt.time && !k->permit.time && !k->parked)
		trace_table_remove(&a->known, &k->entry);
}

bool trace_known_may_go(const struct trace_entry *e)
{
	return !((const struct known *)e)->parked;
}

/* ---- start and end ---- */

void trace_thread_starts(struct trace_arrows *a, const struct trace_who *who,
			 struct trace_inside *inside)
{
	struct trace_place place;
	uint32_t task = who->place.task;

	if (!a->world->tasks[task].lane_cap || row_of(a, task, inside->object, &place))
		return;
	struct known *k = known_get(a, task, inside->object);

	if (k)
		k->start = trace_point_of(who, inside);
}

/* Where the thread is known only now, it may be alive, or have ended, or not have been seen yet. */
static void started_virtual(struct trace_arrows *a, const struct trace_point *from, uint64_t object)
{
	uint32_t task = from->place.task;
	const struct trace_task *t = &a->world->tasks[task];
	const struct trace_virtual *one =
		trace_virtuals_find(&t->virtuals, object & ~JWR_OBJECT_THREAD);
	struct known *k = one || !t->lane_cap ? NULL : known_get(a, task, object);
	struct trace_point to = { 0 };

	if (!(object & JWR_OBJECT_THREAD))
		return;
	if (one && one->lane && !one->told_start)
		to = (struct trace_point){ one->began, { task, TRACE_LANE_BIT | one->lane }, 0 };
	else if (k && k->began)
		to = (struct trace_point){ k->began, k->end.place, 0 };
	else if (k && !k->end.time)
		k->start = *from;
	if (k)
		k->began = 0;
	if (to.time && to.time >= from->time)
		trace_arrow_put(a->world, from, &to);
}

void trace_thread_started(struct trace_arrows *a, const struct trace_who *who,
			  const struct trace_inside *inside, bool failed)
{
	struct trace_point from = trace_point_of(who, inside), to = { 0 };
	const struct trace_row *row = row_of(a, who->place.task, inside->object, &to.place);
	struct known *k = known_find(a, who->place.task, inside->object & ~JWR_OBJECT_THREAD);

	if (failed && k) {
		k->start.time = 0;
		tidy(a, k);
	}
	if (failed)
		return;
	if (!row) {
		started_virtual(a, &from, inside->object);
		return;
	}
	to.time = row->start;
	if (to.time >= from.time)
		trace_arrow_put(a->world, &from, &to);
}

/* The call that starts OBJECT, where woven code tells of one, has an arrow of its own. */
static bool tells_of_start(const struct trace_who *who, uint64_t object)
{
	const struct trace_inside *call = trace_innermost(&who->track->insides);
	const struct jw_operation *op = call ? call->method->about.operation : NULL;

	return op && op->role == JW_ROLE_START && call->object == object;
}

void trace_arrows_start(struct trace_arrows *a, const struct trace_who *who, uint64_t time,
			uint64_t object)
{
	const struct jw_operation *op = jw_operation_find(JW_SPAN_LIT("thread/start"));
	struct trace_point from = { time, who->place, trace_arrow_tag(op) };
	struct trace_point to = { 0 };
	const struct trace_row *row = row_of(a, who->place.task, object, &to.place);

	if (!row || row->start < time || tells_of_start(who, object))
		return;
	to.time = row->start;
	trace_arrow_put(a->world, &from, &to);
}

bool trace_arrows_virtual(struct trace_arrows *a, const struct trace_who *who, uint64_t time)
{
	struct known *k = known_find(a, who->place.task, who->id);
	struct trace_point to = { time, who->place, 0 };

	if (!k || !k->start.time)
		return false;
	trace_arrow_put(a->world, &k->start, &to);
	k->start.time = 0;
	tidy(a, k);
	return true;
}

void trace_arrows_virtual_end(struct trace_arrows *a, const struct trace_who *who, uint64_t began,
			      uint64_t time)
{
	struct known *k = known_get(a, who->place.task, jwr_thread_object(who->id));

	if (!k)
		return;
	struct trace_entry entry = k->entry;

	*k = (struct known){ .entry = entry, .end = { time, who->place, 0 }, .began = began };
}

/* Where the thread OBJECT of TASK ended; its time is 0: that is not known. */
static struct trace_point end_of(struct trace_arrows *a, uint32_t task, uint64_t object)
{
	struct trace_point end = { 0 };
	const struct trace_row *row = row_of(a, task, object, &end.place);
	const struct known *k = known_find(a, task, object & ~JWR_OBJECT_THREAD);

	if (row && row->thread->ended)
		end.time = row->end;
	else if (!row && k)
		end = k->end;
	return end;
}

void trace_thread_joined(struct trace_arrows *a, const struct trace_who *who,
			 const struct trace_inside *inside, uint64_t time)
{
	struct trace_point from = end_of(a, who->place.task, inside->object),
			   to = { time, who->place, 0 };

	from.tag = trace_arrow_tag(inside->method->about.operation);
	if (from.time && from.time <= time)
		trace_arrow_put(a->world, &from, &to);
}

bool trace_thread_ended(struct trace_arrows *a, const struct trace_who *who, uint64_t object,
			uint64_t begin, uint64_t time, struct trace_point *from)
{
	const struct trace_inside *call = trace_innermost(&who->track->insides);
	const struct jw_operation *op = call ? call->method->about.operation : NULL;

	if (!(object & JWR_OBJECT_THREAD) || (op && op->role == JW_ROLE_JOIN))
		return false;
	*from = end_of(a, who->place.task, object);
	from->tag = trace_arrow_tag(jw_operation_find(JW_SPAN_LIT("thread/join")));
	return from->time > begin && from->time <= time;
}

/* ---- interrupt and unpark ---- */

void trace_thread_wake(struct trace_arrows *a, const struct trace_who *who,
		       struct trace_inside *inside)
{
	struct trace_point from = trace_point_of(who, inside);
	struct known *k = known_get(a, who->place.task, inside->object);

	if (!k)
		return;
	if (inside->method->about.operation->type == JW_OPERATIONS_THREAD) {
		k->interrupt = from;
		k->felt = false;
	} else if (k->parked) {
		*(k->given++ ? &k->later : &k->first) = from;
	} else if (!k->permit.time) {
		k->permit = from;
		k->doubt = false;
	}
}

bool trace_thread_interrupted(const struct trace_arrows *a, const struct trace_who *who,
			      uint64_t begin)
{
	const struct known *k = known_find(a, who->place.task, who->id);

	return k && k->interrupt.time >= begin;
}

/* The class of the exception that text NUMBER names. */
static bool is_interruption(const struct trace_recording *rec, uint64_t number)
{
	static const char *const classes[] = {
		"java.lang.InterruptedException",
		"java.nio.channels.ClosedByInterruptException",
		"java.nio.channels.FileLockInterruptionException",
	};
	const char *text = trace_label_of(rec, TRACE_TEXT_TYPE, number);

	for (size_t i = 0; text && i < sizeof(classes) / sizeof(*classes); i++)
		if (strcmp(text, classes[i]) == 0)
			return true;
	return false;
}

/* Other exceptions than that of an interrupt leave it pending, or came long after somebody had
 * looked at it and cleared it (Thread.interrupted). */
void trace_thread_failed(struct trace_arrows *a, const struct trace_who *who,
			 const struct trace_inside *inside, uint64_t time)
{
	struct known *k = known_find(a, who->place.task, who->id);
	const struct trace_recording *rec = &a->world->tasks[who->place.task].rec;
	struct trace_point to = { time, who->place, 0 };

	if (!k || !k->interrupt.time || inside->thrown <= 0 ||
	    !is_interruption(rec, (uint64_t)inside->thrown))
		return;
	trace_arrow_put(a->world, &k->interrupt, &to);
	k->interrupt.time = 0;
	tidy(a, k);
}

void trace_thread_blocked(struct trace_arrows *a, const struct trace_who *who)
{
	struct known *k = known_find(a, who->place.task, who->id);

	if (k)
		k->doubt = true;
}

void trace_thread_parks(struct trace_arrows *a, const struct trace_who *who)
{
	struct known *k = known_get(a, who->place.task, jwr_thread_object(who->id));

	if (!k)
		return;
	k->parked = true;
	k->given = 0;
}

/* The same where nothing came while it was parked: it has returned at once, or its time was over.
 * PERMIT may be used up, an interrupt cleared: only one of them is a fact, and only where nothing
 * else ends a park. */
static struct trace_point who_had_unparked(struct known *k, const struct trace_point *permit,
					   bool timed)
{
	struct trace_point none = { 0 };
	bool interrupted = k->interrupt.time && !k->felt;

	if (timed || (interrupted && permit->time))
		return none;
	if (!interrupted)
		return *permit;
	k->felt = true;
	return k->interrupt;
}

/* Who let the park go that began at BEGIN (time 0: nobody that is known), and which permit is left
 * for the next one. */
static struct trace_point who_unparked(struct known *k, uint64_t begin, bool timed)
{
	struct trace_point none = { 0 }, permit = k->permit;
	bool now = k->interrupt.time >= begin; /* it was interrupted while it was parked */
	bool sure = permit.time && !k->doubt;

	k->doubt = true;
	if (!sure && k->given && !(now && k->interrupt.time < k->first.time)) {
		k->permit = k->given > 1 ? k->later : none;
		return k->first;
	}
	k->permit = k->given ? k->first : none;
	if (sure)
		return permit;
	if (!now)
		return who_had_unparked(k, &permit, timed);
	k->felt = true;
	return k->interrupt;
}

void trace_thread_left(struct trace_arrows *a, const struct trace_who *who)
{
	struct known *k = known_find(a, who->place.task, who->id);

	if (!k || !k->parked)
		return;
	k->parked = false;
	tidy(a, k);
}

void trace_thread_parked(struct trace_arrows *a, const struct trace_who *who,
			 const struct trace_inside *inside, uint64_t time)
{
	struct known *k = known_find(a, who->place.task, who->id);
	struct trace_point to = { time, who->place, 0 };

	if (!k || !k->parked)
		return;
	struct trace_point from =
		who_unparked(k, inside->begin, strchr(inside->method->descriptor, 'J') != NULL);

	k->parked = false;
	if (from.time)
		trace_arrow_put(a->world, &from, &to);
	tidy(a, k);
}
