/*
 * draw_marks.c: what surrounds the rows of a picture: title, notes, legend, ticks; and the arrows
 * between them.
 */
#include <stdlib.h>

#include "trace/draw/draw_band.h"
#include "trace/draw/draw_layout.h"
#include "trace/draw/draw_marks.h"
#include "trace/draw/draw_text.h"
#include "trace/draw/drawing.h"
#include "trace/reader/time_range.h"
#include "trace/replay/method_numbers.h"

#include "base/banned.h"

#define LINE         16  /* pixels between lines of text */
#define TICK_ROOM    90  /* pixels that a tick has at least */
#define LEGEND_NAMES 14  /* methods in the legend, at most */
#define HIGH         500 /* pixels of rows that have ticks below, too */
#define DOT          " \xc2\xb7 "

static const char *const kind_names[] = {
#define KIND_NAME(name, text) text,
	TRACE_DRAW_KINDS(KIND_NAME)
#undef KIND_NAME
};

/* ---- title ---- */

/* "1,234,567" */
static void put_grouped(struct jw_buf *out, uint64_t n)
{
	if (n >= 1000) {
		put_grouped(out, n / 1000);
		jw_put_fmt(out, ",%03u", (unsigned)(n % 1000));
	} else {
		jw_put_dec(out, n);
	}
}

static void put_count(struct jw_buf *out, uint64_t n, const char *what)
{
	put_grouped(out, n);
	jw_put_fmt(out, " %s%s", what, jw_s(n));
}

static void put_figures(struct jw_buf *out, const struct trace_picture *p)
{
	const struct trace_drawing *d = p->drawing;
	uint32_t threads = d->scene->thread_count;

	if (d->scale.from > 0 || d->scale.to < d->scene->end) {
		trace_put_time(out, d->scale.from);
		jw_put_str(out, " to ");
		trace_put_time(out, d->scale.to);
		jw_put_str(out, " of ");
	}
	trace_put_time(out, d->scene->end);
	jw_put_str(out, DOT);
	if (p->row_n < threads) {
		put_grouped(out, p->row_n);
		jw_put_str(out, " of ");
	}
	put_count(out, threads, "thread");
	jw_put_str(out, DOT);
	put_count(out, p->calls, "call");
}

static void put_note(struct trace_svg *s, struct jw_buf *text)
{
	if (text->n) {
		s->y += LINE;
		jw_put_fmt(&s->body, "<text class=\"g\" x=\"%u\" y=\"%u\">", TRACE_DRAW_MARGIN,
			   s->y - 4);
		trace_draw_put_front(&s->body, jw_buf_span(text), TRACE_DRAW_LETTER,
				     s->width - 2 * TRACE_DRAW_MARGIN);
		jw_put_str(&s->body, "</text>\n");
	}
	s->failed |= text->failed != JW_OK;
	jw_buf_clear(text);
}

/* What is not in the picture. */
static void put_notes(struct trace_svg *s)
{
	const struct trace_picture *p = s->p;
	uint32_t most = p->levels < p->drawing->most_levels ? p->levels : p->drawing->most_levels;
	struct jw_buf text = { 0 };

	if (p->drawing->options->threads)
		jw_put_fmt(&text, "threads whose names match %s", p->drawing->options->threads);
	put_note(s, &text);
	if (p->idle) {
		put_count(&text, p->idle, "thread");
		jw_put_str(&text, " that did less than 1 % left out");
	}
	put_note(s, &text);
	if (p->many) {
		jw_put_str(&text, "the ");
		put_count(&text, p->row_n, "thread");
		jw_put_str(&text, " that did most");
	}
	put_note(s, &text);
	if (p->deepest > most)
		jw_put_fmt(&text, "the first %u of %llu levels of calls", most,
			   (unsigned long long)p->deepest);
	put_note(s, &text);
	if (p->arrow_step > 1) {
		jw_put_fmt(&text, "one of %llu arrows drawn, of ",
			   (unsigned long long)p->arrow_step);
		put_grouped(&text, p->arrow_all);
	}
	put_note(s, &text);
	jw_buf_free(&text);
}

void trace_svg_put_title(struct trace_svg *s)
{
	struct jw_buf figures = { 0 };
	uint32_t room = s->width - 2 * TRACE_DRAW_MARGIN, wide;

	put_figures(&figures, s->p);
	wide = trace_draw_width(jw_buf_span(&figures), TRACE_DRAW_LETTER) + TRACE_DRAW_MARGIN;
	s->y += LINE;
	jw_put_fmt(&s->body, "<text class=\"t\" x=\"%u\" y=\"%u\">", TRACE_DRAW_MARGIN, s->y);
	trace_draw_put_middle(&s->body, jw_span_str(s->p->drawing->options->title),
			      TRACE_DRAW_TITLE, room > 2 * wide ? room - wide : room / 2);
	jw_put_fmt(&s->body, "<tspan dx=\"%u\" font-size=\"%u\" font-weight=\"400\" class=\"g\">",
		   TRACE_DRAW_MARGIN, TRACE_DRAW_LETTER);
	trace_draw_put_xml(&s->body, jw_buf_span(&figures));
	jw_put_str(&s->body, "</tspan></text>\n");
	s->failed |= figures.failed != JW_OK;
	jw_buf_free(&figures);
	s->y += 6;
	put_notes(s);
}

/* ---- legend ---- */

/* Entries go from left to right, and on in the next line. */
struct flow {
	struct trace_svg *s;
	uint32_t x;
};

/* Room for a swatch and TEXT; its place is F->x. */
static void make_room(struct flow *f, struct jw_span text)
{
	uint32_t wide = 14 + trace_draw_width(text, TRACE_DRAW_LETTER);

	if (f->x > TRACE_DRAW_MARGIN && f->x + wide > f->s->width - TRACE_DRAW_MARGIN) {
		f->x = TRACE_DRAW_MARGIN;
		f->s->y += LINE;
	}
}

static void put_entry(struct flow *f, struct jw_span text)
{
	uint32_t room = f->s->width - TRACE_DRAW_MARGIN - f->x - 14;

	jw_put_fmt(&f->s->body, "<text x=\"%u\" y=\"%u\">", f->x + 14, f->s->y + 10);
	trace_draw_put_front(&f->s->body, text, TRACE_DRAW_LETTER, room);
	jw_put_str(&f->s->body, "</text>\n");
	f->x += 14 + trace_draw_width(text, TRACE_DRAW_LETTER) + TRACE_DRAW_MARGIN;
}

static void put_kinds(struct flow *f)
{
	for (uint32_t kind = 0; kind < TRACE_DRAW_KIND_COUNT; kind++) {
		struct jw_span text = jw_span_str(kind_names[kind]);

		if (!f->s->p->kinds[kind])
			continue;
		make_room(f, text);
		jw_put_fmt(&f->s->body, "<path class=\"c s%u\" d=\"M%u %uh10v%uh-10z\"/>\n", kind,
			   f->x, f->s->y + 1, kind ? 5u : 10u);
		if (kind) /* as it looks over methods */
			jw_put_fmt(&f->s->body, "<path class=\"w%u\" d=\"M%u %uh10v5h-10z\"/>\n",
				   kind, f->x, f->s->y + 6);
		put_entry(f, text);
	}
}

/* The method that is shown most among those that are shown less than *LIMIT, or as much and come
 * after *AFTER; TRACE_NO_METHOD: none. */
static uint32_t next_shown(const struct trace_picture *p, uint64_t limit, uint32_t after)
{
	uint32_t best = TRACE_NO_METHOD;

	for (uint32_t i = 0; i < p->drawing->methods.n; i++) {
		uint64_t n = p->shown[i];

		if (n == 0 || n > limit || (n == limit && i <= after))
			continue;
		if (best == TRACE_NO_METHOD || n > p->shown[best])
			best = i;
	}
	return best;
}

static void put_methods(struct flow *f)
{
	const struct trace_picture *p = f->s->p;
	uint32_t method = next_shown(p, UINT64_MAX, 0);

	for (int i = 0; i < LEGEND_NAMES && method != TRACE_NO_METHOD; i++) {
		struct jw_span name = trace_picture_short(p, method);

		make_room(f, name);
		jw_put_str(&f->s->body, "<path class=\"c m\" fill=\"");
		trace_draw_put_colour(&f->s->body, name);
		jw_put_fmt(&f->s->body, "\" d=\"M%u %uh10v10h-10z\"/>\n", f->x, f->s->y + 1);
		put_entry(f, name);
		method = next_shown(p, p->shown[method], method);
	}
}

static void put_arrow_entry(struct flow *f)
{
	struct jw_span text = JW_SPAN_LIT("lets another thread go on");

	if (f->s->p->arrow_n == 0)
		return;
	make_room(f, text);
	jw_put_fmt(&f->s->body,
		   "<path class=\"a\" d=\"M%u %uh10\"/>"
		   "<path class=\"h\" d=\"M%u %ul-4 -2.5v5z\"/>\n",
		   f->x, f->s->y + 6, f->x + 11, f->s->y + 6);
	put_entry(f, text);
}

void trace_svg_put_legend(struct trace_svg *s)
{
	struct flow f = { s, TRACE_DRAW_MARGIN };
	uint32_t begun = s->y += 4;

	put_kinds(&f);
	put_arrow_entry(&f);
	if (f.x > TRACE_DRAW_MARGIN) {
		f.x = TRACE_DRAW_MARGIN;
		s->y += LINE;
	}
	put_methods(&f);
	if (f.x > TRACE_DRAW_MARGIN)
		s->y += LINE;
	s->y += s->y > begun ? 4 : 0;
}

/* ---- ticks ---- */

struct ticks {
	uint64_t step, unit;
	int digits;
};

/* Steps of 1, 2 or 5 times a power of ten; figures in the unit that the end is some of. */
static struct ticks choose_ticks(const struct trace_draw_scale *s)
{
	uint32_t most = s->columns / TICK_ROOM + 1;
	struct ticks t = { .step = 1, .unit = 1 };
	uint64_t power = 1, scale;

	for (unsigned i = 0; (s->to - s->from) / t.step > most && power < UINT64_MAX / 100; i++) {
		static const uint8_t factors[] = { 1, 2, 5 };

		power *= i && i % 3 == 0 ? 10 : 1;
		t.step = power * factors[i % 3];
	}
	while (t.unit < UINT64_C(1000000000) && s->to / t.unit >= 2000)
		t.unit *= 1000;
	for (scale = t.unit; scale > 1 && t.step % scale; scale /= 10)
		t.digits++;
	return t;
}

static uint32_t x_of(const struct trace_svg *s, uint64_t time)
{
	return s->left + trace_draw_column(&s->p->drawing->scale, time);
}

static void put_figure(struct trace_svg *s, const struct ticks *t, uint64_t time, uint32_t y)
{
	const char *anchor = time == s->p->drawing->scale.from ? "start" : "middle";

	/* the last would leave the picture */
	if (x_of(s, time) + TICK_ROOM / 3 > s->width)
		anchor = "end";
	jw_put_fmt(&s->body, "<text class=\"g\" x=\"%u\" y=\"%u\" text-anchor=\"%s\">",
		   x_of(s, time), y, anchor);
	if (time)
		trace_put_ns(&s->body, time, t->unit, t->digits);
	else
		jw_put_str(&s->body, "0");
	jw_put_str(&s->body, "</text>\n");
}

/* Each tick: its figure at Y, or, where Y is 0, a line through the rows. */
static void put_ticks(struct trace_svg *s, uint32_t y)
{
	const struct trace_draw_scale *scale = &s->p->drawing->scale;
	struct ticks t = choose_ticks(scale);
	uint64_t first = (t.step - scale->from % t.step) % t.step, span = scale->to - scale->from;

	for (uint64_t n = first <= span ? (span - first) / t.step + 1 : 0; n > 0; n--) {
		uint64_t time = scale->to - (span - first) % t.step - (n - 1) * t.step;

		if (y)
			put_figure(s, &t, time, y);
		else
			jw_put_fmt(&s->body, "M%u.5 %uv%u", x_of(s, time), s->y, s->p->height);
	}
}

void trace_svg_put_axis(struct trace_svg *s)
{
	s->y += LINE;
	put_ticks(s, s->y - 4);
	s->y += 2;
}

void trace_svg_put_grid(struct trace_svg *s)
{
	jw_put_str(&s->body, "<path class=\"l c\" d=\"");
	put_ticks(s, 0);
	jw_put_str(&s->body, "\"/>\n");
}

void trace_svg_put_axis_below(struct trace_svg *s)
{
	if (s->p->height < HIGH)
		return;
	s->y += LINE;
	put_ticks(s, s->y - 4);
}

/* ---- arrows ---- */

/* Where an arrow leaves or meets ROW: at its edge that is nearer to the other end. */
static uint32_t edge_of(const struct trace_svg *s, const struct trace_draw_row *row, bool lower)
{
	return s->y + row->y + (lower ? row->height : 0);
}

/* The more there are, the lighter: what is below them has to be seen. */
static const char *weight_of(const struct trace_picture *p)
{
	return p->arrow_ink < 2 ? "" : p->arrow_ink < 8 ? " i" : " j";
}

void trace_svg_put_arrows(struct trace_svg *s)
{
	const struct trace_picture *p = s->p;
	const char *head = p->style->level > 4 ? "l-2.5 -4h5z" : "l-1.5 -2.5h3z";
	const char *up = p->style->level > 4 ? "l-2.5 4h5z" : "l-1.5 2.5h3z";
	struct jw_buf heads = { 0 };

	if (p->arrow_n == 0)
		return;
	jw_put_fmt(&s->body, "<path class=\"a%s\" d=\"", weight_of(p));
	for (size_t i = 0; i < p->arrow_n; i++) {
		const struct trace_draw_arrow *a = &p->arrows[i];
		const struct trace_draw_row *from = &p->rows[p->row_of[a->from] - 1];
		const struct trace_draw_row *to = &p->rows[p->row_of[a->to] - 1];
		bool down = to > from;
		uint32_t x = s->left + a->received, y = edge_of(s, to, !down);

		jw_put_fmt(&s->body, "M%u %uL%u %u", s->left + a->sent, edge_of(s, from, down), x,
			   y);
		jw_put_fmt(&heads, "M%u %u%s", x, y, down ? head : up);
	}
	jw_put_fmt(&s->body, "\"/>\n<path class=\"h%s\" d=\"", weight_of(p));
	jw_put_bytes(&s->body, jw_buf_span(&heads));
	jw_put_str(&s->body, "\"/>\n");
	s->failed |= heads.failed != JW_OK;
	jw_buf_free(&heads);
}
