#include "rules/rules_int.h"

#include "base/banned.h"

enum jw_status rules_index_build(struct rules *set, struct jw_err *e)
{
	uint32_t *all = JW_NEW_ARRAY(&set->arena, uint32_t, set->clause_count + 1);

	if (!all)
		return jw_nomem(e);
	for (size_t i = 0; i < set->clause_count; i++)
		all[i] = (uint32_t)(set->clause_count - 1 - i);
	set->index = (struct index *)(void *)all;
	return JW_OK;
}

void rules_candidates(const struct rules *set, const struct rules_class *cls,
		      const struct jw_span *method, struct candidates *out)
{
	(void)cls;
	(void)method;
	out->count = 1;
	out->lists[0].at = (const uint32_t *)(const void *)set->index;
	out->lists[0].left = set->clause_count;
}

bool rules_candidates_next(struct candidates *c, uint32_t *clause)
{
	if (c->lists[0].left == 0)
		return false;
	c->lists[0].left--;
	*clause = *c->lists[0].at++;
	return true;
}
