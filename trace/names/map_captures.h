/*
 * map_captures.h: what the lines of one table say of captures of some types.
 */
#ifndef JW_TRACE_NAMES_MAP_CAPTURES_H
#define JW_TRACE_NAMES_MAP_CAPTURES_H

#include "trace/format/methodmap.h"

/* Types of events that hold, of one line. */
struct trace_map_held {
	struct trace_map_held *next;
	enum jw_hold hold;
	uint32_t types[JW_CAPTURES];
	size_t n;
};

/* Takes the N FIELDS of a line "h"; false: it is none. */
bool trace_map_take_held(struct jw_arena *arena, struct trace_map_held **list, char *const *fields,
			 size_t n);
/* How long C is shown, as the lines of LIST say. */
enum jw_hold trace_map_hold_of(const struct trace_map_held *list, const struct jw_capture *c);

/* An end of messages, of the methods and calls of a rule. */
struct trace_map_rule_link {
	struct trace_map_rule_link *next;
	const char *rule;
	struct jw_link link;
};

/* Takes the N FIELDS of a line "l"; false: it is none. */
bool trace_map_take_link(struct jw_arena *arena, struct trace_map_rule_link **list,
			 char *const *fields, size_t n);
/* The end that a method or call of RULE with the captures of ABOUT is, in ARENA; NULL: none, since
 * it lacks a part of the key, or there is no memory. */
const struct trace_map_link *trace_map_link_of(struct jw_arena *arena,
					       const struct trace_map_rule_link *list,
					       const char *rule,
					       const struct trace_map_about *about);

#endif
