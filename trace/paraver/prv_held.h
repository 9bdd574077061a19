/*
 * prv_held.h: captures of a .prv, told as those of recordings: captured, and released where one that
 * holds is over.
 *
 *     {0} -> begin -> take, leaving, other .. -> free
 *
 * A .prv says of what holds which value it has from now on. One that a call around has, too, is what that
 * shows again, if the call ends at once: so it waits for what comes next.
 */
#ifndef JW_TRACE_PARAVER_PRV_HELD_H
#define JW_TRACE_PARAVER_PRV_HELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct trace_output;
struct trace_prv_capture;

#define TRACE_PRV_MOST_OPEN 4096 /* captures that hold, of a thread; more are as if they did not */

struct trace_prv_held_one {
	const struct trace_prv_capture *what;
	uint64_t value;
};

struct trace_prv_held_lane {
	struct trace_prv_held_one *at; /* owned; the latest last */
	size_t n, room;
};

struct trace_prv_held {
	const struct trace_output *output;
	void *ctx;
	struct trace_prv_held_lane *lanes; /* owned; by thread */
	uint32_t lane_count;
	struct {
		struct trace_prv_held_one *at; /* owned; what waits, all of one thread and time */
		size_t n, room;
	} waiting;
	uint32_t thread; /* of it; so below */
	uint64_t time;
	bool failed; /* no memory */
};

/* OUTPUT and CTX live as long. */
enum jw_status JW_MUST_USE trace_prv_held_begin(struct trace_prv_held *held,
						const struct trace_output *output, void *ctx,
						uint32_t threads, struct jw_err *e);
/* WHAT has the VALUE of the .prv. */
void trace_prv_held_take(struct trace_prv_held *held, uint32_t thread, uint64_t time,
			 const struct trace_prv_capture *what, uint64_t value);
/* The innermost call of THREAD ends at TIME. */
void trace_prv_held_leaving(struct trace_prv_held *held, uint32_t thread, uint64_t time);
/* Anything else comes next. */
static inline bool trace_prv_held_waits(const struct trace_prv_held *held)
{
	return held->waiting.n > 0;
}
void trace_prv_held_other(struct trace_prv_held *held);
void trace_prv_held_free(struct trace_prv_held *held);

#endif
