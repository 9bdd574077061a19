/*
 * view.c: see view.h: what happens becomes tracks.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "trace/ignore.h"
#include "trace/reader/reader.h"
#include "trace/replay/timeline.h"
#include "trace/view/view_index.h"
#include "trace/view/view_int.h"

#include "base/banned.h"

/* With more rows fewer levels are kept: memory grows with both. ORDER: fewest rows first. */
static const struct {
	uint32_t rows, levels;
} most_levels[] = { { 256, 256 }, { 2048, 64 }, { 16384, 16 }, { UINT32_MAX, 4 } };

/* The first LEAST: one of so many parts of the run, but no shorter than that. */
enum { FINEST_PARTS = 1 << 22, FINEST_NS = 128, COARSER = 4 };

/* ---- tracks ---- */

/* Calls DO(VIEW, TRACK) for each track until it says false. */
static bool each_track(struct trace_view *v,
		       bool (*act)(struct trace_view *, struct trace_view_track *))
{
	for (uint32_t i = 0; v->rows && i < v->thread_count; i++) {
		struct trace_view_row *row = &v->rows[i];

		if (!act(v, &row->states))
			return false;
		for (size_t k = 0; k < row->level_n; k++)
			if (!act(v, &row->levels[k]))
				return false;
	}
	for (uint32_t i = 0; v->processes && i < v->process_count; i++)
		if (!act(v, &v->processes[i].pauses))
			return false;
	return true;
}

static bool coarsen(struct trace_view *v, struct trace_view_track *track)
{
	bool done = trace_view_track_coarsen(track, v->least);

	v->bytes += track->bytes.n;
	return done;
}

/* Steps of NS and those that are up to twice as long. */
static unsigned step_class(uint64_t ns)
{
	return 63 - (unsigned)__builtin_clzll(ns | 1);
}

/* How many classes have steps that are shorter than LEAST. */
static unsigned classes_below(uint64_t least)
{
	return least > 1 ? step_class(least - 1) + 1 : 0;
}

/* The bytes of spans whose step is shorter than LEAST, or hardly longer. No others join a sum. */
static size_t bytes_below(const struct trace_view *v, uint64_t least)
{
	size_t bytes = 0;

	for (unsigned i = 0; i < classes_below(least); i++)
		bytes += v->by_step[i];
	return bytes;
}

/* What is shorter than LEAST becomes sums, whose steps are about that long. */
static bool coarsen_all(struct trace_view *v)
{
	size_t others = v->bytes - bytes_below(v, v->least);

	v->bytes = 0;
	if (!each_track(v, coarsen))
		return false;
	memset(v->by_step, 0, classes_below(v->least) * sizeof(*v->by_step));
	v->by_step[step_class(v->least)] += v->bytes > others ? v->bytes - others : 0;
	return true;
}

/* Until a quarter of the room is free again, or there is nothing left to sum up. Tracks are
 * left alone when all that could be summed up would not free as much. */
static bool make_room(struct trace_view *v, size_t most)
{
	uint64_t finest = v->end / FINEST_PARTS;
	size_t aim = most - most / COARSER;
	bool done = true;

	while (done && v->bytes > aim && v->least <= v->end) {
		v->least = v->least ? v->least * COARSER : finest > FINEST_NS ? finest : FINEST_NS;
		if (v->least > v->end || bytes_below(v, v->least) >= v->bytes - aim)
			done = coarsen_all(v);
	}
	return done;
}

static struct trace_view_span span_of(uint64_t begin, uint64_t end, uint64_t what, bool failed)
{
	return (struct trace_view_span){ .begin = begin,
					 .ns = end - begin,
					 .what = what < UINT32_MAX ? (uint32_t)what : UINT32_MAX,
					 .failed = failed,
					 .count = 1,
					 .busy = end - begin };
}

static bool add(struct trace_view *v, struct trace_view_track *track,
		const struct trace_view_span *span)
{
	size_t before = track->bytes.n, most = v->sink->bytes ? v->sink->bytes : TRACE_VIEW_BYTES;
	uint64_t end = span->begin + span->ns, step = end > track->end ? end - track->end : 0;

	if (!trace_view_track_add(track, v->least, span))
		return false;
	v->bytes += track->bytes.n - before;
	v->by_step[step_class(step)] += track->bytes.n - before;
	return v->bytes <= most || v->least > v->end || make_room(v, most);
}

/* The same, to LINE of the row at AT in the index, too. */
static bool add_both(struct trace_view *v, struct trace_view_track *track, uint32_t at, size_t line,
		     const struct trace_view_span *span)
{
	return (!v->sink->index || trace_index_span(v->sink->index, at, line, span)) &&
	       add(v, track, span);
}

static void note_life(struct trace_view_process *p, uint64_t begin, uint64_t end)
{
	if (begin < p->begin)
		p->begin = begin;
	if (end > p->end)
		p->end = end;
}

static void take_state(void *ctx, uint32_t at, uint64_t begin, uint64_t end, uint64_t state)
{
	struct trace_view *v = ctx;

	const struct trace_view_span span = span_of(begin, end, state, false);

	if (state == TRACE_IDLE || end < begin)
		return;
	v->failed |= !add_both(v, &v->rows[at].states, at, 0, &span);
	if (state != TRACE_NOT_CREATED)
		note_life(&v->processes[v->scene->threads[at].process], begin, end);
}

/* ---- calls ---- */

/* The number of method ID, from 0, as the report counts them; TRACE_NO_METHOD: no memory, or too many. */
static uint32_t number_of(struct trace_view *v, uint64_t id)
{
	uint64_t refused = v->methods.refused;
	uint32_t method = trace_methods_number(&v->methods, id);

	v->failed |= method == TRACE_NO_METHOD && v->methods.refused == refused;
	return method;
}

static void take_enter(void *ctx, uint32_t at, uint64_t time, uint64_t id)
{
	struct trace_view *v = ctx;
	struct trace_view_row *row = &v->rows[at];

	if (row->frame_n >= TRACE_MAX_DEPTH) {
		row->over++;
		return;
	}
	uint32_t method = number_of(v, id);
	struct trace_view_frame *grown =
		trace_grow(row->frames, row->frame_n, &row->frame_cap, sizeof(*grown));

	v->failed |= !grown;
	if (!grown)
		return;
	row->frames = grown;
	grown[row->frame_n++] =
		(struct trace_view_frame){ time, method == TRACE_NO_METHOD ? 0 : method + 1 };
}

static void find_shortest(struct trace_view_longest *l)
{
	l->shortest = 0;
	for (uint32_t i = 1; i < l->n; i++)
		if (l->calls[i].ns < l->calls[l->shortest].ns)
			l->shortest = i;
}

static bool note_longest(struct trace_view *v, uint32_t method, struct trace_view_call call)
{
	if (method >= v->longest_cap) {
		size_t cap = v->longest_cap ? v->longest_cap : 64;

		while (cap <= method)
			cap *= 2;
		struct trace_view_longest *grown = jw_mem_realloc(v->longest, cap * sizeof(*grown));

		if (!grown)
			return false;
		memset(grown + v->longest_cap, 0, (cap - v->longest_cap) * sizeof(*grown));
		v->longest = grown;
		v->longest_cap = cap;
	}
	struct trace_view_longest *l = &v->longest[method];

	if (l->n < TRACE_VIEW_LONGEST)
		l->calls[l->n++] = call;
	else if (l->calls[l->shortest].ns < call.ns)
		l->calls[l->shortest] = call;
	else
		return true;
	find_shortest(l);
	return true;
}

/* The tracks of ROW down to LEVEL; false: no memory. */
static bool grow_levels(struct trace_view_row *row, size_t level)
{
	while (row->level_n <= level) {
		struct trace_view_track *grown =
			trace_grow(row->levels, row->level_n, &row->level_cap, sizeof(*grown));

		if (!grown)
			return false;
		row->levels = grown;
		grown[row->level_n++] = (struct trace_view_track){ 0 };
	}
	return true;
}

static void leave(struct trace_view *v, uint32_t at, uint64_t time, bool failed)
{
	struct trace_view_row *row = &v->rows[at];

	if (row->over) {
		row->over--;
		return;
	}
	if (!row->frame_n)
		return;
	const struct trace_view_frame *f = &row->frames[--row->frame_n];
	size_t level = row->frame_n;
	uint64_t end = time > f->enter ? time : f->enter;
	const struct trace_view_span span = span_of(f->enter, end, f->method, failed);

	if (f->method)
		v->failed |= !note_longest(
			v, f->method - 1,
			(struct trace_view_call){ f->enter, end - f->enter, at, (uint32_t)level });
	if (level >= v->most_levels)
		v->deeper++;
	else
		v->failed |= !grow_levels(row, level) ||
			     !add_both(v, &row->levels[level], at, level + 1, &span);
}

static void take_leave(void *ctx, uint32_t at, uint64_t time, bool failed)
{
	leave(ctx, at, time, failed);
}

/* SAID, in the innermost call of row AT. */
static void take_said(struct trace_view *v, uint32_t at, struct trace_view_value said)
{
	const struct trace_view_row *row = &v->rows[at];

	if (!said.type || !row->frame_n || row->over)
		return;
	said.begin = row->frames[row->frame_n - 1].enter;
	said.row = at;
	said.line = (uint32_t)row->frame_n;
	v->failed |= !trace_view_said_add(&v->said, &said);
}

static void take_captured(void *ctx, uint32_t at, uint64_t time, const struct jw_capture *what,
			  uint64_t value)
{
	(void)time;
	take_said(ctx, at,
		  (struct trace_view_value){ .value = value,
					     .type = what->type,
					     .is_text = jw_capture_is_text(what) });
}

/* 0 is the end of one that holds. */
static void take_user(void *ctx, uint32_t at, uint64_t time, uint64_t type, uint64_t value)
{
	(void)time;
	if (value && type <= UINT32_MAX)
		take_said(ctx, at,
			  (struct trace_view_value){
				  .value = value, .type = (uint32_t)type, .is_user = true });
}

/* ---- pauses, arrows ---- */

static bool add_pause(struct trace_view *v, struct trace_view_process *p, uint64_t end)
{
	const struct trace_view_span span = span_of(p->since, end, 0, false);

	return end < p->since || add(v, &p->pauses, &span);
}

static void take_pause(struct trace_view *v, uint32_t at, uint64_t time, bool begins)
{
	struct trace_view_process *p = &v->processes[v->scene->threads[at].process];

	if (begins && p->open)
		v->nested++;
	else if (begins)
		p->since = time;
	else if (p->open)
		v->failed |= !add_pause(v, p, time);
	p->open = begins;
}

static void take_event(void *ctx, uint32_t at, uint64_t time, enum trace_type type, uint64_t value)
{
	struct trace_view *v = ctx;

	if (type == TRACE_TYPE_GC)
		take_pause(v, at, time, value != 0);
	else if (type == TRACE_TYPE_CLOSED && value)
		(void)number_of(v, value); /* it may have no call */
	else if (type == TRACE_TYPE_PROCESS_CPU)
		v->processes[v->scene->threads[at].process].cpu_ns = value;
	else if (trace_is_context(type))
		v->failed |= !trace_view_contexts_take(&v->contexts, &v->rows[at].current, at, time,
						       type, value);
}

static void thin_out(struct trace_view *v)
{
	for (size_t i = 0; i < v->arrow_n / 2; i++)
		v->arrows[i] = v->arrows[2 * i];
	v->arrow_n /= 2;
	v->stride *= 2;
}

static void take_arrow(void *ctx, uint32_t from, uint64_t sent, uint32_t to, uint64_t received,
		       uint64_t tag)
{
	struct trace_view *v = ctx;

	tag = trace_tag_alone(tag);
	if (v->sink->index)
		v->failed |= !trace_index_arrow(v->sink->index, sent, received, from, to, tag);
	if (v->arrow_all++ % v->stride)
		return;
	if (v->arrow_n == TRACE_VIEW_ARROWS)
		thin_out(v);
	struct trace_view_arrow *grown =
		trace_grow(v->arrows, v->arrow_n, &v->arrow_cap, sizeof(*grown));

	v->failed |= !grown;
	if (!grown)
		return;
	v->arrows = grown;
	grown[v->arrow_n++] =
		(struct trace_view_arrow){ sent, received > sent ? received : sent, tag, from, to };
}

/* ---- from begin to end ---- */

static enum jw_status take_scene(void *ctx, const struct trace_scene *scene, struct jw_err *e)
{
	struct trace_view *v = ctx;
	size_t i = 0;

	while (most_levels[i].rows < scene->thread_count)
		i++;
	v->most_levels = most_levels[i].levels;
	v->scene = scene;
	v->thread_count = scene->thread_count;
	v->process_count = scene->process_count;
	v->end = scene->end;
	v->rows = jw_mem_zalloc((size_t)scene->thread_count + 1, sizeof(*v->rows));
	v->processes = jw_mem_zalloc((size_t)scene->process_count + 1, sizeof(*v->processes));
	if (!v->rows || !v->processes)
		return jw_nomem(e);
	for (i = 0; i < scene->process_count; i++)
		v->processes[i].begin = UINT64_MAX;
	if (v->sink->index && !trace_index_begin(v->sink->index, scene->thread_count, scene->end))
		return trace_index_why(v->sink->index, e);
	return JW_OK;
}

static enum jw_status check(void *ctx, struct jw_err *e)
{
	const struct trace_view *v = ctx;

	if (v->sink->index)
		JW_TRY(trace_index_why(v->sink->index, e));
	return v->failed ? jw_nomem(e) : JW_OK;
}

static bool close_track(struct trace_view *v, struct trace_view_track *track)
{
	(void)v;
	return trace_view_track_close(track);
}

/* What is open ends with the run. */
static void take_over(void *ctx, uint64_t end)
{
	struct trace_view *v = ctx;

	v->end = end;
	for (uint32_t i = 0; i < v->thread_count; i++) {
		v->rows[i].over = 0;
		while (v->rows[i].frame_n)
			leave(v, i, end, false);
		v->failed |= !trace_view_contexts_end(&v->contexts, &v->rows[i].current, i, end);
	}
	for (uint32_t i = 0; i < v->process_count; i++)
		if (v->processes[i].open)
			v->failed |= !add_pause(v, &v->processes[i], end);
	trace_view_sort_arrows(v->arrows, v->arrow_n);
	v->failed |= !trace_view_said_want(&v->said);
	v->failed |= !each_track(v, close_track);
	if (v->sink->index)
		v->failed |= !trace_index_over(v->sink->index);
}

static void take_name(void *ctx, enum trace_name_kind what, uint64_t number, struct jw_span label)
{
	struct trace_view *v = ctx;

	trace_view_said_name(&v->said, what, number, label);
}

static enum jw_status put_all(void *ctx, const struct trace_names *names, struct jw_err *e)
{
	JW_TRY(check(ctx, e));
	return trace_view_put_all(ctx, names, e);
}

const struct trace_output trace_view_output = {
	.begin = take_scene,
	.state = take_state,
	.enter = take_enter,
	.leave = take_leave,
	.event = take_event,
	.operation = trace_ignore_operation,
	.captured = take_captured,
	.user = take_user,
	.arrow = take_arrow,
	.check = check,
	.over = take_over,
	.name = take_name,
	.end = put_all,
};

struct trace_view *trace_view_new(const struct trace_view_sink *sink)
{
	struct trace_view *v = jw_mem_zalloc(1, sizeof(*v));

	if (!v)
		return NULL;
	v->sink = sink;
	v->stride = 1;
	return v;
}

static bool free_track(struct trace_view *v, struct trace_view_track *track)
{
	(void)v;
	trace_view_track_free(track);
	return true;
}

void trace_view_free(struct trace_view *v)
{
	if (!v)
		return;
	(void)each_track(v, free_track);
	for (uint32_t i = 0; v->rows && i < v->thread_count; i++) {
		jw_mem_free(v->rows[i].levels);
		jw_mem_free(v->rows[i].frames);
	}
	jw_mem_free(v->rows);
	jw_mem_free(v->processes);
	jw_mem_free(v->longest);
	jw_mem_free(v->arrows);
	trace_methods_free(&v->methods);
	trace_view_said_free(&v->said);
	trace_view_contexts_free(&v->contexts);
	jw_mem_free(v);
}
