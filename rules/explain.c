/*
 * explain.c: see explain.h.
 */
#include "rules/explain.h"
#include "rules/match.h"
#include "rules/selector.h"
#include "rules/set.h"

#include "base/banned.h"

struct rules_verdict rules_explain(const struct rules *rules, const struct rules_class *cls,
				   const struct rules_method *method,
				   void (*each)(void *ctx, size_t rule, bool matches), void *ctx)
{
	struct rules_eval eval = { .cls = cls, .method = method };

	for (size_t i = 0; i < rules->rules.n; i++) {
		const struct rules_compiled_rule *r = rules->rules.at[i];
		bool matches = false;

		for (size_t k = r->first; k < r->first + r->count && !matches; k++)
			matches = rules_clause_eval(&rules->bodies.at[k], &eval) == RULES_YES;
		each(ctx, i, matches);
	}
	return rules_decide(rules, cls, method);
}

/* ---- which supertype ---- */

struct meeting {
	const struct rules_item *item;
	struct jw_span name;
};

static bool meets(void *ctx, struct jw_span name)
{
	struct meeting *m = ctx;

	m->name = name;
	return rules_item_names(m->item, name);
}

static bool selector_met(const struct rules_selector *s, rules_each_name *supertypes, void *ctx,
			 struct jw_span *out)
{
	for (const struct rules_test *t = s->tests; t; t = t->next) {
		for (size_t i = 0; i < t->count; i++) {
			struct meeting m = { .item = &t->items[i] };

			if (m.item->negated)
				continue;
			if (t->kind == RULES_TEST_ANY_OF &&
			    selector_met(m.item->selector, supertypes, ctx, out))
				return true;
			if (t->kind == RULES_TEST_SUBTYPE && supertypes(ctx, meets, &m)) {
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
	const struct rules_rule *face = &rules->rules.at[index]->face;
	const struct rules_clauses *list = face->call        ? &rules->calls
					   : face->exception ? &rules->exceptions
					   : face->creation  ? &rules->creations
							     : &rules->bodies;

	for (size_t i = 0; supertypes && i < list->n; i++) {
		if (list->at[i].rule == index &&
		    selector_met(list->at[i].selector, supertypes, ctx, out))
			return true;
	}
	return false;
}
