/*
 * explain.h: for `jweave explain`: what each rule says of a method, and which supertype made it so.
 */
#ifndef JW_RULES_EXPLAIN_H
#define JW_RULES_EXPLAIN_H

#include "rules/rules.h"

/* Calls EACH with the rule's index and whether it matches, first to last. Returns the verdict. */
struct rules_verdict rules_explain(const struct rules *rules, const struct rules_class *cls,
				   const struct rules_method *method,
				   void (*each)(void *ctx, size_t rule, bool matches), void *ctx);

/* What made subtypeOf hold in the rule INDEX: the nearest of the types that SUPERTYPES gives (of
 * CTX: a class, or a callee's owner) which an item of it names. False: none, or the rule does not
 * ask. OUT is as SUPERTYPES gave it. */
bool rules_subtype_met(const struct rules *rules, size_t index, rules_each_name *supertypes,
		       void *ctx, struct jw_span *out);

#endif
