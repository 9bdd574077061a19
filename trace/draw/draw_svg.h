/*
 * draw_svg.h: rows become SVG, from top to bottom.
 */
#ifndef JW_TRACE_DRAW_DRAW_SVG_H
#define JW_TRACE_DRAW_DRAW_SVG_H

#include "trace/draw/draw_layout.h"

/* A picture that is being written, from top to bottom. */
struct trace_svg {
	const struct trace_picture *p;
	struct jw_buf body; /* all but what depends on the height */
	uint32_t width, y;  /* Y: where the next part begins */
	uint32_t left;      /* of the columns */
	bool failed;        /* no memory */
};

enum jw_status JW_MUST_USE trace_picture_put(const struct trace_picture *p, struct jw_buf *svg,
					     struct jw_err *e);

#endif
