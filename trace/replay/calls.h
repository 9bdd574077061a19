/*
 * calls.h: calls and methods of a thread that tell something: what it is inside of.
 *
 *     take, capture, ... -> end      shut wherever methods were closed
 */
#ifndef JW_TRACE_REPLAY_CALLS_H
#define JW_TRACE_REPLAY_CALLS_H

#include <stdint.h>

struct trace_closings;
struct trace_pass;
struct trace_who;

/* An enter or exit WORD of WHO: frames, and what the call or method tells. */
void trace_calls_take(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		      uint64_t word);
/* DEPTH, in WORD: calls that have ended untold end now. */
void trace_calls_keep(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		      uint64_t word);
/* An OBJECT or VALUE. */
void trace_calls_capture(struct trace_pass *p, const struct trace_who *who, uint64_t time,
			 uint64_t word);
/* The methods of CLOSINGS were closed by TICK. */
void trace_calls_shut(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		      const struct trace_closings *closings, uint64_t tick);
/* Closes what is open. */
void trace_calls_end(struct trace_pass *p, const struct trace_who *who, uint64_t time);

#endif
