/*
 * from_trace.c: the records of a .prv become times of methods, threads and states.
 *
 * As Paraver reads them: 60000019 pushes a function on a value above 0 and pops one on 0.
 */
#include "trace/names/event_types.h"
#include "trace/reader/prv_head.h"
#include "trace/reader/prv_lines.h"
#include "trace/reader/reader.h"
#include "trace/reader/tally.h"
#include "trace/replay/method_numbers.h"
#include "trace/replay/timeline.h"
#include "trace/report/reading.h"
#include "trace/report/report.h"
#include "trace/report/stalls.h"
#include "trace/report/thread_activity.h"
#include "trace/report/time_by_state.h"
#include "trace/report/unrecorded_time.h"

#include "base/banned.h"

void trace_reading_free(struct trace_reading *r)
{
	if (!r)
		return;
	for (size_t i = 0; r->lanes && i < r->lines.head.thread_count; i++) {
		jw_mem_free(r->lanes[i].frames);
		jw_mem_free(r->lanes[i].doing);
		jw_mem_free(r->lanes[i].spent);
	}
	jw_mem_free(r->lanes);
	jw_mem_free(r->processes);
	jw_mem_free(r->splits);
	trace_methods_free(&r->methods);
	trace_behind_free(&r->behind);
	trace_tally_free(&r->pairs);
	trace_tally_free(&r->operations);
	trace_tally_free(&r->sites);
	trace_tally_free(&r->stalls);
	trace_tally_free(&r->enders);
	trace_tally_free(&r->objects);
	trace_tally_free(&r->waits);
	trace_tally_free(&r->owners);
	trace_tally_free(&r->allocs);
	trace_tally_free(&r->classes);
	trace_prv_lines_free(&r->lines);
	jw_mem_free(r);
}

/* ---- frames ---- */

uint32_t trace_reading_method(struct trace_reading *r, uint64_t id)
{
	size_t before = r->methods.n;
	uint32_t number = trace_methods_number(&r->methods, id);

	if (number == TRACE_NO_METHOD || number < before)
		return number;
	struct trace_method_split *grown =
		trace_grow(r->splits, before, &r->split_cap, sizeof(*grown));

	if (!grown) {
		r->failed = true;
		return TRACE_NO_METHOD;
	}
	r->splits = grown;
	grown[number] = (struct trace_method_split){ 0 };
	return number;
}

static void enter(struct trace_reading *r, uint32_t at, uint64_t time, uint64_t id)
{
	struct trace_lane *lane = &r->lanes[at];
	uint32_t method;

	trace_split_until(r, at, time);
	lane->met = true;

	if (lane->depth >= TRACE_MAX_DEPTH) {
		lane->over++;
		r->too_deep++;
		return;
	}
	struct trace_call *grown =
		trace_grow(lane->frames, lane->depth, &lane->cap, sizeof(*grown));

	lane->frames = grown ? grown : lane->frames;
	uint64_t refused = r->methods.refused;

	method = grown ? trace_reading_method(r, id) : TRACE_NO_METHOD;
	struct trace_sum *pair =
		method == TRACE_NO_METHOD ? NULL : trace_tally_at(&r->pairs, at, method);

	if (!pair) {
		r->failed |= r->methods.refused == refused;
		lane->over++; /* its exit is left out with it */
		r->too_deep++;
		return;
	}
	lane->frames[lane->depth++] = (struct trace_call){
		.enter = time, .method = method, .before = lane->split, .again = pair->open++ > 0
	};
	pair->count++;
	r->methods.m[method].calls++;
	lane->calls++;
	r->calls++;
}

/* The innermost call of AT is one that waits or does something. */
static void enter_site(struct trace_reading *r, uint32_t at, uint64_t value)
{
	struct trace_lane *lane = &r->lanes[at];
	struct trace_call *call = lane->depth ? &lane->frames[lane->depth - 1] : NULL;

	if (!call || lane->over || call->site)
		return;
	struct trace_sum *sum = trace_tally_at(&r->sites, value, at);

	r->failed |= !sum;
	if (!sum)
		return;
	call->site = value;
	call->site_again = sum->open++ > 0;
}

static void leave_site(struct trace_reading *r, uint32_t at, const struct trace_call *call,
		       uint64_t ns)
{
	struct trace_sum *sum = trace_tally_find(&r->sites, call->site, at);

	sum->open--; /* it is there since the call began */
	sum->count++;
	sum->exceptional += call->failed;
	sum->bytes += call->bytes;
	sum->ns += call->site_again ? 0 : ns;
}

static void leave(struct trace_reading *r, uint32_t at, uint64_t time)
{
	struct trace_lane *lane = &r->lanes[at];

	trace_split_until(r, at, time);
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
	struct trace_stat *m = &r->methods.m[f->method];
	struct trace_report_split total = trace_split_since(&f->before, &lane->split);
	uint64_t ns = time - f->enter;

	struct trace_sum *pair = trace_tally_find(&r->pairs, at, f->method);
	uint64_t own = ns > f->inner_ns ? ns - f->inner_ns : 0;

	pair->open--; /* it is there since the enter */
	pair->own_ns += own;
	pair->exceptional += f->failed;
	m->exceptional += f->failed;
	m->exclusive_ns += own;
	m->longest_ns = ns > m->longest_ns ? ns : m->longest_ns;
	if (!f->again) {
		m->inclusive_ns += ns;
		pair->ns += ns;
		trace_split_add(&r->splits[f->method].total, &total);
	}
	if (f->site)
		leave_site(r, at, f, ns);
	trace_stall_left(r, at, f, time);
	if (lane->depth)
		lane->frames[lane->depth - 1].inner_ns += ns;
	else
		lane->inside_ns += ns;
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
	if (!lane->spent)
		lane->spent = jw_mem_zalloc(TRACE_MAX_STATES, sizeof(*lane->spent));
	r->failed |= !lane->spent;
	return lane->spent ? &lane->spent[state_column(r, state)] : NULL;
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

	for (size_t i = 0; lane->spent && i < r->state_count; i++)
		covered += lane->spent[i].ns;
	if (covered >= end)
		return;
	struct trace_spent *idle = spent_in(r, lane, TRACE_IDLE);

	if (idle)
		idle->ns += end - covered;
}

void trace_reading_end(struct trace_reading *r)
{
	uint64_t end = r->lines.last > r->lines.head.end_ns ? r->lines.last : r->lines.head.end_ns;

	for (uint32_t i = 0; r->lanes && i < r->lines.head.thread_count; i++) {
		trace_doing_end(r, i, end);
		for (r->lanes[i].over = 0; r->lanes[i].depth;)
			leave(r, i, end);
		trace_split_until(r, i, end);
		fill_gaps(r, &r->lanes[i], end);
	}
}

/* ---- records ---- */

bool trace_reading_lanes(struct trace_reading *r)
{
	const struct trace_prv_head *head = &r->lines.head;

	r->lanes = jw_mem_zalloc(head->thread_count, sizeof(*r->lanes));
	r->processes = jw_mem_zalloc(head->task_count, sizeof(*r->processes));
	for (uint32_t i = 0; r->lanes && i < head->task_count; i++)
		for (uint32_t k = 0; k < head->tasks[i].threads; k++)
			r->lanes[head->tasks[i].first + k].task = i;
	return r->lanes && r->processes;
}

static bool take_head(void *ctx, const struct trace_prv_head *head)
{
	(void)head;
	return trace_reading_lanes(ctx);
}

static bool take_state(void *ctx, uint32_t at, uint64_t begin, uint64_t end, uint64_t state)
{
	struct trace_reading *r = ctx;

	trace_split_state(r, at, begin, end, state);
	if (state != TRACE_IDLE)
		add_state(r, &r->lanes[at], state, begin, end);
	return !r->failed;
}

static bool take_event(void *ctx, uint32_t at, uint64_t time, uint64_t type, uint64_t value)
{
	struct trace_reading *r = ctx;

	if (type == TRACE_NUMBER_SITE && value)
		enter_site(r, at, value);
	else if (type != TRACE_USER_FUNCTION)
		trace_doing_take(r, at, time, type, value);
	else if (value)
		enter(r, at, time, value);
	else
		leave(r, at, time);
	return !r->failed;
}

static bool take_arrow(void *ctx, uint32_t from, uint64_t sent, uint32_t to, uint64_t received,
		       uint64_t tag)
{
	struct trace_reading *r = ctx;

	(void)sent;
	(void)received;
	trace_doing_arrow(r, from, to, tag);
	return !r->failed;
}

static const struct trace_prv_listener listener = { take_head, take_state, take_event, take_arrow };

struct trace_reading *trace_reading_new(void)
{
	struct trace_reading *r = jw_mem_zalloc(1, sizeof(*r));

	if (r)
		r->lines = (struct trace_prv_lines){ .to = &listener, .ctx = r };
	return r;
}

enum jw_status trace_reading_feed(struct trace_reading *r, struct jw_span piece, struct jw_err *e)
{
	return trace_prv_lines_feed(&r->lines, piece, e);
}
