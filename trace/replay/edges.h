/*
 * edges.h: the instants of a process at which what its threads have open is not known to go on.
 */
#ifndef JW_TRACE_REPLAY_EDGES_H
#define JW_TRACE_REPLAY_EDGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace_row;
struct trace_task;

/* An instant at which calls that are open may be so no more: all of them, where recording was
 * paused, or those of methods that were closed by this tick. Or one from which on records of ROW are missing: its
 * waits are over, its calls, of which most go on, are not. */
struct trace_edge {
	uint64_t time, tick;
	const struct trace_row *row; /* NULL: of all threads */
	bool closes;
	bool resumes; /* recording goes on */
};

/* Fills in the gaps and edges of T; false: no memory. */
bool trace_edges_place(struct trace_task *t);
/* After that: one where each blank of the N ROWS of T begins; false: no memory. */
bool trace_edges_of_blanks(struct trace_task *t, const struct trace_row *rows, size_t n);

#endif
