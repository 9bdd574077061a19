/*
 * heap.h: whichever of many things comes first.
 *
 *     trace_heap_open, put .. put, order      then the first is at [0]
 *     its key rises: trace_heap_settle; it is gone: trace_heap_drop
 */
#ifndef JW_TRACE_REPLAY_HEAP_H
#define JW_TRACE_REPLAY_HEAP_H

#include "base/memory.h"

/* Of equal keys the lower `of` comes first. */
struct trace_heap_entry {
	uint64_t key, of;
};

/* {0}: empty, and may be freed. */
struct trace_heap {
	struct trace_heap_entry *at; /* owned */
	size_t n;
};

static inline bool trace_heap_before(const struct trace_heap_entry *a,
				     const struct trace_heap_entry *b)
{
	return a->key != b->key ? a->key < b->key : a->of < b->of;
}

/* With room for COUNT; false: no memory. */
bool trace_heap_open(struct trace_heap *heap, size_t count);
/* One more, in any order: trace_heap_order() when all are there. */
void trace_heap_put(struct trace_heap *heap, uint64_t key, uint64_t of);
void trace_heap_order(struct trace_heap *heap);
/* The first has another key now, not below the one before. */
void trace_heap_settle(struct trace_heap *heap, uint64_t key);
/* The first is gone. */
void trace_heap_drop(struct trace_heap *heap);
/* The one that comes next; NULL: the first is alone. */
const struct trace_heap_entry *trace_heap_second(const struct trace_heap *heap);
void trace_heap_free(struct trace_heap *heap);

#endif
