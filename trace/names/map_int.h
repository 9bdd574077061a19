/*
 * map_int.h: what a method map leaves to the class files beside it; for the files of this room
 * alone.
 */
#ifndef JW_TRACE_MAP_INT_H
#define JW_TRACE_MAP_INT_H

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
				  and one behind the last */
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

/* Appends the lines of a method map for the class file BYTES, whose ids have HASH in them: those
 * methods that WANTED accepts, by what is behind that in their ids; rule and label from RULE_OF, by
 * their index. What is no class adds nothing; false then. */
struct trace_map_lines {
	bool (*wanted)(void *ctx, uint16_t index);
	const struct trace_map_rule *(*rule_of)(void *ctx, uint16_t index);
	void *ctx;
	const char *numbered; /* NULL: an index is behind it; else a number, which is handed to
				 this class */
};
bool trace_map_put_class_file(struct jw_buf *out, uint64_t hash, struct jw_span bytes,
			      const struct trace_map_lines *lines);

/* ---- map_sampling.c: the rules of one table that spare calls ---- */

struct trace_map_spared_rule {
	struct trace_map_spared_rule *next;
	const char *rule; /* in the table's text */
	struct trace_map_spared spared;
};

/* Takes the N FIELDS of a line "a", without its length if ANY_LENGTH; false: it is none. */
bool trace_map_take_spared(struct jw_arena *arena, struct trace_map_spared_rule **list,
			   char *const *fields, size_t n, bool any_length);
/* Is the same spared? Both may be NULL. */
bool trace_map_same_spared(const struct trace_map_spared *a, const struct trace_map_spared *b);
/* What RULE spares; NULL: nothing. */
const struct trace_map_spared *trace_map_spared_by(const struct trace_map_spared_rule *list,
						   const char *rule);

#endif
