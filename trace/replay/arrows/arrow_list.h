/*
 * arrow_list.h: the arrows that were found, in order of their beginnings.
 *
 *     trace_arrow_put .. -> trace_arrows_finish -> trace_arrows_open -> next, put .. -> free
 *
 * Cost: a sort of each run that fits memory, a step in a heap for each arrow.
 */
#ifndef JW_TRACE_REPLAY_ARROWS_ARROW_LIST_H
#define JW_TRACE_REPLAY_ARROWS_ARROW_LIST_H

#include <stdbool.h>

#include "trace/replay/heap.h"
#include "trace/replay/spool.h"
#include "trace/replay/track.h"

struct trace_output;
struct trace_row;
struct trace_world;

struct trace_arrow {
	uint64_t send, receive;
	struct trace_place from, to;
	uint32_t tag, bytes;
};

/* One that is shown, FROM and TO by order of rows. */
struct trace_shown_arrow {
	uint64_t sent, received;
	uint32_t from, to, tag, bytes;
};

/* Arrows that were sorted together. */
struct trace_arrow_run {
	struct trace_list list;
	struct trace_list_at at;
	struct trace_arrow next;
};

struct trace_arrow_list {
	struct trace_arrow *fresh;    /* owned; in any order, so far */
	struct trace_arrow_run *runs; /* owned */
	struct trace_heap heap;       /* of runs, by the sending of their next */
	size_t fresh_n, fresh_cap, run_n, run_cap;
	uint64_t count, backwards;
	struct trace_point expected; /* time 0: nowhere */
	bool met;                    /* since then, an arrow led there */
	bool failed;                 /* no memory */
};

static inline bool trace_same_place(const struct trace_place *a, const struct trace_place *b)
{
	return a->task == b->task && a->row == b->row;
}

/* Adds one, in any order. An arrow to itself, or to or from nowhere, is none. */
void trace_arrow_put(struct trace_world *world, const struct trace_point *from,
		     const struct trace_point *to);
/* The same of one with which so many BYTES went. */
void trace_arrow_put_bytes(struct trace_world *world, const struct trace_point *from,
			   const struct trace_point *to, uint64_t bytes);

/* Asks whether from now on an arrow leads to TO, and then whether one did. */
void trace_arrows_expect(struct trace_world *world, const struct trace_point *to);
bool trace_arrows_met(const struct trace_world *world);

/* The row at PLACE, which is somewhere; NULL: it is not shown. */
const struct trace_row *trace_row_at(const struct trace_world *world, struct trace_place place);

/* Begins to read all, in order of their beginnings; false: no memory. */
bool trace_arrows_open(struct trace_world *world);
/* No more will be found. */
void trace_arrows_finish(struct trace_world *world);
/* When the next one begins; UINT64_MAX: there is none. */
uint64_t trace_arrows_next(const struct trace_world *world);
/* Tells it. */
void trace_arrows_put(struct trace_world *world, const struct trace_output *output, void *ctx);
/* Takes it, to be told later; false: its ends are not both shown. */
bool trace_arrows_take(struct trace_world *world, struct trace_shown_arrow *out);
void trace_arrow_tell(const struct trace_shown_arrow *arrow, const struct trace_output *output,
		      void *ctx);
void trace_arrow_list_free(struct trace_arrow_list *list);

#endif
