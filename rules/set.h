/*
 * set.h: the set: all rules compiled, with the index to find them.
 *
 *   rules        in the order of the files: faces, and what is kept of each
 *   bodies       clauses for method bodies: those of rules first, then one for each exclude
 *   calls, creations, exceptions     the clauses of rules `on` these; empty when there are none
 *
 * load.c makes it; nothing of it changes after rules_load(), so any number of threads may ask.
 */
#ifndef JW_RULES_SET_H
#define JW_RULES_SET_H

#include "rules/clauses.h"
#include "rules/rules.h"

/* A rule with what only this room knows of it. */
struct rules_compiled_rule {
	struct rules_rule face;
	const struct rules_json *json;
	size_t place;                   /* among the rules of the set */
	size_t first, count;            /* its clauses for method bodies */
	const struct rules_clause *off; /* those of a rule that is off, and can be switched on */
	size_t off_count;
};

struct rules_rule_list {
	struct rules_compiled_rule **at; /* grows in the arena of the set */
	size_t n, room;
};

struct rules {
	struct jw_arena arena;
	struct rules_options options;
	struct rules_rule_list rules;
	struct rules_clauses bodies, calls, creations, exceptions;
	size_t body_rules; /* so many of `bodies` are of rules: excludes come after them */
	bool needs_supertypes;
	struct rules_source *sources, **last_source;
	size_t source_count;
	const char *name;   /* of the file, or of the text */
	const char **files; /* that were read */
	size_t file_count;
	struct rules_regex *regexes; /* to be freed */
	char digest[17];
	bool switches, has_off;      /* rules can be switched at run time; such are off */
	const char *const *settings; /* of `runtime`, by enum rules_setting; NULL: unsaid */
	struct jw_span baked;
};

#endif
