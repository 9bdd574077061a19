/*
 * wait_events.h: what rows wait for, as events: the kind of wait and what it is about, 0 at its end.
 *
 *     open -> put, put, ..  show  put, put, ..  show .. -> free      show: once an instant is over
 *
 * Of all that happens to a row within one instant a state shows only what holds after it. So do the
 * events: they are told once the instant is over. A wait that begins and ends in one (ticks that
 * stand still, as damage makes them) is in neither. Where recording was paused rows are in no wait,
 * either.
 */
#ifndef JW_TRACE_REPLAY_WAIT_EVENTS_H
#define JW_TRACE_REPLAY_WAIT_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/replay/waits.h"

struct trace_pass;
struct trace_row;

/* The wait that each row is in, as its events say, and as they have to say once the instant is
 * over. */
struct trace_shown_waits {
	struct trace_shown_wait {
		struct trace_wait now, shown; /* without their waiters, which may be gone */
		uint64_t time;                /* the instant */
		bool due;
	} * rows;                     /* owned; by order */
	const struct trace_row **due; /* owned array */
	size_t due_n;
	uint64_t time; /* the instant of these */
};

/* For ROWS rows that are shown; false: no memory. */
bool trace_wait_events_open(struct trace_shown_waits *all, size_t rows);
/* ROW is in the innermost wait of WAITS, or in none, from TIME on. */
void trace_wait_events_put(struct trace_pass *p, const struct trace_row *row, uint64_t time,
			   const struct trace_waits *waits);
/* The instant of what is due, `time`, is over: tells it. */
void trace_wait_events_show(struct trace_pass *p);
/* Where threads are told apart: tells what is due of ROW, whose next item has KEY. */
void trace_wait_events_of(struct trace_pass *p, const struct trace_row *row, uint64_t key);
void trace_wait_events_free(struct trace_shown_waits *all);

#endif
