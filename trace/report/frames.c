/*
 * frames.c: see frames.h.
 */
#include "trace/report/frames.h"

#include "base/fetch.h"
#include "base/memory.h"
#include "trace/replay/timeline.h"
#include "trace/report/call_more.h"
#include "trace/report/lane_methods.h"
#include "trace/report/reading.h"
#include "trace/report/stalls.h"
#include "trace/report/time_by_state.h"

#include "base/banned.h"

/* So many more were told when the frame is fetched, and what that leads to. */
#define FRAME_AFTER 5
#define NODE_AFTER  10
/* What so few lanes know is in the cache anyway, and what one does that was told so often in a row. */
#define FEW_LANES 16
#define IN_A_ROW  8

/* ---- what is over ---- */

static void add(struct trace_reading *r, const struct trace_over *o)
{
	struct trace_method_split *split = &r->splits[o->method];
	struct trace_stat *m = &r->methods.m[o->method];
	struct trace_tree_node *node = &r->tree.at[o->node];

	if (o->here) {
		o->here->count++;
		o->here->own_ns += o->own_ns;
		o->here->exceptional += o->failed;
		o->here->ns += o->again ? 0 : o->ns;
	}
	m->calls++;
	m->exceptional += o->failed;
	m->exclusive_ns += o->own_ns;
	m->longest_ns = o->ns > m->longest_ns ? o->ns : m->longest_ns;
	node->calls++;
	node->failed += o->failed;
	node->self[TRACE_REPORT_RUNNING] += o->ran_ns;
	split->self.ns[TRACE_REPORT_RUNNING] += o->ran_ns;
	if (!o->again) {
		m->inclusive_ns += o->ns;
		split->total.ns[TRACE_REPORT_RUNNING] += o->inner_ran_ns;
	}
	r->failed |= !o->cut && !trace_sketch_add(&split->durations, o->ns);
}

/* The place of the next call that is over: what was there is added. */
static struct trace_over *next_over(struct trace_reading *r)
{
	struct trace_frames *f = &r->frames;
	struct trace_over *o = &f->over[f->ended++ % TRACE_FRAMES_OVER];

	if (o->waits)
		add(r, o);
	return o;
}

static void fetch_sums(const struct trace_reading *r, const struct trace_over *o)
{
	if (o->here)
		jw_fetch(o->here);
	jw_fetch(&r->tree.at[o->node].calls);
	trace_sketch_fetch(&r->splits[o->method].durations, o->ns);
}

void trace_frames_end(struct trace_reading *r)
{
	trace_frames_settle(r);
	for (size_t i = 0; i < TRACE_FRAMES_OVER; i++)
		next_over(r)->waits = false;
}

/* ---- frames ---- */

static void open_call(struct trace_lane *lane, uint64_t time, uint32_t method, uint32_t node,
		      uint32_t *open)
{
	struct trace_call *call = &lane->frames[lane->depth++];

	call->enter = time;
	call->since = lane->since;
	call->inner_ns = call->ran_ns = 0;
	call->open = open;
	call->method = method;
	call->node = node;
	call->more = 0;
	call->cut = false;
	call->again = (*open)++ > 0;
}

/* By a quarter: of thousands of threads each has a few calls open. */
static bool grow_frames(struct trace_lane *lane)
{
	size_t cap = lane->cap + lane->cap / 4 + 4;
	struct trace_call *grown = jw_mem_realloc(lane->frames, cap * sizeof(*grown));

	if (!grown)
		return false;
	lane->frames = grown;
	lane->cap = cap;
	return true;
}

void trace_frames_let_go(struct trace_lane *lane)
{
	if (lane->depth)
		return;
	jw_mem_free(lane->frames);
	jw_mem_free(lane->more);
	lane->frames = NULL;
	lane->more = NULL;
	lane->cap = lane->more_cap = 0;
}

static void enter(struct trace_reading *r, const struct trace_told_frame *t)
{
	struct trace_lane *lane = &r->lanes[t->at];
	uint32_t method;

	trace_split_until(r, t->at, t->time);
	lane->met = true;

	if (lane->depth >= TRACE_MAX_DEPTH) {
		lane->over++;
		r->too_deep++;
		return;
	}
	bool has_room = lane->depth < lane->cap || grow_frames(lane);
	uint64_t refused = r->methods.refused;

	method = has_room ? trace_reading_method(r, t->method) : TRACE_NO_METHOD;
	uint32_t *open = method == TRACE_NO_METHOD ? NULL : trace_lane_open(&lane->methods, method);

	if (!open) {
		r->failed |= r->methods.refused == refused;
		lane->over++; /* its exit is left out with it */
		r->too_deep++;
		return;
	}
	uint32_t node = trace_tree_child(
		&r->tree, lane->depth ? lane->frames[lane->depth - 1].node : lane->root, method);

	if (node == TRACE_TREE_NONE) {
		r->failed = true;
		lane->over++;
		return;
	}
	open_call(lane, t->time, method, node, open);
	lane->calls++;
	r->calls++;
}

static void leave_site(struct trace_reading *r, uint32_t at, const struct trace_call_more *more,
		       uint64_t ns, bool failed)
{
	struct trace_sum *sum = trace_tally_find(&r->sites, more->site, at);

	sum->open--; /* it is there since the call began */
	sum->count++;
	sum->exceptional += failed;
	sum->bytes += more->bytes;
	sum->ns += more->site_again ? 0 : ns;
}

static void leave(struct trace_reading *r, const struct trace_told_frame *t)
{
	struct trace_lane *lane = &r->lanes[t->at];

	trace_split_until(r, t->at, t->time);
	lane->met = true;
	if (lane->over) {
		lane->over--;
		return;
	}
	if (lane->depth == 0) {
		r->lone_exits++;
		return;
	}
	const struct trace_call *f = &lane->frames[--lane->depth];
	struct trace_call_more more;
	bool has_more = trace_call_more_take(lane, f, &more);
	struct trace_over *o = next_over(r);
	uint64_t ns = t->time - f->enter;

	--*f->open;
	o->here = trace_lane_around(&lane->methods, f->open);
	o->ns = ns;
	o->own_ns = ns > f->inner_ns ? ns - f->inner_ns : 0;
	o->ran_ns = f->ran_ns;
	o->inner_ran_ns = trace_split_leave(r, lane, f, has_more ? &more : NULL);
	o->method = f->method;
	o->node = f->node;
	o->again = f->again;
	o->failed = t->failed;
	o->cut = f->cut;
	o->waits = true;
	fetch_sums(r, o);
	if (has_more && more.site)
		leave_site(r, t->at, &more, ns, t->failed);
	if (has_more)
		trace_stall_left(r, t->at, &more, t->time);
	if (lane->depth)
		lane->frames[lane->depth - 1].inner_ns += ns;
	else
		lane->inside_ns += ns;
}

/* ---- what is told ---- */

static void take_one(struct trace_reading *r, const struct trace_told_frame *t)
{
	if (t->enters)
		enter(r, t);
	else
		leave(r, t);
}

static void take(struct trace_reading *r)
{
	take_one(r, &r->frames.told[r->frames.taken++ % TRACE_FRAMES_AHEAD]);
}

/* What was told AFTER others, if it still waits; NULL: it does not. */
static const struct trace_told_frame *told_before(const struct trace_frames *f, uint32_t after)
{
	return f->put - f->taken > after ? &f->told[(f->put - 1 - after) % TRACE_FRAMES_AHEAD]
					 : NULL;
}

/* The innermost call of its lane, as it is now, and the sums of the method. */
static void fetch_frame(const struct trace_reading *r, const struct trace_told_frame *t)
{
	const struct trace_lane *lane = &r->lanes[t->at];
	const struct trace_call *top = lane->depth ? &lane->frames[lane->depth - 1] : NULL;

	if (top)
		jw_fetch_all(top, sizeof(*top));
	if (!t->enters)
		return;
	uint32_t method = trace_methods_known(&r->methods, t->method);

	if (method != TRACE_NO_METHOD)
		trace_lane_method_fetch(&lane->methods, method);
}

static void fetch_node(const struct trace_reading *r, const struct trace_told_frame *t)
{
	const struct trace_lane *lane = &r->lanes[t->at];
	const struct trace_call *top = lane->depth ? &lane->frames[lane->depth - 1] : NULL;

	if (!top)
		return;
	if (t->enters)
		trace_tree_fetch(&r->tree, top->node, trace_methods_known(&r->methods, t->method));
	else
		jw_fetch(top->open);
}

static void tell(struct trace_reading *r, const struct trace_told_frame *told)
{
	struct trace_frames *f = &r->frames;
	const struct trace_told_frame *t;

	f->in_a_row = told->at == f->latest ? f->in_a_row + 1 : 0;
	f->latest = told->at;
	if (r->scene->thread_count <= FEW_LANES || f->in_a_row > IN_A_ROW) {
		trace_frames_settle(r);
		take_one(r, told);
		return;
	}
	jw_fetch_all(&r->lanes[told->at], offsetof(struct trace_lane, paused));
	f->told[f->put++ % TRACE_FRAMES_AHEAD] = *told;
	t = told_before(f, FRAME_AFTER);
	if (t)
		fetch_frame(r, t);
	t = told_before(f, NODE_AFTER);
	if (t)
		fetch_node(r, t);
	if (f->put - f->taken == TRACE_FRAMES_AHEAD)
		take(r);
}

void trace_frames_enter(struct trace_reading *r, uint32_t at, uint64_t time, uint64_t id)
{
	tell(r, &(struct trace_told_frame){ time, id, at, true, false });
}

void trace_frames_leave(struct trace_reading *r, uint32_t at, uint64_t time, bool failed)
{
	tell(r, &(struct trace_told_frame){ time, 0, at, false, failed });
}

void trace_frames_take_all(struct trace_reading *r)
{
	while (r->frames.taken != r->frames.put)
		take(r);
}
