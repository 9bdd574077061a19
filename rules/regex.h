/*
 * regex.h: "re:..." items: POSIX extended regular expressions, safe to take from a stranger's file.
 *
 * Cost: a match is one pass of the C library over the text, under a lock of the expression.
 */
#ifndef JW_RULES_REGEX_H
#define JW_RULES_REGEX_H

#include "rules/reading.h"

/* TEXT, in the string JSON, as an expression that must match the whole of a text; bounded in size
 * and repetition. It is added to C->regexes. */
enum jw_status JW_MUST_USE rules_regex_read(struct rules_reading *c, const struct rules_json *json,
					    struct jw_span text, struct rules_regex **out);

/* Does it match the N characters of TEXT, after which there is a zero? From any thread. */
bool rules_regex_matches(struct rules_regex *regex, const char *text, size_t n);

/* FIRST, and all that were read before it. */
void rules_regexes_free(struct rules_regex *first);

#endif
