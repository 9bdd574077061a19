/*
 * time_by_state.h: what threads do at any time, for the thread and for the innermost of its calls.
 */
#ifndef JW_TRACE_REPORT_TIME_BY_STATE_H
#define JW_TRACE_REPORT_TIME_BY_STATE_H

#include "trace/report/reading.h"

/* What the thread of lane AT has done until TIME is counted, for it and for the innermost call. */
void trace_split_until(struct trace_reading *r, uint32_t at, uint64_t time);
/* STATE from BEGIN to END. */
void trace_split_state(struct trace_reading *r, uint32_t at, uint64_t begin, uint64_t end,
		       uint64_t state);
/* A pause of the collector begins or ends in the process of lane AT. */
void trace_split_pause(struct trace_reading *r, uint32_t at, uint64_t time, bool begins);
/* CALL, the innermost of LANE until now, has ended, with what it had beside (NULL: nothing): what it did is
 * also done inside of its caller, and of its method. Returns for how long it and its calls ran. */
uint64_t trace_split_leave(struct trace_reading *r, struct trace_lane *lane,
			   const struct trace_call *call, const struct trace_call_more *more);

#endif
