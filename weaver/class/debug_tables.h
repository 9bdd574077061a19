/*
 * debug_tables.h: the debug tables of Code, moved. Called once the layout is final; each appends the
 * new info of the attribute INFO to OUT.
 */
#ifndef JW_WEAVER_DEBUG_TABLES_H
#define JW_WEAVER_DEBUG_TABLES_H

#include "weaver/class/plan.h"

void weave_put_lines(const struct weave_plan *plan, struct jw_span info, struct jw_buf *out);
void weave_put_locals(const struct weave_plan *plan, struct jw_span info, struct jw_buf *out);
void weave_put_ranges(const struct weave_plan *plan, struct jw_span info, struct jw_buf *out);

#endif
