/*
 * usual.h: how long calls usually take: the median of those that were reached in the same way, by
 * the same calls around them (calls/tree.h).
 *
 *     way, begin .. -> add, add .. -> settle -> at, free        {0}: no calls
 *
 * A median is known once there were TRACE_USUAL_CALLS of them (calls/sketch.h: exact, or to within
 * 1.6 %). Until it is settled it may be that of half as many calls.
 *
 * Memory: 300 bytes a way, and up to 1 KB more where there were many calls. Cost: 10 ns a call.
 */
#ifndef JW_TRACE_SLOWEST_USUAL_H
#define JW_TRACE_SLOWEST_USUAL_H

#include "trace/calls/sketch.h"
#include "trace/calls/tree.h"
#include "trace/replay/method_numbers.h"

#define TRACE_USUAL_CALLS 5

struct trace_usual_way {
	struct trace_sketch took; /* those that are over */
	uint64_t ns;              /* the median; 0: unknown */
	uint64_t next;            /* it is found again at so many calls */
	uint64_t began;           /* the first of them, as far as is known, when it began */
	bool is_used;
};

struct trace_usual {
	struct trace_tree tree;
	struct trace_methods methods; /* their numbers in the tree */
	struct trace_usual_way *ways; /* owned; by node */
	size_t room;
};

/* The way to METHOD from the way CALLER (TRACE_TREE_NONE: nothing is around it); TRACE_TREE_NONE: no
 * memory. */
uint32_t trace_usual_way(struct trace_usual *usual, uint32_t caller, uint64_t method);
/* A call begins at TIME. Those of several threads come in any order. */
static inline void trace_usual_begin(struct trace_usual *usual, uint32_t way, uint64_t time)
{
	struct trace_usual_way *w = &usual->ways[way];

	if (w->is_used && w->began <= time)
		return;
	w->began = time;
	w->is_used = true;
}
/* A call has taken NS; false: no memory. */
bool trace_usual_add(struct trace_usual *usual, uint32_t way, uint64_t ns);
/* All medians are those of all calls. */
void trace_usual_settle(struct trace_usual *usual);
/* 0: fewer than TRACE_USUAL_CALLS. */
static inline uint64_t trace_usual_ns(const struct trace_usual *usual, uint32_t way)
{
	return usual->ways[way].ns;
}

/* Is a call that began at TIME the first of WAY, as far as is known? It loads what all need. */
static inline bool trace_usual_is_first(const struct trace_usual *usual, uint32_t way,
					uint64_t time)
{
	return usual->ways[way].began == time;
}

/* Is WAY for all those that were too many to have one of their own? */
static inline bool trace_usual_is_rest(const struct trace_usual *usual, uint32_t way)
{
	return usual->tree.at[way].method >= usual->methods.n;
}

/* The method of WAY; 0: it is for the rest. */
uint64_t trace_usual_method(const struct trace_usual *usual, uint32_t way);
void trace_usual_free(struct trace_usual *usual);

#endif
