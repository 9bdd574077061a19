/*
 * map_place.h: what a method map leaves to the class files beside it: where the classes of a table
 * are, and which methods of theirs belong to which rule.
 *
 *     open -> rule .. -> class, numbers ..      while the table is read; map_classes.c reads the classes
 */
#ifndef JW_TRACE_NAMES_MAP_PLACE_H
#define JW_TRACE_NAMES_MAP_PLACE_H

#include "trace/format/methodmap.h"

/* `k` of a table: from method INDEX on, up to the next one's, methods belong to rule NUMBER. */
struct trace_map_run {
	uint16_t index;
	uint32_t rule;
};

struct trace_map_class {
	struct trace_map_class *next;
	uint64_t hash;
	const struct trace_map_run *runs; /* at least one */
	size_t run_count;
};

struct trace_map_rule {
	struct trace_map_rule *next;
	const char *rule, *label; /* as in the table, escapes undone; label "" : none */
};

/* Where the classes of one table lie. Everything is in the map's arena. */
struct trace_map_place {
	struct trace_map_place *next;
	const char *path; /* archive or folder; NULL: not known, the names are lost */
	uint64_t salt;    /* of the hashes of its classes */
	struct trace_map_rule *rules, *last_rule;
	size_t rule_count;
	struct trace_map_class *classes; /* those with other rules than the first */
	const char *numbered;            /* the CLASS of line n; NULL: methods have no numbers */
	uint64_t space;                  /* ... and what is in their ids */
	const uint32_t *first; /* of each TRACE_MAP_TOGETHER classes in the archive's directory,
				  and one after the last */
	size_t share_count;
};

/* The places of MAP, in the order in which they were added. */
const struct trace_map_place *trace_map_places(const struct trace_map *map);

/* Appends a place to LIST; NULL: no memory. PATH is copied and may be NULL. */
struct trace_map_place *trace_map_place_open(struct jw_arena *arena, struct trace_map_place **list,
					     const char *path, uint64_t salt);
/* Appends a rule, whose strings are kept; false: no memory. */
bool trace_map_place_rule(struct jw_arena *arena, struct trace_map_place *place, const char *rule,
			  const char *label);
/* Takes "HASH INDEX:NUMBER...", which is changed; JW_INPUT: it is no such line, JW_NOMEM. */
enum jw_status JW_MUST_USE trace_map_place_class(struct jw_arena *arena,
						 struct trace_map_place *place, char *line);

/* Takes "SPACE CLASS SHARE...", which is changed and kept; as above. */
enum jw_status JW_MUST_USE trace_map_place_numbers(struct jw_arena *arena,
						   struct trace_map_place *place, char *line);

#endif
