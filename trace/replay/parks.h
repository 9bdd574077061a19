/*
 * parks.h: what a thread that parks is about.
 */
#ifndef JW_TRACE_REPLAY_PARKS_H
#define JW_TRACE_REPLAY_PARKS_H

#include <stdbool.h>
#include <stdint.h>

struct trace_pass;
struct trace_task;
struct trace_track;

/* Does the thread of TRACK, which parks for OBJECT, wait for work to be given to it, and not in the
 * midst of some? Cost: a step in a hash table. */
bool trace_parks_for_work(struct trace_pass *p, const struct trace_task *task,
			  const struct trace_track *track, uint64_t object);

/* The same of a thread that has no traced call open, by what it parks for. */
bool trace_idles_at(struct trace_pass *p, const struct trace_task *task, uint64_t object);

#endif
