/*
 * edges.c: the instants of a process at which what its threads have open is not known to go on:
 * where recording was paused or went on, and where methods were closed.
 */
#include <stdlib.h>
#include <string.h>

#include "trace/reader/closings.h"
#include "trace/reader/reader.h"
#include "trace/replay/align.h"
#include "trace/replay/edges.h"
#include "trace/replay/world.h"

#include "base/banned.h"

/* Where recording was paused, on the clock of the trace. */
static bool place_gaps(struct trace_task *t)
{
	const struct trace_recording *rec = &t->rec;
	uint32_t hint = 0;

	t->gaps = jw_mem_zalloc(rec->gap_count + 1, sizeof(*t->gaps));
	for (size_t i = 0; t->gaps && i < rec->gap_count; i++) {
		const struct trace_gap *gap = &rec->gaps[i];
		struct trace_gap *out = &t->gaps[t->gap_count];

		out->begin = trace_time(t, gap->begin, &hint);
		out->end = gap->end == UINT64_MAX ? UINT64_MAX : trace_time(t, gap->end, &hint);
		t->gap_count += out->end > out->begin;
	}
	return t->gaps;
}

static struct trace_edge *put(struct trace_task *t, uint64_t time)
{
	struct trace_edge *edge = &t->edges[t->edge_count++];

	*edge = (struct trace_edge){ .time = time };
	return edge;
}

static void put_closing(struct trace_task *t, uint64_t tick, uint32_t *hint)
{
	struct trace_edge *edge = put(t, trace_time(t, tick, hint));

	edge->tick = tick;
	edge->closes = true;
}

/* Methods that were closed together are one edge. */
static void put_closings(struct trace_task *t)
{
	const struct trace_closings *c = &t->rec.closings;
	uint32_t hint = 0;

	for (size_t i = 0; i < c->count; i++)
		if (i == 0 || c->list[i].tick > c->list[i - 1].tick)
			put_closing(t, c->list[i].tick, &hint);
	hint = 0;
	for (size_t i = 0; i < c->detail_count; i++)
		put_closing(t, c->details[i].end, &hint);
}

static int by_time(const void *a, const void *b)
{
	const struct trace_edge *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	if (x->tick != y->tick)
		return x->tick < y->tick ? -1 : 1;
	return x->closes - y->closes;
}

bool trace_edges_place(struct trace_task *t)
{
	const struct trace_closings *c = &t->rec.closings;

	t->partial = t->rec.gap_count > 0 || t->rec.ring;
	t->closes = c->count > 0;
	if (!place_gaps(t))
		return false;
	t->edges =
		jw_mem_zalloc(2 * t->gap_count + c->count + c->detail_count + 1, sizeof(*t->edges));
	if (!t->edges)
		return false;
	for (size_t i = 0; i < t->gap_count; i++) {
		put(t, t->gaps[i].begin);
		if (t->gaps[i].end != UINT64_MAX)
			put(t, t->gaps[i].end)->resumes = true;
	}
	put_closings(t);
	qsort(t->edges, t->edge_count, sizeof(*t->edges), by_time);
	return true;
}

bool trace_edges_of_blanks(struct trace_task *t, const struct trace_row *rows, size_t n)
{
	size_t blanks = 0;

	for (size_t i = 0; i < n; i++)
		blanks += rows[i].blank_count;
	if (!blanks)
		return true;
	struct trace_edge *all = jw_mem_zalloc(t->edge_count + blanks, sizeof(*all));

	if (!all)
		return false;
	memcpy(all, t->edges, t->edge_count * sizeof(*all));
	jw_mem_free(t->edges);
	t->edges = all;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < rows[i].blank_count; k++)
			all[t->edge_count++] = (struct trace_edge){ .time = rows[i].blanks[k].begin,
								    .row = &rows[i] };
	qsort(all, t->edge_count, sizeof(*all), by_time);
	return true;
}
