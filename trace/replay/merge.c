/*
 * merge.c: the rows of all processes, by time.
 *
 *     0 .. states.list_n            the states of each row that is shown; in the second reading
 *     rows_from, and behind it      the records of each row of threads, and its end
 *     behind these                  the edges of each process (edges.c), and its end: for virtual
 *                                   threads, whose carriers may be gone; new names of its threads
 *
 * are the sources of an order (order.h), by trace_key(): so at one instant states stand before
 * records, and all that a row has of it stands together. Arrows come between, each behind what has
 * begun with it but before the records.
 */
#include <stdlib.h>

#include "trace/names/event_types.h"
#include "trace/paraver/prv.h"
#include "trace/reader/reader.h"
#include "trace/replay/arrows/arrow_list.h"
#include "trace/replay/arrows/arrows.h"
#include "trace/replay/changes.h"
#include "trace/replay/dispatch.h"
#include "trace/replay/merge.h"
#include "trace/replay/order.h"
#include "trace/replay/replay.h"
#include "trace/replay/spool.h"
#include "trace/replay/states.h"
#include "trace/replay/stream.h"
#include "trace/replay/thread_names.h"
#include "trace/replay/track.h"
#include "trace/replay/virtual_lanes.h"
#include "trace/replay/waits.h"
#include "trace/replay/world.h"

#include "base/banned.h"

/* All buffers together hold at most this many records (4 MiB), each at most 8 KiB of them: those
 * of 100 threads fit a processor's cache. */
#define ALL_RECORDS (1u << 18)
#define MAX_RECORDS 512u
#define MIN_RECORDS 64u

#define PROGRESS_STEP (1u << 18)
#define AHEAD         3 /* items: what is fetched before it is taken */
/* The part of the work that the first reading is, where all records are for it. */
#define FIRST_READING 0.3

/* In `note` of a record's item. */
enum { BEGINS = 1, EDGE = 2, ENDING = 4, NAMING = 8, BUSY = 16 };

struct merge {
	struct trace_world *world;
	struct trace_frames *to;
	struct trace_runner *runners; /* one a row of threads, then one a task, for its end */
	struct trace_order order;
	struct trace_states states;
	size_t rows_from;
	bool failed;
	uint64_t shrunk;
	uint64_t events; /* at least so many are to be taken, and one more */
	uint64_t told;
};

/* ---- sources ---- */

/* Reads what R has next. Behind its last record comes its end, then nothing. */
static void read_ahead(struct merge *m, struct trace_runner *r)
{
	if (r->next.note & ENDING) {
		r->next.key = TRACE_NO_KEY;
		return;
	}
	if (trace_stream_next(&r->stream, &r->next.word)) {
		r->next.key = trace_key(r->stream.time);
		r->next.note = (r->stream.begins ? BEGINS : 0u) | (r->stream.edge ? EDGE : 0u) |
			       (r->stream.open ? BUSY : 0u);
		if (r->stream.edge)
			r->next.word = (uint64_t)(r->stream.edge - r->stream.row->task->edges);
		return;
	}
	m->failed |= r->stream.failed;
	m->shrunk += r->stream.shrunk;
	trace_stream_close(&r->stream);
	r->next.key = trace_key(r->stream.row->end);
	r->next.note = ENDING;
}

/* Of the process of R, which is number I: its edges and names, in time, then its end. */
static void read_process(const struct merge *m, struct trace_runner *r, size_t i)
{
	const struct trace_task *t = &m->world->tasks[i];
	size_t edge = r->stream.next_edge, name = r->named;
	uint64_t at_edge = edge < t->edge_count ? t->edges[edge].time : UINT64_MAX;
	uint64_t at_name = name < t->naming_count ? t->namings[name].time : UINT64_MAX;
	uint64_t time = at_name <= at_edge ? at_name : at_edge;

	if (r->next.note == ENDING) {
		r->next.key = TRACE_NO_KEY;
	} else if (time > t->end) {
		r->next.key = trace_key(t->end);
		r->next.note = ENDING;
	} else {
		r->next.key = trace_key(time);
		r->next.note = time == at_name ? NAMING : EDGE;
		r->next.word = time == at_name ? r->named++ : r->stream.next_edge++;
	}
}

static void read_next(struct merge *m, struct trace_runner *r)
{
	size_t i = (size_t)(r - m->runners);

	if (i < m->world->thread_rows)
		read_ahead(m, r);
	else
		read_process(m, r, i - m->world->thread_rows);
}

static size_t fill(void *ctx, uint32_t of, uint64_t end, size_t most, struct trace_item *out,
		   uint64_t *next)
{
	struct merge *m = ctx;
	size_t n = 0;

	if (of < m->rows_from)
		return trace_states_fill(&m->states, of, end, most, out, next);
	struct trace_runner *r = &m->runners[of - m->rows_from];

	if (!r->stream.buf && !r->next.note) /* it wakes up */
		read_ahead(m, r);
	while (n < most && r->next.key < end) {
		out[n++] = r->next;
		read_next(m, r);
	}
	*next = r->next.key;
	return n;
}

/* When a row begins is known without reading: the record itself follows when it is due. */
static void add_rows(struct merge *m)
{
	const struct trace_world *w = m->world;
	uint32_t share = ALL_RECORDS / (uint32_t)w->thread_rows;
	uint32_t cap = share > MAX_RECORDS   ? MAX_RECORDS
		       : share < MIN_RECORDS ? MIN_RECORDS
					     : share;
	uint64_t time;

	for (size_t i = 0; i < w->thread_rows; i++) {
		struct trace_runner *r = &m->runners[i];

		r->next.of = (uint32_t)(m->rows_from + i);
		trace_stream_init(&r->stream, &w->rows[i], cap, !m->to->prv, m->to->map);
		trace_runner_begin(m->to, w, r);
		if (trace_stream_first(&r->stream, &time))
			trace_order_source(&m->order, r->next.of, trace_key(time));
	}
	for (size_t i = 0; i < w->task_count; i++) {
		struct trace_runner *r = &m->runners[w->thread_rows + i];

		if (!w->tasks[i].lane_cap && !w->tasks[i].naming_count)
			continue;
		r->next.of = (uint32_t)(m->rows_from + w->thread_rows + i);
		read_process(m, r, i);
		trace_order_source(&m->order, r->next.of, r->next.key);
	}
}

/* ---- the merge ---- */

static void take_process(struct merge *m, size_t i, const struct trace_item *item)
{
	struct trace_task *t = &m->world->tasks[i];

	if (item->note & NAMING)
		trace_names_take(m->to, m->world, t, &t->namings[item->word]);
	else if (item->note & EDGE)
		trace_take_virtual_edge(m->to, m->world, t, &t->edges[item->word]);
	else if (m->to->prv && t->lane_cap)
		trace_take_virtual_ends(m->to, m->world, t, item->key / 2);
}

static void take_end(struct merge *m, struct trace_runner *r)
{
	if (trace_is_open(r))
		trace_take_end(m->to, r);
	trace_track_free(&r->track);
}

static void take(struct merge *m, const struct trace_item *item)
{
	size_t i = item->of - m->rows_from;
	struct trace_runner *r = &m->runners[i];

	if (i >= m->world->thread_rows) {
		take_process(m, i - m->world->thread_rows, item);
		return;
	}
	r->time = item->key / 2;
	if (item->note & ENDING) {
		take_end(m, r);
		return;
	}
	r->word = item->word;
	r->begins = item->note & BEGINS;
	r->busy = item->note & BUSY;
	r->edge = item->note & EDGE ? &r->stream.row->task->edges[item->word] : NULL;
	trace_take(m->to, m->world, r);
}

static bool still_well(const struct merge *m)
{
	return !m->failed && !m->order.failed && !m->to->failed &&
	       m->world->spool.status == JW_OK && (!m->to->prv || m->to->prv->status == JW_OK);
}

static void tell_progress(struct merge *m)
{
	if (m->to->counts.events - m->told < PROGRESS_STEP)
		return;
	m->told = m->to->counts.events;
	trace_progress_at(&m->world->progress, (double)m->told / (double)m->events);
}

/* With thousands of rows the data of the one that comes soon are in no cache. */
static void fetch(const struct merge *m, const struct trace_item *soon)
{
	if (soon->of >= m->rows_from)
		__builtin_prefetch(&m->runners[soon->of - m->rows_from].track);
}

static void take_window(struct merge *m, size_t n)
{
	uint64_t arrow = m->to->prv ? trace_arrows_next(m->world) : UINT64_MAX;

	for (size_t i = 0; i < n; i++) {
		const struct trace_item *item = &m->order.items[i];
		bool is_record = item->of >= m->rows_from;

		if (m->to->waits.due_n && item->key > trace_key(m->to->waits.time))
			trace_waits_show(m->to);
		/* states that begin with it stand before an arrow, records behind it */
		for (; arrow < item->key / 2 + (is_record || item->key % 2);
		     arrow = trace_arrows_next(m->world))
			trace_arrows_put(m->world, m->to->prv);
		if (i + AHEAD < n)
			fetch(m, &m->order.items[i + AHEAD]);
		if (is_record)
			take(m, item);
		else
			trace_states_put(&m->states, m->to->prv, item);
	}
}

static void run(struct merge *m)
{
	add_rows(m);
	trace_order_begin(&m->order);
	for (size_t n = 1; n && still_well(m); tell_progress(m)) {
		n = trace_order_next(&m->order);
		take_window(m, n);
	}
	trace_waits_show(m->to);
	while (m->to->prv && still_well(m) && trace_arrows_next(m->world) != UINT64_MAX)
		trace_arrows_put(m->world, m->to->prv);
}

static bool start(struct merge *m)
{
	size_t n = m->world->thread_rows + m->world->task_count;

	m->runners = jw_mem_zalloc(n, sizeof(*m->runners));
	m->rows_from = m->to->prv ? m->world->shown_count : 0;
	m->failed = !trace_order_open(&m->order, m->rows_from + n, fill, m) || !m->runners;
	if (!m->failed && m->to->prv)
		m->failed = !trace_states_open(&m->states, m->world, &m->order) ||
			    !trace_waits_open(&m->to->waits, m->world->shown_count);
	for (size_t i = 0; i < m->world->task_count; i++) {
		struct trace_task *t = &m->world->tasks[i];

		t->in_pause = false;
		if (t->lane_cap)
			m->failed |= !trace_virtuals_open(&t->virtuals, t->lane_cap);
		if (m->to->prv)
			m->failed |= !trace_names_place(m->world, t);
	}
	return !m->failed;
}

static void free_all(struct merge *m)
{
	for (size_t i = 0; m->runners && i < m->world->thread_rows; i++) {
		trace_stream_close(&m->runners[i].stream);
		trace_track_free(&m->runners[i].track);
	}
	jw_mem_free(m->runners);
	trace_order_close(&m->order);
	trace_states_close(&m->states);
	trace_waits_free(&m->to->waits);
}

static void tell(const struct trace_frames *to, uint64_t shrunk, struct trace_notes *notes)
{
	const struct trace_fact facts[] = {
		{ shrunk, "thread whose records could not be read to their end",
		  "threads whose records could not be read to their end" },
		{ to->counts.cut, TRACE_TOLD_CUT },
		{ to->counts.headless, TRACE_TOLD_HEADLESS },
		{ to->counts.strange, "record of an unknown kind, left out",
		  "records of unknown kinds, left out" },
		{ to->counts.too_deep, "call nested too deep to be shown, left out",
		  "calls nested too deep to be shown, left out" },
		{ to->methods.refused, "call of more methods than a trace can hold, left out",
		  "calls of more methods than a trace can hold, left out" },
	};

	trace_note_facts(notes, NULL, facts, sizeof(facts) / sizeof(*facts));
}

static void tell_lanes(const struct trace_world *w, struct trace_notes *notes)
{
	for (size_t i = 0; i < w->task_count; i++) {
		const struct trace_virtuals *v = &w->tasks[i].virtuals;

		if (v->without)
			trace_note(notes,
				   "%llu of %llu virtual threads found all %u row%s taken: %s on "
				   "the row \"virtual (more)\", where durations mean nothing",
				   (unsigned long long)v->without, (unsigned long long)v->total,
				   v->cap, jw_s(v->cap),
				   v->without == 1 ? "its calls stand"
						   : "their calls stand together");
	}
}

/* ---- the first reading ---- */

static void begin_rows(struct trace_world *w)
{
	for (size_t i = 0; i < w->thread_rows; i++)
		if (!w->rows[i].thread->is_vm)
			trace_changes_put(w->rows[i].changes, w->rows[i].start, TRACE_RUNNING);
}

static void end_rows(struct trace_world *w)
{
	for (size_t i = 0; i < w->thread_rows; i++) {
		struct trace_changes *c = w->rows[i].changes;
		uint64_t end = w->rows[i].end;

		/* the VM lives in its pauses alone, were it for an instant */
		trace_changes_put(c, w->rows[i].thread->is_vm ? trace_changes_behind(c, end) : end,
				  TRACE_NOT_CREATED);
		trace_changes_finish(c);
	}
	for (size_t i = 0; i < w->task_count; i++) {
		struct trace_task *t = &w->tasks[i];

		if (t->in_pause)
			t->pauses[t->pause_count - 1].end = t->end;
		for (uint32_t lane = 0; t->lanes && lane <= t->virtuals.used; lane++) {
			trace_changes_put(&t->lanes[lane],
					  trace_changes_behind(&t->lanes[lane], t->end),
					  TRACE_NOT_CREATED);
			trace_changes_finish(&t->lanes[lane]);
		}
	}
}

enum jw_status trace_first_reading(struct trace_world *world, const struct trace_map *map,
				   struct jw_err *e)
{
	struct trace_frames nowhere = { .map = map };
	struct merge m = { .world = world, .to = &nowhere, .events = world->states + 1 };

	begin_rows(world);
	world->progress.from = world->progress.to;
	world->progress.to += FIRST_READING * (double)world->states / (double)(world->events + 1);
	nowhere.arrows = trace_arrows_new(world);
	if (nowhere.arrows && start(&m))
		run(&m);
	end_rows(world);
	free_all(&m);
	trace_arrows_finish(world);
	bool failed = m.failed || nowhere.failed || trace_arrows_failed(nowhere.arrows);

	trace_arrows_free(nowhere.arrows);
	if (failed)
		return jw_nomem(e);
	return trace_spool_status(&world->spool, e);
}

/* ---- the second ---- */

enum jw_status trace_merge(struct trace_world *world, struct trace_frames *to,
			   struct trace_notes *notes, struct jw_err *e)
{
	struct merge m = { .world = world, .to = to, .events = world->events + 1 };

	world->progress.from = world->progress.to;
	world->progress.to = 1;
	if (start(&m)) {
		m.failed = !trace_arrows_open(world);
		if (!m.failed)
			run(&m);
	}
	free_all(&m);
	if (m.failed || to->failed)
		return jw_nomem(e);
	JW_TRY(trace_spool_status(&world->spool, e));
	tell(to, m.shrunk, notes);
	tell_lanes(world, notes);
	return trace_prv_finish(to->prv);
}
