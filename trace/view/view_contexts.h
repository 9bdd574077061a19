/*
 * view_contexts.h: which traces of OpenTelemetry were current on which row, and when, for the section
 * "contexts" of a page.
 *
 *     take, take, ... -> end of each row -> put -> free        {0}: nothing
 *
 * Memory: 48 bytes a stretch of time, of TRACE_VIEW_CONTEXTS at most; more are counted.
 */
#ifndef JW_TRACE_VIEW_VIEW_CONTEXTS_H
#define JW_TRACE_VIEW_VIEW_CONTEXTS_H

#include <stdbool.h>

#include "trace/context.h"

struct trace_view_context {
	uint64_t begin, end, trace_high, trace_low, span;
	uint32_t row;
};

/* What is current on a row, from `since` on. {0}: nothing. */
struct trace_view_current {
	struct trace_context context;
	uint64_t since;
};

struct trace_view_contexts {
	struct trace_view_context *at; /* owned */
	size_t n, cap;
	uint64_t all;
};

/* A part of what is current on ROW (trace_is_context()). False: no memory. */
bool trace_view_contexts_take(struct trace_view_contexts *all, struct trace_view_current *row_has,
			      uint32_t row, uint64_t time, enum trace_type type, uint64_t value);
/* ROW is told no more: at TIME all is over. False: no memory. */
bool trace_view_contexts_end(struct trace_view_contexts *all, struct trace_view_current *row_has,
			     uint32_t row, uint64_t time);
void trace_view_contexts_put(const struct trace_view_contexts *all, struct jw_buf *out);
void trace_view_contexts_free(struct trace_view_contexts *all);

#endif
