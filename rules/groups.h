/*
 * groups.h: the key `groups`: selectors with names, which `group` refers to.
 *
 * A file sees its own groups and those of the files that it includes, its own first. Call
 * rules_groups_read() once a file, before anything that may refer to them.
 */
#ifndef JW_RULES_GROUPS_H
#define JW_RULES_GROUPS_H

#include "rules/reading.h"

struct rules_selector;

/* Adds the groups in JSON to SOURCE and compiles them, also those that nobody refers to. COUNT: how
 * many there are in the whole set. */
enum jw_status JW_MUST_USE rules_groups_read(struct rules_reading *c, const struct rules_json *json,
					     struct rules_source *source, size_t *count);

/* The selector of the group named by TEXT, the end of the string JSON. */
enum jw_status JW_MUST_USE rules_group_find(struct rules_reading *c, const struct rules_json *json,
					    struct jw_span text, const struct rules_selector **out);

#endif
