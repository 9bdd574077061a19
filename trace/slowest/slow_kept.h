/*
 * slow_kept.h: the calls that are kept until the end of the run: by how long they took, or by how
 * much longer than usual.
 *
 *     add, add .. -> sort          the longest: a heap of so many
 *     add, add .. -> choose        unusual ones: more than are wanted, since what is usual, and what
 *                                  explains what, is known at the end
 */
#ifndef JW_TRACE_SLOWEST_SLOW_KEPT_H
#define JW_TRACE_SLOWEST_SLOW_KEPT_H

#include "trace/slowest/slow_log.h"
#include "trace/slowest/slow_said.h"
#include "trace/slowest/usual.h"

/* So many more than are wanted are kept: some turn out to be usual, or explained, or idle. */
#define TRACE_SLOW_ROOM 1024

/* One call, in one block of memory with its lists. */
struct trace_slow_kept {
	uint64_t begin, ns, idle, method, pauses; /* idle: of NS it waited for work */
	uint64_t over;                            /* so much longer than usual; 0: not unusual */
	uint64_t within_ns;
	struct trace_report_split inside;
	struct trace_slow_entry *parts; /* in the block */
	uint64_t *stack;                /* likewise: methods */
	struct trace_slow_value *said;  /* likewise */
	size_t part_count, stack_count, stack_all, said_count;
	size_t outer_count; /* of the nearest caller that captured something when it began: these follow in SAID */
	uint64_t outer; /* its method */
	uint32_t at;
	uint32_t way;    /* in which it came; TRACE_TREE_NONE: not known */
	uint32_t within; /* the way of a call in it that took most of it, WITHIN_NS; or the same */
	bool failed, open;
	bool little_else; /* most of it is what its thread does nearly all its life (slow_idle.h) */
};

struct trace_slow_heap {
	struct trace_slow_kept **at; /* owned, as they are; the shortest first */
	size_t n, most;
};

/* Is a call of NS among the longest so far? */
static inline bool trace_slow_heap_wants(const struct trace_slow_heap *heap, uint64_t ns)
{
	return heap->n < heap->most || ns > heap->at[0]->ns;
}

/* False: no memory. */
bool trace_slow_heap_new(struct trace_slow_heap *heap, size_t most);
/* TAKEN over; HEAP wants it. */
void trace_slow_heap_add(struct trace_slow_heap *heap, struct trace_slow_kept *taken);
/* The longest first, those of little else last; a heap no longer. */
void trace_slow_heap_sort(struct trace_slow_heap *heap);
void trace_slow_heap_free(struct trace_slow_heap *heap);

/* Those whose usual duration is known are in one list, others in another. */
struct trace_slow_pool {
	struct trace_slow_kept **at; /* owned, as they are */
	size_t n, room;
	uint64_t floor; /* what is no longer over is not kept */
};

struct trace_slow_unusual {
	struct trace_slow_pool known, seldom;
	size_t most;
};

/* How much longer than USUAL, where it is unusual at all: twice as long; else 0. */
static inline uint64_t trace_slow_over(uint64_t ns, uint64_t usual)
{
	return usual && ns / 2 >= usual ? ns - usual : 0;
}

/* TAKEN over, whether it is kept or not; its `over` is set. False: no memory, and it is freed. */
bool trace_slow_unusual_add(struct trace_slow_unusual *unusual, struct trace_slow_kept *taken,
			    const struct trace_usual *usual);
/* What is usual is settled: leaves in `known` the MOST that are unusual, by how much; not those that
 * one in them explains by PERCENT. False: no memory. */
bool trace_slow_unusual_choose(struct trace_slow_unusual *unusual, const struct trace_usual *usual,
			       unsigned percent);
/* Is all that is UNUSUAL, chosen, next to nothing beside the longest of the OTHERS, which are sorted? */
bool trace_slow_is_trifle(const struct trace_slow_pool *unusual,
			  const struct trace_slow_heap *others);
void trace_slow_unusual_free(struct trace_slow_unusual *unusual);

#endif
