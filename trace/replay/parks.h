/*
 * parks.h: what a thread that parks, or calls Object.wait(), is about.
 */
#ifndef JW_TRACE_REPLAY_PARKS_H
#define JW_TRACE_REPLAY_PARKS_H

#include <stdbool.h>
#include <stdint.h>

struct trace_pass;
struct trace_task;
struct trace_track;

/* What the thread of TRACK, which parks for OBJECT, does: TRACE_WAIT_FOR_WORK, where that is to be given
 * to it and it is not in the midst of some, TRACE_WAIT_SLEEP or TRACE_WAIT_PARK. Cost: a step in a hash
 * table. */
uint8_t trace_park_value(struct trace_pass *p, const struct trace_task *task,
			 const struct trace_track *track, uint64_t object);

/* What the thread of TRACK, which calls Object.wait(), does: TRACE_WAIT_FOR_WORK or TRACE_WAIT_OBJECT. */
uint8_t trace_wait_value(struct trace_pass *p, const struct trace_task *task,
			 const struct trace_track *track);

/* Does a thread wait for work that has no traced call open, by what it parks for? */
bool trace_idles_at(struct trace_pass *p, const struct trace_task *task, uint64_t object);

#endif
