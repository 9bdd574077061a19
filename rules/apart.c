/*
 * apart.c: rules about something else than the execution of methods are a set of their own inside
 * the set, with an index of its own: those for calls, those for exceptions.
 */
#include <string.h>

#include "rules/rules_int.h"

#include "base/banned.h"

enum jw_status rules_apart_seal(struct rules *set, const struct jw_buf *clauses, struct rules **out,
				struct jw_err *e)
{
	struct rules *apart;

	if (clauses->n == 0)
		return JW_OK;
	apart = jw_mem_zalloc(1, sizeof *apart);
	if (!apart)
		return jw_nomem(e);
	*out = apart;
	apart->clause_count = apart->rule_clauses = clauses->n / sizeof *apart->clauses;
	apart->clauses = JW_NEW_ARRAY(&apart->arena, struct clause, apart->clause_count);
	if (!apart->clauses)
		return jw_nomem(e);
	memcpy(apart->clauses, clauses->p, clauses->n);
	apart->operations = rules_have_operations(set, apart->clauses, apart->clause_count);
	for (size_t i = 0; i < apart->clause_count; i++)
		set->needs_supertypes |=
			apart->clauses[i].selector->says_subtype ||
			(apart->clauses[i].within && apart->clauses[i].within->says_subtype);
	return rules_index_build(apart, e);
}

void rules_apart_free(struct rules *apart)
{
	if (apart)
		jw_arena_free(&apart->arena);
	jw_mem_free(apart);
}
