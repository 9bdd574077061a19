/*
 * collapsed.c: see collapsed.h.
 */
#include "trace/collapsed/collapsed.h"

#include <stdio.h>

#include "base/grow.h"
#include "trace/ignore.h"
#include "trace/text/names_text.h"
#include "trace/calls/tree.h"
#include "trace/names/state_names.h"
#include "trace/report/report.h"

#include "base/banned.h"

uint64_t trace_collapsed_most = 200000000;

#define MOST_LEVELS 1000 /* that --max-depth takes */

static const struct jw_growth list_grow = { NULL, 0, 0 };

struct lane {
	struct {
		uint32_t *at; /* owned; nodes of open calls */
		size_t n, room;
	} open;
	uint32_t root;
	uint64_t since, state, state_end; /* up to SINCE all is counted */
};

struct trace_collapsed {
	const struct trace_destination *to;
	const struct trace_scene *scene;
	struct lane *lanes;  /* owned; one a thread */
	uint32_t lane_count; /* of them, also when the scene has gone */
	struct trace_tree tree;
	struct trace_text_names names;
	struct jw_buf out;
	bool failed; /* no memory */
};

/* ---- time ---- */

static uint32_t top_of(const struct lane *lane)
{
	return lane->open.n ? lane->open.at[lane->open.n - 1] : TRACE_TREE_NONE;
}

static void count_until(struct trace_collapsed *w, struct lane *lane, uint64_t time)
{
	uint32_t top = top_of(lane);

	if (time <= lane->since)
		return;
	uint64_t all = time - lane->since, covered = 0;

	if (lane->state_end > lane->since)
		covered = lane->state_end < time ? lane->state_end - lane->since : all;
	if (top != TRACE_TREE_NONE) {
		w->tree.at[top].self[trace_state_time(lane->state)] += covered;
		w->tree.at[top].self[TRACE_REPORT_OTHER] += all - covered;
	}
	lane->since = time;
}

static void take_state(void *ctx, uint32_t thread, uint64_t begin, uint64_t end, uint64_t state)
{
	struct trace_collapsed *w = ctx;
	struct lane *lane = &w->lanes[thread];

	count_until(w, lane, begin);
	lane->state = state;
	lane->state_end = end;
}

/* ---- calls ---- */

static enum jw_status take_scene(void *ctx, const struct trace_scene *scene, struct jw_err *e)
{
	struct trace_collapsed *w = ctx;

	w->scene = scene;
	w->lane_count = scene->thread_count;
	w->tree.limit = TRACE_COLLAPSED_NODES;
	w->lanes = jw_mem_zalloc((size_t)scene->thread_count + 1, sizeof(*w->lanes));
	for (uint32_t i = 0; w->lanes && i < scene->thread_count; i++) {
		w->lanes[i].since = scene->begin;
		w->lanes[i].root = trace_tree_root(&w->tree);
		if (w->lanes[i].root == TRACE_TREE_NONE)
			return jw_nomem(e);
	}
	return w->lanes ? JW_OK : jw_nomem(e);
}

/* A call that began before the range is one of it, too, as in the report. */
static void take_enter(void *ctx, uint32_t thread, uint64_t time, uint64_t method)
{
	struct trace_collapsed *w = ctx;
	struct lane *lane = &w->lanes[thread];
	uint32_t top = top_of(lane), number = trace_text_numbered(&w->names, method), node;

	count_until(w, lane, time);
	node = trace_tree_child(&w->tree, top == TRACE_TREE_NONE ? lane->root : top, number);
	w->failed |= node == TRACE_TREE_NONE || JW_GROW(&lane->open, &list_grow, NULL) != JW_OK;
	if (w->failed)
		return;
	lane->open.at[lane->open.n++] = node;
	w->tree.at[node].calls++;
}

static void take_leave(void *ctx, uint32_t thread, uint64_t time, bool failed)
{
	struct trace_collapsed *w = ctx;
	struct lane *lane = &w->lanes[thread];

	count_until(w, lane, time);
	if (lane->open.n == 0)
		return;
	w->tree.at[top_of(lane)].failed += failed;
	lane->open.n--;
}

static enum jw_status check(void *ctx, struct jw_err *e)
{
	const struct trace_collapsed *w = ctx;

	return w->failed || w->names.failed ? jw_nomem(e) : JW_OK;
}

static void take_over(void *ctx, uint64_t end)
{
	struct trace_collapsed *w = ctx;

	for (uint32_t i = 0; i < w->scene->thread_count; i++)
		for (count_until(w, &w->lanes[i], end); w->lanes[i].open.n;)
			take_leave(w, i, end, false);
	trace_tree_sum(&w->tree);
	trace_text_late(&w->names, w->scene);
}

static void take_name(void *ctx, enum trace_name_kind what, uint64_t number, struct jw_span label)
{
	struct trace_collapsed *w = ctx;

	trace_text_take(&w->names, what, number, label);
}

/* ---- lines ---- */

static uint64_t value_of(const struct trace_collapsed *w, const struct trace_tree_node *node)
{
	switch (w->to->by) {
	case TRACE_STACKS_SELF:
		return trace_tree_ns(node->self);
	case TRACE_STACKS_TOTAL:
		return trace_tree_ns(node->total);
	case TRACE_STACKS_CALLS:
		return node->calls;
	case TRACE_STACKS_EXCEPTIONS:
		return node->failed;
	case TRACE_STACKS_RUNNING:
		return node->self[TRACE_REPORT_RUNNING];
	case TRACE_STACKS_BLOCKED:
		return node->self[TRACE_REPORT_BLOCKED];
	case TRACE_STACKS_WAITING:
		return node->self[TRACE_REPORT_WAITING];
	case TRACE_STACKS_IO:
		return node->self[TRACE_REPORT_IO];
	}
	return 0;
}

/* A ';' ends a frame, a blank before the number is the last: so a name has neither at its edges. */
static void put_frame(struct jw_buf *out, struct jw_span name)
{
	size_t first = out->n;

	trace_put_name(out, name, 4096);
	for (size_t i = first; i < out->n; i++)
		if (out->p[i] == ';')
			out->p[i] = ',';
	if (out->n == first)
		jw_put_str(out, "?");
}

static void put_node(struct trace_collapsed *w, uint32_t at)
{
	const struct trace_tree_node *node = &w->tree.at[at];

	if (node->method == TRACE_TREE_ROOT) {
		put_frame(&w->out, jw_span_str(trace_text_lane(&w->names, at)));
	} else if (node->method == TRACE_TREE_FOLDED) {
		jw_put_str(&w->out, "[more]");
	} else {
		struct trace_label_parts l =
			trace_label_split(trace_text_method(&w->names, node->method));

		put_frame(&w->out, l.full.n ? l.full : l.name);
	}
}

#define LINE_END " %llu\n"

/* The line of node AT. STACK has room for all that are around it. */
static void put_line(struct trace_collapsed *w, uint32_t at, uint32_t *stack, uint64_t value)
{
	size_t n = 0;

	for (uint32_t i = at; i != TRACE_TREE_NONE; i = w->tree.at[i].parent)
		stack[n++] = i;
	for (size_t i = 0; i < n; i++) {
		if (i)
			jw_put_str(&w->out, ";");
		put_node(w, stack[w->to->reverse ? i : n - 1 - i]);
	}
	jw_put_fmt(&w->out, LINE_END, (unsigned long long)value);
}

/* ---- how much that is ---- */

struct measured {
	uint64_t frames; /* bytes of the stack */
	uint32_t level;  /* of calls, from 1; 0: a thread */
};

/* The bytes of the lines of all nodes; ON_LEVEL has those that there may be on each level of calls. */
static uint64_t measure(struct trace_collapsed *w, struct measured *nodes, uint64_t *on_level)
{
	uint64_t all = 0;

	for (uint32_t i = 0; i < w->tree.n; i++) {
		const struct measured *around =
			i < w->scene->thread_count ? NULL : &nodes[w->tree.at[i].parent];
		uint64_t value = value_of(w, &w->tree.at[i]);

		put_node(w, i);
		nodes[i] = (struct measured){ .frames = w->out.n };
		jw_buf_clear(&w->out);
		if (!around)
			continue;
		nodes[i].frames += around->frames + 1;
		nodes[i].level = around->level + 1;
		uint64_t end = (uint64_t)snprintf(NULL, 0, LINE_END, (unsigned long long)value);

		all += value ? nodes[i].frames + end : 0;
		on_level[nodes[i].level] += nodes[i].frames + end;
	}
	return all;
}

static enum jw_status refuse(uint64_t all, const uint64_t *on_level, struct jw_err *e)
{
	uint64_t bytes = 0;
	unsigned levels = 0;

	while (levels < MOST_LEVELS && (bytes += on_level[levels + 1]) <= trace_collapsed_most)
		levels++;
	if (levels)
		return jw_fail(
			e, JW_LIMIT,
			"stacks of %llu bytes are more than their readers hold (%llu): select a "
			"part, as by --max-depth=%u, or write all of them with --force",
			(unsigned long long)all, (unsigned long long)trace_collapsed_most, levels);
	return jw_fail(
		e, JW_LIMIT,
		"stacks of %llu bytes are more than their readers hold (%llu): select a part, "
		"as by --thread, or write all of them with --force",
		(unsigned long long)all, (unsigned long long)trace_collapsed_most);
}

static enum jw_status check_size(struct trace_collapsed *w, struct jw_err *e)
{
	struct measured *nodes = jw_mem_zalloc(w->tree.n + 1, sizeof(*nodes));
	uint64_t *on_level = jw_mem_zalloc(w->tree.n + 2, sizeof(*on_level));
	enum jw_status status = nodes && on_level ? JW_OK : jw_nomem(e);

	if (status == JW_OK) {
		uint64_t all = measure(w, nodes, on_level);

		if (all > trace_collapsed_most)
			status = refuse(all, on_level, e);
	}
	jw_mem_free(nodes);
	jw_mem_free(on_level);
	return status;
}

static enum jw_status take_end(void *ctx, const struct trace_names *names, struct jw_err *e)
{
	struct trace_collapsed *w = ctx;
	enum jw_status status = JW_OK;

	(void)names;
	JW_TRY(check(w, e));
	if (!w->to->unlimited)
		JW_TRY(check_size(w, e));
	uint32_t *stack = jw_mem_zalloc(w->tree.n + 1, sizeof(*stack));

	if (!stack)
		return jw_nomem(e);
	for (uint32_t i = w->scene->thread_count; i < w->tree.n && status == JW_OK; i++) {
		uint64_t value = value_of(w, &w->tree.at[i]);

		if (value)
			put_line(w, i, stack, value);
		status = trace_text_send(w->to, &w->out, false, e);
	}
	jw_mem_free(stack);
	if (status == JW_OK)
		status = check(w, e);
	return status == JW_OK ? trace_text_send(w->to, &w->out, true, e) : status;
}

const struct trace_output trace_collapsed_output = {
	.begin = take_scene,
	.state = take_state,
	.enter = take_enter,
	.leave = take_leave,
	.event = trace_ignore_event,
	.operation = trace_ignore_operation,
	.captured = trace_ignore_captured,
	.user = trace_ignore_user,
	.arrow = trace_ignore_arrow,
	.check = check,
	.over = take_over,
	.name = take_name,
	.end = take_end,
};

void *trace_collapsed_new(const struct trace_destination *to)
{
	struct trace_collapsed *w = jw_mem_zalloc(1, sizeof(*w));

	if (w)
		w->to = to;
	return w;
}

void trace_collapsed_free(void *ctx)
{
	struct trace_collapsed *collapsed = ctx;

	if (!collapsed)
		return;
	for (uint32_t i = 0; collapsed->lanes && i < collapsed->lane_count; i++)
		jw_mem_free(collapsed->lanes[i].open.at);
	jw_mem_free(collapsed->lanes);
	trace_tree_free(&collapsed->tree);
	trace_text_free(&collapsed->names);
	jw_buf_free(&collapsed->out);
	jw_mem_free(collapsed);
}
