/*
 * lane_methods.h: the calls of each method on each lane, found by two steps in arrays: what a call
 * adds to is in one line of the cache when it ends, since that was touched when it began.
 *
 *     trace_lane_method .. -> trace_lane_methods_next .. -> trace_lane_methods_free   for each lane
 *
 * Memory: a page of 16 methods where one of them was called, 640 bytes; 64 where nobody asks for
 * what calls add to (open_alone). A method's number says in which order methods appeared, so those of
 * a thread are near each other.
 */
#ifndef JW_TRACE_REPORT_LANE_METHODS_H
#define JW_TRACE_REPORT_LANE_METHODS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace_lane_part;

struct trace_lane_method {
	uint64_t count, exceptional; /* calls that are over */
	uint64_t ns, own_ns;         /* ns: of those that were not within another */
	uint32_t open;               /* calls that go on */
};

/* {0}: empty. */
struct trace_lane_methods {
	struct trace_lane_part **parts; /* owned, with what it holds */
	size_t n;
	bool open_alone; /* before the first: of each there is only how many calls go on */
};

/* Of METHOD, by number; a new one is all 0. It stays where it is. NULL: no memory. Not of a lane that
 * is open_alone. */
struct trace_lane_method *trace_lane_method(struct trace_lane_methods *lane, uint32_t method);
/* How many calls of METHOD go on: `open`, as above. */
uint32_t *trace_lane_open(struct trace_lane_methods *lane, uint32_t method);
/* What OPEN of LANE is of; NULL: there is no more. */
static inline struct trace_lane_method *trace_lane_around(const struct trace_lane_methods *lane,
							  uint32_t *open)
{
	return lane->open_alone
		       ? NULL
		       : (struct trace_lane_method *)(void *)((char *)open -
							      offsetof(struct trace_lane_method,
								       open));
}
/* It will be asked for METHOD soon. */
void trace_lane_method_fetch(const struct trace_lane_methods *lane, uint32_t method);
/* The next one that was called, from the number *METHOD on, which says then what it is of. NULL:
 * there is none. */
const struct trace_lane_method *trace_lane_methods_next(const struct trace_lane_methods *lane,
							size_t *method);
void trace_lane_methods_free(struct trace_lane_methods *lane);

#endif
