/*
 * baked_read.h: what the weaver baked into an archive's runtime class (base/baked.h has the
 * format).
 */
#ifndef RT_BAKED_READ_H
#define RT_BAKED_READ_H

#include <stdbool.h>

#include "base/bytes.h"
#include "base/memory.h"

/* What a rule leaves out of the calls that it chose. */
struct rt_sampling_rule {
	uint32_t every, max_depth; /* 0: all, any */
	uint64_t min_ns;
};

/* The value of NAME in TEXT, in ARENA; NULL: TEXT says none, or no memory. */
char *rt_baked_value(struct jw_span text, const char *name, struct jw_arena *arena);

struct rt_baked_rule {
	const char *id;
	struct rt_sampling_rule sampling;
	bool has_switch, on; /* on: unless the user says otherwise */
};

/* Cuts the next rule off the front of *TEXT, strings into ARENA; false: there are no more. */
bool rt_baked_next(struct jw_span *text, struct jw_arena *arena, struct rt_baked_rule *out);

/* Is RULE on, for the user who says ENABLE and DISABLE (lists with commas; the latter wins)? */
bool rt_baked_is_on(const struct rt_baked_rule *rule, const char *enable, const char *disable);

/* The next id of LIST that names no rule of TEXT that has a switch; *LIST moves past it. Empty:
 * there are no more. */
struct jw_span rt_baked_unknown(const char **list, struct jw_span text);

/* Do A and B give the same defaults? */
bool rt_baked_same(struct jw_span a, struct jw_span b);

#endif
