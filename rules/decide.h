/*
 * decide.h: what the verdicts on bodies, calls, new objects and exceptions have in common.
 */
#ifndef JW_RULES_DECIDE_H
#define JW_RULES_DECIDE_H

#include "rules/match.h"

/* What neither rules nor excludes are asked about: RULES_WHY_TRACED when they are. METHOD NULL: of
 * any method of CLS. */
enum rules_why rules_left_out(const struct rules *rules, const struct rules_class *cls,
			      const struct rules_method *method);

/* Does an exclude of RULES leave out METHOD of CLS, or the code of it that calls? */
bool rules_is_excluded(const struct rules *rules, const struct rules_class *cls,
		       const struct rules_method *method);

/* Does the guard let the body go: named by the rule itself, or more than trivial? */
bool rules_passes_guard(const struct rules *rules, size_t rule, struct rules_eval *eval);

#endif
