/*
 * find.c: see find.h. A thread has the state of what it waits for, else of the innermost of its
 * calls, from its begin to its end; virtual threads have that of their lane.
 */
#include "base/grow.h"
#include "trace/format/recording.h"
#include "trace/output.h"
#include "trace/reader/reader.h"
#include "trace/replay/arrows/arrow_links.h"
#include "trace/replay/arrows/arrow_list.h"
#include "trace/replay/arrows/arrow_monitors.h"
#include "trace/replay/arrows/arrow_parks.h"
#include "trace/replay/arrows/arrow_threads.h"
#include "trace/replay/arrows/arrow_told.h"
#include "trace/replay/arrows/arrows.h"
#include "trace/replay/changes.h"
#include "trace/replay/find.h"
#include "trace/replay/inside.h"
#include "trace/replay/merge.h"
#include "trace/replay/method_numbers.h"
#include "trace/replay/parks.h"
#include "trace/replay/pass.h"
#include "trace/replay/remote_calls.h"
#include "trace/replay/streams.h"
#include "trace/replay/track.h"
#include "trace/replay/virtual_lanes.h"
#include "trace/replay/waits.h"
#include "trace/replay/world.h"

#include "base/banned.h"

/* The part of the work that this pass is, where all records are for it. */
#define FIRST_PASS 0.3

/* ---- whose it is ---- */

static void place_row(struct trace_pass *p, const struct trace_row *row, struct trace_who *who)
{
	(void)p;
	who->changes = row->changes;
}

static void place_virtual(struct trace_pass *p, const struct trace_task *t,
			  const struct trace_virtual *one, struct trace_who *who)
{
	(void)p;
	who->changes = one->lane ? &t->lanes[one->lane] : NULL;
}

/* ---- calls ---- */

static void call_begins(struct trace_pass *p, const struct trace_who *who,
			const struct trace_method *method, uint64_t time)
{
	(void)method;
	trace_show_state(who, time);
	trace_arrows_begin(p->arrows, who, time);
}

/* A call that turns out not to leave the process has not had its state. */
static void take_state_back(const struct trace_pass *p, const struct trace_who *who)
{
	const struct trace_insides *in = &who->track->insides;
	struct trace_inside *one = &in->at[in->n - 1];

	if (one->local || !trace_inside_told(one) ||
	    !trace_is_local_call(&p->world->tasks[who->place.task].rec, one))
		return;
	one->local = true;
	one->state = in->n > 1 ? in->at[in->n - 2].state : TRACE_RUNNING;
	trace_show_state(who, one->begin);
}

/* The last part of a key may just have been captured. */
static void take_key(struct trace_pass *p, const struct trace_who *who, uint64_t time)
{
	struct trace_inside *one = trace_innermost(&who->track->insides);

	if (one->linked || !trace_inside_has_key(one))
		return;
	one->linked = true;
	trace_links_take(p->links, who, one, time);
}

static void call_captures(struct trace_pass *p, const struct trace_who *who, uint64_t time,
			  const struct jw_capture *capture, const struct trace_taken *taken)
{
	(void)capture;
	(void)taken;
	take_state_back(p, who);
	trace_arrows_begin(p->arrows, who, time);
	take_key(p, who, time);
}

static void call_ends(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		      bool recorded, bool failed)
{
	if (!recorded) {
		trace_arrows_abandon(p->arrows, who);
		return;
	}
	trace_insides_late(&who->track->insides, failed, trace_no_capture, NULL);
	take_key(p, who, time);
	trace_arrows_end(p->arrows, who, time, failed);
}

static void show(struct trace_pass *p, const struct trace_who *who, uint64_t time)
{
	(void)p;
	trace_show_state(who, time);
}

static void shut(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		 const struct trace_closings *closings, uint64_t tick)
{
	(void)closings;
	(void)tick;
	who->track->calls = 0; /* one of them may be among these */
	show(p, who, time);
}

/* Calls of a thread of the VM change its state; those of others are not read. */
static void frame(struct trace_pass *p, const struct trace_who *who, uint64_t time, uint64_t word)
{
	struct trace_track *track = who->track;

	(void)p;
	if (!track->of_vm || jwr_word_kind(word) == JWR_DEPTH)
		return;
	if (jwr_word_kind(word) == JWR_ENTER)
		track->calls++;
	else if (track->calls)
		track->calls--;
	trace_show_state(who, time);
}

static void cut(struct trace_pass *p, const struct trace_who *who, uint64_t time)
{
	who->track->calls = 0;
	trace_show_state(who, time);
	trace_arrows_cut(p->arrows);
}

/* Where a flight ends without a record, the state ends where the exception was seen last. */
static void flies(struct trace_pass *p, const struct trace_who *who, uint64_t time, uint64_t seen,
		  bool flying)
{
	show(p, who, flying ? time : seen);
}

/* ---- waits ---- */

static void wait_begins(struct trace_pass *p, const struct trace_who *who, uint64_t time,
			enum jwr_kind kind)
{
	struct trace_waits *waits = &who->track->waits;
	struct trace_wait *wait = &waits->at[waits->n - 1];

	if (kind == JWR_WAIT)
		wait->waiter = trace_arrows_wait(p->arrows, who, time, wait->object);
	else if (kind == JWR_CONTENDED)
		wait->waiter = trace_arrows_contends(p->arrows, who, time, wait->object);
	else if (kind == JWR_PARK)
		trace_arrows_parks(
			p->arrows, who,
			wait->object &&
				trace_idles_at(p, &p->world->tasks[who->place.task], wait->object));
}

/* The innermost wait of WHO that is for work, or else by VALUE; NULL: there is none. */
static struct trace_wait *innermost_of_work(const struct trace_who *who, uint8_t value)
{
	struct trace_wait *wait = trace_waits_innermost(who, TRACE_WAIT_FOR_WORK);

	return wait ? wait : trace_waits_innermost(who, value);
}

/* An arrow comes from who ended Object.wait(), or gave the monitor back. */
static void monitor_ends(struct trace_pass *p, const struct trace_who *who, uint64_t time,
			 enum jwr_kind kind)
{
	bool enters = kind == JWR_ENTERED;
	struct trace_wait *wait = enters ? trace_waits_innermost(who, TRACE_WAIT_ENTER)
					 : innermost_of_work(who, TRACE_WAIT_OBJECT);

	if (!wait)
		return;
	if (enters)
		trace_arrows_entered(p->arrows, who, time, wait->object, wait->waiter);
	else
		trace_arrows_waited(p->arrows, who, time, wait->object, wait->waiter,
				    kind == JWR_EXPIRED);
	wait->waiter = NULL;
}

static void park_ends(struct trace_pass *p, const struct trace_who *who, uint64_t time)
{
	trace_arrows_unparked(p->arrows, who, time, innermost_of_work(who, TRACE_WAIT_PARK));
}

/* Where the innermost wait is no sleep, something else ends. */
static void sleep_ends(struct trace_pass *p, const struct trace_who *who, uint64_t time)
{
	const struct trace_waits *waits = &who->track->waits;

	if (waits->n && !waits->over && waits->at[waits->n - 1].value == TRACE_WAIT_SLEEP)
		trace_arrows_slept(p->arrows, who, time, waits->at[waits->n - 1].begin);
}

static void wait_ends(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		      enum jwr_kind kind)
{
	if (kind == JWR_PARKED)
		park_ends(p, who, time);
	else if (kind == JWR_AWAITED)
		sleep_ends(p, who, time);
	else
		monitor_ends(p, who, time, kind);
}

static void io_ends(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		    const struct trace_wait *wait, uint64_t payload)
{
	trace_streams_ended(p->streams, who, time, wait, payload);
	if (jwr_await_what(payload) == JWR_AWAIT_SELECT)
		trace_arrows_woken(p->arrows, who, time, wait->begin, jwr_awaited_amount(payload));
}

/* When each of them was nobody knows: they are shown as one that has just ended, since the change of the state
 * before at most. */
static void short_waits(struct trace_pass *p, const struct trace_who *who, uint64_t time,
			uint64_t ns, bool io)
{
	uint32_t waited = who->track->busy ? TRACE_SYNCHRONIZATION : TRACE_FOR_WORK;

	(void)p;
	if (!who->changes || trace_changes_state(who->changes) != TRACE_RUNNING)
		return;
	uint64_t begin = trace_changes_after(who->changes, time > ns ? time - ns : 0);
	if (begin >= time)
		return;
	trace_changes_put(who->changes, begin, io ? TRACE_IO : waited);
	trace_show_state(who, time);
}

static void wakes(struct trace_pass *p, const struct trace_who *who, uint64_t time, uint64_t number)
{
	trace_arrows_wake(p->arrows, who, time, number);
}

static void unparks(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		    uint64_t object)
{
	trace_arrows_unpark(p->arrows, who, time, object);
}

static void interrupts(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		       uint64_t object)
{
	trace_arrows_interrupt(p->arrows, who, time, object);
}

static void starts(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		   uint64_t object)
{
	trace_arrows_start(p->arrows, who, time, object);
}

static void wait_left(struct trace_pass *p, struct trace_wait *wait)
{
	trace_arrows_wait_abandon(p->arrows, wait->waiter);
}

/* ---- virtual threads ---- */

static void virtual_begins(struct trace_pass *p, struct trace_task *t, struct trace_virtual *one,
			   const struct trace_who *who, uint64_t time)
{
	one->began = time;
	one->told_start = trace_arrows_virtual(p->arrows, who, time);
	if (!one->lane)
		return;
	t->lanes[one->lane].spool = &p->world->spool;
	trace_changes_put(&t->lanes[one->lane], time, TRACE_RUNNING);
}

static void virtual_ends(struct trace_pass *p, struct trace_task *t, struct trace_virtual *one,
			 const struct trace_who *who, uint64_t time)
{
	(void)t;
	trace_arrows_virtual_end(p->arrows, who, one->told_start ? 0 : one->began, time);
}

static void end_lane(struct trace_changes *lane, uint64_t time)
{
	trace_changes_put(lane, trace_changes_after(lane, time), TRACE_NOT_CREATED);
}

static void lane_freed(struct trace_pass *p, struct trace_task *t, uint32_t lane, uint64_t time)
{
	(void)p;
	end_lane(&t->lanes[lane], time);
}

static void without(struct trace_pass *p, struct trace_task *t, uint64_t time)
{
	(void)p;
	if (t->virtuals.more)
		trace_changes_put(&t->lanes[0], time, TRACE_RUNNING);
	else
		end_lane(&t->lanes[0], time);
}

/* ---- pauses of the collector ---- */

static void note_pause(struct trace_pass *p, struct trace_task *t, uint64_t time, bool begins)
{
	struct trace_pause *grown, *last;

	if (!begins) {
		last = &t->pauses[t->pause_count - 1];
		last->end = time > last->begin ? time : last->begin + 1;
		return;
	}
	grown = trace_grow(t->pauses, t->pause_count, &t->pause_cap, sizeof(*grown));
	if (!grown) {
		p->failed = true;
		return;
	}
	t->pauses = grown;
	uint64_t free_from = t->pause_count ? grown[t->pause_count - 1].end : 0;

	grown[t->pause_count++] =
		(struct trace_pause){ time > free_from ? time : free_from, UINT64_MAX };
}

static void pause_at(struct trace_pass *p, const struct trace_row *row, uint64_t time, bool begins)
{
	note_pause(p, row->task, time, begins);
	trace_changes_put(row->changes, begins ? time : trace_changes_after(row->changes, time),
			  begins ? TRACE_OTHERS : TRACE_NOT_CREATED);
}

/* ---- who has what others wait for ---- */

/* The second reading may tell nobody past that (apart.c). */
static void note_seen(struct trace_pass *p, struct trace_row *row, uint64_t time)
{
	static const struct jw_growth growth = { NULL, 0, 16 };

	if (JW_GROW(&row->seen, &growth, NULL) == JW_OK)
		row->seen.at[row->seen.n++] = time;
	else
		p->failed = true;
}

static void held(struct trace_pass *p, const struct trace_who *who, uint64_t time, uint64_t object)
{
	struct trace_row *row =
		object ? trace_thread_row(p->world, &p->world->tasks[who->place.task], object)
		       : NULL;

	if (row)
		note_seen(p, row, time);
}

static void left_open(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		      const struct trace_wait *wait)
{
	struct trace_place owner;

	if (wait->value == TRACE_WAIT_ENTER &&
	    trace_monitor_note_owner(p->arrows, who, wait, &owner) && !(owner.row & TRACE_LANE_BIT))
		note_seen(p, &p->world->rows[owner.row], time);
}

/* Virtual threads of T that wait when it ends: nothing closes them in this reading. */
static void note_virtual(struct trace_pass *p, const struct trace_task *t)
{
	const struct trace_virtuals *v = &t->virtuals;

	for (size_t i = 0; v->slots && i <= v->mask; i++) {
		struct trace_virtual *one = v->slots[i];
		const struct trace_waits *waits = one ? &one->track.waits : NULL;

		if (!waits || !waits->n || !one->lane)
			continue;
		const struct trace_who who = {
			.place = { (uint32_t)(t - p->world->tasks), TRACE_LANE_BIT | one->lane },
			.id = one->id,
			.track = &one->track,
		};

		left_open(p, &who, t->end, &waits->at[waits->n - 1]);
	}
}

/* ---- the pass ---- */

static void begin_rows(struct trace_world *w)
{
	for (size_t i = 0; i < w->thread_rows; i++)
		if (!w->rows[i].thread->is_vm)
			trace_changes_put(w->rows[i].changes, w->rows[i].start,
					  w->rows[i].of_vm ? TRACE_FOR_WORK : TRACE_RUNNING);
}

static void end_rows(struct trace_world *w)
{
	for (size_t i = 0; i < w->thread_rows; i++) {
		struct trace_changes *c = w->rows[i].changes;

		if (w->rows[i]
			    .thread
			    ->is_vm) /* it lives in its pauses alone, were it for an instant */
			end_lane(c, w->rows[i].end);
		else
			trace_changes_put(c, w->rows[i].end, TRACE_NOT_CREATED);
		trace_changes_finish(c);
	}
	for (size_t i = 0; i < w->task_count; i++) {
		struct trace_task *t = &w->tasks[i];

		if (t->in_pause)
			t->pauses[t->pause_count - 1].end = t->end;
		for (uint32_t lane = 0; t->lanes && lane <= t->virtuals.used; lane++) {
			end_lane(&t->lanes[lane], t->end);
			trace_changes_finish(&t->lanes[lane]);
		}
	}
}

static const struct trace_pass_does finds = {
	.states_only = true,
	.place_row = place_row,
	.place_virtual = place_virtual,
	.frame = frame,
	.call_begins = call_begins,
	.call_captures = call_captures,
	.call_ends = call_ends,
	.calls_ended = show,
	.shut = shut,
	.waits = show,
	.wait_begins = wait_begins,
	.wait_ends = wait_ends,
	.wait_left = wait_left,
	.io_ends = io_ends,
	.short_waits = short_waits,
	.wakes = wakes,
	.unparks = unparks,
	.interrupts = interrupts,
	.held = held,
	.left_open = left_open,
	.starts = starts,
	.flies = flies,
	.virtual_begins = virtual_begins,
	.virtual_ends = virtual_ends,
	.lane_freed = lane_freed,
	.without = without,
	.pause = pause_at,
	.cut = cut,
};

enum jw_status trace_find(struct trace_world *w, const struct trace_map *map, struct jw_err *e)
{
	struct trace_pass p = { .does = &finds, .world = w, .map = map };

	begin_rows(w);
	w->progress.from = w->progress.to;
	w->progress.to += FIRST_PASS * (double)w->states / (double)(w->events + 1);
	p.arrows = trace_arrows_new(w);
	p.streams = trace_streams_new(w, NULL, NULL);
	p.links = trace_links_new(w);
	if (p.arrows && p.streams && p.links)
		(void)trace_merge(&p, w->states);
	for (size_t i = 0; p.arrows && i < w->task_count; i++)
		note_virtual(&p, &w->tasks[i]);
	end_rows(w);
	trace_arrows_finish(w);
	bool failed = p.failed || trace_arrows_failed(p.arrows) ||
		      trace_streams_failed(p.streams) || trace_links_failed(p.links);

	trace_arrows_free(p.arrows);
	trace_streams_finish(p.streams, &w->sockets);
	trace_links_free(p.links);
	trace_methods_free(&p.parks);
	if (failed)
		return jw_nomem(e);
	return trace_spool_status(&w->spool, e);
}
