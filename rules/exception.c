/*
 * exception.c: verdicts on exceptions (`on: exception`): in which methods to record what they throw
 * and catch. These rules select methods as others do, but decide separately: a method may be traced
 * by one rule, have its exceptions recorded by another, or either alone.
 */
#include <string.h>

#include "rules/decide.h"
#include "rules/index.h"
#include "rules/set.h"

#include "base/banned.h"

bool rules_has_exceptions(const struct rules *rules, const struct rules_class *cls)
{
	return rules->exceptions.n > 0 && rules_left_out(rules, cls, NULL) == RULES_WHY_TRACED;
}

struct rules_verdict rules_decide_exceptions(const struct rules *rules,
					     const struct rules_class *cls,
					     const struct rules_method *method)
{
	struct rules_eval eval = { .cls = cls, .method = method };
	enum rules_why why = rules_left_out(rules, cls, method);
	struct rules_candidates candidates;
	uint32_t i;

	if (why != RULES_WHY_TRACED)
		return (struct rules_verdict){ why, RULES_NONE };
	if (rules->exceptions.n == 0)
		return (struct rules_verdict){ RULES_WHY_UNMATCHED, RULES_NONE };
	rules_candidates_of(&rules->exceptions, cls, method, &candidates);
	while (rules_candidates_next(&candidates, &i)) {
		const struct rules_clause *clause = &rules->exceptions.at[i];

		if (rules_clause_eval(clause, &eval) != RULES_YES)
			continue;
		if (rules_is_excluded(rules, cls, method))
			return (struct rules_verdict){ RULES_WHY_EXCLUDED, RULES_NONE };
		why = clause->skip        ? RULES_WHY_SKIPPED
		      : !method->has_code ? RULES_WHY_NO_CODE
					  : RULES_WHY_TRACED;
		return (struct rules_verdict){ why, clause->rule };
	}
	return (struct rules_verdict){ RULES_WHY_UNMATCHED, RULES_NONE };
}
