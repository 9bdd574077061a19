/*
 * thread_activity.h: what the events of a trace say beside calls: operations, bytes, waits.
 */
#ifndef JW_TRACE_REPORT_THREAD_ACTIVITY_H
#define JW_TRACE_REPORT_THREAD_ACTIVITY_H

#include "trace/report/reading.h"

/* An event of lane AT, of another type than that of functions. */
void trace_doing_take(struct trace_reading *r, uint32_t at, uint64_t time, uint64_t type,
		      uint64_t value);
/* An arrow with TAG leads from lane FROM to lane TO. */
void trace_doing_arrow(struct trace_reading *r, uint32_t from, uint32_t to, uint64_t tag);
/* The trace ends at TIME. */
void trace_doing_end(struct trace_reading *r, uint32_t at, uint64_t time);
/* The place in jw_operations of NUMBER of the event type EVENT; SIZE_MAX: none. */
size_t trace_operation_index(uint64_t event, uint64_t number);

#endif
