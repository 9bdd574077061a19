/*
 * later.h: what an output was told before its time has come (an arrow's arrival, the end of a
 * state), and has to write when it has.
 */
#ifndef JW_TRACE_REPLAY_LATER_H
#define JW_TRACE_REPLAY_LATER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct trace_later_one {
	uint64_t time, serial; /* serial: those of one time come as they were put */
	uint32_t kind, thread; /* these are the output's */
	uint64_t a, b, c;
};

/* {0}: empty. */
struct trace_later {
	struct trace_later_one *at; /* owned; a heap, the first at [0] */
	size_t n, room;
	uint64_t serial;
};

enum jw_status JW_MUST_USE trace_later_put(struct trace_later *later, struct trace_later_one one,
					   struct jw_err *e);
/* Takes the first; there is one. */
struct trace_later_one trace_later_take(struct trace_later *later);
void trace_later_free(struct trace_later *later);

#endif
