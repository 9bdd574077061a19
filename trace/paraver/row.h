/*
 * row.h: the .row.
 */
#ifndef JW_TRACE_PARAVER_ROW_H
#define JW_TRACE_PARAVER_ROW_H

#include "base/bytes.h"

struct trace_prv;

void trace_put_rows(struct jw_buf *out, const struct trace_prv *prv);

#endif
