/*
 * links.h: the key `link`: ends of messages, known by what a call or method captures.
 */
#ifndef JW_RULES_LINKS_H
#define JW_RULES_LINKS_H

#include "rules/reading.h"
#include "rules/rules.h"

/* The object JSON as the link of FACE. */
enum jw_status JW_MUST_USE rules_link_read(struct rules_reading *c, const struct rules_json *json,
					   struct rules_rule *face);

/* The rule JSON is read: FACE captures what its link needs. */
enum jw_status JW_MUST_USE rules_link_captures(struct rules_reading *c,
					       const struct rules_json *json,
					       struct rules_rule *face);

#endif
