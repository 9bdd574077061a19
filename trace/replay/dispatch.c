/*
 * dispatch.c: whose a record is, and what it means.
 *
 *     SWITCH, END            whose the next records of a carrier are
 *     enters and exits       frames (timeline.c) and calls (calls.c) of the thread, or of the
 *                            virtual thread that runs
 *     captures               what its calls are about (calls.c)
 *     monitors, parks        what it waits for (waits.c)
 *     pauses                 of the collector, on the row of the VM
 *
 * The same code serves both readings: without a .prv it gathers changes of states, with one it
 * writes events.
 */
#include "trace/format/recording.h"
#include "trace/names/event_types.h"
#include "trace/paraver/prv.h"
#include "trace/reader/reader.h"
#include "trace/replay/arrows/arrow_parks.h"
#include "trace/replay/arrows/arrows.h"
#include "trace/replay/calls.h"
#include "trace/replay/changes.h"
#include "trace/replay/class_numbers.h"
#include "trace/replay/dispatch.h"
#include "trace/replay/edges.h"
#include "trace/replay/flight.h"
#include "trace/replay/method_numbers.h"
#include "trace/replay/replay.h"
#include "trace/replay/timeline.h"
#include "trace/replay/track.h"
#include "trace/replay/user_events.h"
#include "trace/replay/virtual_lanes.h"
#include "trace/replay/waits.h"
#include "trace/replay/world.h"

#include "base/banned.h"

static const uint32_t type_numbers[] = {
#define TYPE_NUMBER(name, number, label, values) number,
	TRACE_TYPE_LIST(TYPE_NUMBER)
#undef TYPE_NUMBER
};

_Static_assert(sizeof(type_numbers) / sizeof(*type_numbers) <= 32, "a bit of `types` for each");

void trace_put_event(struct trace_frames *to, const struct trace_row *row, uint64_t time,
		     enum trace_type type, uint64_t value)
{
	if (!to->prv || !row || row->hidden)
		return;
	to->types |= 1u << type;
	if (value > TRACE_MAX_USER_VALUE) /* damage: readers calculate in doubles */
		value = TRACE_MAX_USER_VALUE;
	trace_prv_event(to->prv, row, time, type_numbers[type], value);
}

/* ---- virtual threads ---- */

/* The row of ONE. Those without a lane share one, which their calls stand on as they come: all of
 * them are there, each enter and each exit, but nested only within their own thread. */
static const struct trace_row *row_of(const struct trace_world *w, const struct trace_task *t,
				      const struct trace_virtual *one)
{
	return &w->rows[t->first_lane + one->lane];
}

/* The value that shows the name NAMED of a virtual thread of T. */
static uint64_t owner_value(struct trace_frames *to, const struct trace_task *t,
			    const struct trace_named *named)
{
	uint64_t key = (uint64_t)t->number << 32 | (uint64_t)(named - t->rec.virtuals);
	uint32_t number = trace_methods_number(&to->owners, key);

	to->failed |= number == TRACE_NO_METHOD;
	return (uint64_t)number + 1;
}

/* Who owns the lane of ONE from TIME on: ONE, or nobody where it ends. */
static void tell_owner(struct trace_frames *to, const struct trace_world *w,
		       const struct trace_task *t, const struct trace_virtual *one, uint64_t time,
		       bool begins)
{
	const struct trace_row *row = row_of(w, t, one);

	if (!to->prv || !one->lane || !row->shared)
		return;
	const struct trace_named *named = trace_virtual_named(&t->rec, one->id);

	trace_put_event(to, row, time, TRACE_TYPE_VIRTUAL, begins ? one->id : 0);
	if (named)
		trace_put_event(to, row, time, TRACE_TYPE_VIRTUAL_NAME,
				begins ? owner_value(to, t, named) : 0);
}

static void count_without(struct trace_frames *to, const struct trace_world *w,
			  struct trace_task *t, uint64_t time)
{
	uint64_t more = t->virtuals.more;

	if (to->prv)
		trace_put_event(to, &w->rows[t->first_lane], time, TRACE_TYPE_WITHOUT, more);
	else if (more)
		trace_changes_put(&t->lanes[0], time, TRACE_RUNNING);
	else
		trace_changes_put(&t->lanes[0], trace_changes_behind(&t->lanes[0], time),
				  TRACE_NOT_CREATED);
}

/* The virtual thread ONE; false: it is not known. */
static bool virtual_who(const struct trace_frames *to, const struct trace_world *w,
			const struct trace_task *t, struct trace_virtual *one,
			struct trace_who *out)
{
	if (!one)
		return false;
	const struct trace_row *row = to->prv ? row_of(w, t, one) : NULL;

	one->track.timeline.partial = t->partial;
	one->track.timeline.closes = t->closes;
	*out = (struct trace_who){
		.place = { (uint32_t)(t - w->tasks),
			   one->lane ? TRACE_LANE_BIT | one->lane : TRACE_NOWHERE },
		.id = one->id,
		.track = &one->track,
		.row = one->lane && row && !row->hidden ? row : NULL,
		.calls = row && !row->hidden ? row : NULL,
		.changes = one->lane && !to->prv ? &t->lanes[one->lane] : NULL,
	};
	return true;
}

void trace_runner_begin(const struct trace_frames *to, const struct trace_world *w,
			struct trace_runner *r)
{
	const struct trace_row *row = r->stream.row;
	const struct trace_row *shown = to->prv && !row->hidden ? row : NULL;

	r->track.timeline.partial = row->task->partial;
	r->track.timeline.closes = row->task->closes;
	r->who = (struct trace_who){
		.place = { (uint32_t)(row->task - w->tasks), (uint32_t)(row - w->rows) },
		.id = row->thread->java_id,
		.track = &r->track,
		.row = shown,
		.calls = shown,
		.changes = to->prv ? NULL : row->changes,
	};
}

static void switch_to(struct trace_frames *to, struct trace_world *w, struct trace_runner *r,
		      uint64_t id)
{
	struct trace_task *t = r->stream.row->task;

	r->runs = id;
	r->runs_found = NULL;
	if (!id || trace_virtuals_find(&t->virtuals, id))
		return;
	struct trace_virtual *one = trace_virtuals_add(&t->virtuals, id);
	struct trace_who who;

	if (one && !to->prv && virtual_who(to, w, t, one, &who)) {
		one->began = r->time;
		one->told_start = trace_arrows_virtual(to->arrows, &who, r->time);
	}
	if (!one) {
		to->failed = true;
	} else if (!one->lane) {
		count_without(to, w, t, r->time);
	} else if (!to->prv) {
		t->lanes[one->lane].spool = &w->spool;
		trace_changes_put(&t->lanes[one->lane], r->time, TRACE_RUNNING);
	} else {
		tell_owner(to, w, t, one, r->time, true);
	}
}

/* ---- tracks ---- */

/* Whose the record is: a virtual thread, in *ONE, or the thread itself; NULL: there is no such
 * virtual thread. */
static const struct trace_who *who_is(const struct trace_frames *to, const struct trace_world *w,
				      struct trace_runner *r, struct trace_who *one)
{
	struct trace_task *t = r->stream.row->task;

	if (!r->runs)
		return &r->who;
	if (!r->runs_found || r->runs_changes != t->virtuals.changes) {
		r->runs_found = trace_virtuals_find(&t->virtuals, r->runs);
		r->runs_changes = t->virtuals.changes;
	}
	return virtual_who(to, w, t, r->runs_found, one) ? one : NULL;
}

/* Size and class stand on one line. */
static void take_alloc(struct trace_frames *to, const struct trace_who *who, uint64_t time,
		       uint64_t payload)
{
	if (!to->prv || !who->calls)
		return;
	trace_put_event(to, who->calls, time, TRACE_TYPE_ALLOC, jwr_alloc_bytes(payload));
	trace_put_event(to, who->calls, time, TRACE_TYPE_ALLOC_CLASS,
			trace_class_of_object(to, who->calls->task, payload));
}

static void take_unpark(struct trace_frames *to, const struct trace_who *who, uint64_t time,
			uint64_t object)
{
	if (to->arrows)
		trace_arrows_unpark(to->arrows, who, time, object);
	trace_put_event(to, who->row, time, TRACE_TYPE_UNPARK, trace_object_number(object));
}

static void take_on_track(struct trace_frames *to, const struct trace_world *w,
			  struct trace_runner *r, enum jwr_kind kind)
{
	struct trace_who one;
	const struct trace_who *who = who_is(to, w, r, &one);

	if (!who) {
		to->counts.strange++;
		return;
	}
	if (to->prv && !who->row && !who->calls) /* it is not in the trace */
		return;
	bool created = who->track->created;

	who->track->created = false;
	who->track->busy = r->runs || r->busy;
	trace_flight_before(to, who, r->time, kind);
	if (kind == JWR_CREATED || (kind == JWR_VALUE && created))
		trace_created(to, who, r->time, r->word);
	else if (kind <= JWR_FAIL)
		trace_calls_take(to, who, r->time, r->word);
	else if (kind == JWR_THROWN || kind == JWR_CAUGHT)
		trace_flight_take(to, who, r->time, r->word);
	else if (kind == JWR_EVENT || kind == JWR_EVENT_VALUE)
		trace_user_event(to, w, who, r->time, r->word);
	else if (kind == JWR_ALLOC)
		take_alloc(to, who, r->time, jwr_word_payload(r->word));
	else if (kind == JWR_OBJECT || kind == JWR_VALUE)
		trace_calls_capture(to, who, r->time, r->word);
	else if (kind == JWR_UNPARK)
		take_unpark(to, who, r->time, jwr_word_payload(r->word));
	else if (kind != JWR_PLACE)
		trace_waits_take(to, w, who, r->time, r->word);
	who->track->place = kind == JWR_PLACE ? (uint32_t)jwr_word_payload(r->word) : 0;
	trace_flight_behind(to, who, r->time, kind);
}

/* Closes what is open on WHO. */
static void close_track(struct trace_frames *to, const struct trace_who *who, uint64_t time)
{
	trace_flight_end(to, who, time);
	trace_calls_end(to, who, time);
	trace_timeline_end(to, &who->track->timeline, who->calls, time);
	trace_waits_close(to, who, time);
}

static void close_virtual(struct trace_frames *to, const struct trace_world *w,
			  struct trace_task *t, struct trace_virtual *one, uint64_t time)
{
	struct trace_who who;
	uint32_t lane = one->lane;

	virtual_who(to, w, t, one, &who);
	close_track(to, &who, time);
	tell_owner(to, w, t, one, time, false);
	if (to->arrows)
		trace_arrows_virtual_end(to->arrows, &who, one->told_start ? 0 : one->began, time);
	trace_virtuals_remove(&t->virtuals, one);
	if (!to->prv && lane)
		trace_changes_put(&t->lanes[lane], trace_changes_behind(&t->lanes[lane], time),
				  TRACE_NOT_CREATED);
}

static void end_virtual(struct trace_frames *to, const struct trace_world *w,
			struct trace_runner *r, uint64_t id)
{
	struct trace_task *t = r->stream.row->task;
	struct trace_virtual *one = trace_virtuals_find(&t->virtuals, id);
	bool counted = one && !one->lane;

	if (r->runs == id)
		r->runs = 0;
	if (one)
		close_virtual(to, w, t, one, r->time);
	if (counted)
		count_without(to, w, t, r->time);
}

void trace_take_virtual_ends(struct trace_frames *to, struct trace_world *w,
			     struct trace_task *task, uint64_t time)
{
	struct trace_virtuals *v = &task->virtuals;
	uint64_t more = v->more;

	for (uint32_t lane = 1; lane <= v->used; lane++)
		if (v->lanes[lane].owner)
			close_virtual(to, w, task, v->lanes[lane].owner, time);
	for (size_t i = 0; i <= v->mask; i++)
		while (v->slots[i]) /* removing one may move another here */
			close_virtual(to, w, task, v->slots[i], time);
	if (more)
		count_without(to, w, task, time);
}

/* ---- pauses ---- */

static void first_pause(struct trace_frames *to, struct trace_task *t, uint64_t time, bool begins)
{
	struct trace_pause *grown, *last;

	if (!begins) {
		last = &t->pauses[t->pause_count - 1];
		last->end = time > last->begin ? time : last->begin + 1;
		return;
	}
	grown = trace_grow(t->pauses, t->pause_count, &t->pause_cap, sizeof(*grown));
	if (!grown) {
		to->failed = true;
		return;
	}
	t->pauses = grown;
	uint64_t free_from = t->pause_count ? grown[t->pause_count - 1].end : 0;

	grown[t->pause_count++] =
		(struct trace_pause){ time > free_from ? time : free_from, UINT64_MAX };
}

static void take_pause(struct trace_frames *to, const struct trace_row *row, uint64_t time,
		       bool begins)
{
	struct trace_task *t = row->task;

	if (t->in_pause == begins)
		return;
	t->in_pause = begins;
	trace_put_event(to, row, time, TRACE_TYPE_GC, begins);
	if (to->prv)
		return;
	first_pause(to, t, time, begins);
	trace_changes_put(row->changes, begins ? time : trace_changes_behind(row->changes, time),
			  begins ? TRACE_OTHERS : TRACE_NOT_CREATED);
}

/* ---- where recording was paused ---- */

static void cut_track(struct trace_frames *to, const struct trace_who *who, uint64_t time)
{
	trace_flight_end(to, who, time);
	trace_calls_end(to, who, time);
	trace_timeline_cut(to, &who->track->timeline, who->calls, time);
	trace_waits_close(to, who, time);
	if (to->prv)
		return;
	trace_show_state(who, time);
	trace_arrows_cut(to->arrows);
}

static void end_at_edge(struct trace_frames *to, const struct trace_task *t,
			const struct trace_who *who, const struct trace_edge *edge, uint64_t time)
{
	if (edge->closes)
		trace_calls_shut(to, who, time, &t->rec.closings, edge->tick);
	else
		cut_track(to, who, time);
}

static void take_edge(struct trace_frames *to, struct trace_runner *r)
{
	const struct trace_row *row = r->stream.row;

	if (!row->thread->is_vm)
		end_at_edge(to, row->task, &r->who, r->edge, r->time);
	else if (!r->edge->closes)
		take_pause(to, row, r->time, false);
}

void trace_take_virtual_edge(struct trace_frames *to, struct trace_world *w,
			     struct trace_task *task, const struct trace_edge *edge)
{
	const struct trace_virtuals *v = &task->virtuals;
	struct trace_who who;

	for (size_t i = 0; v->slots && i <= v->mask; i++)
		if (virtual_who(to, w, task, v->slots[i], &who))
			end_at_edge(to, task, &who, edge, edge->time);
}

/* ---- records ---- */

/* The method ID was closed. */
static void show_closed(struct trace_frames *to, const struct trace_row *row, uint64_t time,
			uint64_t id)
{
	uint64_t refused = to->methods.refused;
	uint32_t number = to->prv ? trace_methods_number(&to->methods, id) : TRACE_NO_METHOD;

	if (number != TRACE_NO_METHOD)
		trace_put_event(to, row, time, TRACE_TYPE_CLOSED, (uint64_t)number + 1);
	else if (to->prv)
		to->failed |= to->methods.refused == refused;
}

/* On the row of the VM there is nothing else, and on no other this: it lives in pauses alone. */
static bool is_of_vm(enum jwr_kind kind)
{
	return kind == JWR_GC_BEGIN || kind == JWR_GC_END || kind == JWR_CLOSED ||
	       kind == JWR_DETAIL;
}

/* What the runtime says on the row of the VM. */
static void take_runtime(struct trace_frames *to, const struct trace_runner *r, enum jwr_kind kind,
			 uint64_t payload)
{
	const struct trace_row *row = r->stream.row;

	if (kind == JWR_CLOSED)
		show_closed(to, row, r->time, payload);
	else
		trace_put_event(to, row, r->time, TRACE_TYPE_DETAIL, payload != 0);
}

void trace_take(struct trace_frames *to, struct trace_world *world, struct trace_runner *r)
{
	enum jwr_kind kind = jwr_word_kind(r->word);
	uint64_t payload = jwr_word_payload(r->word);

	if (r->edge) {
		take_edge(to, r);
		return;
	}
	to->counts.events++;
	if (r->begins)
		r->runs = 0;
	if (r->stream.row->thread->is_vm != is_of_vm(kind)) /* damage */
		kind = JWR_NONE;
	switch (kind) {
	case JWR_ENTER:
	case JWR_EXIT:
	case JWR_FAIL:
	case JWR_CONTENDED:
	case JWR_ENTERED:
	case JWR_WAIT:
	case JWR_WAITED:
	case JWR_EXPIRED:
	case JWR_EVENT:
	case JWR_EVENT_VALUE:
	case JWR_OBJECT:
	case JWR_VALUE:
	case JWR_ALLOC:
	case JWR_THROWN:
	case JWR_CAUGHT:
	case JWR_CREATED:
	case JWR_PLACE:
	case JWR_PARK:
	case JWR_PARKED:
	case JWR_UNPARK:
	case JWR_AWAIT:
	case JWR_AWAITED:
		take_on_track(to, world, r, kind);
		break;
	case JWR_SWITCH:
		switch_to(to, world, r, payload);
		break;
	case JWR_END:
		end_virtual(to, world, r, payload);
		break;
	case JWR_GC_BEGIN:
	case JWR_GC_END:
		take_pause(to, r->stream.row, r->time, kind == JWR_GC_BEGIN);
		break;
	case JWR_CLOSED:
	case JWR_DETAIL:
		take_runtime(to, r, kind, payload);
		break;
	case JWR_NONE:
	default: /* of a later version, or damage */
		to->counts.strange++;
		break;
	}
}

/* At its end, what the row's thread has used, and with the first of a process what that has. */
static void tell_cpu(struct trace_frames *to, const struct trace_runner *r)
{
	const struct trace_row *row = r->stream.row;

	if (!to->prv || row->hidden || row->thread->is_vm)
		return;
	if (row->thread->cpu_ns)
		trace_put_event(to, row, r->time, TRACE_TYPE_THREAD_CPU, row->thread->cpu_ns);
	if (row->number == 1 && row->task->rec.cpu_ns)
		trace_put_event(to, row, r->time, TRACE_TYPE_PROCESS_CPU, row->task->rec.cpu_ns);
}

bool trace_is_open(const struct trace_runner *r)
{
	const struct trace_row *row = r->stream.row;

	return row->thread->cpu_ns || row->task->rec.cpu_ns || r->track.timeline.depth ||
	       r->track.waits.n || r->track.insides.n || r->track.flight ||
	       (row->thread->is_vm && row->task->in_pause);
}

void trace_take_end(struct trace_frames *to, struct trace_runner *r)
{
	const struct trace_row *row = r->stream.row;

	close_track(to, &r->who, r->time);
	tell_cpu(to, r);
	if (row->thread->is_vm && row->task->in_pause) {
		row->task->in_pause = false;
		trace_put_event(to, row, r->time, TRACE_TYPE_GC, 0);
	}
}
