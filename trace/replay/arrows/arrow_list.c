/*
 * arrow_list.c: arrows, found in the order of their ends, written in that of their beginnings.
 *
 *     run    RUN arrows that were sorted together, in a list of the spool:
 *            send - send before, receive - send, both places, tag and bytes
 *
 * As many as there may be, memory holds one run, and a block of each when they are read.
 */
#include <stdlib.h>

#include "trace/output.h"
#include "trace/reader/reader.h"
#include "trace/replay/arrows/arrow_list.h"
#include "trace/replay/heap.h"
#include "trace/replay/spool.h"
#include "trace/replay/track.h"
#include "trace/replay/world.h"

#include "base/banned.h"

#define RUN 32768

/* ---- gathering ---- */

static int by_send(const void *a, const void *b)
{
	const struct trace_arrow *x = a, *y = b;

	if (x->send != y->send)
		return x->send < y->send ? -1 : 1;
	if (x->from.row != y->from.row)
		return x->from.row < y->from.row ? -1 : 1;
	if (x->receive != y->receive)
		return x->receive < y->receive ? -1 : 1;
	return x->to.row < y->to.row ? -1 : x->to.row > y->to.row;
}

static void put_arrow(struct trace_spool *spool, struct trace_list *list,
		      const struct trace_arrow *arrow, uint64_t before)
{
	const uint64_t numbers[] = { arrow->send - before,
				     arrow->receive - arrow->send,
				     arrow->from.task,
				     arrow->from.row,
				     arrow->to.task,
				     arrow->to.row,
				     trace_tag_with_bytes(arrow->tag, arrow->bytes) };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		trace_list_put(spool, list, numbers[i]);
}

/* What is fresh becomes a run. */
static void end_run(struct trace_world *w)
{
	struct trace_arrow_list *all = &w->arrows;
	uint64_t before = 0;

	if (all->fresh_n == 0)
		return;
	struct trace_arrow_run *grown =
		trace_grow(all->runs, all->run_n, &all->run_cap, sizeof(*grown));

	if (!grown) {
		all->failed = true;
		return;
	}
	all->runs = grown;
	struct trace_arrow_run *run = &grown[all->run_n++];

	*run = (struct trace_arrow_run){ 0 };
	qsort(all->fresh, all->fresh_n, sizeof(*all->fresh), by_send);
	for (size_t i = 0; i < all->fresh_n; i++) {
		put_arrow(&w->spool, &run->list, &all->fresh[i], before);
		before = all->fresh[i].send;
	}
	all->fresh_n = 0;
}

void trace_arrows_expect(struct trace_world *w, const struct trace_point *to)
{
	w->arrows.expected = *to;
	w->arrows.met = false;
}

bool trace_arrows_met(const struct trace_world *w)
{
	return w->arrows.met;
}

void trace_arrow_put(struct trace_world *w, const struct trace_point *from,
		     const struct trace_point *to)
{
	trace_arrow_put_bytes(w, from, to, 0);
}

void trace_arrow_put_bytes(struct trace_world *w, const struct trace_point *from,
			   const struct trace_point *to, uint64_t bytes)
{
	struct trace_arrow_list *all = &w->arrows;

	if (from->place.row == TRACE_NOWHERE || to->place.row == TRACE_NOWHERE ||
	    trace_same_place(&from->place, &to->place))
		return;
	if (from->time > to->time) {
		all->backwards++;
		return;
	}
	all->met |= to->time == all->expected.time &&
		    trace_same_place(&to->place, &all->expected.place);
	struct trace_arrow *grown =
		trace_grow(all->fresh, all->fresh_n, &all->fresh_cap, sizeof(*grown));

	if (!grown) {
		all->failed = true;
		return;
	}
	all->fresh = grown;
	grown[all->fresh_n++] = (struct trace_arrow){
		.send = from->time,
		.receive = to->time,
		.from = from->place,
		.to = to->place,
		.tag = from->tag,
		.bytes = bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX,
	};
	all->count++;
	if (all->fresh_n == RUN)
		end_run(w);
}

void trace_arrows_finish(struct trace_world *w)
{
	struct trace_arrow_list *all = &w->arrows;

	end_run(w);
	jw_mem_free(all->fresh);
	all->fresh = NULL;
	all->fresh_n = all->fresh_cap = 0;
}

void trace_arrow_list_free(struct trace_arrow_list *list)
{
	for (size_t i = 0; i < list->run_n; i++) {
		trace_list_end(&list->runs[i].at);
		trace_list_free(&list->runs[i].list);
	}
	jw_mem_free(list->fresh);
	jw_mem_free(list->runs);
	trace_heap_free(&list->heap);
	*list = (struct trace_arrow_list){ 0 };
}

/* ---- reading ---- */

static bool next_arrow(struct trace_spool *spool, struct trace_arrow_run *run)
{
	uint64_t n[7];

	for (size_t i = 0; i < sizeof(n) / sizeof(*n); i++)
		if (!trace_list_get(spool, &run->list, &run->at, &n[i]))
			return false;
	run->next = (struct trace_arrow){
		.send = run->next.send + n[0],
		.receive = run->next.send + n[0] + n[1],
		.from = { (uint32_t)n[2], (uint32_t)n[3] },
		.to = { (uint32_t)n[4], (uint32_t)n[5] },
		.tag = (uint32_t)n[6],
		.bytes = (uint32_t)trace_tag_bytes(n[6]),
	};
	return true;
}

bool trace_arrows_open(struct trace_world *w)
{
	struct trace_arrow_list *all = &w->arrows;

	if (!trace_heap_open(&all->heap, all->run_n) || all->failed)
		return false;
	for (size_t i = 0; i < all->run_n; i++)
		if (next_arrow(&w->spool, &all->runs[i]))
			trace_heap_put(&all->heap, all->runs[i].next.send, i);
	trace_heap_order(&all->heap);
	return true;
}

const struct trace_row *trace_row_at(const struct trace_world *w, struct trace_place place)
{
	size_t at = place.row;

	if (place.row & TRACE_LANE_BIT)
		at = w->tasks[place.task].first_lane + (place.row & ~TRACE_LANE_BIT);
	return w->rows[at].hidden ? NULL : &w->rows[at];
}

uint64_t trace_arrows_next(const struct trace_world *w)
{
	return w->arrows.heap.n ? w->arrows.heap.at[0].key : UINT64_MAX;
}

bool trace_arrows_take(struct trace_world *w, struct trace_shown_arrow *out)
{
	struct trace_arrow_list *all = &w->arrows;
	struct trace_arrow_run *run = &all->runs[all->heap.at[0].of];
	const struct trace_row *from = trace_row_at(w, run->next.from);
	const struct trace_row *to = trace_row_at(w, run->next.to);

	if (from && to)
		*out = (struct trace_shown_arrow){ run->next.send, run->next.receive,
						   from->order,    to->order,
						   run->next.tag,  run->next.bytes };
	if (next_arrow(&w->spool, run))
		trace_heap_settle(&all->heap, run->next.send);
	else
		trace_heap_drop(&all->heap);
	return from && to;
}

void trace_arrow_tell(const struct trace_shown_arrow *a, const struct trace_output *output,
		      void *ctx)
{
	output->arrow(ctx, a->from, a->sent, a->to, a->received,
		      trace_tag_with_bytes(a->tag, a->bytes));
	if (a->tag > TRACE_LINK_TAG)
		output->event(ctx, a->from, a->sent, TRACE_TYPE_LINK, a->tag - TRACE_LINK_TAG);
}

void trace_arrows_put(struct trace_world *w, const struct trace_output *output, void *ctx)
{
	struct trace_shown_arrow arrow;

	if (trace_arrows_take(w, &arrow))
		trace_arrow_tell(&arrow, output, ctx);
}
