/*
 * clauses.c: see clauses.h.
 */
#include "rules/clauses.h"

#include "base/grow.h"
#include "rules/selector.h"

#include "base/banned.h"

enum jw_status rules_clauses_add(struct jw_arena *arena, struct rules_clauses *list,
				 struct rules_clause clause, struct jw_err *e)
{
	static const struct jw_growth growth = { .what = "clauses", .limit = UINT32_MAX };

	JW_TRY(JW_GROW_IN(arena, list, &growth, e));
	list->at[list->n++] = clause;
	return JW_OK;
}

bool rules_clauses_say_subtype(const struct rules_clauses *list)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct rules_clause *clause = &list->at[i];

		if (clause->selector->says_subtype ||
		    (clause->within && clause->within->says_subtype))
			return true;
	}
	return false;
}
