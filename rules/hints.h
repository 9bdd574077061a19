/*
 * hints.h: match lines that name a class where a method or package may have been meant.
 */
#ifndef JW_RULES_HINTS_H
#define JW_RULES_HINTS_H

#include "rules/rules.h"

/* Calls EACH with
 * "file:line:column", the line as it is, and as it may have been meant ("com.acme.Foo.bar" and
 * "com.acme.Foo#bar"). Of all excludes and rules, or of the rule of INDEX. */
typedef void rules_hint(void *ctx, const char *place, const char *said, const char *meant);
void rules_hints(const struct rules *rules, rules_hint *each, void *ctx);
void rules_hints_of(const struct rules *rules, size_t index, rules_hint *each, void *ctx);

#endif
