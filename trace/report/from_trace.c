/*
 * from_trace.c: what happened becomes times of methods, threads and states.
 */
#include <string.h>

#include "base/memory.h"
#include "trace/output.h"
#include "trace/paraver/prv_source.h"
#include "trace/reader/reader.h"
#include "trace/replay/method_numbers.h"
#include "trace/replay/timeline.h"
#include "trace/report/call_tree.h"
#include "trace/report/call_more.h"
#include "trace/report/frames.h"
#include "trace/report/lane_methods.h"
#include "trace/report/reading.h"
#include "trace/report/report_names.h"
#include "trace/report/stalls.h"
#include "trace/report/thread_activity.h"
#include "trace/report/time_by_state.h"
#include "trace/report/unrecorded_time.h"

#include "base/banned.h"

void trace_reading_free(struct trace_reading *r)
{
	if (!r)
		return;
	trace_batch_free(r->batch);
	for (size_t i = 0; r->lanes && i < r->lane_count; i++) {
		jw_mem_free(r->lanes[i].frames);
		jw_mem_free(r->lanes[i].more);
		jw_mem_free(r->lanes[i].doing);
		jw_mem_free(r->lanes[i].spent);
		trace_lane_methods_free(&r->lanes[i].methods);
	}
	jw_mem_free(r->lanes);
	jw_mem_free(r->processes);
	for (size_t i = 0; i < r->split_n; i++)
		trace_sketch_free(&r->splits[i].durations);
	jw_mem_free(r->splits);
	trace_tree_free(&r->tree);
	trace_methods_free(&r->methods);
	trace_unrecorded_free(&r->unrecorded);
	trace_tally_free(&r->operations);
	trace_tally_free(&r->sites);
	trace_tally_free(&r->stalls);
	trace_tally_free(&r->enders);
	trace_tally_free(&r->callers);
	trace_tally_free(&r->objects);
	trace_tally_free(&r->waits);
	trace_tally_free(&r->owners);
	trace_tally_free(&r->allocs);
	trace_tally_free(&r->channels);
	trace_tally_free(&r->classes);
	trace_report_names_free(r->names);
	trace_prv_source_free(r->source);
	jw_mem_free(r);
}

/* ---- frames ---- */

uint32_t trace_reading_method(struct trace_reading *r, uint64_t id)
{
	uint32_t number = trace_methods_number(&r->methods, id);

	if (number == TRACE_NO_METHOD)
		return number;
	for (; r->split_n <= number; r->split_n++) {
		struct trace_method_split *grown =
			trace_grow(r->splits, r->split_n, &r->split_cap, sizeof(*grown));

		if (!grown) {
			r->failed = true;
			return TRACE_NO_METHOD;
		}
		r->splits = grown;
		grown[r->split_n] = (struct trace_method_split){ 0 };
	}
	return number;
}

/* The innermost call of AT is one that waits or does something. */
static void enter_site(struct trace_reading *r, uint32_t at, uint64_t value)
{
	struct trace_lane *lane = &r->lanes[at];
	struct trace_call_more *more = lane->depth && !lane->over ? trace_call_more(r, lane) : NULL;

	if (!more || more->site)
		return;
	struct trace_sum *sum = trace_tally_at(&r->sites, value, at);

	r->failed |= !sum;
	if (!sum)
		return;
	more->site = value;
	more->site_again = sum->open++ > 0;
}

/* ---- states ---- */

static size_t state_column(struct trace_reading *r, uint64_t state)
{
	for (size_t i = 0; i < r->state_count; i++)
		if (r->states[i] == state)
			return i;
	if (r->state_count == TRACE_MAX_STATES)
		return TRACE_MAX_STATES - 1;
	r->states[r->state_count] = state;
	return r->state_count++;
}

/* What LANE spent in STATE; NULL: no memory. */
static struct trace_spent *spent_in(struct trace_reading *r, struct trace_lane *lane,
				    uint64_t state)
{
	size_t column = state_column(r, state);

	if (column < lane->spent_n)
		return &lane->spent[column];
	struct trace_spent *grown = jw_mem_realloc(lane->spent, (column + 1) * sizeof(*grown));

	r->failed |= !grown;
	if (!grown)
		return NULL;
	memset(grown + lane->spent_n, 0, (column + 1 - lane->spent_n) * sizeof(*grown));
	lane->spent = grown;
	lane->spent_n = (uint32_t)column + 1;
	return &grown[column];
}

static void add_state(struct trace_reading *r, struct trace_lane *lane, uint64_t state,
		      uint64_t begin, uint64_t end)
{
	struct trace_spent *spent = spent_in(r, lane, state);

	if (!spent)
		return;
	if (state != lane->stretch_state || begin != lane->stretch_end) {
		lane->stretch_state = state;
		lane->stretch_since = begin;
	}
	lane->stretch_end = end;
	uint64_t stretch = end - lane->stretch_since;

	spent->ns += end - begin;
	spent->longest_ns = stretch > spent->longest_ns ? stretch : spent->longest_ns;
}

/* What no state covers is Idle, as Paraver has it: states sum to the time of the trace. */
static void fill_gaps(struct trace_reading *r, struct trace_lane *lane, uint64_t end)
{
	uint64_t covered = 0;

	for (size_t i = 0; i < lane->spent_n; i++)
		covered += lane->spent[i].ns;
	if (covered >= end)
		return;
	struct trace_spent *idle = spent_in(r, lane, TRACE_IDLE);

	if (idle)
		idle->ns += end - covered;
}

void trace_reading_end(struct trace_reading *r)
{
	trace_frames_settle(r);
	for (uint32_t i = 0; i < r->scene->thread_count; i++) {
		trace_doing_end(r, i, r->end);
		r->lanes[i].over = 0;
		for (uint32_t open = r->lanes[i].depth; open > 0; open--)
			trace_frames_leave(r, i, r->end, false);
		trace_frames_settle(r);
		trace_split_until(r, i, r->end);
		fill_gaps(r, &r->lanes[i], r->end - r->scene->begin);
		trace_frames_let_go(&r->lanes[i]);
	}
	trace_frames_end(r);
}

/* ---- what happens ---- */

bool trace_reading_begin(struct trace_reading *r, const struct trace_scene *scene)
{
	r->lanes = jw_mem_zalloc((size_t)scene->thread_count + 1, sizeof(*r->lanes));
	r->processes = jw_mem_zalloc((size_t)scene->process_count + 1, sizeof(*r->processes));
	r->scene = scene;
	r->lane_count = scene->thread_count;
	r->end = scene->end;
	for (uint32_t i = 0; r->lanes && i < scene->thread_count; i++) {
		r->lanes[i].task = scene->threads[i].process;
		r->lanes[i].since = scene->begin;
		r->lanes[i].methods.open_alone = r->no_shares;
	}
	return r->lanes && r->processes && trace_call_tree_open(r);
}

static enum jw_status take_scene(void *ctx, const struct trace_scene *scene, struct jw_err *e)
{
	return trace_reading_begin(ctx, scene) ? JW_OK : jw_nomem(e);
}

static void take_state(void *ctx, uint32_t at, uint64_t begin, uint64_t end, uint64_t state)
{
	struct trace_reading *r = ctx;

	trace_frames_settle(r);
	trace_split_state(r, at, begin, end, state);
	if (state != TRACE_IDLE)
		add_state(r, &r->lanes[at], state, begin, end);
	if (state == TRACE_NOT_CREATED) /* not yet, or no more */
		trace_frames_let_go(&r->lanes[at]);
}

static void take_enter(void *ctx, uint32_t at, uint64_t time, uint64_t method)
{
	trace_frames_enter(ctx, at, time, method);
}

static void take_leave(void *ctx, uint32_t at, uint64_t time, bool failed)
{
	trace_frames_leave(ctx, at, time, failed);
}

/* A call that a range cuts. */
static void take_resume(void *ctx, uint32_t at, uint64_t time, uint64_t method)
{
	struct trace_reading *r = ctx;
	const struct trace_lane *lane = &r->lanes[at];

	trace_frames_settle(r);
	uint32_t depth = lane->depth;

	trace_frames_enter(r, at, time, method);
	trace_frames_settle(r);
	if (lane->depth == depth)
		return;
	lane->frames[depth].cut = true;
	r->splits[lane->frames[depth].method].cut.before++;
	r->cut.before++;
}

static void take_suspend(void *ctx, uint32_t at, uint64_t time)
{
	struct trace_reading *r = ctx;
	const struct trace_lane *lane = &r->lanes[at];

	trace_frames_settle(r);
	if (!lane->over && lane->depth) {
		lane->frames[lane->depth - 1].cut = true;
		r->splits[lane->frames[lane->depth - 1].method].cut.after++;
		r->cut.after++;
	}
	trace_frames_leave(r, at, time, false);
}

static void take_event(void *ctx, uint32_t at, uint64_t time, enum trace_type type, uint64_t value)
{
	trace_frames_settle(ctx);
	if (type == TRACE_TYPE_SITE && value)
		enter_site(ctx, at, value);
	else
		trace_doing_take(ctx, at, time, type, value);
}

static void take_operation(void *ctx, uint32_t at, uint64_t time, enum jw_operation_type type,
			   uint64_t number)
{
	trace_frames_settle(ctx);
	trace_doing_operation(ctx, at, time, type, number);
}

/* Values that a user wants are not for adding up. */
static void take_captured(void *ctx, uint32_t at, uint64_t time, const struct jw_capture *what,
			  uint64_t value)
{
	(void)ctx;
	(void)at;
	(void)time;
	(void)what;
	(void)value;
}

static void take_user(void *ctx, uint32_t at, uint64_t time, uint64_t type, uint64_t value)
{
	(void)ctx;
	(void)at;
	(void)time;
	(void)type;
	(void)value;
}

static void take_arrow(void *ctx, uint32_t from, uint64_t sent, uint32_t to, uint64_t received,
		       uint64_t tag)
{
	(void)sent;
	(void)received;
	trace_frames_settle(ctx);
	trace_doing_arrow(ctx, from, to, trace_tag_alone(tag));
}

static enum jw_status check(void *ctx, struct jw_err *e)
{
	const struct trace_reading *r = ctx;

	return r->failed ? jw_nomem(e) : JW_OK;
}

static void take_over(void *ctx, uint64_t end)
{
	struct trace_reading *r = ctx;

	r->end = end;
	trace_reading_end(r);
	trace_report_names_open(r);
}

const struct trace_output trace_reading_output = {
	.by_thread = true,
	.begin = take_scene,
	.state = take_state,
	.enter = take_enter,
	.leave = take_leave,
	.resume = take_resume,
	.suspend = take_suspend,
	.event = take_event,
	.operation = take_operation,
	.captured = take_captured,
	.user = take_user,
	.arrow = take_arrow,
	.check = check,
	.over = take_over,
	.name = trace_report_name,
	.end = trace_report_make,
};

const struct trace_output *trace_reading_beside(struct trace_reading *r,
						const struct trace_output *also, void *also_ctx,
						void **ctx)
{
	r->tee = (struct trace_tee){ &trace_reading_output, also, r, also_ctx };
	*ctx = r->batch = also ? trace_batch_new(&trace_tee_output, &r->tee)
			       : trace_batch_new(&trace_reading_output, r);
	return r->batch ? &trace_batch_output : NULL;
}

struct trace_reading *trace_reading_new(struct trace_select *select)
{
	return trace_reading_new_beside(select, NULL, NULL);
}

struct trace_reading *trace_reading_new_beside(struct trace_select *select,
					       const struct trace_output *also, void *also_ctx)
{
	struct trace_reading *r = jw_mem_zalloc(1, sizeof(*r));
	void *ctx;

	if (!r)
		return NULL;
	const struct trace_output *output = trace_reading_beside(r, also, also_ctx, &ctx);

	r->source = output ? trace_prv_source_new(output, ctx, select) : NULL;
	if (r->source)
		return r;
	trace_reading_free(r);
	return NULL;
}

void trace_reading_row(struct trace_reading *r, struct jw_span row)
{
	trace_prv_source_row(r->source, row);
}

enum jw_status trace_reading_feed(struct trace_reading *r, struct jw_span piece, struct jw_err *e)
{
	return trace_prv_source_feed(r->source, piece, e);
}

enum jw_status trace_reading_finish(struct trace_reading *r, struct jw_span pcf, struct jw_span row,
				    struct jw_arena *arena, struct trace_report *out,
				    struct jw_err *e)
{
	struct trace_report report = { 0 };

	r->arena = arena;
	r->report = &report;
	JW_TRY(trace_prv_source_finish(r->source, pcf, row, e));
	*out = report;
	return JW_OK;
}
