/*
 * tally.h: sums by a pair of keys, found in constant time, kept in order of first appearance.
 */
#ifndef JW_TRACE_TALLY_H
#define JW_TRACE_TALLY_H

#include <stddef.h>
#include <stdint.h>

#include "base/lookup.h"

struct trace_sum {
	uint64_t a, b; /* the keys */
	uint64_t count, exceptional, ns, own_ns, bytes, longest;
	uint32_t open; /* for who counts what is going on */
};

/* {0}: empty. */
struct trace_tally {
	struct trace_sum *sums; /* owned */
	size_t n, cap;
	struct jw_lookup lookup; /* of pairs */
};

/* The sum of A and B, a new one if need be, valid until the next is made. NULL: no memory. */
struct trace_sum *trace_tally_at(struct trace_tally *tally, uint64_t a, uint64_t b);
/* The sum of A and B; NULL: there is none. */
struct trace_sum *trace_tally_find(const struct trace_tally *tally, uint64_t a, uint64_t b);
void trace_tally_free(struct trace_tally *tally);

#endif
