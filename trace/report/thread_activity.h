/*
 * thread_activity.h: what the events of a trace say beside calls: operations, bytes, waits.
 */
#ifndef JW_TRACE_REPORT_THREAD_ACTIVITY_H
#define JW_TRACE_REPORT_THREAD_ACTIVITY_H

#include "trace/report/reading.h"

/* An event of lane AT. */
void trace_doing_take(struct trace_reading *r, uint32_t at, uint64_t time, enum trace_type type,
		      uint64_t value);
/* Operation NUMBER of TYPE begins there; 0: the innermost ends. */
void trace_doing_operation(struct trace_reading *r, uint32_t at, uint64_t time,
			   enum jw_operation_type type, uint64_t number);
/* An arrow with TAG leads from lane FROM to lane TO. */
void trace_doing_arrow(struct trace_reading *r, uint32_t from, uint32_t to, uint64_t tag);
/* The trace ends at TIME. */
void trace_doing_end(struct trace_reading *r, uint32_t at, uint64_t time);
/* The place in jw_operations of NUMBER of TYPE; SIZE_MAX: none. */
size_t trace_operation_index(enum jw_operation_type type, uint64_t number);

#endif
