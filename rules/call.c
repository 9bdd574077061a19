/*
 * call.c: rules with `on: call`: which invocations in the code of a class they choose; and those
 * with `on: monitor`: which monitorenter and monitorexit; and with `on: new`: which objects that it
 * makes, of which the class stands where the method's owner does, their type where the result does.
 *
 * They are a set of their own, with an index of its own, in which the callee stands where the
 * method stands otherwise: owner, name and descriptor as the call names them, and nothing more is
 * known of it. Excludes, and what is left out before all rules, are about the code that calls: to
 * call java.lang.Thread is what these rules are for.
 *
 * An instruction on a monitor is like the call of a method that no class declares, and that rules
 * for calls never see; what a rule for monitors selects is the code, as `within` does for calls.
 */
#include <string.h>

#include "rules/rules_int.h"

#include "base/banned.h"

enum { ACC_INTERFACE = 0x0200 };

/* ---- reading ---- */

/* What a call (MADE: a new object) does not tell and KIND asks for, as a key; else NULL. */
static const char *untold(enum test_kind kind, bool made)
{
	static const char *const words[] = {
		[TEST_ENTRY] = "entry",
		[TEST_CLASS_MODIFIERS] = "classModifiers",
		[TEST_SOURCE] = "source",
		[TEST_KIND] = "kind",
		[TEST_CODE] = "code",
		[TEST_MODIFIERS] = "modifiers",
		[TEST_CLASS_ANNOTATION] = "classAnnotation",
		[TEST_METHOD_ANNOTATION] = "methodAnnotation",
		[TEST_LAMBDA] = "lambdaOf",
	};
	static const char *const of_methods[] = {
		[TEST_METHOD] = "method",
		[TEST_PARAMS] = "params",
		[TEST_DESCRIPTOR] = "descriptor",
	};

	if ((size_t)kind < sizeof words / sizeof *words && words[kind])
		return words[kind];
	return made && (size_t)kind < sizeof of_methods / sizeof *of_methods ? of_methods[kind]
									     : NULL;
}

/* Does TEST ask for nothing but whether the call is made through an interface? */
static bool asks_interface(const struct test *test)
{
	bool only = test->kind == TEST_CLASS_MODIFIERS;

	for (size_t i = 0; i < test->count; i++)
		only = only && test->items[i].mask == ACC_INTERFACE;
	return only;
}

/* The first test of S that asks for what a call does not tell, or NULL. */
static const struct test *asks_too_much(const struct selector *s, bool made)
{
	for (const struct test *t = s->tests; t; t = t->next) {
		if (untold(t->kind, made) && (made || !asks_interface(t)))
			return t;
		for (size_t i = 0; i < t->count; i++) {
			const struct test *inner = NULL;

			if (t->items[i].form == ITEM_SELECTOR)
				inner = asks_too_much(t->items[i].selector, made);
			if (inner)
				return inner;
		}
	}
	return NULL;
}

enum jw_status rules_call_check(struct compile *c, const struct rules_json *json,
				const struct selector *selector, bool made)
{
	const struct test *t = asks_too_much(selector, made);
	const char *word = t ? untold(t->kind, made) : NULL;
	struct jw_span part = t && t->count ? t->items[0].text : json->text; /* of a match line */

	if (!word)
		return JW_OK;
	if (made)
		return rules_json_fail_in(
			c->e, json, part, NULL,
			"\"%s\" cannot be asked of a new object, of which only its type "
			"is known: use \"within\" for the code that makes it",
			word);
	return rules_json_fail_in(c->e, json, part, NULL,
				  "\"%s\" cannot be asked of a call, which names class, method and "
				  "types alone: use \"within\" for the code that calls",
				  word);
}

enum jw_status rules_monitor_selector(struct compile *c, const struct rules_json *json,
				      const struct rules_rule *face, const struct selector **out)
{
	const struct jw_operation *op = face->skip ? NULL : face->operation;
	const char *line = "java.lang.Object#monitor*()";
	struct rules_json pattern = *json;

	if (op && op == jw_operation_find(JW_SPAN_LIT("monitor/enter")))
		line = "java.lang.Object#" RULES_MONITOR_ENTER "()";
	else if (op && op == jw_operation_find(JW_SPAN_LIT("monitor/exit")))
		line = "java.lang.Object#" RULES_MONITOR_EXIT "()";
	else if (!face->skip)
		return rules_json_fail(
			c->e, json, false, NULL,
			"a rule with \"on\": \"monitor\" says of which end: \"event\": "
			"{ \"type\": \"monitor\", \"value\": \"enter\" } or \"exit\"");
	pattern.type = RULES_JSON_STRING;
	pattern.text = jw_span_str(line);
	pattern.raw = jw_span(NULL, 0);
	return rules_selector(c, &pattern, out);
}

enum jw_status rules_call_state(struct compile *c, const struct rules_json *json, int *state)
{
	/* the numbers are Extrae's */
	static const struct {
		const char *word;
		int state;
	} states[] = { { "none", RULES_NO_STATE },
		       { "idle", 0 },
		       { "running", 1 },
		       { "waiting-message", 3 },
		       { "blocking-send", 4 },
		       { "synchronization", 5 },
		       { "probe", 6 },
		       { "scheduling", 7 },
		       { "wait", 8 },
		       { "blocked", 9 },
		       { "immediate-send", 10 },
		       { "immediate-receive", 11 },
		       { "io", 12 },
		       { "group-communication", 13 },
		       { "tracing-disabled", 14 },
		       { "others", 15 } };

	JW_TRY(rules_shape(c, json));
	if (json->type == RULES_JSON_NUMBER) {
		if (json->integer > RULES_MAX_STATE)
			return rules_json_fail(c->e, json, false, NULL,
					       "a state is a number up to %d", RULES_MAX_STATE);
		*state = (int)json->integer;
		return JW_OK;
	}
	for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
		if (jw_span_eq_str(json->text, states[i].word)) {
			*state = states[i].state;
			return JW_OK;
		}
	}
	return jw_bug(c->e, "a state without a number");
}

/* ---- asking ---- */

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
	return rules->calls && rules_left_out(rules, cls, NULL) == RULES_WHY_TRACED;
}

bool rules_may_call(const struct rules *rules, const struct rules_callee *callee)
{
	struct rules_class owner = owner_of(callee);
	struct rules_method method = method_of(callee);
	struct eval eval = { .cls = &owner, .method = &method };
	struct candidates candidates;
	uint32_t i;

	if (!rules->calls)
		return false;
	rules_candidates(rules->calls, &owner, &method, &candidates);
	while (rules_candidates_next(&candidates, &i)) {
		const struct clause *clause = &rules->calls->clauses[i];

		if (clause->monitor == callee->monitor &&
		    rules_eval_clause(clause, &eval) == ANSWER_YES) {
			if (!clause->skip)
				return true;
			if (!clause->within)
				return false;
		}
	}
	return false;
}

bool rules_is_excluded(const struct rules *rules, const struct rules_class *cls,
		       const struct rules_method *method)
{
	struct eval eval = { .cls = cls, .method = method };
	struct candidates candidates;
	uint32_t i;

	if (rules->clause_count == rules->rule_clauses)
		return false;
	rules_candidates(rules, cls, method, &candidates);
	while (rules_candidates_next(&candidates, &i) && i >= rules->rule_clauses) {
		if (rules_eval_clause(&rules->clauses[i], &eval) == ANSWER_YES)
			return true;
	}
	return false;
}

static bool is_within(const struct clause *clause, struct eval *eval)
{
	return !clause->within || rules_eval(clause->within, eval) == ANSWER_YES;
}

/* Is it the call of what METHOD overrides? */
static bool overrides(const struct rules_method *method, const struct rules_callee *callee)
{
	return callee->super_call && jw_span_eq(method->name, callee->name) &&
	       jw_span_eq(method->descriptor, callee->descriptor);
}

/* What a call is asked with. */
struct asked {
	struct rules_class owner;
	struct rules_method called;
	struct eval eval, code; /* of the callee, of the code that calls */
	const struct rules_method *method;
	const struct rules_callee *callee;
};

static void ask(struct asked *a, const struct rules_class *cls, const struct rules_method *method,
		const struct rules_callee *callee)
{
	a->owner = owner_of(callee);
	a->called = method_of(callee);
	a->eval = (struct eval){ .cls = &a->owner, .method = &a->called };
	a->code = (struct eval){ .cls = cls, .method = method };
	a->method = method;
	a->callee = callee;
}

static bool is_chosen(const struct clause *clause, struct asked *a)
{
	return clause->monitor == a->callee->monitor &&
	       rules_eval_clause(clause, &a->eval) == ANSWER_YES && is_within(clause, &a->code) &&
	       !(clause->selector->says_subtype && overrides(a->method, a->callee));
}

/* By the clauses of SET, which is apart in RULES; NULL: there are none. */
static struct rules_verdict decide(const struct rules *rules, const struct rules *set,
				   const struct rules_class *cls, const struct rules_method *method,
				   const struct rules_callee *callee)
{
	enum rules_why why = rules_left_out(rules, cls, method);
	struct candidates candidates;
	struct asked a;
	uint32_t i;

	if (why != RULES_WHY_TRACED)
		return (struct rules_verdict){ why, RULES_NONE };
	if (!set)
		return (struct rules_verdict){ RULES_WHY_UNMATCHED, RULES_NONE };
	ask(&a, cls, method, callee);
	rules_candidates(set, &a.owner, &a.called, &candidates);
	while (rules_candidates_next(&candidates, &i)) {
		const struct clause *clause = &set->clauses[i];

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
	return decide(rules, rules->calls, cls, method, callee);
}

/* ---- new objects ---- */

bool rules_has_creations(const struct rules *rules, const struct rules_class *cls)
{
	return rules->creations && rules_left_out(rules, cls, NULL) == RULES_WHY_TRACED;
}

struct rules_verdict rules_decide_creation(const struct rules *rules, const struct rules_class *cls,
					   const struct rules_method *method,
					   const struct rules_callee *made)
{
	return decide(rules, rules->creations, cls, method, made);
}

/* ---- operations ---- */

bool rules_have_operations(const struct rules *set, const struct clause *clauses, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (set->rules[clauses[i].rule]->face.operation)
			return true;
	}
	return false;
}

size_t rules_operation_rule(const struct rules *rules, const struct rules_class *cls,
			    const struct rules_method *method, const struct rules_callee *callee,
			    size_t rule)
{
	const struct rules *set = callee ? rules->calls : rules;
	struct eval eval = { .cls = cls, .method = method };
	struct candidates candidates;
	struct asked a;
	uint32_t i;

	const struct rules_rule *face = &rules->rules[rule]->face;

	if (face->exception || face->creation || face->event_said || !set->operations ||
	    rules_spares(&face->spare))
		return rule;
	if (callee)
		ask(&a, cls, method, callee);
	rules_candidates(set, callee ? &a.owner : cls, callee ? &a.called : method, &candidates);
	while (rules_candidates_next(&candidates, &i)) {
		const struct clause *clause = &set->clauses[i];

		if (clause->rule == RULES_NONE || clause->rule >= rule || clause->skip ||
		    !rules->rules[clause->rule]->face.operation)
			continue;
		if (callee ? is_chosen(clause, &a) : rules_eval_clause(clause, &eval) == ANSWER_YES)
			return clause->rule;
	}
	return rule;
}
