/*
 * map_captures.c: see map_captures.h.
 */
#include <string.h>

#include "trace/format/fields.h"
#include "trace/names/map_captures.h"

#include "base/banned.h"

bool trace_map_take_held(struct jw_arena *arena, struct trace_map_held **list, char *const *fields,
			 size_t n)
{
	struct trace_map_held *held = JW_NEW(arena, struct trace_map_held);
	bool around = n > 1 && strcmp(fields[1], "around") == 0;
	uint64_t type;

	if (n < 2 || n > 2 + JW_CAPTURES || (!around && strcmp(fields[1], "call") != 0))
		return false;
	for (size_t i = 2; i < n; i++) {
		if (!trace_dec(jw_span_str(fields[i]), UINT32_MAX, &type))
			return false;
		if (held)
			held->types[held->n++] = (uint32_t)type;
	}
	if (!held)
		return true; /* its captures will be instants */
	held->hold = around ? JW_HOLD_AROUND : JW_HOLD_CALL;
	held->next = *list;
	*list = held;
	return true;
}

enum jw_hold trace_map_hold_of(const struct trace_map_held *list, const struct jw_capture *c)
{
	if (!c->type || !jw_capture_is_early(c))
		return JW_HOLD_NOT;
	for (; list; list = list->next)
		for (size_t i = 0; i < list->n; i++)
			if (list->types[i] == c->type)
				return list->hold;
	return JW_HOLD_NOT;
}
