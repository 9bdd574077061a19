/*
 * method_names.h: the names of the methods of a world: its maps are found once it is open, and what
 * they leave to class files is read once it is known which methods ran.
 */
#ifndef JW_TRACE_REPLAY_METHOD_NAMES_H
#define JW_TRACE_REPLAY_METHOD_NAMES_H

#include "base/status.h"

struct trace_map;
struct trace_methods;
struct trace_notes;
struct trace_job;
struct trace_world;

/* Adds to MAP what JOB names, then what the recordings of WORLD point at (names/maps.h). */
enum jw_status JW_MUST_USE trace_world_find_maps(const struct trace_world *world,
						 const struct trace_job *job, struct trace_map *map,
						 struct trace_notes *notes, struct jw_err *e);
/* Reads the names of METHODS that the tables of MAP leave to class files. */
enum jw_status JW_MUST_USE trace_methods_name(const struct trace_methods *methods,
					      struct trace_map *map, struct jw_err *e);

#endif
