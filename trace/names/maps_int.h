/*
 * maps_int.h: finds the method maps of recordings; for the files of this room alone.
 */
#ifndef JW_TRACE_MAPS_INT_H
#define JW_TRACE_MAPS_INT_H

#include "trace/replay/world_int.h"

/* Adds to MAP what the job names, then what the recordings point at: of two tables that name one id
 * the first counts. Places without a table are passed over, damaged tables noted. */
enum jw_status JW_MUST_USE trace_maps_find(struct trace_map *map,
					   const struct trace_paraver_job *job,
					   const struct trace_world *world,
					   struct trace_notes *notes, struct jw_err *e);

/* Reads the names of METHODS that the tables of MAP leave to class files. */
enum jw_status JW_MUST_USE trace_maps_name(struct trace_map *map,
					   const struct trace_methods *methods, struct jw_err *e);

#endif
