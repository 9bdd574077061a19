/*
 * draw_layout.c: which lanes become rows, how high each is, and how wide the names are.
 *
 * The more there is to show, the flatter the rows: of the styles, the first that fits a screen or
 * two is taken.
 */
#include <fnmatch.h>
#include <stdlib.h>

#include "trace/draw/draw.h"
#include "trace/draw/draw_band.h"
#include "trace/draw/draw_layout.h"
#include "trace/draw/draw_text.h"
#include "trace/draw/drawing.h"
#include "trace/names/said_names.h"
#include "trace/output.h"
#include "trace/replay/method_numbers.h"

#include "base/banned.h"

#define MAX_ROWS   1000 /* three pixels each */
#define MAX_HEIGHT 1500 /* of all rows, unless they are too many for it */
#define MAX_GUTTER 200
#define MAX_ARROWS 3000
#define MAX_INK    30 /* percent of all pixels that arrows take */

/* ORDER: the first that fits. Of the last one anything must. */
static const struct trace_draw_style styles[] = {
	{ 24, 5, 1, 13, 8, 14 }, { 14, 5, 1, 13, 8, 14 }, { 8, 5, 1, 13, 7, 14 },
	{ 6, 5, 1, 11, 6, 12 },  { 4, 4, 1, 8, 4, 11 },   { 3, 3, 1, 6, 3, 10 },
	{ 2, 3, 1, 4, 2, 6 },    { 2, 2, 0, 2, 1, 3 },    { 1, 1, 0, 2, 0, 3 },
};
#define STYLES (sizeof(styles) / sizeof(styles[0]))

uint32_t trace_draw_columns(uint32_t width)
{
	uint32_t gutter = width / 4 < MAX_GUTTER ? width / 4 : MAX_GUTTER;

	return width - gutter - 3 * TRACE_DRAW_MARGIN;
}

/* ---- names ---- */

/* What has no name is numbered. */
static enum jw_status number_rest(struct trace_picture *p, struct jw_err *e)
{
	const struct trace_drawing *d = p->drawing;
	bool failed = false;

	for (size_t i = 0; i < d->methods.n; i++) {
		if (!d->labels[i])
			d->labels[i] = jw_arena_fmt(p->arena, "function %llu",
						    (unsigned long long)d->methods.m[i].id);
		failed |= !d->labels[i];
	}
	for (uint32_t i = 0; i < d->scene->thread_count; i++) {
		if (!d->threads[i])
			d->threads[i] = trace_unnamed_thread(p->arena, d->scene, i);
		failed |= !d->threads[i];
	}
	return failed ? jw_nomem(e) : JW_OK;
}

struct jw_span trace_picture_short(const struct trace_picture *p, uint32_t method)
{
	struct jw_span label = jw_span_str(p->drawing->labels[method]);
	size_t n = 0;

	while (n < label.n && label.p[n] != '[')
		n++;
	while (n && label.p[n - 1] == ' ')
		n--;
	return jw_span_sub(label, 0, n ? n : label.n);
}

/* ---- rows ---- */

/* What LANE did: was in methods without waiting, or in I/O; the VM's own paused the others. */
static uint64_t done_ns(const struct trace_draw_lane *lane)
{
	return lane->inside_ns > lane->state_ns ? lane->inside_ns : lane->state_ns;
}

static bool is_idle(const struct trace_drawing *d, const struct trace_draw_lane *lane)
{
	return (double)done_ns(lane) * 100 <
	       (double)(d->scale.to - d->scale.from) * d->options->busy;
}

static int by_done(const void *a, const void *b)
{
	const struct trace_draw_row *x = a, *y = b;
	uint64_t left = done_ns(x->lane), right = done_ns(y->lane);

	if (left != right)
		return left > right ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static int by_order(const void *a, const void *b)
{
	const struct trace_draw_row *x = a, *y = b;

	return x->order < y->order ? -1 : x->order > y->order;
}

/* Of too many, those that did most, in their old order. */
static void choose_rows(struct trace_picture *p)
{
	if (p->row_n <= MAX_ROWS)
		return;
	p->many = (uint32_t)p->row_n - MAX_ROWS;
	qsort(p->rows, p->row_n, sizeof(*p->rows), by_done);
	p->row_n = MAX_ROWS;
	qsort(p->rows, p->row_n, sizeof(*p->rows), by_order);
}

static enum jw_status no_such_thread(const struct trace_picture *p, const char *const *names,
				     struct jw_err *e)
{
	uint32_t count = p->drawing->scene->thread_count;

	return jw_fail(e, JW_USAGE, "no thread's name matches '%s': the first is \"%s\"%s%s%s",
		       p->drawing->options->threads, names[0], count > 1 ? ", the last \"" : "",
		       count > 1 ? names[count - 1] : "", count > 1 ? "\"" : "");
}

/* The row of lane ORDER, a thread of PROCESS, if it is to be drawn. False: no memory. */
static bool find_row(struct trace_picture *p, uint32_t process, uint32_t order, const char *name)
{
	const struct trace_drawing *d = p->drawing;
	const struct trace_draw_options *o = d->options;
	struct trace_draw_row row = { .lane = &d->lanes[order], .name = name, .order = order };

	if (o->threads && fnmatch(o->threads, name, 0) != 0)
		return true;
	p->matched++;
	if (is_idle(d, row.lane)) {
		p->idle++;
		return true;
	}
	const char *of = trace_process_name(p->arena, d->scene, process);

	if (of && *of)
		row.name = jw_arena_fmt(p->arena, "%s (%s)", name, of);
	p->rows[p->row_n++] = row;
	return of && row.name;
}

static enum jw_status find_rows(struct trace_picture *p, const char *const *names, struct jw_err *e)
{
	const struct trace_scene *scene = p->drawing->scene;

	p->rows = JW_NEW_ARRAY(p->arena, struct trace_draw_row, scene->thread_count + 1);
	p->row_of = JW_NEW_ARRAY(p->arena, uint32_t, scene->thread_count + 1);
	if (!p->rows || !p->row_of)
		return jw_nomem(e);
	for (uint32_t i = 0; i < scene->process_count; i++) {
		const struct trace_scene_process *task = &scene->processes[i];

		for (uint32_t k = task->first; k < task->first + task->threads; k++)
			if (!find_row(p, i, k, names[k]))
				return jw_nomem(e);
	}
	if (p->matched == 0)
		return no_such_thread(p, names, e);
	choose_rows(p);
	for (size_t i = 0; i < p->row_n; i++)
		p->row_of[p->rows[i].order] = (uint32_t)i + 1;
	return JW_OK;
}

/* ---- heights ---- */

static uint32_t levels_of(const struct trace_picture *p, const struct trace_draw_row *row)
{
	uint32_t n = (uint32_t)row->lane->level_n;

	return n < p->levels ? n : p->levels;
}

/* Sets the places of all rows; the height of all. */
static uint32_t place_rows(struct trace_picture *p)
{
	const struct trace_draw_style *s = p->style;
	uint32_t y = 0;

	for (size_t i = 0; i < p->row_n; i++) {
		struct trace_draw_row *row = &p->rows[i];
		uint32_t height;

		row->levels = levels_of(p, row);
		height = s->strip + (row->levels ? s->line + row->levels * s->level : 0);
		row->height = height > s->least ? height : s->least;
		row->y = y;
		y += row->height + s->gap;
	}
	return y;
}

static void choose_style(struct trace_picture *p)
{
	uint32_t asked = p->drawing->options->max_depth;

	for (size_t i = 0; i < STYLES; i++) {
		p->style = &styles[i];
		p->levels = asked ? asked : styles[i].levels;
		p->height = place_rows(p);
		if (p->height <= MAX_HEIGHT)
			return;
	}
}

/* ---- what the legend names ---- */

static enum jw_status count_shown(struct trace_picture *p, struct jw_err *e)
{
	p->shown = JW_NEW_ARRAY(p->arena, uint64_t, p->drawing->methods.n + 1);
	if (!p->shown)
		return jw_nomem(e);
	for (size_t i = 0; i < p->row_n; i++) {
		const struct trace_draw_row *row = &p->rows[i];
		const struct trace_draw_band *states = &row->lane->states;

		for (size_t k = 0; k < states->n; k++)
			p->kinds[states->runs[k].what & ~TRACE_DRAW_FAINT] = true;
		for (uint32_t level = 0; level < row->levels; level++) {
			const struct trace_draw_band *band = &row->lane->levels[level];

			for (size_t k = 0; k < band->n; k++)
				p->shown[band->runs[k].what & ~TRACE_DRAW_FAINT] +=
					band->runs[k].last - band->runs[k].first + 1u;
		}
	}
	return JW_OK;
}

/* ---- arrows ---- */

static int by_place(const void *a, const void *b)
{
	const struct trace_draw_arrow *x = a, *y = b;

	if (x->sent != y->sent)
		return x->sent < y->sent ? -1 : 1;
	if (x->received != y->received)
		return x->received < y->received ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->to < y->to ? -1 : x->to > y->to;
}

/* Sorts out the N arrows that are the same on the picture; how many are left. */
static size_t keep_distinct(struct trace_draw_arrow *arrows, size_t n)
{
	size_t distinct = 0;

	if (n > 1)
		qsort(arrows, n, sizeof(*arrows), by_place);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || by_place(&arrows[i], &arrows[distinct - 1]) != 0)
			arrows[distinct++] = arrows[i];
	return distinct;
}

/* Which part of the rows the arrows would cover, in percent of their pixels. */
static uint64_t ink_of(const struct trace_picture *p, size_t n)
{
	uint64_t ink = 0, all = (uint64_t)p->drawing->scale.columns * p->height;

	for (size_t i = 0; i < n; i++) {
		uint32_t from = p->rows[p->row_of[p->arrows[i].from] - 1].y;
		uint32_t to = p->rows[p->row_of[p->arrows[i].to] - 1].y;

		ink += from > to ? from - to : to - from;
	}
	return ink * 100 / (all + 1);
}

/* Those between rows, each pixel's once, and of too many every so manieth. */
static enum jw_status choose_arrows(struct trace_picture *p, struct jw_err *e)
{
	const struct trace_drawing *d = p->drawing;
	size_t n = 0;

	p->arrows = JW_NEW_ARRAY(p->arena, struct trace_draw_arrow, d->arrow_n + 1);
	if (!p->arrows)
		return jw_nomem(e);
	for (size_t i = 0; i < d->arrow_n; i++)
		if (p->row_of[d->arrows[i].from] && p->row_of[d->arrows[i].to])
			p->arrows[n++] = d->arrows[i];
	p->arrow_all = n * d->stride;
	n = keep_distinct(p->arrows, n);
	uint64_t ink = ink_of(p, n), step = n / MAX_ARROWS + 1;

	step = ink / MAX_INK + 1 > step ? ink / MAX_INK + 1 : step;
	for (size_t i = 0; i < n; i += (size_t)step)
		p->arrows[p->arrow_n++] = p->arrows[i];
	p->arrow_ink = ink / step;
	p->arrow_step = step * d->stride;
	return JW_OK;
}

enum jw_status trace_picture_lay_out(struct trace_picture *p, struct jw_err *e)
{
	uint32_t width = p->drawing->options->width;
	uint32_t most = width - 3 * TRACE_DRAW_MARGIN - p->drawing->scale.columns;

	JW_TRY(number_rest(p, e));
	JW_TRY(find_rows(p, p->drawing->threads, e));
	choose_style(p);
	for (size_t i = 0; i < p->row_n; i++) {
		uint32_t wide = trace_draw_width(jw_span_str(p->rows[i].name), TRACE_DRAW_LETTER);

		p->gutter = wide > p->gutter ? wide : p->gutter;
		p->calls += p->rows[i].lane->calls;
		if (p->rows[i].lane->deepest > p->deepest)
			p->deepest = p->rows[i].lane->deepest;
	}
	p->gutter = p->gutter < most ? p->gutter : most;
	JW_TRY(count_shown(p, e));
	return choose_arrows(p, e);
}
