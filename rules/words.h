/*
 * words.h: the words of the rules language that name fixed things: modifiers, kinds, states.
 */
#ifndef JW_RULES_WORDS_H
#define JW_RULES_WORDS_H

#include "base/bytes.h"

/* Bits of modifiers: the access flags, and above them what has no flag. */
enum {
	RULES_BIT_PACKAGE = 1 << 16, /* none of public, protected, private */
	RULES_BIT_RECORD = 1 << 17,
};

/* A word of `modifiers` (on_method) and `classModifiers` (on_class). */
struct rules_modifier {
	const char *text;
	uint32_t bit;
	bool on_method, on_class;
};
extern const struct rules_modifier rules_modifiers[];                /* text NULL ends */
const struct rules_modifier *rules_modifier_of(struct jw_span word); /* NULL: no such word */

/* Of `kind`, by enum rules_kind. */
extern const char *const rules_kind_names[]; /* NULL ends */

/* Of `state`: words, and the number of each in Paraver; RULES_NO_STATE for "none". */
extern const char *const rules_state_names[]; /* NULL ends */
int rules_state_number(size_t word);

#endif
