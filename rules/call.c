/*
 * call.c: verdicts on instructions: invocations (`on: call`), monitorenter and monitorexit (`on:
 * monitor`), and the creation of objects (`on: new`).
 *
 * These rules have clauses and an index of their own, which are asked about the callee as others
 * are about a method: its owner, name and descriptor as the call names them; nothing more is known.
 * Of a new object the class is the owner, and the type the result. Excludes, and what is left out
 * before all rules, are about the code that calls: calls of java.lang.Thread are what these rules
 * are for.
 *
 * An instruction on a monitor is like the call of a method that no class declares, and that rules
 * for calls never match; what a rule for monitors selects is the code, like `within` of calls.
 */
#include <string.h>

#include "rules/decide.h"
#include "rules/index.h"
#include "rules/selector.h"
#include "rules/set.h"

#include "base/banned.h"

enum { ACC_INTERFACE = 0x0200 };

static struct rules_class owner_of(const struct rules_callee *callee)
{
	return (struct rules_class){ .name = callee->owner,
				     .access = callee->interface ? ACC_INTERFACE : 0,
				     .supertypes = callee->supertypes,
				     .ctx = callee->ctx };
}

static struct rules_method method_of(const struct rules_callee *callee)
{
	return (struct rules_method){ .name = callee->name,
				      .descriptor = callee->descriptor,
				      .kind = rules_method_kind(callee->name, 0) };
}

bool rules_has_calls(const struct rules *rules, const struct rules_class *cls)
{
	return rules->calls.n > 0 && rules_left_out(rules, cls, NULL) == RULES_WHY_TRACED;
}

bool rules_may_call(const struct rules *rules, const struct rules_callee *callee)
{
	struct rules_class owner = owner_of(callee);
	struct rules_method method = method_of(callee);
	struct rules_eval eval = { .cls = &owner, .method = &method };
	struct rules_candidates candidates;
	uint32_t i;

	if (rules->calls.n == 0)
		return false;
	rules_candidates_of(&rules->calls, &owner, &method, &candidates);
	while (rules_candidates_next(&candidates, &i)) {
		const struct rules_clause *clause = &rules->calls.at[i];

		if (clause->monitor == callee->monitor &&
		    rules_clause_eval(clause, &eval) == RULES_YES)
			return true;
	}
	return false;
}

static bool is_within(const struct rules_clause *clause, struct rules_eval *eval)
{
	return !clause->within || rules_selector_eval(clause->within, eval) == RULES_YES;
}

/* Is it the call of what METHOD overrides? */
static bool overrides(const struct rules_method *method, const struct rules_callee *callee)
{
	return callee->super_call && jw_span_eq(method->name, callee->name) &&
	       jw_span_eq(method->descriptor, callee->descriptor);
}

/* Everything for the question about one call. */
struct asked {
	struct rules_class owner;
	struct rules_method called;
	struct rules_eval eval, code; /* of the callee, of the code that calls */
	const struct rules_method *method;
	const struct rules_callee *callee;
};

static void ask(struct asked *a, const struct rules_class *cls, const struct rules_method *method,
		const struct rules_callee *callee)
{
	a->owner = owner_of(callee);
	a->called = method_of(callee);
	a->eval = (struct rules_eval){ .cls = &a->owner, .method = &a->called };
	a->code = (struct rules_eval){ .cls = cls, .method = method };
	a->method = method;
	a->callee = callee;
}

static bool is_chosen(const struct rules_clause *clause, struct asked *a)
{
	return clause->monitor == a->callee->monitor &&
	       rules_clause_eval(clause, &a->eval) == RULES_YES && is_within(clause, &a->code) &&
	       !(clause->selector->says_subtype && overrides(a->method, a->callee));
}

/* By the clauses in LIST, one of those of RULES. */
static struct rules_verdict decide(const struct rules *rules, const struct rules_clauses *list,
				   const struct rules_class *cls, const struct rules_method *method,
				   const struct rules_callee *callee)
{
	enum rules_why why = rules_left_out(rules, cls, method);
	struct rules_candidates candidates;
	struct asked a;
	uint32_t i;

	if (why != RULES_WHY_TRACED)
		return (struct rules_verdict){ why, RULES_NONE };
	if (list->n == 0)
		return (struct rules_verdict){ RULES_WHY_UNMATCHED, RULES_NONE };
	ask(&a, cls, method, callee);
	rules_candidates_of(list, &a.owner, &a.called, &candidates);
	while (rules_candidates_next(&candidates, &i)) {
		const struct rules_clause *clause = &list->at[i];

		if (!is_chosen(clause, &a))
			continue;
		if (rules_is_excluded(rules, cls, method))
			return (struct rules_verdict){ RULES_WHY_EXCLUDED, RULES_NONE };
		why = clause->skip ? RULES_WHY_SKIPPED : RULES_WHY_TRACED;
		return (struct rules_verdict){ why, clause->rule };
	}
	return (struct rules_verdict){ RULES_WHY_UNMATCHED, RULES_NONE };
}

struct rules_verdict rules_decide_call(const struct rules *rules, const struct rules_class *cls,
				       const struct rules_method *method,
				       const struct rules_callee *callee)
{
	return decide(rules, &rules->calls, cls, method, callee);
}

/* ---- new objects ---- */

bool rules_has_creations(const struct rules *rules, const struct rules_class *cls)
{
	return rules->creations.n > 0 && rules_left_out(rules, cls, NULL) == RULES_WHY_TRACED;
}

struct rules_verdict rules_decide_creation(const struct rules *rules, const struct rules_class *cls,
					   const struct rules_method *method,
					   const struct rules_callee *made)
{
	return decide(rules, &rules->creations, cls, method, made);
}

/* ---- operations ---- */

size_t rules_operation_rule(const struct rules *rules, const struct rules_class *cls,
			    const struct rules_method *method, const struct rules_callee *callee,
			    size_t rule)
{
	const struct rules_clauses *list = callee ? &rules->calls : &rules->bodies;
	struct rules_eval eval = { .cls = cls, .method = method };
	struct rules_candidates candidates;
	struct asked a;
	uint32_t i;

	const struct rules_rule *face = &rules->rules.at[rule]->face;

	if (face->exception || face->creation || face->event_said || !list->operations ||
	    rules_samples(&face->sampling))
		return rule;
	if (callee)
		ask(&a, cls, method, callee);
	rules_candidates_of(list, callee ? &a.owner : cls, callee ? &a.called : method,
			    &candidates);
	while (rules_candidates_next(&candidates, &i)) {
		const struct rules_clause *clause = &list->at[i];

		if (clause->rule == RULES_NONE || clause->rule >= rule || clause->skip ||
		    !rules->rules.at[clause->rule]->face.operation)
			continue;
		if (callee ? is_chosen(clause, &a) : rules_clause_eval(clause, &eval) == RULES_YES)
			return clause->rule;
	}
	return rule;
}
