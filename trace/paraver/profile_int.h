/*
 * profile_int.h: figures about a trace; for the files of this room alone.
 */
#ifndef JW_TRACE_PROFILE_INT_H
#define JW_TRACE_PROFILE_INT_H

#include "trace/replay/world_int.h"

/* Fills OUT but for its warnings; text lives in ARENA. */
enum jw_status JW_MUST_USE trace_profile(const struct trace_world *world,
					 const struct trace_frames *frames,
					 const struct trace_map *map, struct jw_arena *arena,
					 struct trace_summary *out, struct jw_err *e);

#endif
