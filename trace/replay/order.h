/*
 * order.h: what many sources have, each in time, as one in time; for the files of this room
 * alone.
 *
 *     trace_order_open, trace_order_source .. trace_order_source, trace_order_begin
 *     trace_order_next, again and again       a window of items; 0: that was all, or it has failed
 *     trace_order_close
 *
 * Of equal keys the lower source's come first. Cost: for each source that has something in a window
 * one step in a heap, for each item two or three passes of a radix sort; a window is as long as
 * that takes to be worth it.
 */
#ifndef JW_TRACE_REPLAY_ORDER_H
#define JW_TRACE_REPLAY_ORDER_H

#include "trace/replay/heap.h"

/* NOTE and WORD mean something for the source alone. */
struct trace_item {
	uint64_t key, word;
	uint32_t of; /* the source */
	uint32_t note;
};

#define TRACE_NO_KEY UINT64_MAX

/* What source OF has next: to OUT, as long as the keys are below END, at most MOST. Keys never
 * fall. Returns how many; *NEXT is the key of what follows then, or TRACE_NO_KEY. */
typedef size_t (*trace_fill_fn)(void *ctx, uint32_t of, uint64_t end, size_t most,
				struct trace_item *out, uint64_t *next);

struct trace_items {
	struct trace_item *at; /* owned */
	size_t n, room;
};

/* {0}: none, and may be closed. */
struct trace_order {
	const struct trace_item *items; /* the window, in one of these: */
	struct trace_items fresh, left, spare;
	size_t taken, left_from; /* the window; what waits is after it */
	struct trace_heap heap;  /* of sources, by what they have next */
	uint32_t *waiting;       /* owned; how many items of each source are there */
	size_t sources;
	uint64_t least, highest; /* of all keys that were gathered */
	uint64_t told;           /* the highest of the windows before */
	uint64_t reach;          /* how much farther than the least a window goes */
	uint64_t until;          /* no window has this key, or more; may be raised before each */
	trace_fill_fn fill;
	void *ctx;
	bool cut;    /* it ends where a source has given all that it may */
	bool failed; /* no memory */
};

/* With SOURCES of them; false: no memory. */
bool trace_order_open(struct trace_order *o, size_t sources, trace_fill_fn fill, void *ctx);
/* OF has something from KEY on. In any order, before trace_order_begin(). */
void trace_order_source(struct trace_order *o, uint32_t of, uint64_t key);
void trace_order_begin(struct trace_order *o);
/* The next window, in items[0] to items[n - 1]: returns n. */
size_t trace_order_next(struct trace_order *o);
/* The window was taken: `waiting` is without it. Next does so itself. */
void trace_order_taken(struct trace_order *o);
void trace_order_close(struct trace_order *o);

#endif
