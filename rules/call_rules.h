/*
 * call_rules.h: what rules about instructions (`on: call`, `new`, `monitor`) may select.
 */
#ifndef JW_RULES_CALL_RULES_H
#define JW_RULES_CALL_RULES_H

#include "rules/reading.h"
#include "rules/rules.h"
#include "rules/selector.h"

/* SELECTOR asks nothing that a call (MADE: a new object) does not tell. */
enum jw_status JW_MUST_USE rules_call_check(struct rules_reading *c, const struct rules_json *json,
					    const struct rules_selector *selector, bool made);

/* The selector of the instructions that the rule JSON for monitors is about: monitorenter where its
 * operation is monitor/enter, monitorexit where it is monitor/exit; both where it skips. */
enum jw_status JW_MUST_USE rules_monitor_selector(struct rules_reading *c,
						  const struct rules_json *json,
						  const struct rules_rule *face,
						  const struct rules_selector **out);

#endif
