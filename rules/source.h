/*
 * source.h: one file that was read: its JSON, its groups, what it includes, its defaults.
 */
#ifndef JW_RULES_SOURCE_H
#define JW_RULES_SOURCE_H

#include "rules/rules.h"

struct rules_source {
	const char *name;           /* as in messages */
	bool in_memory;             /* a preset, or a text that the caller has: no file */
	bool open;                  /* its includes are being read: to see it again is a cycle */
	struct rules_group *groups; /* groups.h */
	struct rules_source **includes;
	size_t include_count;
	struct rules_json *json;
	struct rules_rule defaults; /* what its rules are unless they say otherwise */
	struct rules_source *next;
};

#endif
