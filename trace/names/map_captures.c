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

static bool is_part(struct jw_capture *c)
{
	return c->what == JW_CAPTURE_THIS || c->what == JW_CAPTURE_ARG ||
	       c->what == JW_CAPTURE_RETURN;
}

bool trace_map_take_link(struct jw_arena *arena, struct trace_map_rule_link **list,
			 char *const *fields, size_t n)
{
	struct trace_map_rule_link *one = JW_NEW(arena, struct trace_map_rule_link);
	struct jw_link link = { 0 };
	size_t end = 0;

	if (n < 5 || n > 4 + JW_LINK_PARTS || !fields[3][0])
		return false;
	while (jw_link_ends[end] && strcmp(jw_link_ends[end], fields[2]) != 0)
		end++;
	if (!jw_link_ends[end])
		return false;
	link.end = (enum jw_link_end)end;
	link.name = fields[3];
	for (size_t i = 4; i < n; i++) {
		struct jw_capture part = { 0 };

		if (!jw_capture_of(jw_span_str(fields[i]), &part) || !is_part(&part))
			return false;
		link.parts[link.n++] = (struct jw_link_part){ part.what, part.arg };
	}
	if (!one)
		return true; /* its messages have no arrows */
	one->rule = fields[1];
	one->link = link;
	one->next = *list;
	*list = one;
	return true;
}

/* The place of PART among the captures, in a form that two processes know; below 0: nowhere. */
static int place_of(const struct trace_map_about *about, const struct jw_link_part *part)
{
	for (size_t i = 0; i < about->capture_count; i++) {
		const struct jw_capture *c = &about->captures[i];

		if (c->what == part->what && c->arg == part->arg &&
		    (jw_capture_is_number(c) || jw_capture_is_text(c)))
			return (int)i;
	}
	return -1;
}

const struct trace_map_link *trace_map_link_of(struct jw_arena *arena,
					       const struct trace_map_rule_link *list,
					       const char *rule,
					       const struct trace_map_about *about)
{
	struct trace_map_link *out;

	while (list && strcmp(list->rule, rule) != 0)
		list = list->next;
	out = list ? JW_NEW(arena, struct trace_map_link) : NULL;
	if (!out)
		return NULL;
	*out = (struct trace_map_link){ .name = list->link.name, .end = list->link.end };
	for (; out->n < list->link.n; out->n++) {
		int at = place_of(about, &list->link.parts[out->n]);

		if (at < 0)
			return NULL;
		out->parts[out->n] = (uint8_t)at;
		out->early += jw_capture_is_early(&about->captures[at]);
	}
	return out;
}
