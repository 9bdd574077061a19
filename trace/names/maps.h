/*
 * maps.h: finds the method maps of recordings. Cost: every archive that a recording names is looked
 * into, each once.
 */
#ifndef JW_TRACE_NAMES_MAPS_H
#define JW_TRACE_NAMES_MAPS_H

#include <stddef.h>

#include "base/status.h"

struct trace_map;
struct trace_notes;
struct trace_recording;

/* Adds to MAP what the NAMED_N places NAMED hold, then what the N RECORDINGS point at: of two tables
 * that name one id the first counts. Places without a table are passed over, damaged tables noted.
 */
enum jw_status JW_MUST_USE trace_maps_find(struct trace_map *map, const char *const *named,
					   size_t named_n,
					   const struct trace_recording *const *recordings,
					   size_t n, struct trace_notes *notes, struct jw_err *e);

#endif
