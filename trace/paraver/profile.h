/*
 * profile.h: figures about a trace, once it was written. Cost: a sort of its methods.
 */
#ifndef JW_TRACE_PARAVER_PROFILE_H
#define JW_TRACE_PARAVER_PROFILE_H

#include "trace/paraver/paraver.h"

struct trace_frames;
struct trace_map;
struct trace_world;

/* Fills OUT but for its warnings; text lives in ARENA. */
enum jw_status JW_MUST_USE trace_profile(const struct trace_world *world,
					 const struct trace_frames *frames,
					 const struct trace_map *map, struct jw_arena *arena,
					 struct trace_summary *out, struct jw_err *e);

#endif
