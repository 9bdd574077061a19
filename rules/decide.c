/*
 * decide.c: see decide.h.
 */
#include "rules/decide.h"

#include "base/runtime_class.h"
#include "rules/index.h"
#include "rules/jdk.h"
#include "rules/selector.h"
#include "rules/set.h"

#include "base/banned.h"

enum { ACC_MODULE = 0x8000 };
enum { GUARD_BYTES = 32 };

enum rules_why rules_left_out(const struct rules *rules, const struct rules_class *cls,
			      const struct rules_method *method)
{
	if (jw_is_runtime_class(cls->name))
		return RULES_WHY_RUNTIME;
	if (cls->access & ACC_MODULE)
		return RULES_WHY_UNMATCHED;
	if (!rules_is_jdk(cls->name))
		return RULES_WHY_TRACED;
	if (!rules->options.jdk)
		return RULES_WHY_JDK;
	return method && !rules->options.any ? rules_jdk_keeps(cls, method) : RULES_WHY_TRACED;
}

bool rules_is_excluded(const struct rules *rules, const struct rules_class *cls,
		       const struct rules_method *method)
{
	struct rules_eval eval = { .cls = cls, .method = method };
	struct rules_candidates candidates;
	uint32_t i;

	if (rules->bodies.n == rules->body_rules)
		return false;
	rules_candidates_of(&rules->bodies, cls, method, &candidates);
	while (rules_candidates_next(&candidates, &i) && i >= rules->body_rules) {
		if (rules_clause_eval(&rules->bodies.at[i], &eval) == RULES_YES)
			return true;
	}
	return false;
}

bool rules_passes_guard(const struct rules *rules, size_t rule, struct rules_eval *eval)
{
	const struct rules_compiled_rule *r = rules->rules.at[rule];

	if (rules->options.no_guard || !rules_know_code(eval))
		return true;
	if (eval->code.has_call || eval->code.has_loop || eval->code.has_monitor ||
	    eval->code.bytes > GUARD_BYTES)
		return true;
	const struct rules_clause *clauses = r->off_count ? r->off : rules->bodies.at + r->first;
	for (size_t i = 0; i < (r->off_count ? r->off_count : r->count); i++) {
		const struct rules_clause *clause = &clauses[i];

		if (rules_clause_eval(clause, eval) == RULES_YES &&
		    (clause->selector->says_code || eval->named))
			return true;
	}
	return false;
}
