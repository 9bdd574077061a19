/*
 * held.h: captures that hold (`"hold": true`): from where they are told until their call ends, or
 * one around it.
 *
 *     trace_held_put, ... -> trace_held_end      with each call that ends, the innermost first
 *
 * Cost: nothing for calls without such captures; 24 bytes for each that is open.
 */
#ifndef JW_TRACE_REPLAY_HELD_H
#define JW_TRACE_REPLAY_HELD_H

#include <stdint.h>

struct jw_capture;
struct trace_pass;
struct trace_who;

struct trace_held_one {
	const struct jw_capture *what;
	uint64_t value;
	uint32_t depth; /* calls that are open, with the one that it is over with */
};

/* {0}: nothing holds. */
struct trace_held {
	struct trace_held_one *at; /* owned; what is over first last */
	uint32_t n, cap;
};

/* WHAT of the innermost call of WHO has been told, as VALUE; without memory the pass has failed. */
void trace_held_put(struct trace_pass *p, const struct trace_who *who,
		    const struct jw_capture *what, uint64_t value);
/* The innermost call of WHO ends at TIME: tells the output what is over with it. */
void trace_held_end(struct trace_pass *p, const struct trace_who *who, uint64_t time);
void trace_held_free(struct trace_held *held);

#endif
