/*
 * take.c: whose a record is, and what it means.
 *
 *     SWITCH, END            whose the next records of a carrier are
 *     enters and exits       frames (timeline.c) of the thread, or of the virtual thread that runs
 *     monitors               a state of it, and an event where it begins and ends
 *     pauses of the collector  on the row of the VM
 *
 * The same code serves both readings: without a .prv it gathers changes of states, with one it
 * writes events.
 */
#include "trace/world_int.h"

#include "base/banned.h"

/* Values of the type "Java monitor", and the state that goes with each. */
enum { NO_WAIT, CONTENDED, WAITING };
static const uint32_t wait_states[] = { TRACE_RUNNING, TRACE_BLOCKED, TRACE_SYNCHRONIZATION };

/* What a value can be without being rounded by readers that calculate in doubles: of a thread its
 * id, of any other object its hash and most of its class's. */
#define VALUE_MASK ((UINT64_C(1) << 53) - 1)

static const uint32_t type_numbers[] = {
#define TYPE_NUMBER(name, number, label, values) number,
	TRACE_TYPE_LIST(TYPE_NUMBER)
#undef TYPE_NUMBER
};

static void put_event(struct trace_frames *to, const struct trace_row *row, uint64_t time,
		      enum trace_type type, uint64_t value)
{
	if (!to->prv || !row || row->hidden)
		return;
	to->types |= 1u << type;
	trace_prv_event(to->prv, row, time, type_numbers[type], value);
}

static uint64_t behind(uint64_t time, const struct trace_changes *c)
{
	uint64_t last = trace_changes_last(c);

	return time > last ? time : last + 1;
}

/* ---- virtual threads ---- */

/* The row of ONE; NULL: it has none. */
static const struct trace_row *row_of(const struct trace_world *w, const struct trace_task *t,
				      const struct trace_virtual *one)
{
	return one->lane ? &w->rows[t->first_lane + one->lane] : NULL;
}

static void count_without(struct trace_frames *to, const struct trace_world *w,
			  struct trace_task *t, uint64_t time)
{
	uint64_t more = t->virtuals.more;

	if (to->prv)
		put_event(to, &w->rows[t->first_lane], time, TRACE_TYPE_WITHOUT, more);
	else if (more)
		trace_changes_put(&t->lanes[0], time, TRACE_RUNNING);
	else
		trace_changes_put(&t->lanes[0], behind(time, &t->lanes[0]), TRACE_NOT_CREATED);
}

static void switch_to(struct trace_frames *to, const struct trace_world *w, struct trace_runner *r,
		      uint64_t id)
{
	struct trace_task *t = r->stream.row->task;

	r->runs = id;
	r->runs_found = NULL;
	if (!id || trace_virtuals_find(&t->virtuals, id))
		return;
	const struct trace_virtual *one = trace_virtuals_add(&t->virtuals, id);

	if (!one)
		to->failed = true;
	else if (!one->lane)
		count_without(to, w, t, r->key);
	else if (!to->prv)
		trace_changes_put(&t->lanes[one->lane], r->key, TRACE_RUNNING);
}

/* ---- waits ---- */

static void show_wait(struct trace_frames *to, const struct trace_row *row,
		      struct trace_changes *changes, const struct trace_waits *waits, uint64_t time,
		      uint64_t object)
{
	unsigned value = waits->n ? waits->at[waits->n - 1].value : NO_WAIT;

	if (!to->prv && changes)
		trace_changes_put(changes, time, wait_states[value]);
	put_event(to, row, time, TRACE_TYPE_MONITOR, value);
	if (object || (waits->n && waits->at[waits->n - 1].object))
		put_event(to, row, time, TRACE_TYPE_OBJECT,
			  waits->n ? waits->at[waits->n - 1].object & VALUE_MASK : 0);
}

static void close_waits(struct trace_frames *to, const struct trace_row *row,
			struct trace_waits *waits, uint64_t time)
{
	uint64_t object = waits->n ? waits->at[waits->n - 1].object : 0;

	if (!waits->n)
		return;
	waits->n = 0;
	waits->over = 0;
	show_wait(to, row, NULL, waits, time, object);
}

/* One wait begins or ends; false: it was not open. */
static bool change_waits(struct trace_waits *waits, unsigned value, bool begins, uint64_t object)
{
	if (begins) {
		if (waits->n == TRACE_WAITS) {
			waits->over++;
			return false;
		}
		waits->at[waits->n].value = (uint8_t)value;
		waits->at[waits->n++].object = object;
		return true;
	}
	if (waits->over) {
		waits->over--;
		return false;
	}
	for (uint8_t i = waits->n; i-- > 0;) {
		if (waits->at[i].value == value) {
			waits->n = i;
			return true;
		}
	}
	return false;
}

/* ---- tracks ---- */

/* Whose the record is: its track, its row and its changes (NULL where it shows nowhere). */
static struct trace_track *track_of(const struct trace_frames *to, const struct trace_world *w,
				    struct trace_runner *r, const struct trace_row **row,
				    struct trace_changes **changes)
{
	struct trace_task *t = r->stream.row->task;

	if (!r->runs) {
		*row = r->stream.row->hidden ? NULL : r->stream.row;
		*changes = r->stream.row->changes;
		return &r->track;
	}
	if (!r->runs_found || r->runs_changes != t->virtuals.changes) {
		r->runs_found = trace_virtuals_find(&t->virtuals, r->runs);
		r->runs_changes = t->virtuals.changes;
	}
	if (!r->runs_found)
		return NULL;
	*row = to->prv ? row_of(w, t, r->runs_found) : NULL;
	*changes = r->runs_found->lane ? &t->lanes[r->runs_found->lane] : NULL;
	return &r->runs_found->track;
}

static void take_on_track(struct trace_frames *to, const struct trace_world *w,
			  struct trace_runner *r, enum jwr_kind kind)
{
	const struct trace_row *row;
	struct trace_changes *changes;
	struct trace_track *track = track_of(to, w, r, &row, &changes);

	if (!track) {
		to->counts.strange++;
		return;
	}
	if (kind <= JWR_FAIL) {
		trace_timeline_take(to, &track->timeline, row, r->key, r->word);
		return;
	}
	struct trace_waits *waits = &track->waits;
	uint64_t object = waits->n ? waits->at[waits->n - 1].object : 0;

	if (change_waits(waits, kind <= JWR_ENTERED ? CONTENDED : WAITING,
			 kind == JWR_CONTENDED || kind == JWR_WAIT, jwr_word_payload(r->word)))
		show_wait(to, row, changes, waits, r->key, object);
}

static void close_virtual(struct trace_frames *to, const struct trace_world *w,
			  struct trace_task *t, struct trace_virtual *one, uint64_t time)
{
	const struct trace_row *row = to->prv ? row_of(w, t, one) : NULL;
	uint32_t lane = one->lane;

	trace_timeline_end(to, &one->track.timeline, row, time);
	close_waits(to, row, &one->track.waits, time);
	trace_virtuals_remove(&t->virtuals, one);
	if (!to->prv && lane)
		trace_changes_put(&t->lanes[lane], behind(time, &t->lanes[lane]),
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
		close_virtual(to, w, t, one, r->key);
	if (counted)
		count_without(to, w, t, r->key);
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
	put_event(to, row, time, TRACE_TYPE_GC, begins);
	if (to->prv)
		return;
	first_pause(to, t, time, begins);
	if (row->thread->is_vm)
		trace_changes_put(row->changes, begins ? time : behind(time, row->changes),
				  begins ? TRACE_OTHERS : TRACE_NOT_CREATED);
}

/* ---- records ---- */

void trace_take(struct trace_frames *to, struct trace_world *world, struct trace_runner *r)
{
	enum jwr_kind kind = jwr_word_kind(r->word);
	uint64_t payload = jwr_word_payload(r->word);

	to->counts.events++;
	if (r->stream.begins)
		r->runs = 0;
	switch (kind) {
	case JWR_ENTER:
	case JWR_EXIT:
	case JWR_FAIL:
	case JWR_CONTENDED:
	case JWR_ENTERED:
	case JWR_WAIT:
	case JWR_WAITED:
	case JWR_EXPIRED:
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
		take_pause(to, r->stream.row, r->key, kind == JWR_GC_BEGIN);
		break;
	case JWR_NONE:
	default: /* of a later version, or damage */
		to->counts.strange++;
		break;
	}
}

bool trace_is_open(const struct trace_runner *r)
{
	const struct trace_row *row = r->stream.row;

	return r->track.timeline.depth || r->track.waits.n ||
	       (row->thread->is_vm && row->task->in_pause);
}

void trace_take_end(struct trace_frames *to, struct trace_runner *r)
{
	const struct trace_row *row = r->stream.row;

	trace_timeline_end(to, &r->track.timeline, row->hidden ? NULL : row, r->key);
	close_waits(to, row, &r->track.waits, r->key);
	if (row->thread->is_vm && row->task->in_pause) {
		row->task->in_pause = false;
		put_event(to, row, r->key, TRACE_TYPE_GC, 0);
	}
}
