/*
 * little_else.h: which waits are of threads that do little else.
 */
#ifndef JW_TRACE_REPORT_LITTLE_ELSE_H
#define JW_TRACE_REPORT_LITTLE_ELSE_H

#include <stdint.h>

#include "trace/report/channel_sums.h"
#include "trace/report/reading.h"
#include "trace/report/report.h"

#define TRACE_STALL_TASK 40 /* the bits from here on of a stall's first key are its process */

/* Does one such thread dwell there, or do several? */
enum trace_dwellers { TRACE_NO_DWELLER, TRACE_ONE_DWELLER, TRACE_SEVERAL_DWELLERS };

/* Which stalls of R, by their places, are of such threads: enum trace_dwellers of each; owned by ARENA. NULL:
 * no memory. */
uint8_t *trace_of_little_else(const struct trace_reading *r,
			      const struct trace_channel_names *channels, struct jw_arena *arena,
			      const struct trace_report *report);

#endif
