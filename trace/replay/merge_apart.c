/*
 * merge_apart.c: see merge_apart.h.
 */
#include "trace/replay/merge_apart.h"

#include "trace/replay/apart.h"
#include "trace/replay/merging.h"
#include "trace/replay/pass.h"
#include "trace/replay/world.h"

#include "base/banned.h"

#define RUN       64 /* enters and exits, at once */
#define NO_SOONER (TRACE_NO_KEY - 1)

/* ---- what holds threads back ---- */

/* KEY, or that of what R has next, whichever is lower. */
static uint64_t sooner(const struct trace_merging *m, const struct trace_runner *r, uint64_t key)
{
	uint64_t next = m->order.waiting[r->next.of] ? r->given : r->next.key;

	return next < key ? next : key;
}

/* The same of what all threads of T share. */
static uint64_t next_of_process(const struct trace_merging *m, const struct trace_task *t)
{
	const struct trace_world *w = m->world;
	const struct trace_runner *itself = &m->runners[w->thread_rows + (size_t)(t - w->tasks)];
	uint64_t key = t->jvm ? sooner(m, &m->runners[t->jvm - w->rows], NO_SOONER) : NO_SOONER;

	return itself->next.of ? sooner(m, itself, key) : key;
}

/* ---- what comes before others have had their turn ---- */

/* What is next of R has KEY: tells the states of its row until then. False: there is one that nobody was
 * in before, which has to wait for its turn. */
static bool reach_row(struct trace_merging *m, struct trace_runner *r, uint64_t key)
{
	struct trace_pass *p = m->pass;
	const struct trace_row *row = r->stream.row;
	struct trace_item state;

	while (r->state_key <= key) {
		uint64_t next;

		if (!trace_apart_knows_state(p, row))
			return false;
		if (p->does->fill(p, row->order, key + 1, 1, &state, &next)) {
			trace_apart_reaches(p, row, state.key, false);
			p->does->take(p, &state);
		}
		r->state_key = next;
	}
	return true;
}

bool trace_merge_apart(const struct trace_merging *m, const struct trace_runner *r)
{
	const struct trace_row *row = r->stream.row;

	return m->apart && row && !row->hidden && !row->thread->is_vm && r->stream.opened &&
	       !m->order.waiting[r->next.of] && !m->order.waiting[row->order];
}

static bool is_own(const struct trace_merging *m, const struct trace_runner *r,
		   const struct trace_item *item)
{
	return !(item->note & ~(unsigned)(TRACE_BUSY | TRACE_BEGINS)) &&
	       trace_apart_is_own(m->pass, r, item);
}

/* R has ITEM next: takes it, if it is its own, after all that comes before it. */
static bool take_own(struct trace_merging *m, struct trace_runner *r, const struct trace_item *item)
{
	if (!is_own(m, r, item) || !reach_row(m, r, item->key))
		return false;
	trace_apart_reaches(m->pass, r->stream.row, item->key, true);
	if (!trace_merge_frame(m->pass, r, item))
		trace_merge_take(m, item);
	return true;
}

/* Below which key R has nothing that comes before its enters and exits. */
static uint64_t calm_until(const struct trace_merging *m, const struct trace_runner *r)
{
	uint64_t key = trace_apart_calm(m->pass, r->stream.row);

	return key < r->state_key ? key : r->state_key;
}

/* What R has next and is nothing but an enter or exit, below LIMIT, as far as it is its own. */
static void take_run(struct trace_merging *m, struct trace_runner *r, uint64_t limit)
{
	const struct trace_item busy = { .of = r->next.of, .note = TRACE_BUSY };
	const struct trace_stream before = r->stream;
	struct trace_item items[RUN];
	size_t n = trace_stream_run(&r->stream, limit, RUN, &busy, items), i = 0;
	uint64_t calm = n ? calm_until(m, r) : 0;

	for (; i < n; i++) {
		if (items[i].key < calm && is_own(m, r, &items[i]) &&
		    trace_merge_frame(m->pass, r, &items[i]))
			continue;
		if (!take_own(m, r, &items[i]))
			break;
		calm = calm_until(m, r);
	}
	if (i == n)
		return;
	r->stream = before;
	(void)trace_stream_run(&r->stream, limit, i, &busy, items);
}

bool trace_merge_row(struct trace_merging *m, struct trace_runner *r, uint64_t end)
{
	const struct trace_counts *counts = &m->pass->counts;
	uint64_t enough = counts->events + TRACE_FRAMES_APART;
	uint64_t shared = m->by_process ? next_of_process(m, r->stream.row->task) : m->next_shared;
	uint64_t limit = trace_apart_until(m->pass, shared < end ? shared : end);

	while (r->next.key < limit) {
		if (counts->events >= enough)
			return false;
		if (!take_own(m, r, &r->next))
			break;
		take_run(m, r, limit);
		trace_merge_read(m, r);
	}
	if (limit)
		(void)reach_row(m, r, r->next.key < limit ? r->next.key : limit - 1);
	return true;
}

size_t trace_merge_states(struct trace_merging *m, uint32_t of, uint64_t end, size_t most,
			  struct trace_item *out, uint64_t *next)
{
	const struct trace_row *row = m->world->shown[of];
	struct trace_runner *r = row->thread ? &m->runners[row - m->world->rows] : NULL;
	size_t n = 0;

	if (r && trace_merge_apart(m, r) && !trace_merge_row(m, r, end))
		*next = r->state_key;
	else if (r && r->state_key == TRACE_NO_KEY)
		*next = TRACE_NO_KEY;
	else
		n = m->pass->does->fill(m->pass, of, end, most, out, next);
	if (r)
		r->state_key = *next;
	if (r && m->rests)
		trace_stream_rest(&r->stream);
	return n;
}

/* ---- what all share ---- */

void trace_merge_shared(struct trace_merging *m)
{
	const struct trace_world *w = m->world;
	uint64_t time;

	m->apart = m->pass->apart == TRACE_APART_THREADS;
	for (size_t i = 0; m->apart && i < w->thread_rows + w->task_count; i++) {
		struct trace_runner *r = &m->runners[i];
		bool is_thread = i < w->thread_rows;

		if (is_thread &&
		    (!r->stream.row->thread->is_vm || !trace_stream_first(&r->stream, &time)))
			continue;
		if (is_thread)
			trace_merge_read(m, r);
		if (r->next.of && m->shared_n++ < TRACE_MOST_SHARED)
			m->shared[m->shared_n - 1] = r;
	}
	m->by_process = m->shared_n > TRACE_MOST_SHARED;
	m->apart &= !m->by_process || !m->closings;
	if (!m->apart && m->pass->apart == TRACE_APART_THREADS)
		m->pass->apart = TRACE_APART_BY_THREAD;
	m->by_thread = m->pass->apart == TRACE_APART_BY_THREAD ||
		       m->pass->apart == TRACE_APART_BY_THREAD_BETWEEN_ARROWS;
}

uint64_t trace_merge_next_shared(const struct trace_merging *m)
{
	uint64_t least = NO_SOONER;

	for (size_t i = 0; i < m->shared_n; i++)
		least = sooner(m, m->shared[i], least);
	return least;
}
