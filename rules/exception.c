/*
 * exception.c: rules with `on: exception`: in which methods it is recorded what they throw and
 * catch. They select methods as other rules do, and are a set of their own: a method may be traced
 * by one rule, have its exceptions recorded by another, or either alone.
 */
#include <string.h>

#include "rules/rules_int.h"

#include "base/banned.h"

enum jw_status rules_plain_check(struct compile *c, const struct rules_json *json, const char *what)
{
	static const char *const keys[] = { "event",  "state",    "capture",
					    "sample", "maxDepth", "minDuration" };

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		const struct rules_json *m = rules_json_get(json, keys[i]);

		if (m)
			return rules_json_fail(c->e, m, true, NULL,
					       "a rule for %s has no \"%s\": what is recorded "
					       "of them is always the same",
					       what, keys[i]);
	}
	return JW_OK;
}

bool rules_has_exceptions(const struct rules *rules, const struct rules_class *cls)
{
	return rules->exceptions && rules_left_out(rules, cls, NULL) == RULES_WHY_TRACED;
}

struct rules_verdict rules_decide_exceptions(const struct rules *rules,
					     const struct rules_class *cls,
					     const struct rules_method *method)
{
	struct eval eval = { .cls = cls, .method = method };
	enum rules_why why = rules_left_out(rules, cls, method);
	struct candidates candidates;
	uint32_t i;

	if (why != RULES_WHY_TRACED)
		return (struct rules_verdict){ why, RULES_NONE };
	if (!rules->exceptions)
		return (struct rules_verdict){ RULES_WHY_UNMATCHED, RULES_NONE };
	rules_candidates(rules->exceptions, cls, method, &candidates);
	while (rules_candidates_next(&candidates, &i)) {
		const struct clause *clause = &rules->exceptions->clauses[i];

		if (rules_eval_clause(clause, &eval) != ANSWER_YES)
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
