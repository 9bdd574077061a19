/*
 * describe.h: a class, its methods and their callees in the words of the rules.
 *
 * Order of calls: head, for the question whether the class concerns a rule at all; open, once the
 * class is open; then any number of methods. Facts that are expensive to compute (of the code,
 * annotations, supertypes, lambdas) are computed when a rule asks.
 */
#ifndef JW_WEAVER_DESCRIBE_H
#define JW_WEAVER_DESCRIBE_H

#include "cfr/class.h"
#include "rules/rules.h"
#include "weaver/types/types.h"

struct weave_lambdas;

/* The class's description; it refers to itself, so it must not be moved. */
struct weave_described {
	struct rules_class cls;
	const struct cfr_class *file;
	const struct weave_types *types; /* NULL: no rule asks for supertypes */
	struct weave_supers supers;
	struct jw_arena *arena;        /* of what is found out about it; NULL: it is not open */
	struct weave_lambdas *lambdas; /* once asked for */
};

void weave_describe_head(struct weave_described *d, const struct cfr_class *cls,
			 struct jw_span entry, const struct weave_types *types);
void weave_describe_open(struct weave_described *d, const struct rules *rules,
			 struct jw_arena *arena);

/* What a description of a method refers to; it must live as long as that. */
struct weave_facts {
	struct weave_described *of;
	const struct cfr_class *cls;
	const struct cfr_member *member;
};
struct rules_method weave_describe_method(struct weave_facts *facts);

/* The class that declares a callee, or what is made. */
struct weave_owner {
	const struct weave_types *types;
	struct jw_span name;
};
/* Tells CALLEE that its owner is NAME, with its supertypes unless TYPES is NULL. OWNER becomes a
 * part of CALLEE: it must not be moved. */
void weave_describe_owner(struct weave_owner *owner, const struct weave_types *types,
			  struct jw_span name, struct rules_callee *callee);

/* The callee that monitorenter or monitorexit is to the rules. */
struct rules_callee weave_describe_monitor(uint8_t op);

/* Has the code of MEMBER, which has not been validated, an instruction that IS says yes to, as far
 * as it can be walked? */
typedef bool weave_is_insn(const void *ctx, struct jw_span code, uint32_t pc);
bool weave_code_has(const struct cfr_member *member, weave_is_insn *is, const void *ctx);

#endif
