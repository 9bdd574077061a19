/*
 * switches.h: rules that can be switched on and off at run time (switches.c says what they choose).
 */
#ifndef JW_RULES_SWITCHES_H
#define JW_RULES_SWITCHES_H

#include "rules/match.h"

/* V, unless a later rule than the one that decided is off and would trace the method: then the last
 * of these, since it may be switched on. */
struct rules_verdict rules_or_off(const struct rules *rules, struct rules_eval *eval,
				  struct rules_verdict v);

/* May a rule that is off choose a method of the class? */
bool rules_off_may_choose(const struct rules *rules, struct rules_eval *eval);

/* The numbers of the rules that METHOD has, as HOW of base/baked.h, of a set with switches. */
uint64_t rules_switches_of(const struct rules *rules, const struct rules_class *cls,
			   const struct rules_method *method);

#endif
