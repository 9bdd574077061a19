/*
 * merge.c: the rows of all processes, by time.
 *
 *   key of a row   time of its next record, or of its end while frames are open; ties by row, so
 *                  that all of a row's records of one instant stand together
 *   heap           rows with a key, the least at [0]
 *
 * Cost: a row goes on without touching the heap while its next time is below all others'.
 */
#include <stdlib.h>

#include "trace/arrows_int.h"

#include "base/banned.h"

/* All buffers together hold at most this many records (4 MiB), each at most 8 KiB of them: those
 * of 100 threads fit a processor's cache. */
#define ALL_RECORDS (1u << 18)
#define MAX_RECORDS 512u
#define MIN_RECORDS 64u

#define PROGRESS_STEP (1u << 18)
/* The part of the work that the first reading is, where all records are for it. */
#define FIRST_READING 0.3

struct merge {
	struct trace_world *world;
	struct trace_frames *to;
	struct trace_runner *runners; /* one a row of threads, then one a task, for its end */
	struct trace_heap heap;       /* of runners */
	struct trace_states states;
	bool failed;
	uint64_t shrunk;
	uint64_t events; /* at least so many are to be taken, and one more */
};

/* ---- the merge ---- */

/* Moves R to its next key; false: it is at its end, and gave everything back. */
static bool advance(struct merge *m, struct trace_runner *r)
{
	if (!r->ending && trace_stream_next(&r->stream, &r->word)) {
		r->key = r->stream.time;
		return true;
	}
	m->failed |= r->stream.failed;
	m->shrunk += r->stream.shrunk;
	trace_stream_close(&r->stream);
	if (!r->ending && trace_is_open(r)) {
		r->ending = true;
		r->key = r->stream.row->end;
		return true;
	}
	trace_track_free(&r->track);
	return false;
}

static void take(struct merge *m, struct trace_runner *r)
{
	struct trace_task *task = r->stream.row->task;

	if (m->to->prv) {
		trace_arrows_put(m->world, &m->states, m->to->prv, r->key);
		trace_states_put(&m->states, m->to->prv, r->key);
	}
	if (!r->ending)
		trace_take(m->to, m->world, r);
	else if (r->stream.row->thread)
		trace_take_end(m->to, m->world, r);
	else
		trace_take_virtual_ends(m->to, m->world, task, r->key);
}

static void tell_progress(const struct merge *m)
{
	if (m->to->counts.events % PROGRESS_STEP == 0)
		trace_progress_at(&m->world->progress,
				  (double)m->to->counts.events / (double)m->events);
}

/* The first key of a row is known without reading: the record itself follows when it is the first.
 */
static void start_heap(struct merge *m)
{
	const struct trace_world *w = m->world;
	uint32_t share = ALL_RECORDS / (uint32_t)w->thread_rows;
	uint32_t cap = share > MAX_RECORDS   ? MAX_RECORDS
		       : share < MIN_RECORDS ? MIN_RECORDS
					     : share;

	for (size_t i = 0; i < w->thread_rows; i++) {
		struct trace_runner *r = &m->runners[i];

		trace_stream_init(&r->stream, &w->rows[i], cap, !m->to->prv, m->to->map);
		if (trace_stream_first(&r->stream, &r->key))
			trace_heap_put(&m->heap, r->key, i);
	}
	for (size_t i = 0; m->to->prv && i < w->task_count; i++) {
		struct trace_runner *r = &m->runners[w->thread_rows + i];

		if (!w->tasks[i].lane_cap)
			continue;
		r->stream.row = &w->rows[w->tasks[i].first_lane];
		r->ending = true;
		r->key = w->tasks[i].end;
		trace_heap_put(&m->heap, r->key, (uint64_t)(r - m->runners));
	}
	trace_heap_order(&m->heap);
}

static bool still_well(const struct merge *m)
{
	return !m->failed && !m->to->failed && m->world->spool.status == JW_OK &&
	       (!m->to->prv || m->to->prv->status == JW_OK);
}

/* With thousands of rows the data of the one that comes NEXT are in no cache. */
static void fetch(const struct merge *m, const struct trace_heap_entry *next)
{
	const struct trace_stream *coming = &m->runners[next->of].stream;

	if (coming->buf)
		__builtin_prefetch(&coming->buf[coming->at]);
}

/* The runner that comes first goes on while none comes before it. */
static void run_first(struct merge *m)
{
	const struct trace_heap_entry *next = trace_heap_second(&m->heap);
	struct trace_heap_entry first = m->heap.at[0];
	struct trace_runner *r = &m->runners[first.of];
	bool more = true;

	if (next)
		fetch(m, next);
	if (!r->stream.buf && !r->ending) { /* it wakes up */
		more = advance(m, r);
		first.key = r->key;
	}
	while (more && (!next || trace_heap_before(&first, next))) {
		take(m, r);
		tell_progress(m);
		more = still_well(m) && advance(m, r);
		first.key = r->key;
	}
	if (more)
		trace_heap_settle(&m->heap, first.key);
	else
		trace_heap_drop(&m->heap);
}

static void run(struct merge *m)
{
	start_heap(m);
	while (m->heap.n && still_well(m))
		run_first(m);
	if (m->to->prv) {
		trace_arrows_put(m->world, &m->states, m->to->prv, UINT64_MAX / 2);
		trace_states_put(&m->states, m->to->prv, UINT64_MAX / 2);
	}
}

static bool start(struct merge *m)
{
	size_t n = m->world->thread_rows + m->world->task_count;

	m->runners = jw_mem_zalloc(n, sizeof(*m->runners));
	m->failed = !trace_heap_open(&m->heap, n) || !m->runners;
	for (size_t i = 0; i < m->world->task_count; i++) {
		struct trace_task *t = &m->world->tasks[i];

		t->in_pause = false;
		if (t->lane_cap)
			m->failed |= !trace_virtuals_open(&t->virtuals, t->lane_cap);
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
	trace_heap_free(&m->heap);
	trace_states_close(&m->states);
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
		trace_changes_put(w->rows[i].changes, w->rows[i].end, TRACE_NOT_CREATED);
		trace_changes_finish(w->rows[i].changes);
	}
	for (size_t i = 0; i < w->task_count; i++) {
		struct trace_task *t = &w->tasks[i];

		if (t->in_pause)
			t->pauses[t->pause_count - 1].end = t->end;
		for (uint32_t lane = 0; t->lanes && lane <= t->virtuals.used; lane++) {
			uint64_t last = trace_changes_last(&t->lanes[lane]);

			trace_changes_put(&t->lanes[lane], t->end > last ? t->end : last + 1,
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
		m.failed = !trace_states_open(&m.states, world) || !trace_arrows_open(world);
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
