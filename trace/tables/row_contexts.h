/*
 * row_contexts.h: which trace and span were current on a thread, as rows.
 */
#ifndef JW_TRACE_TABLES_ROW_CONTEXTS_H
#define JW_TRACE_TABLES_ROW_CONTEXTS_H

#include "trace/output.h"

struct trace_tables;

/* A part of a trace context (trace_is_context()). */
void trace_row_context_part(struct trace_tables *t, uint32_t thread, uint64_t time,
			    enum trace_type type, uint64_t value);
/* What is current on THREAD ends at TIME. */
void trace_row_context_over(struct trace_tables *t, uint32_t thread, uint64_t time);

#endif
