/*
 * dispatch.h: whose a record is, and what it means.
 *
 *     begin -> take .. take -> take_end      for each row of threads, in the order of all records
 */
#ifndef JW_TRACE_REPLAY_DISPATCH_H
#define JW_TRACE_REPLAY_DISPATCH_H

#include "trace/replay/order.h"
#include "trace/replay/stream.h"
#include "trace/replay/track.h"

struct trace_pass;
struct trace_task;
struct trace_virtual;

/* A row's thread while it is read. */
struct trace_runner {
	struct trace_stream stream;
	/* what each of its frames needs, side by side, as merge.c fetches it */
	bool plain;               /* an enter or exit of what tells nothing is nothing but that */
	struct trace_who who;     /* itself */
	struct trace_track track; /* its timeline is the first of it */
	struct trace_virtual *runs_found; /* the one of RUNS, while runs_changes holds */
	uint64_t time, word;              /* the record that is taken */
	uint64_t runs; /* the virtual thread that the next records are about; 0: the thread */
	uint64_t runs_changes;
	struct trace_who ended; /* if has_ended: a virtual thread, at ended_at, after which its
				 * carrier has done nothing but let others go on */
	uint64_t ended_at;
	bool has_ended;
	struct trace_item next; /* read ahead */
	/* Where threads are told apart: of the row's next state, and of what waits for its turn. */
	uint64_t state_key, given;
	size_t named;                  /* of a process: how many of its namings were read */
	bool begins, busy;             /* of the record: as the stream had it */
	const struct trace_edge *edge; /* it is none, but this; then what of its waits goes on */
	uint8_t goes_on;
};

/* R, whose stream has its row, stays where it is from now on. */
void trace_runner_begin(struct trace_pass *p, struct trace_runner *r);
/* What the record R->word of row R at R->time means. */
void trace_take(struct trace_pass *p, struct trace_runner *r);
/* Has R something open that its end has to close, or something to tell at its end? */
bool trace_is_open(const struct trace_runner *r);
/* Closes it, at R->time. */
void trace_take_end(struct trace_pass *p, struct trace_runner *r);
/* What EDGE of TASK is for its virtual threads. */
void trace_take_virtual_edge(struct trace_pass *p, struct trace_task *task,
			     const struct trace_edge *edge);
/* Closes the virtual threads of TASK that never ended. */
void trace_take_virtual_ends(struct trace_pass *p, struct trace_task *task, uint64_t time);

#endif
