/*
 * draw_marks.h: what a picture has around its rows: title, legend, axis, grid, arrows.
 */
#ifndef JW_TRACE_DRAW_DRAW_MARKS_H
#define JW_TRACE_DRAW_DRAW_MARKS_H

#include "trace/draw/draw_layout.h"

/* A picture that is being written, from top to bottom. */
struct trace_svg {
	const struct trace_picture *p;
	struct jw_buf body; /* all but what depends on the height */
	uint32_t width, y;  /* Y: where the next part begins */
	uint32_t left;      /* of the columns */
	bool failed;        /* no memory */
};

/* The title and what is to be known; swatches of states and methods. */
void trace_svg_put_title(struct trace_svg *s);
void trace_svg_put_legend(struct trace_svg *s);
/* Ticks above the rows, through rows that begin at S->y, and below high ones. */
void trace_svg_put_axis(struct trace_svg *s);
void trace_svg_put_grid(struct trace_svg *s);
void trace_svg_put_axis_below(struct trace_svg *s);
/* Between rows that begin at S->y. */
void trace_svg_put_arrows(struct trace_svg *s);

#endif
