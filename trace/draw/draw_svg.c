/*
 * draw_svg.c: the picture as SVG: one file that needs nothing else, no script, no font.
 *
 *     title, notes
 *     legend
 *     ticks
 *     name | states       one group a row: a path for each kind of state, one for each method
 *          | main         (with its name as a tooltip), hatches where the thread waits, and text
 *          |  run  run    where it fits
 *     ticks
 *
 * Colours are in the style sheet, once for light and once for dark surroundings.
 */
#include <stdlib.h>

#include "trace/draw/draw_band.h"
#include "trace/draw/draw_layout.h"
#include "trace/draw/draw_marks.h"
#include "trace/draw/draw_svg.h"
#include "trace/draw/draw_text.h"
#include "trace/draw/drawing.h"

#include "base/banned.h"

#define TEXT_LEVEL 11 /* pixels that a level must have for text in it */
#define TEXT_LEAST 34 /* pixels that a run must have */

static const char style[] =
	"<style>"
	"text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;"
	"font-size:11px;fill:#24292f}"
	".t{font-size:15px;font-weight:600}.g{fill:#6a737d}.f{font-size:9px;fill:#111}"
	".c{shape-rendering:crispEdges}.b{fill:#fff}.r{fill:#f1f3f5}.v{fill:#fff;opacity:.4}"
	".l{stroke:#000;stroke-opacity:.1}.x{opacity:.45}"
	".a{fill:none;stroke:#1f2328;stroke-width:.8;opacity:.55}.h{fill:#1f2328;opacity:.8}"
	".a.i{opacity:.3}.a.j{opacity:.16}.h.i{opacity:.6}.h.j{opacity:.35}"
	".s0{fill:#4cae6b}.s1{fill:#d1242f}.s2{fill:#e69a28}.s3{fill:#2f7fd1}.s4{fill:#bccae6}"
	".s5{fill:#8a63c9}.s6{fill:#9aa3ad}"
	".k1{fill:#c1121f}.k2{fill:#c97a06}.k3{fill:#1c62b0}.k4{fill:#8ea3cc}.k5{fill:#6d43b5}"
	".k6{fill:#5c6670}"
	"@media(prefers-color-scheme:dark){"
	"text{fill:#d7dce2}.g{fill:#97a1ac}.f{fill:#0c0d0f}.b{fill:#14171b}.r{fill:#1f242a}"
	".v{opacity:.15}.l{stroke:#fff;stroke-opacity:.12}.m{opacity:.86}.x{opacity:.4}"
	".a{stroke:#e6edf3}.h{fill:#e6edf3}"
	".s0{fill:#3f9a5c}.s1{fill:#f0515b}.s2{fill:#e5a545}.s3{fill:#4b98e6}.s4{fill:#3e526a}"
	".s5{fill:#a17fe0}.s6{fill:#727b86}}"
	"</style>\n";

/* ---- states ---- */

static void put_rect(struct jw_buf *out, uint32_t x, uint32_t y, uint32_t w, uint32_t h)
{
	jw_put_fmt(out, "M%u %uh%uv%uh-%uz", x, y, w, h, w);
}

/* Where LEVEL begins in its row, and how high its bands are: a pixel keeps them apart. */
static uint32_t level_y(const struct trace_svg *s, uint32_t level)
{
	return s->p->style->strip + s->p->style->line + level * s->p->style->level;
}

static uint32_t level_height(const struct trace_svg *s)
{
	return s->p->style->level - (s->p->style->level > 3);
}

/* A path that begins with its first rectangle: of class CLASS and number KIND. */
struct path {
	struct jw_buf *out;
	const char *class;
	uint32_t kind;
	bool begun;
};

static void path_put(struct path *path, uint32_t first, uint32_t last, uint32_t y, uint32_t h)
{
	if (!path->begun)
		jw_put_fmt(path->out, "<path class=\"%s%u\" d=\"", path->class, path->kind);
	path->begun = true;
	put_rect(path->out, first, y, last - first + 1, h);
}

static void path_end(struct path *path)
{
	if (path->begun)
		jw_put_str(path->out, "\"/>\n");
}

static void put_states(struct trace_svg *s, const struct trace_draw_row *row)
{
	const struct trace_draw_band *states = &row->lane->states;

	for (uint32_t kind = 0; kind < TRACE_DRAW_KIND_COUNT; kind++) {
		struct path path = { .out = &s->body, .class = "s", .kind = kind };

		for (size_t i = 0; i < states->n; i++)
			if ((states->runs[i].what & ~TRACE_DRAW_FAINT) == kind)
				path_put(&path, states->runs[i].first, states->runs[i].last, 0,
					 s->p->style->strip);
		path_end(&path);
	}
}

/* Of LEVEL what goes on while the state is of PATH's kind: both are in order. */
static void put_hatched(struct path *path, const struct trace_draw_band *states,
			const struct trace_draw_band *level, uint32_t y, uint32_t h)
{
	size_t k = 0;

	for (size_t i = 0; i < states->n; i++) {
		const struct trace_draw_run *wait = &states->runs[i];

		if ((wait->what & ~TRACE_DRAW_FAINT) != path->kind)
			continue;
		while (k < level->n && level->runs[k].last < wait->first)
			k++;
		for (size_t m = k; m < level->n && level->runs[m].first <= wait->last; m++) {
			const struct trace_draw_run *r = &level->runs[m];

			path_put(path, r->first > wait->first ? r->first : wait->first,
				 r->last < wait->last ? r->last : wait->last, y, h);
		}
	}
}

/* Over the methods, where the thread did not run. */
static void put_hatches(struct trace_svg *s, const struct trace_draw_row *row)
{
	for (uint32_t kind = TRACE_DRAW_BLOCKED; kind < TRACE_DRAW_KIND_COUNT; kind++) {
		struct path path = { .out = &s->body, .class = "w w", .kind = kind };

		for (uint32_t level = 0; level < row->levels; level++)
			put_hatched(&path, &row->lane->states, &row->lane->levels[level],
				    level_y(s, level), level_height(s));
		path_end(&path);
	}
}

/* ---- methods ---- */

struct piece {
	uint32_t what, level;
	uint16_t first, last;
};

static int by_what(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	if (x->what != y->what)
		return x->what < y->what ? -1 : 1;
	if (x->level != y->level)
		return x->level < y->level ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

/* All runs of ROW, sorted by method; in memory of their own. NULL: none, or no memory. */
static struct piece *gather(struct trace_svg *s, const struct trace_draw_row *row, size_t *n)
{
	size_t all = 0;

	for (uint32_t level = 0; level < row->levels; level++)
		all += row->lane->levels[level].n;
	struct piece *pieces = all ? jw_mem_zalloc(all, sizeof(*pieces)) : NULL;

	s->failed |= all && !pieces;
	*n = 0;
	for (uint32_t level = 0; pieces && level < row->levels; level++) {
		const struct trace_draw_band *band = &row->lane->levels[level];

		for (size_t i = 0; i < band->n; i++)
			pieces[(*n)++] = (struct piece){ band->runs[i].what, level,
							 band->runs[i].first, band->runs[i].last };
	}
	if (*n > 1)
		qsort(pieces, *n, sizeof(*pieces), by_what);
	return pieces;
}

static void put_methods(struct trace_svg *s, const struct trace_draw_row *row)
{
	size_t n;
	struct piece *pieces = gather(s, row, &n);

	for (size_t i = 0; i < n; i++) {
		const struct piece *piece = &pieces[i];
		uint32_t method = piece->what & ~TRACE_DRAW_FAINT, wide = piece->last + 1u;

		if (i == 0 || piece->what != piece[-1].what) {
			jw_put_fmt(&s->body, "<path class=\"m%s\" fill=\"",
				   piece->what & TRACE_DRAW_FAINT ? " x" : "");
			trace_draw_put_colour(&s->body, trace_picture_short(s->p, method));
			jw_put_str(&s->body, "\" d=\"");
		}
		wide -= piece->first;
		put_rect(&s->body, piece->first, level_y(s, piece->level), wide, level_height(s));
		if (i + 1 == n || piece->what != piece[1].what) {
			jw_put_str(&s->body, "\"><title>");
			trace_draw_put_xml(&s->body, jw_span_str(s->p->drawing->labels[method]));
			jw_put_str(&s->body, "</title></path>\n");
		}
	}
	jw_mem_free(pieces);
}

/* "Class.method" where it fits, else "method", or its front. */
static void put_name(struct trace_svg *s, uint32_t method, uint32_t room)
{
	struct jw_span name = trace_picture_short(s->p, method);
	size_t n = name.n;

	if (trace_draw_width(name, TRACE_DRAW_SMALL) > room) {
		while (n && name.p[n - 1] != '.')
			n--;
		bool telling = n < name.n && name.p[n] != '<'; /* <init> tells nothing */

		name = jw_span_sub(name, telling ? n : 0, name.n);
	}
	trace_draw_put_front(&s->body, name, TRACE_DRAW_SMALL, room);
}

static void put_names(struct trace_svg *s, const struct trace_draw_row *row)
{
	uint32_t height = level_height(s);

	for (uint32_t level = 0; height + 1 >= TEXT_LEVEL && level < row->levels; level++) {
		const struct trace_draw_band *band = &row->lane->levels[level];

		for (size_t i = 0; i < band->n; i++) {
			const struct trace_draw_run *r = &band->runs[i];
			uint32_t wide = r->last - r->first + 1u;

			if (wide < TEXT_LEAST || r->what & TRACE_DRAW_FAINT)
				continue;
			jw_put_fmt(&s->body, "<text class=\"f\" x=\"%u\" y=\"%u\">", r->first + 2u,
				   level_y(s, level) + height - 3);
			put_name(s, r->what, wide - 4);
			jw_put_str(&s->body, "</text>\n");
		}
	}
}

/* ---- rows ---- */

/* With flat rows only some have a name, but all have a tooltip. */
static void put_label(struct trace_svg *s, const struct trace_draw_row *row, uint32_t *free_from)
{
	const struct trace_draw_style *style_of = s->p->style;
	uint32_t middle = row->height < 3 * TRACE_DRAW_LETTER
				  ? row->height / 2
				  : style_of->strip + TRACE_DRAW_LETTER / 2;

	if (row->y < *free_from)
		return;
	*free_from = row->y + TRACE_DRAW_LETTER;
	jw_put_fmt(&s->body, "<text x=\"%u\" y=\"%u\" text-anchor=\"end\">",
		   TRACE_DRAW_MARGIN + s->p->gutter, s->y + row->y + middle + 4);
	trace_draw_put_middle(&s->body, jw_span_str(row->name), TRACE_DRAW_LETTER, s->p->gutter);
	jw_put_str(&s->body, "</text>\n");
}

static void put_row(struct trace_svg *s, const struct trace_draw_row *row)
{
	jw_put_fmt(&s->body, "<g class=\"c\" transform=\"translate(%u,%u)\"><title>", s->left,
		   s->y + row->y);
	trace_draw_put_xml(&s->body, jw_span_str(row->name));
	jw_put_fmt(&s->body, "</title><path class=\"r\" d=\"M0 0h%uv%uh-%uz\"/>\n",
		   s->p->drawing->scale.columns, row->height, s->p->drawing->scale.columns);
	put_states(s, row);
	put_methods(s, row);
	put_hatches(s, row);
	put_names(s, row);
	jw_put_str(&s->body, "</g>\n");
}

static void put_rows(struct trace_svg *s)
{
	uint32_t free_from = 0;

	for (size_t i = 0; i < s->p->row_n; i++) {
		put_label(s, &s->p->rows[i], &free_from);
		put_row(s, &s->p->rows[i]);
	}
	if (s->p->row_n)
		return;
	jw_put_fmt(&s->body, "<text class=\"g\" x=\"%u\" y=\"%u\">no thread did that much</text>\n",
		   s->left, s->y + 2 * TRACE_DRAW_LETTER);
}

/* ---- all of it ---- */

/* Waits over methods: a veil, and lines in the colour of the state. */
static void put_patterns(struct jw_buf *svg)
{
	jw_put_str(svg, "<defs>");
	for (uint32_t kind = TRACE_DRAW_BLOCKED; kind < TRACE_DRAW_KIND_COUNT; kind++)
		jw_put_fmt(svg,
			   "<pattern id=\"p%u\" width=\"5\" height=\"5\" "
			   "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
			   "<path class=\"v\" d=\"M0 0h5v5h-5z\"/>"
			   "<path class=\"k%u\" d=\"M0 0h1.4v5h-1.4z\"/></pattern>\n",
			   kind, kind);
	jw_put_str(svg, "</defs>\n<style>");
	for (uint32_t kind = TRACE_DRAW_BLOCKED; kind < TRACE_DRAW_KIND_COUNT; kind++)
		jw_put_fmt(svg, ".w%u{fill:url(#p%u)}", kind, kind);
	jw_put_str(svg, ".w{pointer-events:none}text{pointer-events:none}</style>\n");
}

static void put_begin(struct jw_buf *svg, const struct trace_svg *s)
{
	jw_put_fmt(svg,
		   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
		   "viewBox=\"0 0 %u %u\" role=\"img\">\n<title>",
		   s->width, s->y, s->width, s->y);
	trace_draw_put_xml(svg, jw_span_str(s->p->drawing->options->title));
	jw_put_str(svg, "</title>\n");
	jw_put_str(svg, style);
	put_patterns(svg);
	jw_put_fmt(svg, "<path class=\"b\" d=\"M0 0h%uv%uh-%uz\"/>\n", s->width, s->y, s->width);
}

static void put_body(struct trace_svg *s)
{
	trace_svg_put_title(s);
	trace_svg_put_legend(s);
	trace_svg_put_axis(s);
	put_rows(s);
	trace_svg_put_grid(s);
	trace_svg_put_arrows(s);
	s->y += s->p->height;
	trace_svg_put_axis_below(s);
	s->y += TRACE_DRAW_MARGIN;
}

enum jw_status trace_picture_put(const struct trace_picture *p, struct jw_buf *svg,
				 struct jw_err *e)
{
	struct trace_svg s = { .p = p,
			       .left = p->gutter + 2 * TRACE_DRAW_MARGIN,
			       .y = TRACE_DRAW_MARGIN };

	s.width = s.left + p->drawing->scale.columns + TRACE_DRAW_MARGIN;
	put_body(&s);
	put_begin(svg, &s);
	jw_put_bytes(svg, jw_buf_span(&s.body));
	jw_put_str(svg, "</svg>\n");
	enum jw_status status = s.failed ? jw_nomem(e) : jw_buf_finish(&s.body, "picture", e);

	jw_buf_free(&s.body);
	return status == JW_OK ? jw_buf_finish(svg, "picture", e) : status;
}
