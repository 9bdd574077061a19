/*
 * reading.h: what the functions that read a rules file have at hand.
 *
 * They are called in one order: load.c reads a file and what it includes, rule.c its groups,
 * excludes and rules, action.c what a rule does, select.c and pattern.c what it selects. The first
 * wrong thing ends it, with the message in E.
 */
#ifndef JW_RULES_READING_H
#define JW_RULES_READING_H

#include "rules/json.h"

/* Where keys belong: for the message about one that is somewhere else. */
struct rules_home {
	const char *const *keys; /* NULL ends them */
	const char *place;       /* "a rule" */
};

struct rules_reading {
	struct jw_arena *arena;         /* of the set */
	struct rules_source *source;    /* whose groups are seen (source.h) */
	struct rules_regex **regexes;   /* all of the set's, for its end (regex.h) */
	const struct rules_home *homes; /* keys NULL ends them; may be NULL */
	struct jw_err *e;
	unsigned depth; /* of selectors inside selectors */
};

#endif
