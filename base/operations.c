/*
 * operations.c: the tables of operations.def.
 */
#include "base/operations.h"

#include <string.h>

#include "base/banned.h"

const struct jw_operation_kind jw_operation_kinds[JW_OPERATION_TYPES] = {
#define OPERATION_TYPE(TYPE, word, event, label) { word, event, label },
#include "base/operations.def"
};

const struct jw_operation jw_operations[] = {
#define OPERATION(TYPE, word, number, label, state, object, role) \
	{ JW_OPERATIONS_##TYPE, word, number, label, state, JW_OBJECT_##object, JW_ROLE_##role },
#include "base/operations.def"
	{ JW_OPERATION_TYPES, NULL, 0, NULL, 0, JW_OBJECT_NONE, JW_ROLE_NONE },
};

const struct jw_operation *jw_operation_find(struct jw_span text)
{
	for (const struct jw_operation *op = jw_operations; op->word; op++) {
		size_t n = strlen(jw_operation_kinds[op->type].word);

		if (text.n > n && text.p[n] == '/' &&
		    jw_span_eq_str(jw_span_sub(text, 0, n), jw_operation_kinds[op->type].word) &&
		    jw_span_eq_str(jw_span_sub(text, n + 1, text.n - n - 1), op->word))
			return op;
	}
	return NULL;
}
