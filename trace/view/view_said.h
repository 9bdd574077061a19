/*
  * view_said.h: what calls have captured, events of the program's own in them, and what arrows are called, for the
 * section "said" of a page.
 *
 *     add, add, ... -> want -> name, name, ... -> put -> free        {0}: nothing
 *
 * Memory: 40 bytes a value, of TRACE_VIEW_CAPTURES at most; more are counted.
 */
#ifndef JW_TRACE_VIEW_VIEW_SAID_H
#define JW_TRACE_VIEW_VIEW_SAID_H

#include <stdbool.h>

#include "trace/follow/wanted.h"
#include "trace/output.h"

struct trace_view_arrow;

struct trace_view_value {
	uint64_t begin, value; /* of its call */
	uint32_t row, line;    /* line: in the row; that of the outermost calls is 1 */
	uint32_t type;
	bool is_text; /* VALUE is the number of one */
	bool is_user; /* of an event of the program's own; of a .prv, captures are such, too */
};

struct trace_view_said {
	struct trace_view_value *at; /* owned */
	size_t n, cap;
	uint64_t all;
	struct jw_arena arena;
	struct trace_wanted wanted; /* names of those of is_user */
};

/* False: no memory. */
bool trace_view_said_add(struct trace_view_said *said, const struct trace_view_value *value);
/* All are added: their names are wanted. False: no memory. */
bool trace_view_said_want(struct trace_view_said *said);
/* As `name` of struct trace_output. */
void trace_view_said_name(struct trace_view_said *said, enum trace_name_kind what, uint64_t number,
			  struct jw_span label);
/* NAMES may be NULL (output.h); ARROWS are those that the page has. */
void trace_view_said_put(const struct trace_view_said *said, const struct trace_names *names,
			 const struct trace_view_arrow *arrows, size_t arrow_n, struct jw_buf *out);
void trace_view_said_free(struct trace_view_said *said);

#endif
