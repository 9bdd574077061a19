/*
 * report_types.h: exceptions thrown and caught, objects made, by class. Of bool: false: no memory.
 *
 *     take, take, ... -> open -> name .. -> finish
 */
#ifndef JW_TRACE_REPORT_REPORT_TYPES_H
#define JW_TRACE_REPORT_REPORT_TYPES_H

#include "trace/report/reading.h"

/* An event of lane AT. */
void trace_types_take(struct trace_reading *r, uint32_t at, enum trace_type type, uint64_t value);
/* All classes that occur; then their names, as labels have them; then the lists of OUT. */
bool trace_types_open(const struct trace_reading *r, struct jw_arena *arena,
		      struct trace_report_types *out);
bool trace_types_name(struct trace_report_types *types, struct jw_arena *arena, uint64_t value,
		      struct jw_span label);
bool trace_types_finish(struct trace_report_types *types, struct jw_arena *arena,
			struct trace_report *out);

#endif
