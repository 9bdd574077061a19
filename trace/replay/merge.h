/*
 * merge.h: the records of all rows, by time. Cost: a step in a heap for each row with something in a
 * window, two or three passes of a radix sort for each record.
 */
#ifndef JW_TRACE_REPLAY_MERGE_H
#define JW_TRACE_REPLAY_MERGE_H

#include "base/status.h"

struct trace_frames;
struct trace_map;
struct trace_notes;
struct trace_world;

/* The first reading: pauses, changes of states, lanes. */
enum jw_status JW_MUST_USE trace_first_reading(struct trace_world *world,
					       const struct trace_map *map, struct jw_err *e);

enum jw_status JW_MUST_USE trace_merge(struct trace_world *world, struct trace_frames *to,
				       struct trace_notes *notes, struct jw_err *e);

#endif
