/*
 * birth.c: where a path comes from that leads to the begin of a thread, as no arrow says who started it; and when the
 * first thread begins, and the last one ends.
 *
 *     main  |== a ==|= b =|..wait for v......|==      v's way, as main goes on: a, and v since its begin
 *     v             |========================/
 *
 * Before its begin it did nothing. What is known of that time is what the thread did that waits for it:
 * something in that made the other one begin. What both did at one time counts for the one waited for.
 */
#include "trace/path/path_int.h"

#include "base/banned.h"

/* Nodes of who waits again for the same thread that are looked through. */
#define AGAIN_NEAR 64

void trace_path_born(struct trace_path *p, uint32_t at, uint64_t time)
{
	const struct trace_path_key nothing = { .thread = at, .what = TRACE_REPORT_OTHER };
	struct trace_path_lane *lane = &p->lanes[at];

	trace_path_unborn(p, lane);
	if (time <= p->begin)
		return;
	trace_history_release(&p->history, lane->branch.node);
	trace_path_bag_clear(&lane->branch.tail);
	lane->branch.node = NULL;
	lane->branch.since = p->begin;
	p->follow.failed |= !trace_path_bag_add(&lane->branch.tail, &nothing, time - p->begin);
	trace_history_close(&p->history, &lane->branch, at, time, TRACE_PATH_RUNS);
	lane->born = trace_history_share(lane->branch.node);
}

void trace_path_unborn(struct trace_path *p, struct trace_path_lane *lane)
{
	trace_history_release(&p->history, lane->born);
	lane->born = NULL;
	lane->met = false;
}

void trace_path_meet(struct trace_path *p, uint32_t from, uint32_t to)
{
	struct trace_path_lane *lane = &p->lanes[from];
	struct trace_path_node *born = lane->born, *node = p->lanes[to].branch.node;
	size_t left = lane->met ? AGAIN_NEAR : SIZE_MAX;

	for (; node && node->begin >= born->end && left > 0; left--)
		node = node->before;
	/* it may be no older itself */
	if (!node || node->begin >= born->end || node->end < born->end || node == born ||
	    node == p->lanes[to].born)
		return;
	struct trace_path_node *until = trace_history_until(&p->history, node, born->end);

	if (until)
		trace_history_begin_after(&p->history, born, until);
	lane->met = true;
}

void trace_path_lived(struct trace_path *p, uint64_t begin, uint64_t end)
{
	p->first = begin < p->first ? begin : p->first;
	p->latest = end > p->latest ? end : p->latest;
}

void trace_path_end_with_life(struct trace_path *p, struct trace_path_lane *lane)
{
	struct trace_path_branch *branch = &lane->branch;
	struct trace_path_bag *tail = &branch->tail;

	if (p->latest <= p->begin || p->latest >= p->end)
		return;
	p->end = p->latest;
	/* it has nothing in it but that it is over: that ends earlier */
	if (lane->gone && tail->n == 1 && branch->since < p->end)
		tail->at[0].ns = p->end - branch->since;
	else if (lane->gone)
		trace_path_bag_clear(tail);
}

void trace_path_begin_with_life(struct trace_path *p, struct trace_path_lane *lane)
{
	if (p->first <= p->begin || p->first >= p->end)
		return;
	p->begin = p->first;
	trace_history_begin(&p->history, lane->branch.node, p->begin);
}
