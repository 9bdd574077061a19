/*
 * edges.h: the instants of a process at which what its threads have open is not known to go on.
 */
#ifndef JW_TRACE_REPLAY_EDGES_H
#define JW_TRACE_REPLAY_EDGES_H

#include <stdbool.h>
#include <stdint.h>

struct trace_task;

/* An instant at which calls that are open may be so no more: all of them, where recording was
 * paused, or those of methods that were closed by this tick. */
struct trace_edge {
	uint64_t time, tick;
	bool closes;
	bool resumes; /* recording goes on */
};

/* Fills in the gaps and edges of T; false: no memory. */
bool trace_edges_place(struct trace_task *t);

#endif
