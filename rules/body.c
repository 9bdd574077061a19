/*
 * body.c: the verdict on a method body, and words of the interface.
 */
#include "rules/rules.h"

#include "rules/decide.h"
#include "rules/index.h"
#include "rules/match.h"
#include "rules/set.h"
#include "rules/switches.h"

#include "base/banned.h"

enum { ACC_BRIDGE = 0x0040, ACC_SYNTHETIC = 0x1000 };

static struct rules_verdict judge(const struct rules *rules, struct rules_eval *eval, size_t clause)
{
	size_t rule = clause == RULES_NONE ? RULES_NONE : rules->bodies.at[clause].rule;
	struct rules_verdict v = { RULES_WHY_TRACED, rule };

	if (clause == RULES_NONE)
		v.why = RULES_WHY_UNMATCHED;
	else if (rule == RULES_NONE)
		v.why = RULES_WHY_EXCLUDED;
	else if (rules->bodies.at[clause].skip)
		v.why = RULES_WHY_SKIPPED;
	else if (!eval->method->has_code)
		v.why = RULES_WHY_NO_CODE;
	else if (!rules_passes_guard(rules, rule, eval))
		v.why = RULES_WHY_GUARDED;
	return v;
}

struct rules_verdict rules_decide(const struct rules *rules, const struct rules_class *cls,
				  const struct rules_method *method)
{
	struct rules_eval eval = { .cls = cls, .method = method };
	struct rules_candidates candidates;
	size_t deciding = RULES_NONE;
	uint32_t clause;
	enum rules_why why = rules_left_out(rules, cls, method);

	if (why != RULES_WHY_TRACED)
		return (struct rules_verdict){ why, RULES_NONE };
	rules_candidates_of(&rules->bodies, cls, method, &candidates);
	while (deciding == RULES_NONE && rules_candidates_next(&candidates, &clause)) {
		if (rules_clause_eval(&rules->bodies.at[clause], &eval) == RULES_YES)
			deciding = clause;
	}
	return rules_or_off(rules, &eval, judge(rules, &eval, deciding));
}

bool rules_may_choose(const struct rules *rules, const struct rules_class *cls, size_t *skips)
{
	struct rules_eval eval = { .cls = cls };
	struct rules_candidates candidates;
	uint32_t i;

	if (skips)
		*skips = RULES_NONE;
	if (rules_left_out(rules, cls, NULL) != RULES_WHY_TRACED)
		return false;
	if (rules_off_may_choose(rules, &eval))
		return true;
	rules_candidates_of(&rules->bodies, cls, NULL, &candidates);
	while (rules_candidates_next(&candidates, &i)) {
		const struct rules_clause *clause = &rules->bodies.at[i];
		enum rules_answer a = rules_clause_eval(clause, &eval);

		if (a == RULES_YES && clause->skip) {
			if (skips)
				*skips = clause->rule;
			return false; /* decides every method that no later clause chose */
		}
		if (a != RULES_NO && !clause->skip)
			return true;
	}
	return false;
}

const struct rules_prepared *rules_class_prepare(const struct rules *rules,
						 const struct rules_class *cls,
						 struct jw_arena *arena)
{
	return rules_index_prepare(&rules->bodies, cls, arena);
}

bool rules_needs_supertypes(const struct rules *rules)
{
	return rules->needs_supertypes;
}

/* ---- words of the interface ---- */

/* Is it the name that a compiler gives to the body of a lambda expression? javac: lambda$main$0,
 * Scala 2: $anonfun$main$1, Scala 3: main$$anonfun$1. With another end it only passes a call on to
 * one ($anonfun$main$1$adapted boxes, and what a trait has for its classes ends with a dollar). */
static bool names_lambda(struct jw_span name)
{
	struct jw_span scala = JW_SPAN_LIT("$anonfun$"), rest = name;

	if (jw_span_starts(name, JW_SPAN_LIT("lambda$")))
		return true;
	if (name.n == 0 || name.p[name.n - 1] < '0' || name.p[name.n - 1] > '9')
		return false;
	while (rest.n >= scala.n && !jw_span_starts(rest, scala))
		rest = jw_span_sub(rest, 1, rest.n);
	return rest.n >= scala.n;
}

enum rules_kind rules_method_kind(struct jw_span name, uint16_t access)
{
	if (jw_span_eq_str(name, "<init>"))
		return RULES_KIND_CONSTRUCTOR;
	if (jw_span_eq_str(name, "<clinit>"))
		return RULES_KIND_CLINIT;
	if (access & ACC_BRIDGE)
		return RULES_KIND_BRIDGE;
	if (!(access & ACC_SYNTHETIC))
		return RULES_KIND_METHOD;
	if (names_lambda(name))
		return RULES_KIND_LAMBDA;
	if (jw_span_starts(name, JW_SPAN_LIT("access$")))
		return RULES_KIND_ACCESSOR;
	return RULES_KIND_SYNTHETIC;
}

const char *rules_why_text(enum rules_why why)
{
	static const char *const text[] = {
#define WHY_TEXT(name, words) words,
		RULES_WHY_LIST(WHY_TEXT)
#undef WHY_TEXT
	};
	return (size_t)why < sizeof text / sizeof *text ? text[why] : "?";
}
