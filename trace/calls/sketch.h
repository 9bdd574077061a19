/*
 * sketch.h: how long calls took: any number of durations, in little memory.
 *
 *     add, add, ... [merge] -> at, below; free         {0}: no durations
 *
 * The first TRACE_SKETCH_EXACT durations are kept as they are. More are counted in buckets, as
 * HdrHistogram does: below 64 ns each ns has its own, above there are 32 to each doubling:
 *
 *     ns          0 1 2 .. 63 | 64 66 68 .. 126 | 128 132 .. 252 | 256 ..
 *     bucket      0 1 2 .. 63 | 64 65 66 .. 95  | 96  97  .. 127 | 128 ..
 *
 * A duration is told as the middle of its bucket, which is off by TRACE_SKETCH_ERROR (1.6 %) of it
 * at most; the shortest and the longest are exact.
 *
 * Memory: 8 bytes a duration up to TRACE_SKETCH_EXACT, then 256 for each doubling from the shortest
 * to the longest: 3 KB where they are from 1 us to 1 s, and 15 KB at most. Cost: 2 ns.
 */
#ifndef JW_TRACE_CALLS_SKETCH_H
#define JW_TRACE_CALLS_SKETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"

#define TRACE_SKETCH_EXACT 128
#define TRACE_SKETCH_ERROR (1.0 / 64)

struct trace_sketch {
	uint64_t n, least, most; /* ns; least, most: only where n > 0 */
	uint64_t *at;            /* owned; while n is up to TRACE_SKETCH_EXACT the durations, then
	                            the counts of the buckets from `first` on */
	uint32_t first, room;
};

/* One more duration; false: no memory, and it is not counted. */
bool trace_sketch_add(struct trace_sketch *sketch, uint64_t ns);
/* NS is added soon: what that needs is fetched. */
void trace_sketch_fetch(const struct trace_sketch *sketch, uint64_t ns);
/* All of MORE, too; false: no memory. */
bool trace_sketch_merge(struct trace_sketch *sketch, const struct trace_sketch *more);
/* The same durations in ARENA, not to be freed; false: no memory. */
bool trace_sketch_copy(struct trace_sketch *to, const struct trace_sketch *from,
		       struct jw_arena *arena);
void trace_sketch_free(struct trace_sketch *sketch);

static inline bool trace_sketch_is_exact(const struct trace_sketch *sketch)
{
	return sketch->n <= TRACE_SKETCH_EXACT;
}

/* The shortest duration that MILLE of 1000 are not above (500: the median; 1000: the longest);
 * 0: there are none. */
uint64_t trace_sketch_at(const struct trace_sketch *sketch, unsigned mille);
/* How many are below NS; of a bucket that has NS in it, all or none. */
uint64_t trace_sketch_below(const struct trace_sketch *sketch, uint64_t ns);

#endif
