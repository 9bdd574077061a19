/*
 * sampling.h: the keys `sample`, `maxDepth` and `minDuration`: rules that record less than all
 * calls.
 */
#ifndef JW_RULES_SAMPLING_H
#define JW_RULES_SAMPLING_H

#include "rules/reading.h"
#include "rules/rules.h"

/* MEMBER of a rule or of defaults, if it is one of the three. */
enum jw_status JW_MUST_USE rules_sampling_read(struct rules_reading *c,
					       const struct rules_json *member,
					       struct rules_sampling *out);

/* The rule JSON is read except for this check: do these keys make sense in it? What it has from the
 * defaults yields to what it says itself. */
enum jw_status JW_MUST_USE rules_sampling_check(struct rules_reading *c,
						const struct rules_json *json,
						struct rules_rule *face);

/* The first key that S is due to; "enabled" when it leaves out nothing. */
const char *rules_sampling_word(const struct rules_sampling *s);

#endif
