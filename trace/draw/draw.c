/*
 * draw.c: see draw.h: what happens becomes columns of lanes.
 */
#include <string.h>

#include "base/memory.h"
#include "trace/draw/draw.h"
#include "trace/draw/draw_band.h"
#include "trace/draw/draw_layout.h"
#include "trace/draw/draw_svg.h"
#include "trace/draw/drawing.h"
#include "trace/ignore.h"
#include "trace/names/state_names.h"
#include "trace/output.h"
#include "trace/paraver/prv_source.h"
#include "trace/reader/reader.h"
#include "trace/reader/time_range.h"
#include "trace/replay/profile.h"
#include "trace/replay/replay.h"

#include "base/banned.h"

/* So many are kept at most; then every other one of them. */
#define MAX_ARROWS ((size_t)1 << 18)

/* With more threads fewer levels are gathered, as fewer will have room. ORDER: fewest first. */
static const struct {
	uint32_t threads, levels;
} most_levels[] = { { 32, 24 }, { 200, 8 }, { 1000, 4 }, { UINT32_MAX, 2 } };

/* ---- states ---- */

/* The kind of STATE; TRACE_DRAW_KIND_COUNT: it is not drawn. */
static enum trace_draw_kind kind_of(uint64_t state)
{
	static const uint8_t kinds[TRACE_REPORT_TIMES] = {
		[TRACE_REPORT_RUNNING] = TRACE_DRAW_RUNNING,
		[TRACE_REPORT_BLOCKED] = TRACE_DRAW_BLOCKED,
		[TRACE_REPORT_WAITING] = TRACE_DRAW_WAITING,
		[TRACE_REPORT_IO] = TRACE_DRAW_IO,
		[TRACE_REPORT_FOR_WORK] = TRACE_DRAW_FOR_WORK,
		[TRACE_REPORT_GC] = TRACE_DRAW_OTHER,
		[TRACE_REPORT_OTHER] = TRACE_DRAW_OTHER,
	};

	if (!trace_state_is_life(state))
		return TRACE_DRAW_KIND_COUNT;
	if (state == TRACE_DISABLED)
		return TRACE_DRAW_PAUSED;
	return (enum trace_draw_kind)kinds[trace_state_time(state)];
}

static bool is_wait(enum trace_draw_kind kind)
{
	return kind == TRACE_DRAW_BLOCKED || kind == TRACE_DRAW_WAITING ||
	       kind == TRACE_DRAW_FOR_WORK || kind == TRACE_DRAW_PAUSED;
}

/* TIME inside of the range. */
static uint64_t clip(const struct trace_drawing *d, uint64_t time)
{
	time = time > d->scale.from ? time : d->scale.from;
	return time < d->scale.to ? time : d->scale.to;
}

/* How much of the latest wait comes after TIME. */
static uint64_t wait_after(const struct trace_drawing *d, const struct trace_draw_lane *lane,
			   uint64_t time)
{
	uint64_t begin = clip(d, lane->wait_begin > time ? lane->wait_begin : time);
	uint64_t end = clip(d, lane->wait_end);

	return end > begin ? end - begin : 0;
}

static void take_state(void *ctx, uint32_t at, uint64_t begin, uint64_t end, uint64_t state)
{
	struct trace_drawing *d = ctx;
	struct trace_draw_lane *lane = &d->lanes[at];
	enum trace_draw_kind kind = kind_of(state);

	if (kind == TRACE_DRAW_KIND_COUNT)
		return;
	if (is_wait(kind)) {
		lane->wait_begin = begin;
		lane->wait_end = end;
		lane->waited_ns += lane->depth ? wait_after(d, lane, lane->entered) : 0;
	} else if (kind != TRACE_DRAW_RUNNING) {
		lane->state_ns += clip(d, end) - clip(d, begin);
	}
	d->failed |= !trace_draw_band_add(&lane->states, &d->scale, kind, begin, end);
}

/* ---- calls ---- */

static bool grow_frames(struct trace_draw_lane *lane)
{
	struct trace_draw_frame *grown =
		trace_grow(lane->frames, (size_t)lane->depth, &lane->frame_cap, sizeof(*grown));

	lane->frames = grown ? grown : lane->frames;
	return grown;
}

/* The innermost ends first: levels outside of it may be new, too. */
static bool grow_levels(struct trace_draw_lane *lane)
{
	while (lane->level_n <= lane->depth) {
		struct trace_draw_band *grown =
			trace_grow(lane->levels, lane->level_n, &lane->level_cap, sizeof(*grown));

		if (!grown)
			return false;
		lane->levels = grown;
		grown[lane->level_n++] = (struct trace_draw_band){ 0 };
	}
	return true;
}

static bool enter(struct trace_drawing *d, struct trace_draw_lane *lane, uint64_t time, uint64_t id)
{
	if (lane->depth == 0) {
		lane->entered = time;
		lane->waited_ns = wait_after(d, lane, time);
	}
	lane->calls += time < d->scale.to; /* unless it ends before the range */
	if (lane->depth < d->most_levels) {
		uint64_t refused = d->methods.refused;
		uint32_t method = trace_methods_number(&d->methods, id);

		if (d->methods.refused > refused) /* too many: they look like the last */
			method = (uint32_t)d->methods.n - 1;
		if (method == TRACE_NO_METHOD || !grow_frames(lane))
			return false;
		lane->frames[lane->depth] = (struct trace_draw_frame){ time, method };
	}
	lane->depth++;
	return true;
}

static bool leave(struct trace_drawing *d, struct trace_draw_lane *lane, uint64_t time)
{
	if (lane->depth == 0) {
		d->lone_exits++;
		return true;
	}
	if (time > d->scale.from && lane->depth > lane->deepest)
		lane->deepest = lane->depth;
	lane->depth--;
	/* as a range has them: one that ends where it begins is not in it (select.h) */
	lane->calls -=
		time < d->scale.from || (time == d->scale.from && d->scale.from > d->scene->begin);
	if (lane->depth == 0) {
		uint64_t inside = clip(d, time) - clip(d, lane->entered);
		uint64_t waited = lane->waited_ns - wait_after(d, lane, time);

		lane->inside_ns += inside > waited ? inside - waited : 0;
	}
	if (lane->depth >= d->most_levels)
		return true;
	const struct trace_draw_frame *f = &lane->frames[lane->depth];

	if (time <= d->scale.from || f->enter >= d->scale.to)
		return true;
	return grow_levels(lane) && trace_draw_band_add(&lane->levels[lane->depth], &d->scale,
							f->method, f->enter, time);
}

static void take_enter(void *ctx, uint32_t at, uint64_t time, uint64_t method)
{
	struct trace_drawing *d = ctx;

	d->failed |= !enter(d, &d->lanes[at], time, method);
}

static void take_leave(void *ctx, uint32_t at, uint64_t time, bool failed)
{
	struct trace_drawing *d = ctx;

	(void)failed;
	d->failed |= !leave(d, &d->lanes[at], time);
}

/* ---- arrows ---- */

static void thin_out(struct trace_drawing *d)
{
	for (size_t i = 0; i < d->arrow_n / 2; i++)
		d->arrows[i] = d->arrows[2 * i];
	d->arrow_n /= 2;
	d->stride *= 2;
}

static void take_arrow(void *ctx, uint32_t from, uint64_t sent, uint32_t to, uint64_t received,
		       uint64_t tag)
{
	struct trace_drawing *d = ctx;
	const struct trace_draw_scale *s = &d->scale;

	(void)tag;
	if (from == to || received < s->from || sent >= s->to || d->arrow_all++ % d->stride)
		return;
	if (d->arrow_n == MAX_ARROWS)
		thin_out(d);
	struct trace_draw_arrow *grown =
		trace_grow(d->arrows, d->arrow_n, &d->arrow_cap, sizeof(*grown));

	d->failed |= !grown;
	if (!grown)
		return;
	d->arrows = grown;
	grown[d->arrow_n++] =
		(struct trace_draw_arrow){ from, to, (uint16_t)trace_draw_column(s, sent),
					   (uint16_t)trace_draw_column(s, received) };
}

/* ---- from begin to end ---- */

static enum jw_status take_scene(void *ctx, const struct trace_scene *scene, struct jw_err *e)
{
	struct trace_drawing *d = ctx;
	size_t i = 0;

	while (most_levels[i].threads < scene->thread_count)
		i++;
	d->most_levels = d->options->max_depth ? d->options->max_depth : most_levels[i].levels;
	d->scene = scene;
	d->lane_count = scene->thread_count;
	d->end = scene->end;
	d->lanes = jw_mem_zalloc((size_t)scene->thread_count + 1, sizeof(*d->lanes));
	if (!d->lanes)
		return jw_nomem(e);
	JW_TRY(trace_range_of(&d->options->range, scene->end, &d->scale.from, &d->scale.to, e));
	if (d->scale.from < scene->begin)
		d->scale.from = scene->begin;
	return JW_OK;
}

static enum jw_status check(void *ctx, struct jw_err *e)
{
	const struct trace_drawing *d = ctx;

	return d->failed ? jw_nomem(e) : JW_OK;
}

/* What is open ends with the trace. */
static bool close_lane(struct trace_drawing *d, struct trace_draw_lane *lane)
{
	while (lane->depth)
		if (!leave(d, lane, d->end))
			return false;
	for (size_t i = 0; i < lane->level_n; i++)
		if (!trace_draw_band_finish(&lane->levels[i], &d->scale))
			return false;
	return trace_draw_band_finish(&lane->states, &d->scale);
}

static void take_over(void *ctx, uint64_t end)
{
	struct trace_drawing *d = ctx;

	d->end = end;
	for (uint32_t i = 0; i < d->scene->thread_count; i++)
		d->failed |= !close_lane(d, &d->lanes[i]);
	d->labels = JW_NEW_ARRAY(d->arena, const char *, d->methods.n + 1);
	d->threads = JW_NEW_ARRAY(d->arena, const char *, d->scene->thread_count + 1);
	d->failed |= !d->labels || !d->threads;
}

static void take_name(void *ctx, enum trace_name_kind what, uint64_t number, struct jw_span label)
{
	struct trace_drawing *d = ctx;
	const char **name = NULL;

	if (d->failed)
		return;
	if (what == TRACE_NAME_METHOD) {
		uint32_t method = trace_methods_known(&d->methods, number);

		name = method == TRACE_NO_METHOD ? NULL : &d->labels[method];
	} else if (what == TRACE_NAME_ROW) {
		name = &d->threads[number];
	}
	if (!name || *name)
		return;
	*name = jw_arena_str(d->arena, label);
	d->failed |= !*name;
}

static enum jw_status make_picture(void *ctx, const struct trace_names *names, struct jw_err *e)
{
	struct trace_drawing *d = ctx;
	struct trace_picture p = { .drawing = d, .arena = d->arena };

	(void)names;
	JW_TRY(check(d, e));
	JW_TRY(trace_picture_lay_out(&p, e));
	JW_TRY(trace_picture_put(&p, d->svg, e));
	*d->drawn = (struct trace_drawn){ .threads = d->scene->thread_count,
					  .rows = (uint32_t)p.row_n,
					  .calls = p.calls,
					  .span_ns = d->scale.to - d->scale.from };
	return JW_OK;
}

const struct trace_output trace_drawing_output = {
	.begin = take_scene,
	.state = take_state,
	.enter = take_enter,
	.leave = take_leave,
	.event = trace_ignore_event,
	.operation = trace_ignore_operation,
	.captured = trace_ignore_captured,
	.user = trace_ignore_user,
	.arrow = take_arrow,
	.check = check,
	.over = take_over,
	.name = take_name,
	.end = make_picture,
};

/* ---- all of it ---- */

static struct trace_drawing *new_drawing(const struct trace_draw_options *options)
{
	struct trace_drawing *d = jw_mem_zalloc(1, sizeof(*d));

	if (!d)
		return NULL;
	d->options = options;
	d->stride = 1;
	d->scale.columns = trace_draw_columns(options->width);
	return d;
}

struct trace_drawing *trace_drawing_new(const struct trace_draw_options *options,
					struct trace_select *select)
{
	struct trace_drawing *d = new_drawing(options);

	if (!d)
		return NULL;
	d->source = trace_prv_source_new(&trace_drawing_output, d, select);
	if (d->source)
		return d;
	trace_drawing_free(d);
	return NULL;
}

static void free_lane(struct trace_draw_lane *lane)
{
	jw_mem_free(lane->states.runs);
	for (size_t i = 0; i < lane->level_n; i++)
		jw_mem_free(lane->levels[i].runs);
	jw_mem_free(lane->levels);
	jw_mem_free(lane->frames);
}

void trace_drawing_free(struct trace_drawing *d)
{
	if (!d)
		return;
	for (size_t i = 0; d->lanes && i < d->lane_count; i++)
		free_lane(&d->lanes[i]);
	jw_mem_free(d->lanes);
	jw_mem_free(d->arrows);
	trace_methods_free(&d->methods);
	trace_prv_source_free(d->source);
	jw_mem_free(d);
}

void trace_drawing_row(struct trace_drawing *d, struct jw_span row)
{
	trace_prv_source_row(d->source, row);
}

enum jw_status trace_drawing_feed(struct trace_drawing *d, struct jw_span piece, struct jw_err *e)
{
	return trace_prv_source_feed(d->source, piece, e);
}

/* Those of a .prv, after NOTES. */
static enum jw_status put_warnings(const struct trace_drawing *d, struct trace_notes *notes,
				   struct trace_drawn *out, struct jw_err *e)
{
	const struct trace_fact lone = { d->lone_exits, TRACE_TOLD_LONE };

	if (d->source)
		trace_prv_source_note_flaws(d->source, notes);
	trace_note_facts(notes, NULL, &lone, 1);
	out->warnings = trace_notes_list(notes, d->arena);
	out->warning_count = notes->n;
	return out->warnings ? JW_OK : jw_nomem(e);
}

enum jw_status trace_drawing_finish(struct trace_drawing *d, struct jw_span pcf, struct jw_span row,
				    struct jw_arena *arena, struct jw_buf *svg,
				    struct trace_drawn *out, struct jw_err *e)
{
	struct trace_notes notes = { .arena = arena };
	struct trace_drawn drawn = { 0 };

	d->arena = arena;
	d->svg = svg;
	d->drawn = &drawn;
	enum jw_status status = trace_prv_source_finish(d->source, pcf, row, e);

	if (status == JW_OK)
		status = put_warnings(d, &notes, &drawn, e);
	trace_notes_free(&notes);
	if (status == JW_OK)
		*out = drawn;
	return status;
}

static enum jw_status draw(struct trace_drawing *d, struct trace_replay *r,
			   const struct trace_job *job, struct trace_notes *notes, struct jw_err *e)
{
	struct trace_summary summary;

	JW_TRY(trace_replay_open(job, notes, r, e));
	JW_TRY(trace_replay_tell(r, &trace_drawing_output, d, e));
	JW_TRY(trace_profile(r, d->arena, &summary, e)); /* for its notes */
	return put_warnings(d, notes, d->drawn, e);
}

enum jw_status trace_draw_recordings(const struct trace_job *job,
				     const struct trace_draw_options *options,
				     struct jw_arena *arena, struct jw_buf *svg,
				     struct trace_drawn *out, struct jw_err *e)
{
	struct trace_drawing *d = new_drawing(options);
	struct trace_notes notes = { .arena = arena };
	struct trace_replay replay = { 0 };
	struct trace_drawn drawn = { 0 };

	if (!d)
		return jw_nomem(e);
	d->arena = arena;
	d->svg = svg;
	d->drawn = &drawn;
	enum jw_status status = draw(d, &replay, job, &notes, e);
	double all = replay.world.progress.all;

	if (status == JW_OK && job->progress)
		job->progress(job->progress_ctx, all, all);
	trace_drawing_free(d);
	trace_replay_close(&replay);
	trace_notes_free(&notes);
	if (status == JW_OK)
		*out = drawn;
	return status;
}
