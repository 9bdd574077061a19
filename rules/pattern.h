/*
 * pattern.h: the match line, one string for what `select` says in keys (pattern.c has its form).
 */
#ifndef JW_RULES_PATTERN_H
#define JW_RULES_PATTERN_H

#include "rules/reading.h"
#include "rules/selector.h"

/* The match line in the string JSON; OUT is empty. */
enum jw_status JW_MUST_USE rules_pattern_read(struct rules_reading *c,
					      const struct rules_json *json,
					      struct rules_selector *out);

/* A Java type, TEXT, in the string JSON: "int", "java.lang.String[]", "*[]". */
enum jw_status JW_MUST_USE rules_type_read(struct rules_reading *c, const struct rules_json *json,
					   struct jw_span text, struct rules_item *out);

#endif
