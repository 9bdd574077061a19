/*
 * point.h: an instant of a thread.
 */
#ifndef JW_TRACE_REPLAY_POINT_H
#define JW_TRACE_REPLAY_POINT_H

#include <stdint.h>

/* Where something happened. In the first reading it is not known yet which rows there will be. */
struct trace_place {
	uint32_t task; /* its place among the world's */
	uint32_t row;  /* among the world's; or a lane of the task; or nowhere */
};
#define TRACE_LANE_BIT (UINT32_C(1) << 31)
#define TRACE_NOWHERE  UINT32_MAX

/* An instant of a thread: one end of an arrow. */
struct trace_point {
	uint64_t time;
	struct trace_place place;
	uint32_t tag; /* of the arrow that begins here: what it is that lets the other go on */
};

#endif
