/*
 * virtual_lanes.h: the virtual threads of one process that are alive, and the lanes they own.
 *
 *     open -> add, find, remove .. -> close
 *
 * Cost: a step in a hash table each; memory for those alive, not for all that ever were.
 */
#ifndef JW_TRACE_REPLAY_VIRTUAL_LANES_H
#define JW_TRACE_REPLAY_VIRTUAL_LANES_H

#include "trace/replay/track.h"

struct trace_virtual {
	uint64_t id;
	uint64_t began;  /* when it was seen first */
	bool told_start; /* there is an arrow to that */
	uint32_t lane;   /* from 1; 0: it has none */
	struct trace_track track;
};

struct trace_lane_use {
	struct trace_virtual *owner;
	uint64_t first_id, owners; /* how many so far, and who was the first */
};

#define TRACE_FREE_WORDS 17
struct trace_virtuals {
	struct trace_virtual **slots;         /* owned, with what it holds: hash table by id */
	struct trace_lane_use *lanes;         /* owned; from 1 */
	uint64_t *free;                       /* owned; a bit for a lane given back */
	uint64_t some_free[TRACE_FREE_WORDS]; /* a bit for each word of `free` that has one */
	size_t mask, n;
	uint32_t cap, used;      /* lanes: how many, and how many have had an owner */
	uint64_t total, without; /* all so far; of them without a lane */
	uint64_t more;           /* without a lane, alive */
	uint64_t changes;        /* raised when one is gone */
};

/* With LANES lanes; false: no memory. */
bool trace_virtuals_open(struct trace_virtuals *v, uint32_t lanes);
void trace_virtuals_close(struct trace_virtuals *v);
struct trace_virtual *trace_virtuals_find(const struct trace_virtuals *v, uint64_t id);
/* ID is not there yet; NULL: no memory. */
struct trace_virtual *trace_virtuals_add(struct trace_virtuals *v, uint64_t id);
/* Frees ONE. */
void trace_virtuals_remove(struct trace_virtuals *v, struct trace_virtual *one);

#endif
