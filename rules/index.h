/*
 * index.h: which clauses can concern a class, or a method of it, at all.
 *
 *     rules_candidates_of(clauses, cls, method, &c);
 *     while (rules_candidates_next(&c, &i))           clauses->at[i], last clause first
 *
 * Cost: a lookup of each name as a whole, one pass over each name for the literal pieces in it, and
 * a merge of the lists found: thousands of clauses cost about what a few do.
 */
#ifndef JW_RULES_INDEX_H
#define JW_RULES_INDEX_H

#include "rules/clauses.h"
#include "rules/rules.h"

/* Makes LIST->index, once LIST is whole. */
enum jw_status JW_MUST_USE rules_index_build(struct jw_arena *arena, struct rules_clauses *list,
					     struct jw_err *e);

/* The clauses filed under one key, falling. */
struct rules_filed {
	const uint32_t *at;
	size_t left;
};

struct rules_candidates {
	struct rules_filed lists[128];
	size_t count;
	bool all; /* there were more lists than places: the one list is of every clause */
};

/* METHOD may be NULL. With the class prepared, only what its class part lets through. */
void rules_candidates_of(const struct rules_clauses *list, const struct rules_class *cls,
			 const struct rules_method *method, struct rules_candidates *out);
/* The next clause index, falling; false at the end. */
bool rules_candidates_next(struct rules_candidates *c, uint32_t *clause);

/* The clauses of LIST whose class part may hold for CLS; NULL: no memory. */
const struct rules_prepared *rules_index_prepare(const struct rules_clauses *list,
						 const struct rules_class *cls,
						 struct jw_arena *arena);

#endif
