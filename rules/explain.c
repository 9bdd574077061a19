/*
 * explain.c: for `jweave explain`: what each rule says of a method, and which supertype made it so.
 */
#include "rules/rules_int.h"

#include "base/banned.h"

struct rules_verdict rules_explain(const struct rules *rules, const struct rules_class *cls,
				   const struct rules_method *method,
				   void (*each)(void *ctx, size_t rule, bool matches), void *ctx)
{
	struct eval eval = { .cls = cls, .method = method };

	for (size_t i = 0; i < rules->rule_count; i++) {
		const struct rule_int *r = rules->rules[i];
		bool matches = false;

		for (size_t k = r->first; k < r->first + r->count && !matches; k++)
			matches = rules_eval_clause(&rules->clauses[k], &eval) == ANSWER_YES;
		each(ctx, i, matches);
	}
	return rules_decide(rules, cls, method);
}

/* ---- which supertype ---- */

struct meeting {
	const struct item *item;
	struct jw_span name;
};

static bool meets(void *ctx, struct jw_span name)
{
	struct meeting *m = ctx;

	m->name = name;
	return rules_item_names(m->item, name);
}

static bool selector_met(const struct selector *s, rules_each_name *supertypes, void *ctx,
			 struct jw_span *out)
{
	for (const struct test *t = s->tests; t; t = t->next) {
		for (size_t i = 0; i < t->count; i++) {
			struct meeting m = { .item = &t->items[i] };

			if (m.item->negated)
				continue;
			if (t->kind == TEST_ANY_OF &&
			    selector_met(m.item->selector, supertypes, ctx, out))
				return true;
			if (t->kind == TEST_SUBTYPE && supertypes(ctx, meets, &m)) {
				*out = m.name;
				return true;
			}
		}
	}
	return false;
}

bool rules_subtype_met(const struct rules *rules, size_t index, rules_each_name *supertypes,
		       void *ctx, struct jw_span *out)
{
	const struct rules_rule *face = &rules->rules[index]->face;
	const struct rules *set = face->call        ? rules->calls
				  : face->exception ? rules->exceptions
				  : face->creation  ? rules->creations
						    : rules;
	size_t count = set == rules ? rules->rule_clauses : set->clause_count;

	for (size_t i = 0; supertypes && i < count; i++) {
		if (set->clauses[i].rule == index &&
		    selector_met(set->clauses[i].selector, supertypes, ctx, out))
			return true;
	}
	return false;
}
