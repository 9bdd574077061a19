/*
 * draw_text.h: names cut to their room, as XML; colours.
 */
#ifndef JW_TRACE_DRAW_DRAW_TEXT_H
#define JW_TRACE_DRAW_DRAW_TEXT_H

#include "base/bytes.h"

/* The width of letters of SIZE pixels: a guess on the safe side, fonts differ. */
uint32_t trace_draw_width(struct jw_span text, uint32_t size);
/* TEXT as XML. */
void trace_draw_put_xml(struct jw_buf *out, struct jw_span text);
/* The same, of a length that fits ROOM pixels: what is too long loses its middle, or its end. */
void trace_draw_put_middle(struct jw_buf *out, struct jw_span text, uint32_t size, uint32_t room);
void trace_draw_put_front(struct jw_buf *out, struct jw_span text, uint32_t size, uint32_t room);
/* "#rrggbb", the same for the same name in every picture. */
void trace_draw_put_colour(struct jw_buf *out, struct jw_span name);

#endif
