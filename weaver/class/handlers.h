/*
 * handlers.h: the exception table of the new code. Called by emit.c once the layout is final.
 */
#ifndef JW_WEAVER_HANDLERS_H
#define JW_WEAVER_HANDLERS_H

#include "weaver/class/body.h"

/* Writes the table, its count first. */
enum jw_status JW_MUST_USE weave_put_handlers(struct weave_body *b, struct jw_buf *out,
					      struct jw_err *e);

/* How many entries of the new table the range START..END of the input becomes: it is split around
 * islands. */
uint32_t weave_pieces(const struct weave_plan *plan, uint32_t start, uint32_t end);

#endif
