/*
 * heap.c: see heap.h. Four are below [i]: at [4i + 1] and after it, in one or two lines of
 * the cache. Tried in its place on merges of 10 to 1000 rows: two below each, the same without
 * branches or from the bottom up, a tree of losers; they took 1.1 to 1.8 times as long.
 */
#include "trace/replay/heap.h"

#include "base/banned.h"

#define WAYS 4

bool trace_heap_open(struct trace_heap *heap, size_t count)
{
	*heap = (struct trace_heap){ .at = jw_mem_zalloc(count + 1, sizeof(*heap->at)) };
	return heap->at;
}

void trace_heap_put(struct trace_heap *heap, uint64_t key, uint64_t of)
{
	heap->at[heap->n++] = (struct trace_heap_entry){ key, of };
}

/* The first of those from AT to AT + WAYS, of which there is at least one. */
static size_t first_of(const struct trace_heap *heap, size_t at)
{
	size_t end = at + WAYS < heap->n ? at + WAYS : heap->n, first = at;

	while (++at < end)
		if (trace_heap_before(&heap->at[at], &heap->at[first]))
			first = at;
	return first;
}

/* MOVED takes the place of what is at [AT], or one below. */
static void sift_down(struct trace_heap *heap, size_t at, struct trace_heap_entry moved)
{
	while (at * WAYS + 1 < heap->n) {
		size_t below = first_of(heap, at * WAYS + 1);

		if (!trace_heap_before(&heap->at[below], &moved))
			break;
		heap->at[at] = heap->at[below];
		at = below;
	}
	heap->at[at] = moved;
}

void trace_heap_order(struct trace_heap *heap)
{
	for (size_t i = heap->n / WAYS + 1; i-- > 0;)
		sift_down(heap, i, heap->at[i]);
}

void trace_heap_settle(struct trace_heap *heap, uint64_t key)
{
	sift_down(heap, 0, (struct trace_heap_entry){ key, heap->at[0].of });
}

void trace_heap_drop(struct trace_heap *heap)
{
	heap->n--;
	if (heap->n)
		sift_down(heap, 0, heap->at[heap->n]);
}

const struct trace_heap_entry *trace_heap_second(const struct trace_heap *heap)
{
	return heap->n > 1 ? &heap->at[first_of(heap, 1)] : NULL;
}

void trace_heap_free(struct trace_heap *heap)
{
	jw_mem_free(heap->at);
	*heap = (struct trace_heap){ 0 };
}
