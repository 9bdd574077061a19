/*
 * deadlocks.h: threads each of which waits, to the end of its process, for a monitor or a lock that the next one was seen to
 * have (runtime-jni/jvm/holders.h), and the last one for one of the first.
 */
#ifndef JW_TRACE_REPORT_DEADLOCKS_H
#define JW_TRACE_REPORT_DEADLOCKS_H

#include "trace/report/reading.h"
#include "trace/report/stalls.h"

/* Those of OUT, whose threads are there, as sentences; false: no memory. */
bool trace_put_deadlocks(const struct trace_reading *r, const struct trace_stall_names *names,
			 struct jw_arena *arena, struct trace_report *out);

#endif
