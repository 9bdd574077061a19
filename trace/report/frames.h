/*
 * frames.h: calls begin and end: the frames of lanes, the tree of calls, and what is added up once a
 * call is over.
 *
 *     enter, leave, ... -> settle -> ... -> end      settle: before anything else is told
 *
 * With hundreds of threads and methods what a call adds to is in no cache. So what is told waits
 * until TRACE_FRAMES_AHEAD more were told, and what a call adds to sums waits, too: the lines that
 * they need are fetched meanwhile. The order of all stays as it is told. Of few threads what is told is
 * taken at once.
 *
 *     told    [ enter 3 ][ leave 7 ][ enter 7 ] ..      the lane is fetched, its frame, then the node
 *     over    [ call ][ call ] ..                       sums are fetched
 */
#ifndef JW_TRACE_REPORT_FRAMES_H
#define JW_TRACE_REPORT_FRAMES_H

#include "trace/report/reading.h"

/* The method with ID is entered on lane AT; its innermost call ends, FAILED: by an exception. */
void trace_frames_enter(struct trace_reading *r, uint32_t at, uint64_t time, uint64_t id);
void trace_frames_leave(struct trace_reading *r, uint32_t at, uint64_t time, bool failed);
/* What trace_frames_settle() does where something waits. */
void trace_frames_take_all(struct trace_reading *r);
/* All that was told of frames is taken: what is told next finds them as they are. */
static inline void trace_frames_settle(struct trace_reading *r)
{
	if (r->frames.taken != r->frames.put)
		trace_frames_take_all(r);
}

/* LANE, where nothing waits, calls nothing for long: memory of its frames is given back. */
void trace_frames_let_go(struct trace_lane *lane);
/* All that waits to be added is. */
void trace_frames_end(struct trace_reading *r);

#endif
