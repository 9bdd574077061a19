/*
 * draw_layout.h: which lanes become rows, how high each is, and how wide the names are: once all
 * records were read.
 */
#ifndef JW_TRACE_DRAW_DRAW_LAYOUT_H
#define JW_TRACE_DRAW_DRAW_LAYOUT_H

#include "trace/draw/drawing.h"

/* Pixels around everything. */
#define TRACE_DRAW_MARGIN 12
/* Letters: of names and figures, of the title, of methods in their bands. */
#define TRACE_DRAW_LETTER 11
#define TRACE_DRAW_TITLE  15
#define TRACE_DRAW_SMALL  9

/* How many columns a picture of WIDTH pixels has, whatever its names. */
uint32_t trace_draw_columns(uint32_t width);

struct trace_draw_row {
	const struct trace_draw_lane *lane;
	const char *name;
	uint32_t order;     /* of the lane */
	uint32_t y, height; /* without the gap to the next */
	uint32_t levels;    /* that are drawn */
};

/* How high the parts of a row are, in pixels. */
struct trace_draw_style {
	uint32_t levels;             /* at most */
	uint32_t strip, line, level; /* states, what is between, one level of methods */
	uint32_t gap, least;         /* between rows; of a row */
};

struct trace_picture {
	const struct trace_drawing *drawing;
	struct jw_arena *arena;
	struct trace_draw_row *rows; /* arena */
	uint32_t *row_of;            /* by lane: 1 + its row; 0: none; arena */
	size_t row_n;
	const struct trace_draw_style *style;
	uint32_t levels;              /* at most, of a row */
	uint32_t gutter, top, height; /* names are left of it; rows begin below; of all rows */
	uint32_t matched, idle, many; /* threads: that match, left out as idle, and as too many */
	struct trace_draw_arrow *arrows; /* between rows, each once; arena */
	size_t arrow_n;
	uint64_t arrow_all, arrow_step; /* in the trace, about; one of so many is drawn */
	uint64_t arrow_ink;             /* percent of the pixels of rows */
	uint64_t deepest, calls;
	uint64_t *shown;                   /* columns of rows, by method; arena */
	bool kinds[TRACE_DRAW_KIND_COUNT]; /* of states that rows have */
};

enum jw_status JW_MUST_USE trace_picture_lay_out(struct trace_picture *p, struct jw_err *e);
/* What a method is called, without its long form. */
struct jw_span trace_picture_short(const struct trace_picture *p, uint32_t method);

#endif
