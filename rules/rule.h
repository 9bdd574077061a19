/*
 * rule.h: what one file says, added to what is being built: defaults, groups, excludes, rules.
 *
 * load.c makes one building, adds each file once, those that are included first, and then makes a
 * set of it.
 */
#ifndef JW_RULES_RULE_H
#define JW_RULES_RULE_H

#include "rules/reading.h"
#include "rules/runtime.h"
#include "rules/set.h"

/* All lists grow in the arena of the set. */
struct rules_building {
	struct rules_reading reading;
	struct rules_rule_list rules;
	struct rules_clauses bodies, excludes;             /* for method bodies */
	struct rules_clauses calls, creations, exceptions; /* calls: and monitors */
	const char **settings;                             /* of `runtime`; NULL: unsaid */
	uint64_t cost;                                     /* of all clauses */
	size_t group_count;
};

/* Keys of a file, of a rule, of `defaults`; NULL ends. */
extern const char *const rules_file_keys[], *const rules_rule_keys[], *const rules_default_keys[];

/* Adds what SOURCE, whose JSON is parsed and whose includes were added, says. */
enum jw_status JW_MUST_USE rules_add_file(struct rules_building *b, struct rules_source *source);

/* No two rules share an id. */
enum jw_status JW_MUST_USE rules_check_ids(const struct rules_rule_list *rules, struct jw_err *e);

#endif
