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
 * What the pass makes of them is its own (struct trace_pass_does).
 */
#include "base/assert.h"
#include "trace/format/methodmap.h"
#include "trace/format/recording.h"
#include "trace/output.h"
#include "trace/reader/reader.h"
#include "trace/replay/arrows/arrows.h"
#include "trace/replay/calls.h"
#include "trace/replay/changes.h"
#include "trace/replay/class_numbers.h"
#include "trace/replay/contexts.h"
#include "trace/replay/dispatch.h"
#include "trace/replay/edges.h"
#include "trace/replay/flight.h"
#include "trace/replay/method_numbers.h"
#include "trace/replay/pass.h"
#include "trace/replay/timeline.h"
#include "trace/replay/track.h"
#include "trace/replay/user_events.h"
#include "trace/replay/virtual_lanes.h"
#include "trace/replay/waits.h"
#include "trace/replay/world.h"

#include "base/banned.h"

void trace_put_event(struct trace_pass *p, const struct trace_row *row, uint64_t time,
		     enum trace_type type, uint64_t value)
{
	if (row && !row->hidden && p->does->event)
		p->does->event(p, row, time, type, value);
}

/* ---- virtual threads ---- */

/* The virtual thread ONE of T; false: it is not known. */
static bool virtual_who(struct trace_pass *p, const struct trace_task *t, struct trace_virtual *one,
			struct trace_who *out)
{
	if (!one)
		return false;
	one->track.timeline.partial = t->partial;
	one->track.timeline.closes = t->closes;
	*out = (struct trace_who){
		.place = { (uint32_t)(t - p->world->tasks),
			   one->lane ? TRACE_LANE_BIT | one->lane : TRACE_NOWHERE },
		.id = one->id,
		.track = &one->track,
	};
	if (p->does->place_virtual)
		p->does->place_virtual(p, t, one, out);
	return true;
}

/* Is nothing known of R that the next enter or exit may be about? */
static bool is_plain(const struct trace_pass *p, const struct trace_runner *r)
{
	const struct trace_track *track = &r->track;

	return p->does->frame && !r->runs && !r->has_ended && !r->who.left_out &&
	       !r->stream.row->thread->is_vm && !track->flight && !track->created &&
	       !track->has_high && !track->has_offset && !track->place;
}

void trace_runner_begin(struct trace_pass *p, struct trace_runner *r)
{
	const struct trace_row *row = r->stream.row;

	r->track.timeline.partial = row->task->partial;
	r->track.timeline.closes = row->task->closes;
	r->track.of_vm = row->of_vm;
	r->who = (struct trace_who){
		.place = { (uint32_t)(row->task - p->world->tasks),
			   (uint32_t)(row - p->world->rows) },
		.id = row->thread->java_id,
		.track = &r->track,
	};
	if (p->does->place_row)
		p->does->place_row(p, row, &r->who);
	r->plain = is_plain(p, r);
}

static void tell_without(struct trace_pass *p, struct trace_task *t, uint64_t time)
{
	if (p->does->without)
		p->does->without(p, t, time);
}

static void switch_to(struct trace_pass *p, struct trace_runner *r, uint64_t id)
{
	struct trace_task *t = r->stream.row->task;

	r->runs = id;
	r->runs_found = NULL;
	if (!id || trace_virtuals_find(&t->virtuals, id))
		return;
	struct trace_virtual *one = trace_virtuals_add(&t->virtuals, id);
	struct trace_who who;

	if (!virtual_who(p, t, one, &who)) {
		p->failed = true;
		return;
	}
	if (p->does->virtual_begins)
		p->does->virtual_begins(p, t, one, &who, r->time);
	if (!one->lane)
		tell_without(p, t, r->time);
}

/* ---- tracks ---- */

/* Whose the record is: a virtual thread, in *ONE, or the thread itself; NULL: there is no such
 * virtual thread. */
static const struct trace_who *who_is(struct trace_pass *p, struct trace_runner *r,
				      struct trace_who *one)
{
	struct trace_task *t = r->stream.row->task;

	if (!r->runs)
		return &r->who;
	if (!r->runs_found || r->runs_changes != t->virtuals.changes) {
		r->runs_found = trace_virtuals_find(&t->virtuals, r->runs);
		r->runs_changes = t->virtuals.changes;
	}
	return virtual_who(p, t, r->runs_found, one) ? one : NULL;
}

/* Size and class follow each other. */
static void take_alloc(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		       uint64_t payload)
{
	if (!who->calls)
		return;
	trace_put_event(p, who->calls, time, TRACE_TYPE_ALLOC, jwr_alloc_bytes(payload));
	trace_put_event(p, who->calls, time, TRACE_TYPE_ALLOC_CLASS,
			trace_class_of_object(p, who->calls->task, payload));
}

static void take_start(struct trace_pass *p, const struct trace_who *who,
		       const struct trace_runner *r)
{
	if (p->does->starts)
		p->does->starts(p, who, r->time, jwr_word_payload(r->word));
}

static void take_on_track(struct trace_pass *p, struct trace_runner *r, enum jwr_kind kind)
{
	struct trace_who one;
	const struct trace_who *who = who_is(p, r, &one);

	if (!who) {
		p->counts.strange++;
		return;
	}
	if (r->runs && r->word != jwr_word(JWR_PARKED, JWR_PARKED_MOUNT))
		one.carrier = r->who.id; /* it is pinned */
	if (who->left_out)
		return;
	bool created = who->track->created;

	who->track->created = false;
	who->track->busy = r->runs || r->busy;
	trace_flight_before(p, who, r->time, kind);
	if (kind == JWR_CREATED || (kind == JWR_VALUE && created))
		trace_created(p, who, r->time, r->word);
	else if (kind <= JWR_FAIL)
		trace_calls_take(p, who, r->time, r->word);
	else if (kind == JWR_DEPTH)
		trace_calls_keep(p, who, r->time, r->word);
	else if (kind == JWR_THROWN || kind == JWR_CAUGHT)
		trace_flight_take(p, who, r->time, r->word);
	else if (kind == JWR_EVENT || kind == JWR_EVENT_VALUE)
		trace_user_event(p, who, r->time, r->word);
	else if (kind == JWR_ALLOC)
		take_alloc(p, who, r->time, jwr_word_payload(r->word));
	else if (kind == JWR_OBJECT || kind == JWR_VALUE)
		trace_calls_capture(p, who, r->time, r->word);
	else if (kind == JWR_UNPARK && p->does->unparks)
		p->does->unparks(p, who, r->time, jwr_word_payload(r->word));
	else if (kind == JWR_WAKE && p->does->wakes)
		p->does->wakes(p, who, r->time, jwr_word_payload(r->word));
	else if (kind == JWR_INTERRUPT && p->does->interrupts)
		p->does->interrupts(p, who, r->time, jwr_word_payload(r->word));
	else if (kind == JWR_START)
		take_start(p, who, r);
	else if (kind == JWR_SHORT && p->does->short_waits)
		p->does->short_waits(p, who, r->time, jwr_short_ns(jwr_word_payload(r->word)),
				     jwr_short_io(jwr_word_payload(r->word)));
	else if (kind == JWR_HOLDER && p->does->held)
		p->does->held(p, who, r->time, jwr_word_payload(r->word));
	else if (kind == JWR_CONTEXT)
		trace_contexts_take(p, who, r->time, jwr_word_payload(r->word));
	else if (trace_is_of_wait(kind))
		trace_waits_take(p, who, r->time, r->word);
	who->track->has_high = kind == JWR_WIDE;
	who->track->high = jwr_word_payload(r->word);
	who->track->has_offset = kind == JWR_OFFSET;
	who->track->offset = jwr_word_payload(r->word);
	who->track->place = kind == JWR_PLACE ? (uint32_t)jwr_word_payload(r->word) : 0;
	if (p->does->after)
		p->does->after(p, who, r->time, kind);
}

/* Has whatever began on TRACK ended? */
static bool is_balanced(const struct trace_track *track)
{
	return !track->timeline.depth && !track->insides.n && !track->waits.n && !track->flight;
}

/* Closes what is open on WHO. */
static void close_track(struct trace_pass *p, const struct trace_who *who, uint64_t time)
{
	trace_contexts_end(p, who, time);
	trace_flight_end(p, who, time);
	trace_calls_end(p, who, time);
	trace_timeline_end(p, &who->track->timeline, who->calls, time);
	trace_waits_close(p, who, time);
	JW_ASSERT(is_balanced(who->track));
}

/* The thread of TRACK has had CPU_NS in its life; 0: unknown. */
static void count_inside(struct trace_pass *p, const struct trace_track *track, uint64_t cpu_ns)
{
	uint64_t ns = track->timeline.inside_ns;

	p->counts.inside_ns += cpu_ns && cpu_ns < ns ? cpu_ns : ns;
	p->counts.inside_is_cpu |= cpu_ns && cpu_ns < ns;
}

static void close_virtual(struct trace_pass *p, struct trace_task *t, struct trace_virtual *one,
			  uint64_t time)
{
	struct trace_who who;
	uint32_t lane = one->lane;

	virtual_who(p, t, one, &who);
	close_track(p, &who, time);
	count_inside(p, who.track, 0);
	if (p->does->virtual_ends)
		p->does->virtual_ends(p, t, one, &who, time);
	trace_virtuals_remove(&t->virtuals, one);
	if (lane && p->does->lane_freed)
		p->does->lane_freed(p, t, lane, time);
}

static void end_virtual(struct trace_pass *p, struct trace_runner *r, uint64_t id)
{
	struct trace_task *t = r->stream.row->task;
	struct trace_virtual *one = trace_virtuals_find(&t->virtuals, id);
	bool counted = one && !one->lane;

	if (r->runs == id)
		r->runs = 0;
	if (virtual_who(p, t, one, &r->ended)) {
		r->ended.track = &r->track; /* its own goes; nothing is open on either */
		r->ended.row = r->ended.calls = NULL;
		r->ended.changes = NULL;
		r->ended_at = r->time;
		r->has_ended = true;
	}
	if (one)
		close_virtual(p, t, one, r->time);
	if (counted)
		tell_without(p, t, r->time);
}

void trace_take_virtual_ends(struct trace_pass *p, struct trace_task *task, uint64_t time)
{
	struct trace_virtuals *v = &task->virtuals;
	uint64_t more = v->more;

	for (uint32_t lane = 1; lane <= v->used; lane++)
		if (v->lanes[lane].owner)
			close_virtual(p, task, v->lanes[lane].owner, time);
	for (size_t i = 0; i <= v->mask; i++)
		while (v->slots[i]) /* removing one may move another here */
			close_virtual(p, task, v->slots[i], time);
	if (more)
		tell_without(p, task, time);
}

/* ---- pauses ---- */

static void take_pause(struct trace_pass *p, const struct trace_row *row, uint64_t time,
		       bool begins)
{
	struct trace_task *t = row->task;

	if (t->in_pause == begins)
		return;
	t->in_pause = begins;
	if (p->does->pause)
		p->does->pause(p, row, time, begins);
}

/* ---- where recording was paused ---- */

static void cut_track(struct trace_pass *p, const struct trace_who *who, uint64_t time)
{
	trace_flight_end(p, who, time);
	trace_calls_end(p, who, time);
	trace_timeline_cut(p, &who->track->timeline, who->calls, time);
	trace_waits_close(p, who, time);
	if (p->does->cut)
		p->does->cut(p, who, time);
}

static void end_at_edge(struct trace_pass *p, const struct trace_task *t,
			const struct trace_who *who, const struct trace_edge *edge, uint64_t time)
{
	if (edge->closes)
		trace_calls_shut(p, who, time, &t->rec.closings, edge->tick);
	else if (edge->row)
		trace_waits_close(p, who, time);
	else
		cut_track(p, who, time);
}

static void take_edge(struct trace_pass *p, struct trace_runner *r)
{
	const struct trace_row *row = r->stream.row;

	if (!row->thread->is_vm) {
		end_at_edge(p, row->task, &r->who, r->edge, r->time);
		if (r->edge->resumes && !r->runs && !r->who.left_out)
			trace_waits_go_on(p, &r->who, r->time, r->goes_on);
	} else if (!r->edge->closes) {
		take_pause(p, row, r->time, false);
	}
}

void trace_take_virtual_edge(struct trace_pass *p, struct trace_task *task,
			     const struct trace_edge *edge)
{
	const struct trace_virtuals *v = &task->virtuals;
	struct trace_who who;

	for (size_t i = 0; v->slots && i <= v->mask; i++)
		if (virtual_who(p, task, v->slots[i], &who))
			end_at_edge(p, task, &who, edge, edge->time);
}

/* ---- records ---- */

/* On the row of the VM there is nothing else, and on no other this: it lives in pauses alone. */
static bool is_of_vm(enum jwr_kind kind)
{
	return kind == JWR_GC_BEGIN || kind == JWR_GC_END || kind == JWR_CLOSED ||
	       kind == JWR_DETAIL;
}

/* What the runtime says on the row of the VM. */
static void take_runtime(struct trace_pass *p, const struct trace_runner *r, enum jwr_kind kind,
			 uint64_t payload)
{
	const struct trace_row *row = r->stream.row;

	if (kind == JWR_DETAIL)
		trace_put_event(p, row, r->time, TRACE_TYPE_DETAIL, payload != 0);
	else if (p->does->closed)
		p->does->closed(p, row, r->time, payload);
}

/* Who joins a virtual thread, or waits for a scope, is let go by its carrier once it has ended: it
 * is the virtual thread that does. */
static void take_unpark(struct trace_pass *p, struct trace_runner *r)
{
	if (!r->has_ended || r->runs)
		take_on_track(p, r, JWR_UNPARK);
	else if (p->does->unparks)
		p->does->unparks(p, &r->ended, r->ended_at, jwr_word_payload(r->word));
}

static bool is_of_thread(enum jwr_kind kind)
{
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
	case JWR_AWAIT:
	case JWR_AWAITED:
	case JWR_OFFSET:
	case JWR_WIDE:
	case JWR_START:
	case JWR_CONTEXT:
	case JWR_HOLDER:
	case JWR_WAKE:
	case JWR_INTERRUPT:
	case JWR_SHORT:
	case JWR_DEPTH:
		return true;
	default:
		return false;
	}
}

/* What the record of R, no edge, means. */
static void take_record(struct trace_pass *p, struct trace_runner *r)
{
	enum jwr_kind kind = jwr_word_kind(r->word);
	uint64_t payload = jwr_word_payload(r->word);

	p->counts.events++;
	if (r->begins)
		r->runs = 0;
	if (r->stream.row->thread->is_vm != is_of_vm(kind)) /* damage */
		kind = JWR_NONE;
	r->has_ended &= kind == JWR_UNPARK;
	if (is_of_thread(kind)) {
		take_on_track(p, r, kind);
		return;
	}
	switch (kind) {
	case JWR_UNPARK:
		take_unpark(p, r);
		break;
	case JWR_SWITCH:
		switch_to(p, r, payload);
		break;
	case JWR_END:
		end_virtual(p, r, payload);
		break;
	case JWR_GC_BEGIN:
	case JWR_GC_END:
		take_pause(p, r->stream.row, r->time, kind == JWR_GC_BEGIN);
		break;
	case JWR_CLOSED:
	case JWR_DETAIL:
		take_runtime(p, r, kind, payload);
		break;
	case JWR_NONE:
	default: /* of a later version, or damage */
		p->counts.strange++;
		break;
	}
}

void trace_take(struct trace_pass *p, struct trace_runner *r)
{
	if (r->edge)
		take_edge(p, r);
	else
		take_record(p, r);
	r->plain = is_plain(p, r);
}

bool trace_is_open(const struct trace_runner *r)
{
	const struct trace_row *row = r->stream.row;

	return row->thread->cpu_ns || row->task->rec.cpu_ns || r->track.timeline.depth ||
	       r->track.timeline.inside_ns || r->track.waits.n || r->track.insides.n ||
	       r->track.flight || (row->thread->is_vm && row->task->in_pause);
}

void trace_take_end(struct trace_pass *p, struct trace_runner *r)
{
	const struct trace_row *row = r->stream.row;

	close_track(p, &r->who, r->time);
	count_inside(p, &r->track, row->thread->cpu_ns);
	if (p->does->row_ends)
		p->does->row_ends(p, row, r->time);
	if (row->thread->is_vm && row->task->in_pause) {
		row->task->in_pause = false;
		trace_put_event(p, row, r->time, TRACE_TYPE_GC, 0);
	}
}
