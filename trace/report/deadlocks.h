/*
 * deadlocks.h: the deadlocks of a reading (trace/replay/deadlocks.h).
 */
#ifndef JW_TRACE_REPORT_DEADLOCKS_H
#define JW_TRACE_REPORT_DEADLOCKS_H

#include "trace/report/reading.h"
#include "trace/report/stalls.h"

/* Those of OUT, whose threads are there, as sentences; false: no memory. */
bool trace_put_deadlocks(const struct trace_reading *r, const struct trace_stall_names *names,
			 struct jw_arena *arena, struct trace_report *out);

#endif
