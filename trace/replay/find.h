/*
 * find.h: the first pass: what changes states, and what lets others go on. Its finds are in the
 * world: changes of each row, pauses, lanes, arrows.
 */
#ifndef JW_TRACE_REPLAY_FIND_H
#define JW_TRACE_REPLAY_FIND_H

#include "base/status.h"

struct trace_map;
struct trace_world;

enum jw_status JW_MUST_USE trace_find(struct trace_world *world, const struct trace_map *map,
				      struct jw_err *e);

#endif
