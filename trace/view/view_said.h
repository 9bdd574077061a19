/*
 * view_said.h: what calls have captured, and what arrows are called, for the section "said" of a page.
 *
 *     add, add, ... -> put -> free        {0}: nothing
 *
 * Memory: 40 bytes a value, of TRACE_VIEW_CAPTURES at most; more are counted.
 */
#ifndef JW_TRACE_VIEW_VIEW_SAID_H
#define JW_TRACE_VIEW_VIEW_SAID_H

#include <stdbool.h>

#include "trace/output.h"

struct trace_view_arrow;

struct trace_view_value {
	uint64_t begin, value; /* of its call */
	uint32_t row, line;    /* line: in the row; that of the outermost calls is 1 */
	uint32_t type;
	bool is_text; /* VALUE is the number of one */
};

struct trace_view_said {
	struct trace_view_value *at; /* owned */
	size_t n, cap;
	uint64_t all;
};

/* False: no memory. */
bool trace_view_said_add(struct trace_view_said *said, const struct trace_view_value *value);
/* NAMES may be NULL (output.h); ARROWS are those that the page has. */
void trace_view_said_put(const struct trace_view_said *said, const struct trace_names *names,
			 const struct trace_view_arrow *arrows, size_t arrow_n, struct jw_buf *out);
void trace_view_said_free(struct trace_view_said *said);

#endif
