/*
 * calls.h: calls and methods of a thread: frames, states, operations, captures.
 *
 *     take, capture, ... -> end      shut wherever methods were closed
 */
#ifndef JW_TRACE_REPLAY_CALLS_H
#define JW_TRACE_REPLAY_CALLS_H

#include <stdint.h>

struct trace_closings;
struct trace_frames;
struct trace_who;

/* An enter or exit WORD of WHO: frames, and what the call or method tells. */
void trace_calls_take(struct trace_frames *to, const struct trace_who *who, uint64_t time,
		      uint64_t word);
/* An OBJECT or VALUE. */
void trace_calls_capture(struct trace_frames *to, const struct trace_who *who, uint64_t time,
			 uint64_t word);
/* As trace_timeline_shut(). */
void trace_calls_shut(struct trace_frames *to, const struct trace_who *who, uint64_t time,
		      const struct trace_closings *closings, uint64_t tick);
/* Closes what is open. */
void trace_calls_end(struct trace_frames *to, const struct trace_who *who, uint64_t time);

#endif
