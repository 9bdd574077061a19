/*
 * draw.c: see draw.h: the records of a .prv become columns of lanes.
 *
 * Frames and waits as report's: 60000019 pushes a function on a value above 0 and pops one on 0.
 */
#include <string.h>

#include "trace/draw/draw.h"
#include "trace/draw/draw_band.h"
#include "trace/draw/draw_layout.h"
#include "trace/draw/draw_svg.h"
#include "trace/draw/drawing.h"
#include "trace/names/event_types.h"
#include "trace/reader/prv_head.h"
#include "trace/reader/prv_lines.h"
#include "trace/reader/reader.h"
#include "trace/reader/time_range.h"
#include "trace/replay/method_numbers.h"

#include "base/banned.h"

/* So many are kept at most; then every other one of them. */
#define MAX_ARROWS ((size_t)1 << 18)

/* With more threads fewer levels are gathered, as fewer will have room. ORDER: fewest first. */
static const struct {
	uint32_t threads, levels;
} most_levels[] = { { 32, 24 }, { 200, 8 }, { 1000, 4 }, { UINT32_MAX, 2 } };

/* ---- states ---- */

/* The kind of STATE, as Extrae numbers them; TRACE_DRAW_KIND_COUNT: it is not drawn. */
static enum trace_draw_kind kind_of(uint64_t state)
{
	enum { NONE = TRACE_DRAW_KIND_COUNT };
	static const uint8_t kinds[] = {
		NONE,               /* Idle */
		TRACE_DRAW_RUNNING, /* Running */
		NONE,               /* Not created */
		TRACE_DRAW_WAITING, /* Waiting a message */
		TRACE_DRAW_WAITING, /* Blocking Send */
		TRACE_DRAW_WAITING, /* Synchronization */
		TRACE_DRAW_OTHER,   /* Test/Probe */
		TRACE_DRAW_OTHER,   /* Scheduling and Fork/Join */
		TRACE_DRAW_WAITING, /* Wait/WaitAll */
		TRACE_DRAW_BLOCKED, /* Blocked */
		TRACE_DRAW_IO,      /* Immediate Send */
		TRACE_DRAW_IO,      /* Immediate Receive */
		TRACE_DRAW_IO,      /* I/O */
		TRACE_DRAW_WAITING, /* Group Communication */
		TRACE_DRAW_PAUSED,  /* Tracing Disabled */
	};

	return state < sizeof(kinds) ? (enum trace_draw_kind)kinds[state] : TRACE_DRAW_OTHER;
}

static bool is_wait(enum trace_draw_kind kind)
{
	return kind == TRACE_DRAW_BLOCKED || kind == TRACE_DRAW_WAITING ||
	       kind == TRACE_DRAW_PAUSED;
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

static bool take_state(void *ctx, uint32_t at, uint64_t begin, uint64_t end, uint64_t state)
{
	struct trace_drawing *d = ctx;
	struct trace_draw_lane *lane = &d->lanes[at];
	enum trace_draw_kind kind = kind_of(state);

	d->late += begin > d->lines.head.end_ns;
	if (kind == TRACE_DRAW_KIND_COUNT)
		return true;
	if (is_wait(kind)) {
		lane->wait_begin = begin;
		lane->wait_end = end;
		lane->waited_ns += lane->depth ? wait_after(d, lane, lane->entered) : 0;
	} else if (kind != TRACE_DRAW_RUNNING) {
		lane->state_ns += clip(d, end) - clip(d, begin);
	}
	return trace_draw_band_add(&lane->states, &d->scale, kind, begin, end);
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
	lane->calls += time >= d->scale.from && time < d->scale.to;
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

static bool take_event(void *ctx, uint32_t at, uint64_t time, uint64_t type, uint64_t value)
{
	struct trace_drawing *d = ctx;

	d->late += time > d->lines.head.end_ns;
	if (type != TRACE_USER_FUNCTION)
		return true;
	return value ? enter(d, &d->lanes[at], time, value) : leave(d, &d->lanes[at], time);
}

/* ---- arrows ---- */

static void thin_out(struct trace_drawing *d)
{
	for (size_t i = 0; i < d->arrow_n / 2; i++)
		d->arrows[i] = d->arrows[2 * i];
	d->arrow_n /= 2;
	d->stride *= 2;
}

static bool take_arrow(void *ctx, uint32_t from, uint64_t sent, uint32_t to, uint64_t received,
		       uint64_t tag)
{
	struct trace_drawing *d = ctx;
	const struct trace_draw_scale *s = &d->scale;

	(void)tag;
	if (from == to || received < s->from || sent >= s->to || d->arrow_all++ % d->stride)
		return true;
	if (d->arrow_n == MAX_ARROWS)
		thin_out(d);
	struct trace_draw_arrow *grown =
		trace_grow(d->arrows, d->arrow_n, &d->arrow_cap, sizeof(*grown));

	if (!grown)
		return false;
	d->arrows = grown;
	grown[d->arrow_n++] =
		(struct trace_draw_arrow){ from, to, (uint16_t)trace_draw_column(s, sent),
					   (uint16_t)trace_draw_column(s, received) };
	return true;
}

/* ---- all of it ---- */

static bool take_head(void *ctx, const struct trace_prv_head *head)
{
	struct trace_drawing *d = ctx;
	size_t i = 0;

	while (most_levels[i].threads < head->thread_count)
		i++;
	d->most_levels = d->options->max_depth ? d->options->max_depth : most_levels[i].levels;
	d->lanes = jw_mem_zalloc(head->thread_count, sizeof(*d->lanes));
	if (!d->lanes)
		return false;
	return trace_range_of(&d->options->range, head->end_ns, &d->scale.from, &d->scale.to,
			      &d->why) == JW_OK;
}

static const struct trace_prv_listener listener = { take_head, take_state, take_event, take_arrow };

struct trace_drawing *trace_drawing_new(const struct trace_draw_options *options)
{
	struct trace_drawing *d = jw_mem_zalloc(1, sizeof(*d));

	if (!d)
		return NULL;
	d->options = options;
	d->lines = (struct trace_prv_lines){ .to = &listener, .ctx = d };
	d->stride = 1;
	d->scale.columns = trace_draw_columns(options->width);
	return d;
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
	for (size_t i = 0; d->lanes && i < d->lines.head.thread_count; i++)
		free_lane(&d->lanes[i]);
	jw_mem_free(d->lanes);
	jw_mem_free(d->arrows);
	trace_methods_free(&d->methods);
	trace_prv_lines_free(&d->lines);
	jw_mem_free(d);
}

/* The failure of a listener is what it says itself, or no memory. */
static enum jw_status told(const struct trace_drawing *d, enum jw_status status, struct jw_err *e)
{
	if (status == JW_NOMEM && d->why.status != JW_OK && e)
		*e = d->why;
	return status == JW_NOMEM && d->why.status != JW_OK ? d->why.status : status;
}

enum jw_status trace_drawing_feed(struct trace_drawing *d, struct jw_span piece, struct jw_err *e)
{
	return told(d, trace_prv_lines_feed(&d->lines, piece, e), e);
}

/* What is open ends with the trace. */
static bool close_lane(struct trace_drawing *d, struct trace_draw_lane *lane, uint64_t end)
{
	while (lane->depth)
		if (!leave(d, lane, end))
			return false;
	for (size_t i = 0; i < lane->level_n; i++)
		if (!trace_draw_band_finish(&lane->levels[i], &d->scale))
			return false;
	return trace_draw_band_finish(&lane->states, &d->scale);
}

static enum jw_status close_all(struct trace_drawing *d, struct jw_err *e)
{
	uint64_t end = d->lines.last > d->lines.head.end_ns ? d->lines.last : d->lines.head.end_ns;

	for (uint32_t i = 0; i < d->lines.head.thread_count; i++)
		if (!close_lane(d, &d->lanes[i], end))
			return jw_nomem(e);
	return JW_OK;
}

static enum jw_status put_warnings(const struct trace_drawing *d, struct jw_arena *arena,
				   struct trace_drawn *out, struct jw_err *e)
{
	struct trace_notes notes = { .arena = arena };
	const struct trace_fact facts[] = {
		{ d->lines.bad, TRACE_TOLD_BAD_LINE },
		{ d->lines.unsorted, TRACE_TOLD_UNSORTED },
		{ d->lone_exits, TRACE_TOLD_LONE },
		{ d->late, "record comes after the end that the header tells, and is not drawn",
		  "records come after the end that the header tells, and are not drawn" },
	};

	trace_note_facts(&notes, NULL, facts, sizeof(facts) / sizeof(*facts));
	const char **text = JW_NEW_ARRAY(arena, const char *, notes.n + 1);

	for (size_t i = 0; text && i < notes.n; i++)
		text[i] = notes.text[i];
	out->warnings = text;
	out->warning_count = notes.n;
	bool failed = notes.failed || !text;

	trace_notes_free(&notes);
	return failed ? jw_nomem(e) : JW_OK;
}

enum jw_status trace_drawing_finish(struct trace_drawing *d, struct jw_span pcf, struct jw_span row,
				    struct jw_arena *arena, struct jw_buf *svg,
				    struct trace_drawn *out, struct jw_err *e)
{
	struct trace_picture p = { .drawing = d, .arena = arena };
	struct trace_drawn drawn = { 0 };

	JW_TRY(told(d, trace_prv_lines_end(&d->lines, e), e));
	JW_TRY(close_all(d, e));
	JW_TRY(trace_picture_lay_out(&p, pcf, row, e));
	JW_TRY(trace_picture_put(&p, svg, e));
	JW_TRY(put_warnings(d, arena, &drawn, e));
	drawn.threads = d->lines.head.thread_count;
	drawn.rows = (uint32_t)p.row_n;
	drawn.calls = p.calls;
	drawn.span_ns = d->scale.to - d->scale.from;
	*out = drawn;
	return JW_OK;
}
