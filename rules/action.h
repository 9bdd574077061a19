/*
 * action.h: what a rule does with what it chooses: event, state, capture, enabled, sampling.
 *
 * First rules_action_begin(), then the `defaults` of the file, then each rule, whose FACE begins as
 * a copy of the defaults and already says what it is about (`on`, `action`).
 */
#ifndef JW_RULES_ACTION_H
#define JW_RULES_ACTION_H

#include "rules/reading.h"
#include "rules/rules.h"

/* What the rules of a file do when neither they nor its `defaults` say anything. */
void rules_action_begin(struct rules_rule *defaults);
enum jw_status JW_MUST_USE rules_action_defaults(struct rules_reading *c,
						 const struct rules_json *json,
						 struct rules_rule *defaults);
enum jw_status JW_MUST_USE rules_action_read(struct rules_reading *c, const struct rules_json *json,
					     struct rules_rule *face);

#endif
