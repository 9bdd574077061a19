/*
 * match.h: does a selector hold for a class and a method?
 *
 * Three answers: without a method a selector is asked about the class alone, and says MAYBE where
 * that depends on the method (or on the class file, when the class is not open).
 */
#ifndef JW_RULES_MATCH_H
#define JW_RULES_MATCH_H

#include "rules/rules.h"

struct rules_clause;
struct rules_item;
struct rules_selector;

enum rules_answer { RULES_NO, RULES_MAYBE, RULES_YES };

/* What is asked about, and what was learnt on the way. Set the first three; zero the rest. */
struct rules_eval {
	const struct rules_class *cls;
	const struct rules_method *method; /* NULL: the class alone */
	bool open;                         /* without a method: the class is open, not only named */
	struct rules_code code;
	signed char code_state; /* 0 not asked, 1 known, -1 unknown */
	bool named;             /* an exact method name has matched */
};

enum rules_answer rules_selector_eval(const struct rules_selector *selector,
				      struct rules_eval *eval);
/* The same for a clause: with what its defaults leave out. */
enum rules_answer rules_clause_eval(const struct rules_clause *clause, struct rules_eval *eval);

/* Does ITEM, of a key about types, name the type NAME? (Negation is not looked at.) */
bool rules_item_names(const struct rules_item *item, struct jw_span name);

/* Fills EVAL->code; false: there is no code, or it cannot be read. */
bool rules_know_code(struct rules_eval *eval);

#endif
