/*
 * slow_said.h: what the open calls of a thread have captured, and events of the program's own in them.
 *
 *     add, add, ... -> join      what a call has is after its mark; then it is its caller's
 *
 * A call has at most TRACE_SLOW_SAID different ones, the first. What calls around one another capture alike (each
 * of several wrappers is asked to prepare a statement) counts once.
 */
#ifndef JW_TRACE_SLOWEST_SLOW_SAID_H
#define JW_TRACE_SLOWEST_SLOW_SAID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACE_SLOW_SAID 16

struct trace_slow_value {
	uint64_t type, value, count;
	bool own; /* of the call itself, and perhaps of others in it */
};

struct trace_slow_said {
	struct trace_slow_value *at; /* owned */
	size_t n, cap;
};

/* One more of the call whose MARK it is. False: no memory. */
bool trace_slow_said_add(struct trace_slow_said *said, size_t mark, uint64_t type, uint64_t value);
/* The call of MARK is over: what it has is that of the call of OUTER, too. */
void trace_slow_said_join(struct trace_slow_said *said, size_t outer, size_t mark);

#endif
