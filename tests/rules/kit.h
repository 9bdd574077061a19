/*
 * kit.h: what the tests of rules share: a set from a C string, and questions to it in Java's words.
 */
#ifndef JW_TESTS_RULES_KIT_H
#define JW_TESTS_RULES_KIT_H

#include <stdio.h>
#include <string.h>

#include "rules/rules.h"
#include "tests/tap.h"

/* A method body of the kit: its facts, and how often they were asked for. */
struct kit_code {
	struct rules_code facts;
	int asked;
	bool unreadable;
};

/* 100 bytes with a call: nothing that a guard looks at. */
#define KIT_BODY ((struct kit_code){ .facts = { .bytes = 100, .lines = 10, .has_call = true } })

struct rules_class kit_class(const char *name);

struct rules_method kit_method(const char *name, const char *descriptor, uint16_t access,
			       struct kit_code *code);

/* Rules from JSON text; with ' for ". NULL (and a failed check) when they are wrong. */
struct rules *kit_rules_with(const char *json, const struct rules_options *options);

struct rules *kit_rules(const char *json);

/* Why, for a public method of an ordinary body. */
enum rules_why kit_why(const struct rules *rules, const char *cls, const char *method,
		       const char *descriptor);

/* Is it traced by the one match line PATTERN? */
bool kit_matches(const char *pattern, const char *cls, const char *method, const char *descriptor);

/* The verdict on METHOD, without parameters, of CLS. */
static inline struct rules_verdict kit_decide(const struct rules *rules, const char *cls,
					      const char *method, uint16_t access,
					      struct kit_code *code)
{
	struct rules_class c = kit_class(cls);
	struct rules_method m = kit_method(method, "()V", access, code);

	return rules_decide(rules, &c, &m);
}

#endif
