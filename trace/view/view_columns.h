/*
 * view_columns.h: how tracks and arrows are written, as view.h has them: into the page, and into the
 * answers of an index (view_index.h).
 */
#ifndef JW_TRACE_VIEW_VIEW_COLUMNS_H
#define JW_TRACE_VIEW_VIEW_COLUMNS_H

#include "base/bytes.h"
#include "trace/view/view_track.h"

struct trace_view_arrow {
	uint64_t sent, received, tag;
	uint32_t from, to;
};

void trace_view_put_track(struct jw_buf *out, const struct trace_view_track *t);

/* N arrows of ALL, in order of the time at which they are sent. */
void trace_view_put_arrows(struct jw_buf *out, uint64_t all, const struct trace_view_arrow *arrows,
			   size_t n);
/* Brings them into that order. */
void trace_view_sort_arrows(struct trace_view_arrow *arrows, size_t n);

#endif
