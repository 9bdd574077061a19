/*
 * emit.h: the new Code attribute. The last step: everything else of the body is final.
 */
#ifndef JW_WEAVER_EMIT_H
#define JW_WEAVER_EMIT_H

#include "weaver/class/body.h"

/* Writes the Code attribute's info by the layout. */
enum jw_status JW_MUST_USE weave_emit(struct weave_body *b, struct jw_buf *out, struct jw_err *e);

#endif
