/*
 * map_place.c: what a method map says of classes whose names stand in their own files: lines r, k
 * and n of methodmap.h.
 */
#include <string.h>

#include "trace/format/fields.h"
#include "trace/format/recording.h"
#include "trace/names/map_place.h"

#include "base/banned.h"

struct trace_map_place *trace_map_place_open(struct jw_arena *arena, struct trace_map_place **list,
					     const char *path, uint64_t salt)
{
	struct trace_map_place *place = JW_NEW(arena, struct trace_map_place);

	if (!place)
		return NULL;
	place->salt = salt;
	if (path) {
		place->path = jw_arena_str(arena, jw_span_str(path));
		if (!place->path)
			return NULL;
	}
	while (*list)
		list = &(*list)->next;
	*list = place;
	return place;
}

bool trace_map_place_rule(struct jw_arena *arena, struct trace_map_place *place, const char *rule,
			  const char *label)
{
	struct trace_map_rule *r = JW_NEW(arena, struct trace_map_rule);

	if (!r)
		return false;
	*r = (struct trace_map_rule){ .rule = rule, .label = label };
	if (place->last_rule)
		place->last_rule->next = r;
	else
		place->rules = r;
	place->last_rule = r;
	place->rule_count++;
	return true;
}

/* Cuts the text up to C off *REST; what follows is left in it. False: there is no C. */
static bool cut(char **rest, char c, char **out)
{
	char *end = strchr(*rest, c);

	if (!end)
		return false;
	*end = '\0';
	*out = *rest;
	*rest = end + 1;
	return true;
}

/* "INDEX:NUMBER" */
static bool take_run(const struct trace_map_place *place, char *text, struct trace_map_run *out)
{
	uint64_t index, rule;
	char *first;

	if (!cut(&text, ':', &first) || !trace_dec(jw_span_str(first), UINT16_MAX, &index) ||
	    !trace_dec(jw_span_str(text), UINT32_MAX, &rule) || rule >= place->rule_count)
		return false;
	*out = (struct trace_map_run){ (uint16_t)index, (uint32_t)rule };
	return true;
}

enum jw_status trace_map_place_class(struct jw_arena *arena, struct trace_map_place *place,
				     char *line)
{
	struct trace_map_class *c = JW_NEW(arena, struct trace_map_class);
	size_t most = 1, n = 0;
	uint64_t hash;
	char *field;

	for (const char *p = line; *p; p++)
		most += *p == '\t';
	struct trace_map_run *runs = JW_NEW_ARRAY(arena, struct trace_map_run, most);
	if (!c || !runs)
		return JW_NOMEM;
	if (!cut(&line, '\t', &field) || !trace_hex(jw_span_str(field), JWR_CLASS_MASK, &hash))
		return JW_INPUT;
	while (cut(&line, '\t', &field))
		if (!take_run(place, field, &runs[n++]))
			return JW_INPUT;
	if (!take_run(place, line, &runs[n++]))
		return JW_INPUT;
	*c = (struct trace_map_class){ place->classes, hash, runs, n };
	place->classes = c;
	return JW_OK;
}

enum jw_status trace_map_place_numbers(struct jw_arena *arena, struct trace_map_place *place,
				       char *line)
{
	size_t most = 1, count = 0;
	uint64_t next = 0, share;
	char *field, *class;

	for (const char *p = line; *p; p++)
		most += *p == ' ';
	uint32_t *first = JW_NEW_ARRAY(arena, uint32_t, most);
	if (!first)
		return JW_NOMEM;
	if (!cut(&line, '\t', &field) ||
	    !trace_hex(jw_span_str(field), JWR_CLASS_MASK, &place->space) ||
	    !cut(&line, '\t', &class))
		return JW_INPUT;
	while (cut(&line, ' ', &field)) {
		first[count++] = (uint32_t)next;
		if (!trace_dec(jw_span_str(field), UINT16_MAX + 1, &share) ||
		    next + share > UINT16_MAX + 1)
			return JW_INPUT;
		next += share;
	}
	first[count] = (uint32_t)next;
	place->numbered = class;
	place->first = first;
	place->share_count = count;
	return JW_OK;
}
