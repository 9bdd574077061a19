/*
 * merging.h: a merge that goes on: what merge.c and merge_apart.c know of it.
 */
#ifndef JW_TRACE_REPLAY_MERGING_H
#define JW_TRACE_REPLAY_MERGING_H

#include "trace/replay/dispatch.h"
#include "trace/replay/order.h"

struct trace_pass;
struct trace_world;

/* Frames of one thread that are taken before those of others. */
#define TRACE_FRAMES_APART 4096
/* Pauses of more processes would cut windows short. */
#define TRACE_MOST_SHARED 64

/* In `note` of a record's item. The word of an edge is its number, and in the highest byte what of waits goes on
 * (`goes_on` of a stream). */
#define TRACE_GOES_ON 56
enum { TRACE_BEGINS = 1, TRACE_EDGE = 2, TRACE_ENDING = 4, TRACE_NAMING = 8, TRACE_BUSY = 16 };

struct trace_merging {
	struct trace_pass *pass;
	struct trace_world *world;
	struct trace_runner *runners; /* one a row of threads, then one a task, for its end */
	struct trace_order order;
	size_t rows_from;
	bool apart; /* TRACE_APART_THREADS */
	/* If `apart`: of what all threads of a process share. These hold back all threads; or, where
	 * there are more, BY_PROCESS, each those of its own process. */
	struct trace_runner *shared[TRACE_MOST_SHARED];
	size_t shared_n;
	bool by_process;
	uint64_t next_shared; /* the first of what they have comes no sooner; not BY_PROCESS */
	bool rests;           /* streams give their buffers back after each turn */
	uint64_t shrunk;
	uint64_t events; /* at least so many are to be taken, and one more */
	uint64_t told;
	bool by_thread; /* TRACE_APART_BY_THREAD, between arrows or not */
	bool closings;  /* of several processes: each of these counts closed methods for all */
};

/* Reads what R has next. After its last record comes its end, then nothing. */
void trace_merge_read(struct trace_merging *m, struct trace_runner *r);
/* Takes ITEM, of a row of threads or of a process. */
void trace_merge_take(struct trace_merging *m, const struct trace_item *item);
/* Takes ITEM of R if it is nothing but an enter or exit: it tells nothing, and nothing that came before
 * is about it. False: it is more. */
bool trace_merge_frame(struct trace_pass *p, const struct trace_runner *r,
		       const struct trace_item *item);

#endif
