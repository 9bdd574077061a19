/*
 * call_more.h: what few of the open calls have (struct trace_call_more), which others need no room
 * for. Each lane keeps it in the order of its stack.
 */
#ifndef JW_TRACE_REPORT_CALL_MORE_H
#define JW_TRACE_REPORT_CALL_MORE_H

#include "trace/report/reading.h"

/* What the innermost call of LANE, which there is, has beside what all have: all 0 if it had nothing until
 * now. Holds until the next call of this. NULL: no memory, which R knows. */
struct trace_call_more *trace_call_more(struct trace_reading *r, struct trace_lane *lane);
/* The same of CALL, which is open on LANE. NULL: it has nothing. */
static inline struct trace_call_more *trace_call_has(const struct trace_lane *lane,
						     const struct trace_call *call)
{
	return call->more ? &lane->more[call->more - 1] : NULL;
}

/* What CALL, which was the innermost of LANE, had: *OUT. False: nothing. */
bool trace_call_more_take(struct trace_lane *lane, const struct trace_call *call,
			  struct trace_call_more *out);

#endif
