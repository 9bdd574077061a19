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

/* Gives TAKE, last first, the rules that match, down to the first one without a switch, and whether
 * they trace the method; the result: only rules from here on count that are off. */
static size_t each_matching(const struct rules *rules, struct rules_eval *eval,
			    void (*take)(void *ctx, const struct rules_rule *face, size_t rule,
					 bool traces),
			    void *ctx)
{
	struct rules_candidates candidates;
	uint32_t i;

	rules_candidates_of(&rules->bodies, eval->cls, eval->method, &candidates);
	while (rules_candidates_next(&candidates, &i)) {
		const struct rules_clause *clause = &rules->bodies.at[i];

		if (rules_clause_eval(clause, eval) != RULES_YES || clause->rule == RULES_NONE)
			continue;
		const struct rules_rule *face = &rules->rules.at[clause->rule]->face;

		take(ctx, face, clause->rule,
		     !clause->skip && rules_passes_guard(rules, clause->rule, eval));
		if (!face->switchable)
			return clause->rule + 1;
	}
	return 0;
}

struct how {
	const struct rules *rules;
	uint64_t bits, base;
};

static void add_to_how(void *ctx, const struct rules_rule *face, size_t rule, bool traces)
{
	struct how *how = ctx;

	if (!face->switchable)
		how->base = traces ? face->number : JW_HOW_NONE;
	else if (traces)
		how->bits |= switch_bit(how->rules, rule);
}

uint64_t rules_switches_of(const struct rules *rules, const struct rules_class *cls,
			   const struct rules_method *method)
{
	struct rules_eval eval = { .cls = cls, .method = method };
	struct how how = { rules, 0, JW_HOW_NONE };
	size_t first = each_matching(rules, &eval, add_to_how, &how);

	for (size_t k = first; rules->has_off && k < rules->rules.n; k++)
		if (would_choose(rules, k, &eval))
			how.bits |= switch_bit(rules, k);
	return how.bits | how.base;
}

static void set_used(void *ctx, const struct rules_rule *face, size_t rule, bool traces)
{
	bool *used = ctx;

	if (traces || face->skip)
		used[rule] = true;
}

bool rules_has_switches(const struct rules *rules)
{
	return rules->switches;
}

void rules_switched(const struct rules *rules, const struct rules_class *cls,
		    const struct rules_method *method, bool *used)
{
	struct rules_eval eval = { .cls = cls, .method = method };

	size_t first = each_matching(rules, &eval, set_used, used);

	for (size_t k = first; rules->has_off && k < rules->rules.n; k++)
		if (would_choose(rules, k, &eval))
			used[k] = true;
}
