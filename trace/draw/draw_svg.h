/*
 * draw_svg.h: rows become SVG, from top to bottom.
 */
#ifndef JW_TRACE_DRAW_DRAW_SVG_H
#define JW_TRACE_DRAW_DRAW_SVG_H

#include "trace/draw/draw_layout.h"

enum jw_status JW_MUST_USE trace_picture_put(const struct trace_picture *p, struct jw_buf *svg,
					     struct jw_err *e);

#endif
