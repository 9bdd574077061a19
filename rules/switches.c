/*
 * switches.c: rules that can be switched at run time, since they have the key `enabled` themselves.
 *
 * At run time, the last rule that is on decides, as if those that are off were not in the file. So
 * the probes of a method carry all switches from the last matching rule back to the first one
 * without a switch, and the number of that one. Rules that are off decide nothing here; their
 * clauses are kept apart, and are asked only where no other rule traces the method.
 */
#include "base/baked.h"
#include "rules/decide.h"
#include "rules/index.h"
#include "rules/set.h"
#include "rules/switches.h"

#include "base/banned.h"

/* Would the rule INDEX, which is off, choose the method if it were on? */
static bool would_choose(const struct rules *rules, size_t index, struct rules_eval *eval)
{
	const struct rules_compiled_rule *rule = rules->rules.at[index];

	for (size_t i = 0; i < rule->off_count; i++)
		if (rules_clause_eval(&rule->off[i], eval) == RULES_YES)
			return rules_passes_guard(rules, index, eval);
	return false;
}

struct rules_verdict rules_or_off(const struct rules *rules, struct rules_eval *eval,
				  struct rules_verdict v)
{
	size_t first = v.rule == RULES_NONE ? 0 : v.rule + 1;

	if (!rules->has_off || v.why == RULES_WHY_TRACED || v.why == RULES_WHY_EXCLUDED ||
	    !eval->method->has_code)
		return v;
	for (size_t i = rules->rules.n; i > first; i--)
		if (would_choose(rules, i - 1, eval))
			return (struct rules_verdict){ RULES_WHY_TRACED, i - 1 };
	return v;
}

bool rules_off_may_choose(const struct rules *rules, struct rules_eval *eval)
{
	for (size_t i = 0; rules->has_off && i < rules->rules.n; i++)
		for (size_t k = 0; k < rules->rules.at[i]->off_count; k++)
			if (rules_clause_eval(&rules->rules.at[i]->off[k], eval) != RULES_NO)
				return true;
	return false;
}

static uint64_t switch_bit(const struct rules *rules, size_t rule)
{
	return UINT64_C(1) << (JW_HOW_SWITCHES + rules->rules.at[rule]->face.number - 1);
}

uint64_t rules_switches_of(const struct rules *rules, const struct rules_class *cls,
			   const struct rules_method *method)
{
	struct rules_eval eval = { .cls = cls, .method = method };
	uint64_t how = 0, base = JW_HOW_NONE;
	struct rules_candidates candidates;
	size_t first = 0; /* rules that are off count from here on */
	uint32_t i;

	rules_candidates_of(&rules->bodies, cls, method, &candidates);
	while (rules_candidates_next(&candidates, &i)) {
		const struct rules_clause *clause = &rules->bodies.at[i];

		if (rules_clause_eval(clause, &eval) != RULES_YES || clause->rule == RULES_NONE)
			continue;
		bool traces = !clause->skip && rules_passes_guard(rules, clause->rule, &eval);
		if (!rules->rules.at[clause->rule]->face.switchable) {
			base = traces ? rules->rules.at[clause->rule]->face.number : JW_HOW_NONE;
			first = clause->rule + 1;
			break;
		}
		if (traces)
			how |= switch_bit(rules, clause->rule);
	}
	for (size_t k = first; rules->has_off && k < rules->rules.n; k++)
		if (would_choose(rules, k, &eval))
			how |= switch_bit(rules, k);
	return how | base;
}
