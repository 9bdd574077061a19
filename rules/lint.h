/*
 * lint.h: findings about rules that are right in form, for `jweave check`.
 */
#ifndef JW_RULES_LINT_H
#define JW_RULES_LINT_H

#include "rules/rules.h"

/* Findings: rules that cannot do what was meant. Calls EACH with "file:line: finding"; returns how
 * many. */
size_t rules_lint(const struct rules *rules, void (*each)(void *ctx, const char *finding),
		  void *ctx);

#endif
