/*
 * changes.h: what a row does, as changes of its state in order of time.
 *
 *     put, put, ... -> finish      while the first reading goes on; states.c reads them
 *
 * Cost: three to five bytes a change, in a spool:
 *
 *     change   (ns since the change before) << TRACE_CHANGE_BITS | state
 */
#ifndef JW_TRACE_REPLAY_CHANGES_H
#define JW_TRACE_REPLAY_CHANGES_H

#include "trace/replay/spool.h"

/* All states of Paraver fit, and their times: a trace ends before 2^53 ns. */
#define TRACE_CHANGE_BITS 6
#define TRACE_CHANGE_MASK 63u

/* What a row does, from 0 on: Not created, then these changes. */
struct trace_changes {
	struct trace_spool *spool;
	struct trace_list list;   /* see states.c */
	uint64_t time, next_time; /* of the latest in the list, and of one that may be taken back */
	uint8_t state, next_state;
	bool has_next;
};

/* From TIME on the state is STATE. A change at or before the latest one takes its place. */
void trace_changes_put(struct trace_changes *c, uint64_t time, uint32_t state);
/* The latest state. */
uint8_t trace_changes_state(const struct trace_changes *c);
/* TIME, or the instant after the latest change, so that this one shows. */
uint64_t trace_changes_after(const struct trace_changes *c, uint64_t time);
void trace_changes_finish(struct trace_changes *c);

#endif
