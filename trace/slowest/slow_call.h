/*
 * slow_call.h: a call that is open, and what is kept of one that is over.
 */
#ifndef JW_TRACE_SLOWEST_SLOW_CALL_H
#define JW_TRACE_SLOWEST_SLOW_CALL_H

#include "trace/follow/follow.h"
#include "trace/report/dwelling.h"
#include "trace/slowest/slow_kept.h"

/* An open call, beside what the follower has of it. */
struct trace_slow_frame {
	uint32_t way, within;
	uint64_t within_ns;
	uint64_t explained; /* of an unusual call inside of it: how much longer that took */
	size_t said;        /* its mark there */
};

struct trace_slow_thread {
	struct trace_slow_log log;
	struct trace_slow_said said;
	struct trace_slow_frame *frames; /* owned */
	size_t cap;
	struct trace_dwelling dwelling; /* places: slow_idle.c */
};

/* A call that is over, and what is known of it. */
struct trace_slow_over {
	const struct trace_followed_call *call;
	const struct trace_slow_frame *frame;
	uint64_t time, ns, idle; /* idle: for how long it waited for work, */
	uint64_t turns;          /* how often; both by trace_slow_find_idle() */
	uint32_t at;
	bool failed;
};

/* By what the log of its THREAD has. */
void trace_slow_find_idle(const struct trace_slow_thread *thread, struct trace_slow_over *over);

/* All that is kept of OVER, which THREAD has made; the caller's to free. NULL: no memory. */
struct trace_slow_kept *trace_slow_copy(const struct trace_follow *follow,
					const struct trace_slow_thread *thread,
					const struct trace_slow_over *over);

#endif
