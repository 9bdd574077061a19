/*
 * map_class.h: the lines of a method map for one class file.
 */
#ifndef JW_TRACE_NAMES_MAP_CLASS_H
#define JW_TRACE_NAMES_MAP_CLASS_H

#include "trace/names/map_place.h"

/* Appends the lines of a method map for the class file BYTES, whose ids have HASH in them: those
 * methods that WANTED accepts, by what is after that in their ids; rule and label from RULE_OF, by
 * their index. What is no class adds nothing; false then. */
struct trace_map_lines {
	bool (*wanted)(void *ctx, uint16_t index);
	const struct trace_map_rule *(*rule_of)(void *ctx, uint16_t index);
	void *ctx;
	const char *numbered; /* NULL: an index is after it; else a number, which is handed to
				 this class */
};
bool trace_map_put_class_file(struct jw_buf *out, uint64_t hash, struct jw_span bytes,
			      const struct trace_map_lines *lines);

#endif
