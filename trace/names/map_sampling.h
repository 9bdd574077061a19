/*
 * map_sampling.h: the rules of one table that record less than all calls.
 */
#ifndef JW_TRACE_NAMES_MAP_SAMPLING_H
#define JW_TRACE_NAMES_MAP_SAMPLING_H

#include "trace/format/methodmap.h"

struct trace_map_sampling_rule {
	struct trace_map_sampling_rule *next;
	const char *rule; /* in the table's text */
	struct trace_map_sampling sampling;
};

/* Takes the N FIELDS of a line "a", without its length if ANY_LENGTH; false: it is none. */
bool trace_map_take_sampling(struct jw_arena *arena, struct trace_map_sampling_rule **list,
			     char *const *fields, size_t n, bool any_length);
/* Do A and B leave out the same? Both may be NULL. */
bool trace_map_same_sampling(const struct trace_map_sampling *a,
			     const struct trace_map_sampling *b);
/* What RULE leaves out; NULL: nothing. */
const struct trace_map_sampling *trace_map_sampling_of(const struct trace_map_sampling_rule *list,
						       const char *rule);

#endif
