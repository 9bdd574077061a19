/*
 * lambdas.h: which methods of a class are bodies of its lambda expressions, or are named by its
 * method references.
 */
#ifndef JW_WEAVER_LAMBDAS_H
#define JW_WEAVER_LAMBDAS_H

#include "cfr/class.h"
#include "weaver/types/types.h"

struct weave_lambdas;

/* Those of CLS, in ARENA; NULL: no memory. Costs one pass over the constant pool. */
struct weave_lambdas *weave_find_lambdas(const struct cfr_class *cls, struct jw_arena *arena);

/* Is MEMBER one of them? */
bool weave_is_lambda(const struct weave_lambdas *lambdas, const struct cfr_member *member);

/* Gives TAKE the functional interfaces for which MEMBER is the body, and (with TYPES) their
 * supertypes; as rules_each_name. */
bool weave_each_lambda(const struct weave_lambdas *lambdas, const struct cfr_member *member,
		       const struct weave_types *types, rules_take_name *take, void *ctx);

#endif
