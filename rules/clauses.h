/*
 * clauses.h: rules, taken apart: one clause for each pattern of `match`, or one for `select`.
 *
 * A set has four lists of them, which are asked apart from each other: for method bodies (with the
 * excludes at the end), calls and monitors, new objects, and exceptions. In each the LAST clause
 * that matches decides; that makes "an exclude always wins" a matter of order.
 *
 * Clauses are added in the order of the file, sealed once, and then only asked (index.h, match.h).
 */
#ifndef JW_RULES_CLAUSES_H
#define JW_RULES_CLAUSES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"
#include "base/status.h"

struct rules_clause {
	const struct rules_selector *selector; /* selector.h */
	size_t rule;                           /* RULES_NONE: an exclude */
	bool skip;
	const struct rules_selector *within; /* of rules for calls: the code that calls, or NULL */
	bool monitor;                        /* of rules for monitors: a call of no method */
};

/* {0}: empty. It grows in an arena (base/grow.h). */
struct rules_clauses {
	struct rules_clause *at;
	size_t n, room;
	struct rules_index *index; /* once sealed */
	bool operations;           /* a rule of a clause names one */
};

enum jw_status JW_MUST_USE rules_clauses_add(struct jw_arena *arena, struct rules_clauses *list,
					     struct rules_clause clause, struct jw_err *e);

/* Does any clause ask for supertypes? */
bool rules_clauses_say_subtype(const struct rules_clauses *list);

#endif
