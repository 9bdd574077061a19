/*
 * histogram.h: durations of a sketch by classes on a logarithmic axis with round borders:
 *
 *     10 us  20 us  50 us  100 us  200 us ..       from the shortest to the longest
 *     10 us  12 us  15 us  20 us  25 us ..         where they are within a factor of 20
 */
#ifndef JW_TRACE_CALLS_HISTOGRAM_H
#define JW_TRACE_CALLS_HISTOGRAM_H

#include "trace/calls/sketch.h"

#define TRACE_HISTOGRAM_MOST 64

struct trace_histogram {
	struct trace_histogram_class {
		uint64_t from, to; /* ns; `to` is no longer part of it */
		uint64_t count;
	} at[TRACE_HISTOGRAM_MOST];
	size_t n;
	uint64_t most; /* the largest count */
};

/* OUT has no class where there are no durations. A duration that is nearer to a border than
 * TRACE_SKETCH_ERROR may be counted on its other side, unless all are exact. */
void trace_histogram_make(const struct trace_sketch *sketch, struct trace_histogram *out);

#endif
