/*
 * bake.h: what a woven archive says to its runtime: numbers of rules, and the text that is baked in
 * (base/baked.h).
 */
#ifndef JW_RULES_BAKE_H
#define JW_RULES_BAKE_H

#include "rules/rules.h"

/* Gives a number to each rule of SET that probes or runtime need; then makes its text. Each once,
 * when all rules are there. */
enum jw_status JW_MUST_USE rules_number(struct rules *set, struct jw_err *e);
enum jw_status JW_MUST_USE rules_bake(struct rules *set, struct jw_err *e);

#endif
