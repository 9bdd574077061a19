/*
 * later.h: keys and values of format 1 that this version knows, but does not act on.
 *
 * A wrong value is reported as wrong; a right one is refused as not supported, since ignoring it
 * would change the result.
 */
#ifndef JW_RULES_LATER_H
#define JW_RULES_LATER_H

#include "rules/reading.h"

/* Refuses MEMBER. Always an error. */
enum jw_status rules_not_yet(struct rules_reading *c, const struct rules_json *member);

#endif
