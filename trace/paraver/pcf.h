/*
 * pcf.h: the .pcf as a whole, once all is told.
 */
#ifndef JW_TRACE_PARAVER_PCF_H
#define JW_TRACE_PARAVER_PCF_H

#include "base/bytes.h"

struct trace_names;
struct trace_prv;

/* PRV knows which types were written. */
void trace_put_pcf(struct jw_buf *out, const struct trace_prv *prv,
		   const struct trace_names *names);

#endif
