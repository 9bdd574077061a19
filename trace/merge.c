/*
 * merge.c: the rows of all processes, by time.
 *
 *   key of a row   time of its next record, or of its end while frames are open; ties by row, so
 * that all of a row's records of one instant stand together heap           rows with a key, the
 * least at [0] lives          begins and ends of rows, sorted, written as states between the
 * events: a begin stands before the events of its instant, an end behind them
 *
 * Cost: a row goes on without touching the heap while its next time is below all others'.
 */
#include <stdlib.h>

#include "trace/world_int.h"

#include "base/banned.h"

/* All buffers together hold at most this many records (32 MiB), each at most 8 KiB of them: those
 * of 100 threads fit a processor's cache. */
#define ALL_RECORDS (1u << 21)
#define MAX_RECORDS 512u
#define MIN_RECORDS 64u

#define PROGRESS_STEP (1u << 18)

struct runner {
	struct trace_stream stream;
	struct trace_timeline timeline;
	uint64_t key, word;
	bool ending; /* no record left: the key is the row's end */
};

struct life {
	uint64_t time;
	const struct trace_row *row;
};

struct merge {
	const struct trace_world *world;
	struct trace_frames *to;
	struct runner *runners; /* one a row */
	struct runner **heap;
	size_t heap_n;
	struct life *starts, *ends;
	size_t start_at, end_at;
	bool failed;
	uint64_t shrunk;
	const struct trace_paraver_job *job;
};

/* ---- heap ---- */

static bool before(const struct runner *a, const struct runner *b)
{
	return a->key != b->key ? a->key < b->key : a < b;
}

static void sift_down(struct merge *m, size_t at)
{
	struct runner **h = m->heap, *moved = h[at];

	for (;;) {
		size_t child = at * 2 + 1;

		if (child >= m->heap_n)
			break;
		if (child + 1 < m->heap_n && before(h[child + 1], h[child]))
			child++;
		if (!before(h[child], moved))
			break;
		h[at] = h[child];
		at = child;
	}
	h[at] = moved;
}

/* The row that comes next after the first; NULL: the first is alone. */
static const struct runner *second(const struct merge *m)
{
	if (m->heap_n < 2)
		return NULL;
	if (m->heap_n > 2 && before(m->heap[2], m->heap[1]))
		return m->heap[2];
	return m->heap[1];
}

/* ---- lives ---- */

static int by_time(const void *a, const void *b)
{
	const struct life *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

static void put_start(struct merge *m)
{
	const struct life *l = &m->starts[m->start_at++];

	trace_prv_state(m->to->prv, l->row, l->time, l->row->end, TRACE_RUNNING);
}

static void put_end(struct merge *m)
{
	const struct life *l = &m->ends[m->end_at++];

	if (l->time < m->world->end)
		trace_prv_state(m->to->prv, l->row, l->time, m->world->end, TRACE_NOT_CREATED);
}

/* States that stand before an event at TIME. */
static void put_lives(struct merge *m, uint64_t time)
{
	size_t n = m->world->row_count;

	for (;;) {
		bool start = m->start_at < n && m->starts[m->start_at].time <= time;
		bool end = m->end_at < n && m->ends[m->end_at].time < time;

		if (start && (!end || m->starts[m->start_at].time <= m->ends[m->end_at].time))
			put_start(m);
		else if (end)
			put_end(m);
		else
			break;
	}
}

static void begin_lives(struct merge *m)
{
	const struct trace_world *w = m->world;

	for (size_t i = 0; i < w->row_count; i++) {
		const struct trace_row *row = &w->rows[i];

		m->starts[i] = (struct life){ row->start, row };
		m->ends[i] = (struct life){ row->end, row };
		if (row->start > 0)
			trace_prv_state(m->to->prv, row, 0, row->start, TRACE_NOT_CREATED);
	}
	qsort(m->starts, w->row_count, sizeof(*m->starts), by_time);
	qsort(m->ends, w->row_count, sizeof(*m->ends), by_time);
}

/* ---- the merge ---- */

/* Moves R to its next key; false: it is at its end, and gave everything back. */
static bool advance(struct merge *m, struct runner *r)
{
	if (!r->ending && trace_stream_next(&r->stream, &r->word)) {
		r->key = r->stream.time;
		return true;
	}
	m->failed |= r->stream.failed;
	m->shrunk += r->stream.shrunk;
	trace_stream_close(&r->stream);
	if (r->timeline.depth && !r->ending) {
		r->ending = true;
		r->key = r->stream.row->end;
		return true;
	}
	trace_timeline_free(&r->timeline);
	return false;
}

static void take(struct merge *m, struct runner *r)
{
	if (r->ending)
		trace_timeline_end(m->to, &r->timeline, r->stream.row, r->key);
	else
		trace_timeline_take(m->to, &r->timeline, r->stream.row, r->key, r->word);
}

static void tell_progress(const struct merge *m)
{
	if (m->job->progress && m->to->counts.events % PROGRESS_STEP == 0)
		m->job->progress(m->job->progress_ctx,
				 (double)m->to->counts.events / ((double)m->world->events + 1));
}

/* The first key of a row is known without reading: the record itself follows when it is the first.
 */
static void start_heap(struct merge *m)
{
	uint32_t share = ALL_RECORDS / (uint32_t)m->world->row_count;
	uint32_t cap = share > MAX_RECORDS   ? MAX_RECORDS
		       : share < MIN_RECORDS ? MIN_RECORDS
					     : share;

	for (size_t i = 0; i < m->world->row_count; i++) {
		struct runner *r = &m->runners[i];

		trace_stream_init(&r->stream, &m->world->rows[i], cap);
		if (trace_stream_first(&r->stream, &r->key))
			m->heap[m->heap_n++] = r;
	}
	for (size_t i = m->heap_n / 2; i-- > 0;)
		sift_down(m, i);
}

static bool still_well(const struct merge *m)
{
	return !m->failed && !m->to->failed && m->to->prv->status == JW_OK;
}

static void run(struct merge *m)
{
	start_heap(m);
	while (m->heap_n && still_well(m)) {
		struct runner *r = m->heap[0];
		const struct runner *next = second(m);
		bool more = true;

		if (!r->stream.buf && !r->ending) { /* it wakes up */
			more = advance(m, r);
			if (more && next && before(next, r)) {
				sift_down(m, 0);
				continue;
			}
		}
		while (more && (!next || before(r, next))) {
			put_lives(m, r->key);
			take(m, r);
			tell_progress(m);
			more = still_well(m) && advance(m, r);
		}
		if (!more)
			m->heap[0] = m->heap[--m->heap_n];
		sift_down(m, 0);
	}
	put_lives(m, UINT64_MAX);
}

static void free_all(struct merge *m)
{
	for (size_t i = 0; m->runners && i < m->world->row_count; i++) {
		trace_stream_close(&m->runners[i].stream);
		trace_timeline_free(&m->runners[i].timeline);
	}
	jw_mem_free(m->runners);
	jw_mem_free(m->heap);
	jw_mem_free(m->starts);
	jw_mem_free(m->ends);
}

static void tell(const struct trace_frames *to, uint64_t shrunk, struct trace_notes *notes)
{
	const struct {
		uint64_t count;
		const char *text;
	} facts[] = {
		{ shrunk, "threads whose records could not be read to their end" },
		{ to->counts.strange, "records of unknown kinds, left out" },
		{ to->counts.too_deep, "calls nested too deep to be shown, left out" },
		{ to->methods.refused, "calls of more methods than a trace can hold, left out" },
	};

	for (size_t i = 0; i < sizeof(facts) / sizeof(*facts); i++)
		if (facts[i].count)
			trace_note(notes, "%llu %s", (unsigned long long)facts[i].count,
				   facts[i].text);
}

enum jw_status trace_merge(const struct trace_world *world, struct trace_frames *to,
			   const struct trace_paraver_job *job, struct trace_notes *notes,
			   struct jw_err *e)
{
	size_t n = world->row_count;
	struct merge m = {
		.world = world,
		.to = to,
		.job = job,
		.runners = jw_mem_zalloc(n, sizeof(*m.runners)),
		.heap = jw_mem_zalloc(n, sizeof(struct runner *)),
		.starts = jw_mem_zalloc(n, sizeof(*m.starts)),
		.ends = jw_mem_zalloc(n, sizeof(*m.ends)),
	};

	m.failed = !m.runners || !m.heap || !m.starts || !m.ends;
	if (!m.failed) {
		begin_lives(&m);
		run(&m);
	}
	free_all(&m);
	if (m.failed || to->failed)
		return jw_nomem(e);
	tell(to, m.shrunk, notes);
	return trace_prv_finish(to->prv);
}
