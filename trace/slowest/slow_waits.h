/*
 * slow_waits.h: the longest single waits of a run.
 *
 *     add, add, ... -> sort -> list -> free       {0}, but for `most`: none
 *
 * Memory: of twice MOST waits, 150 bytes each. Cost: of one that is shorter than those, a comparison.
 */
#ifndef JW_TRACE_SLOWEST_SLOW_WAITS_H
#define JW_TRACE_SLOWEST_SLOW_WAITS_H

#include "trace/follow/follow.h"
#include "trace/follow/wanted.h"
#include "trace/slowest/slowest.h"

struct trace_slow_one_wait {
	struct trace_followed_wait wait;
	uint32_t at; /* the place of its thread */
};

struct trace_slow_waits {
	struct trace_slow_one_wait *list; /* owned */
	size_t n, cap, most;
	uint64_t all;   /* of so many */
	uint64_t least; /* those that are no longer are not kept */
};

/* False: no memory. */
bool trace_slow_waits_add(struct trace_slow_waits *waits, uint32_t at,
			  const struct trace_followed_wait *wait);
/* Leaves the longest MOST, by their beginnings. */
void trace_slow_waits_sort(struct trace_slow_waits *waits);
/* Once NAMES has what they want: the same with names, in ARENA. False: no memory. */
bool trace_slow_waits_list(const struct trace_slow_waits *waits, struct trace_wanted *names,
			   struct jw_arena *arena, struct trace_slow_wait_list *out);
void trace_slow_waits_free(struct trace_slow_waits *waits);

#endif
