/*
 * keys.h: what every part of the reader asks of JSON: the right type, known keys, known words; and
 * the message with the nearest name when one is not known.
 */
#ifndef JW_RULES_KEYS_H
#define JW_RULES_KEYS_H

#include "rules/reading.h"

/* OBJECT is one, and has no keys but NAMES (NULL ends them) and free ones. */
enum jw_status JW_MUST_USE rules_check_keys(struct rules_reading *c,
					    const struct rules_json *object,
					    const char *const *names);
/* Does KEY begin with "x-" or '$'? Those are free for users. */
bool rules_free_key(const char *key);

enum jw_status JW_MUST_USE rules_want(struct rules_reading *c, const struct rules_json *json,
				      enum rules_json_type type);
/* A whole number from 1 to MOST (which fits). */
enum jw_status JW_MUST_USE rules_natural(struct rules_reading *c, const struct rules_json *json,
					 int64_t most, uint32_t *out);
/* The index of the string JSON in WORDS, or an error that names the nearest one. */
enum jw_status JW_MUST_USE rules_word(struct rules_reading *c, const struct rules_json *json,
				      const char *const *words, size_t *out);

/* Puts the place of PART of the string JSON before the message in C->e. */
enum jw_status rules_error_at(struct rules_reading *c, const struct rules_json *json,
			      struct jw_span part);

#endif
