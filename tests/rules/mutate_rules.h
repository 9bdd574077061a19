/*
 * mutate_rules.h: rules files changed by JSON values: one comes, comes again elsewhere, goes, or is
 * another one, mostly one that rules have.
 */
#ifndef JW_TESTS_RULES_MUTATE_RULES_H
#define JW_TESTS_RULES_MUTATE_RULES_H

#include <ctype.h>
#include <string.h>

#include "base/bytes.h"
#include "tests/draw.h"

/* What comes in place of TEXT, to OUT: with one change. */
void mutate_rules(struct jw_span text, struct jw_buf *out, uint32_t *state);

#endif
