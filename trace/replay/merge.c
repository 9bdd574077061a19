/*
 * merge.c: see merge.h.
 *
 *     0 .. rows_from                the sources of the pass: states of each row that is shown
 *     rows_from, and those after    the records of each row of threads, and its end
 *     after these                   the edges of each process (edges.c), and its end: for virtual
 *                                   threads, whose carriers may be gone; new names of its threads
 *
 * are the sources of an order (order.h), by trace_key(): so at one instant states come before
 * records, and all that a row has of it comes together.
 *
 * Where threads are told apart (apart.h), what is a row's own is taken as soon as it is read, with the
 * states of the row, up to what all threads share. The order has what is left: what all share, and from
 * something that has to wait for its turn on all else of its row.
 */
#include <stddef.h>
#include <string.h>

#include "base/assert.h"
#include "base/fetch.h"
#include "trace/format/methodmap.h"
#include "trace/replay/apart.h"
#include "trace/replay/dispatch.h"
#include "trace/replay/edges.h"
#include "trace/replay/merge.h"
#include "trace/replay/merge_apart.h"
#include "trace/replay/merging.h"
#include "trace/replay/order.h"
#include "trace/replay/pass.h"
#include "trace/replay/states.h"
#include "trace/replay/stream.h"
#include "trace/replay/thread_names.h"
#include "trace/replay/track.h"
#include "trace/replay/virtual_lanes.h"
#include "trace/replay/world.h"

#include "base/banned.h"

/* All buffers together hold at most this many records (4 MiB), each at most 8 KiB of them: those
 * of 100 threads fit a processor's cache. */
#define ALL_RECORDS (1u << 18)
#define MAX_RECORDS 512u
#define MIN_RECORDS 32u

#define PROGRESS_STEP (1u << 18)
#define FAR_AHEAD     8 /* items: what is fetched before it is taken */
#define AHEAD         4

/* ---- sources ---- */

/* Reads what R has next. After its last record comes its end, then nothing. */
void trace_merge_read(struct trace_merging *m, struct trace_runner *r)
{
	if (r->next.note & TRACE_ENDING) {
		r->next.key = TRACE_NO_KEY;
		return;
	}
	uint64_t before = r->next.key;

	if (trace_stream_next(&r->stream, &r->next.word)) {
		JW_ASSERT(trace_key(r->stream.time) >= before);
		r->next.key = trace_key(r->stream.time);
		r->next.note = (r->stream.begins ? TRACE_BEGINS : 0u) |
			       (r->stream.edge ? TRACE_EDGE : 0u) |
			       (r->stream.open ? TRACE_BUSY : 0u);
		if (r->stream.edge)
			r->next.word = (uint64_t)(r->stream.edge - r->stream.row->task->edges) |
				       (uint64_t)r->stream.goes_on << TRACE_GOES_ON;
		return;
	}
	m->pass->failed |= r->stream.failed;
	m->shrunk += r->stream.shrunk;
	trace_stream_close(&r->stream);
	r->next.key = trace_key(r->stream.row->end);
	r->next.note = TRACE_ENDING;
}

/* Of the process of R, which is number I: its edges and names, in time, then its end. */
static void read_process(const struct trace_merging *m, struct trace_runner *r, size_t i)
{
	const struct trace_task *t = &m->world->tasks[i];

	while (r->stream.next_edge < t->edge_count && t->edges[r->stream.next_edge].row)
		r->stream.next_edge++;
	size_t edge = r->stream.next_edge, name = r->named;
	uint64_t at_edge = edge < t->edge_count ? t->edges[edge].time : UINT64_MAX;
	uint64_t at_name = name < t->naming_count ? t->namings[name].time : UINT64_MAX;
	uint64_t time = at_name <= at_edge ? at_name : at_edge;

	if (r->next.note == TRACE_ENDING) {
		r->next.key = TRACE_NO_KEY;
	} else if (time > t->end) {
		r->next.key = trace_key(t->end);
		r->next.note = TRACE_ENDING;
	} else {
		r->next.key = trace_key(time);
		r->next.note = time == at_name ? TRACE_NAMING : TRACE_EDGE;
		r->next.word = time == at_name ? r->named++ : r->stream.next_edge++;
	}
}

static void read_next(struct trace_merging *m, struct trace_runner *r)
{
	size_t i = (size_t)(r - m->runners);

	if (i < m->world->thread_rows)
		trace_merge_read(m, r);
	else
		read_process(m, r, i - m->world->thread_rows);
}

/* (As most records are.) */
bool trace_merge_frame(struct trace_pass *p, const struct trace_runner *r,
		       const struct trace_item *item)
{
	enum jwr_kind kind = jwr_word_kind(item->word);

	if (!r->plain || (item->note & ~(unsigned)(TRACE_BUSY | TRACE_BEGINS)) ||
	    kind == JWR_NONE || kind > JWR_FAIL ||
	    trace_map_telling(p->map, jwr_word_payload(item->word)))
		return false;
	p->counts.events++;
	p->does->frame(p, &r->who, item->key / 2, item->word);
	return true;
}

/* ---- what items are ---- */

static void take_process(struct trace_merging *m, size_t i, const struct trace_item *item)
{
	struct trace_pass *p = m->pass;
	struct trace_task *t = &m->world->tasks[i];

	if (item->note & TRACE_NAMING)
		trace_names_take(p, t, &t->namings[item->word]);
	else if (item->note & TRACE_EDGE)
		trace_take_virtual_edge(p, t, &t->edges[item->word]);
	else if (p->does->task_ends)
		p->does->task_ends(p, t, item->key / 2);
}

static void take_end(struct trace_merging *m, struct trace_runner *r)
{
	if (trace_is_open(r))
		trace_take_end(m->pass, r);
	trace_track_free(&r->track);
}

void trace_merge_take(struct trace_merging *m, const struct trace_item *item)
{
	size_t i = item->of - m->rows_from;
	struct trace_runner *r = &m->runners[i];

	if (trace_merge_frame(m->pass, r, item))
		return;
	if (i >= m->world->thread_rows) {
		take_process(m, i - m->world->thread_rows, item);
		return;
	}
	r->time = item->key / 2;
	if (item->note & TRACE_ENDING) {
		take_end(m, r);
		return;
	}
	r->word = item->word;
	r->begins = item->note & TRACE_BEGINS;
	r->busy = item->note & TRACE_BUSY;
	r->edge = NULL;
	if (item->note & TRACE_EDGE) {
		r->edge = &r->stream.row->task
				   ->edges[item->word & ((UINT64_C(1) << TRACE_GOES_ON) - 1)];
		r->goes_on = (uint8_t)(item->word >> TRACE_GOES_ON);
	}
	trace_take(m->pass, r);
}

static bool still_well(const struct trace_merging *m)
{
	struct trace_pass *p = m->pass;

	return !m->order.failed && !p->failed && m->world->spool.status == JW_OK &&
	       (!p->does->is_well || p->does->is_well(p));
}

static void tell_progress(struct trace_merging *m)
{
	if (m->pass->counts.events - m->told < PROGRESS_STEP)
		return;
	m->told = m->pass->counts.events;
	trace_progress_at(&m->world->progress, (double)m->told / (double)m->events);
}

/* The same before what others did earlier; not of a method that is new. */
static inline bool take_apart(const struct trace_merging *m, const struct trace_runner *r,
			      const struct trace_item *item)
{
	return (!m->by_thread || m->pass->does->is_known(m->pass, item->word)) &&
	       trace_merge_frame(m->pass, r, item);
}

/* Takes those of the N items that come before any that has to wait for its turn. Returns how many
 * are left, which move to their place. */
static size_t take_first(const struct trace_merging *m, const struct trace_runner *r,
			 struct trace_item *items, size_t n)
{
	size_t taken = 0;

	while (taken < n && take_apart(m, r, &items[taken]))
		taken++;
	if (taken < n)
		memmove(items, items + taken, (n - taken) * sizeof(*items));
	return n - taken;
}

/* Up to which key its process's JVM does nothing. */
static uint64_t jvm_until(const struct trace_merging *m, const struct trace_task *t)
{
	size_t i = t->jvm ? (size_t)(t->jvm - m->world->rows) : 0;

	if (m->closings && t->closes)
		return 0;
	if (!t->jvm)
		return TRACE_NO_KEY;
	return m->order.waiting[m->rows_from + i] ? 0 : m->runners[i].next.key;
}

/* The same, where all that has no order is what different threads did. */
static uint64_t by_thread_until(const struct trace_merging *m, const struct trace_runner *r,
				uint64_t end)
{
	const struct trace_row *row = r->stream.row;

	if (!r->plain || m->order.waiting[row->order])
		return 0;
	uint64_t of_row = m->pass->does->row_until(m->pass, row), of_jvm = jvm_until(m, row->task);
	uint64_t until = of_row < of_jvm ? of_row : of_jvm;

	return until < end ? until : end;
}

/* Up to which key frames of R may be taken before others have had their turn: as long as none of
 * its items waits, nor anything that was seen of it. 0: none may. */
static uint64_t apart_until(const struct trace_merging *m, const struct trace_runner *r,
			    uint64_t end)
{
	const struct trace_pass *p = m->pass;

	if (p->apart == TRACE_IN_ORDER || m->apart || m->order.waiting[r->next.of])
		return 0;
	if (p->apart == TRACE_APART_BY_THREAD)
		return by_thread_until(m, r, end);
	if (!p->due)
		return 0;
	if (p->apart != TRACE_APART && p->due < end)
		end = p->due;
	return m->by_thread ? by_thread_until(m, r, end) : end;
}

/* ---- what is next ---- */

/* What most likely gives after the one that gives now. */
static void fetch_second(const struct trace_merging *m)
{
	const struct trace_heap_entry *second = trace_heap_second(&m->order.heap);
	const struct trace_runner *r;

	if (!second || second->of < m->rows_from)
		return;
	r = &m->runners[second->of - m->rows_from];
	jw_fetch_all(&r->stream, sizeof(r->stream));
	jw_fetch(&r->next);
}

/* What is next of R, as in fill(), but for frames below the key APART, which are taken at once. */
static size_t fill_from(struct trace_merging *m, struct trace_runner *r, uint64_t end, size_t most,
			uint64_t apart, struct trace_item *out)
{
	const struct trace_item busy = { .of = r->next.of, .note = TRACE_BUSY };
	const struct trace_counts *counts = &m->pass->counts;
	uint64_t enough = counts->events + TRACE_FRAMES_APART;
	size_t n = 0;

	while (n < most && r->next.key < end && counts->events < enough) {
		size_t run;

		if (n || r->next.key >= apart || !take_apart(m, r, &r->next))
			out[n++] = r->next;
		run = trace_stream_run(&r->stream, n ? end : apart, most - n, &busy, out + n);
		n += n ? run : take_first(m, r, out, run);
		read_next(m, r);
	}
	return n;
}

static size_t fill_records(struct trace_merging *m, struct trace_runner *r, uint64_t end,
			   size_t most, struct trace_item *out, uint64_t *next)
{
	size_t n = 0;

	if (!r->stream.opened && !r->next.note) /* it wakes up */
		trace_merge_read(m, r);
	if (!trace_merge_apart(m, r) || trace_merge_row(m, r, end))
		n = fill_from(m, r, end, most, apart_until(m, r, end), out);
	*next = r->next.key;
	if (n && !m->order.waiting[r->next.of])
		r->given = out[0].key;
	if (m->rests)
		trace_stream_rest(&r->stream);
	return n;
}

static size_t fill(void *ctx, uint32_t of, uint64_t end, size_t most, struct trace_item *out,
		   uint64_t *next)
{
	struct trace_merging *m = ctx;

	uint64_t before = m->pass->counts.events;
	size_t n;

	fetch_second(m);
	if (of < m->rows_from)
		n = m->apart ? trace_merge_states(m, of, end, most, out, next)
			     : m->pass->does->fill(m->pass, of, end, most, out, next);
	else
		n = fill_records(m, &m->runners[of - m->rows_from], end, most, out, next);
	if (m->pass->counts.events == before)
		return n;
	tell_progress(m);
	if (!still_well(m)) /* all end here */
		*next = TRACE_NO_KEY;
	return n;
}

/* When a row begins is known without reading: the record itself follows when it is due. */
static void add_rows(struct trace_merging *m)
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
		trace_stream_init(&r->stream, &w->rows[i], cap, m->pass->does->states_only,
				  m->pass->map);
		trace_runner_begin(m->pass, r);
		if (!trace_stream_first(&r->stream, &time))
			continue;
		r->next.key = trace_key(time);
		trace_order_source(&m->order, r->next.of, r->next.key);
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

/* With hundreds of rows the data of the one that comes soon are in no cache; NULL: it is of none. */
static const struct trace_runner *runner_of(const struct trace_merging *m,
					    const struct trace_item *item)
{
	return item->of < m->rows_from ? NULL : &m->runners[item->of - m->rows_from];
}

/* SOON comes after SOONER, whose runner is there by now. */
static void fetch(const struct trace_merging *m, const struct trace_item *soon,
		  const struct trace_item *sooner)
{
	const struct trace_runner *r = runner_of(m, soon);

	if (r) {
		jw_fetch_all(&r->plain, offsetof(struct trace_runner, track.waits) -
						offsetof(struct trace_runner, plain));
		if (jwr_word_kind(soon->word) == JWR_ENTER)
			trace_methods_fetch(&m->pass->told.methods, jwr_word_payload(soon->word));
	}
	r = runner_of(m, sooner);
	if (!r)
		return;
	if (r->who.calls)
		jw_fetch(&r->who.calls->order);
	if (r->track.timeline.depth)
		jw_fetch(&r->track.timeline.frames[r->track.timeline.depth - 1]);
}

/* Of which row ITEM is; NULL: of a process. */
static const struct trace_row *row_of(const struct trace_merging *m, const struct trace_item *item)
{
	size_t i = item->of - m->rows_from;

	if (item->of < m->rows_from)
		return m->world->shown[item->of];
	return i < m->world->thread_rows ? m->runners[i].stream.row : NULL;
}

/* What comes before ITEM, which comes next. */
static void reach(const struct trace_merging *m, const struct trace_item *item, bool is_record)
{
	struct trace_pass *p = m->pass;
	const struct trace_row *row;

	if (m->apart && (row = row_of(m, item)) != NULL)
		trace_apart_reaches(p, row, item->key, is_record);
	else if (!m->apart && item->key >= p->due && p->does->reaches)
		p->does->reaches(p, item->key, is_record);
}

static void take_window(struct trace_merging *m, size_t n)
{
	struct trace_pass *p = m->pass;

	for (size_t i = 0; i < n; i++) {
		const struct trace_item *item = &m->order.items[i];
		bool is_record = item->of >= m->rows_from;

		reach(m, item, is_record);
		if (i + FAR_AHEAD < n)
			fetch(m, &m->order.items[i + FAR_AHEAD], &m->order.items[i + AHEAD]);
		if (is_record)
			trace_merge_take(m, item);
		else
			p->does->take(p, item);
	}
}

/* Of many threads that are told apart one at a time has a buffer, as long as it is read. */
static void share_buffers(struct trace_merging *m)
{
	size_t n = m->world->thread_rows;

	m->rests = m->apart && n * MAX_RECORDS > ALL_RECORDS;
	for (size_t i = 0; m->rests && i < n; i++) {
		trace_stream_rest(&m->runners[i].stream);
		m->runners[i].stream.cap = MAX_RECORDS;
	}
}

static void run(struct trace_merging *m)
{
	add_rows(m);
	trace_merge_shared(m);
	share_buffers(m);
	trace_order_begin(&m->order);
	for (size_t n = 1; n && still_well(m); tell_progress(m)) {
		trace_order_taken(&m->order);
		if (m->apart && !m->by_process) {
			m->next_shared = trace_merge_next_shared(m);
			m->order.until = m->next_shared + 1;
		}
		n = trace_order_next(&m->order);
		take_window(m, n);
	}
	if (m->pass->does->ends)
		m->pass->does->ends(m->pass);
}

static bool start(struct trace_merging *m)
{
	struct trace_pass *p = m->pass;
	size_t n = m->world->thread_rows + m->world->task_count;
	bool closing = false;

	m->runners = jw_mem_zalloc(n, sizeof(*m->runners));
	m->rows_from = p->does->sources ? p->does->sources(p) : 0;
	if (!m->runners || !trace_order_open(&m->order, m->rows_from + n, fill, m))
		return false;
	for (size_t i = 0; i < m->world->task_count; i++) {
		struct trace_task *t = &m->world->tasks[i];

		m->closings |= t->closes && closing;
		closing |= t->closes;
		t->in_pause = false;
		if (t->lane_cap && !trace_virtuals_open(&t->virtuals, t->lane_cap))
			return false;
	}
	return !p->does->open || p->does->open(p, &m->order);
}

static void free_all(struct trace_merging *m)
{
	for (size_t i = 0; m->runners && i < m->world->thread_rows; i++) {
		trace_stream_close(&m->runners[i].stream);
		trace_track_free(&m->runners[i].track);
	}
	jw_mem_free(m->runners);
	trace_order_close(&m->order);
}

uint64_t trace_merge(struct trace_pass *p, uint64_t events)
{
	struct trace_merging m = { .pass = p, .world = p->world, .events = events + 1 };

	if (start(&m))
		run(&m);
	else
		p->failed = true;
	p->failed |= m.order.failed;
	free_all(&m);
	return m.shrunk;
}
