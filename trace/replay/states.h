/*
 * states.h: what each shown row does, from the beginning of the trace to its end, without a gap.
 *
 *     open -> fill, fill .. -> close      as sources of an order (order.h)
 */
#ifndef JW_TRACE_REPLAY_STATES_H
#define JW_TRACE_REPLAY_STATES_H

#include "trace/replay/order.h"
#include "trace/replay/spool.h"

struct trace_row;
struct trace_world;

/* What is at TIME, in the order of a trace. */
static inline uint64_t trace_key(uint64_t time)
{
	return time * 2;
}

/* A row's state, and where its changes are read. */
struct trace_state {
	const struct trace_row *row;
	uint64_t begin, end, next_time;
	struct trace_list_at at;
	size_t pause, gap, blank;
	uint8_t state, base, next_state;
	bool over; /* all are told */
};

struct trace_states {
	struct trace_state *list; /* owned; one a shown row */
	size_t list_n;
	uint64_t end;
};

/* The states of all shown rows, as the first sources of ORDER. Keys are those of trace_key(), but
 * for the end of a life: one more, after the events of its instant. */
bool trace_states_open(struct trace_states *all, const struct trace_world *world,
		       struct trace_order *order);
/* What a trace_fill_fn does: `of` is the row, by order, `word` the end, `note` the state. */
size_t trace_states_fill(struct trace_states *all, uint32_t of, uint64_t end, size_t most,
			 struct trace_item *out, uint64_t *next);
/* The key of what row OF has next; TRACE_NO_KEY: nothing. */
uint64_t trace_states_next(const struct trace_states *all, uint32_t of);
void trace_states_close(struct trace_states *all);

#endif
