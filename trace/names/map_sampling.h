/*
 * map_sampling.h: the rules of one table that spare calls.
 */
#ifndef JW_TRACE_NAMES_MAP_SAMPLING_H
#define JW_TRACE_NAMES_MAP_SAMPLING_H

#include "trace/format/methodmap.h"

struct trace_map_spared_rule {
	struct trace_map_spared_rule *next;
	const char *rule; /* in the table's text */
	struct trace_map_spared spared;
};

/* Takes the N FIELDS of a line "a", without its length if ANY_LENGTH; false: it is none. */
bool trace_map_take_spared(struct jw_arena *arena, struct trace_map_spared_rule **list,
			   char *const *fields, size_t n, bool any_length);
/* Is the same spared? Both may be NULL. */
bool trace_map_same_spared(const struct trace_map_spared *a, const struct trace_map_spared *b);
/* What RULE spares; NULL: nothing. */
const struct trace_map_spared *trace_map_spared_by(const struct trace_map_spared_rule *list,
						   const char *rule);

#endif
