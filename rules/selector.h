/*
 * selector.h: what a compiled selector is: the form between reading (select.c, pattern.c) and
 * asking (match.c, index.c).
 *
 * A selector is the AND of its tests, cheapest first. A test is a list of items: it holds when any
 * positive item does (or there is none) and no negated one does. Selectors nest (group, anyOf,
 * not). All of it is in the arena of the set, and never changes once it is read.
 */
#ifndef JW_RULES_SELECTOR_H
#define JW_RULES_SELECTOR_H

#include "rules/glob.h"

/* ORDER: the order of evaluation; those from SOURCE on need an open class, those from METHOD on a
 * method, too (ANY_OF and NOT need what their selectors do). */
enum rules_test_kind {
	RULES_TEST_CLASS,
	RULES_TEST_PACKAGE,
	RULES_TEST_ENTRY,
	RULES_TEST_CLASS_MODIFIERS,
	RULES_TEST_SOURCE,
	RULES_TEST_SUBTYPE,
	RULES_TEST_CLASS_ANNOTATION,
	RULES_TEST_METHOD,
	RULES_TEST_KIND,
	RULES_TEST_MODIFIERS,
	RULES_TEST_DESCRIPTOR,
	RULES_TEST_RETURNS,
	RULES_TEST_PARAMS,
	RULES_TEST_METHOD_ANNOTATION,
	RULES_TEST_LAMBDA,
	RULES_TEST_ANY_OF, /* and group: the items are selectors */
	RULES_TEST_NOT,
	RULES_TEST_CODE,
};

/* A Java type in params, returns or the match line. */
struct rules_type_glob {
	struct rules_glob name; /* of the element type, internal form; unused when `any` */
	bool any;               /* "*" or "**": whatever the element type */
	uint32_t dims;          /* pairs of brackets; with `any`: at least so many */
};

struct rules_regex; /* regex.h */

enum rules_item_form {
	RULES_ITEM_GLOB,
	RULES_ITEM_REGEX,
	RULES_ITEM_TEXT,
	RULES_ITEM_TYPE,
	RULES_ITEM_BITS,
	RULES_ITEM_SELECTOR,
};

struct rules_item {
	enum rules_item_form form;
	bool negated;
	bool exact;                  /* names one thing, without a wildcard */
	struct rules_glob glob;      /* GLOB */
	struct rules_regex *regex;   /* REGEX */
	struct jw_span text;         /* TEXT; of the others: as written */
	struct rules_type_glob type; /* TYPE */
	uint32_t mask, want;         /* BITS: (bits & mask) == want */
	const struct rules_selector *selector;
};

struct rules_code_test {
	uint32_t min_bytes, max_bytes, min_lines;
	signed char has_loop, has_call; /* 0, 1, or -1: either */
};

struct rules_test {
	enum rules_test_kind kind;
	bool rest; /* PARAMS: ends in ".." */
	struct rules_item *items;
	size_t count;
	struct rules_code_test code; /* CODE */
	struct rules_test *next;
};

struct rules_selector {
	struct rules_test *tests; /* by kind, rising */
	bool says_kind;           /* here or in what it refers to (not under `not`) */
	bool says_code;
	bool says_subtype;  /* it asks for supertypes: anywhere in it */
	bool names_special; /* a method pattern that begins with '<' */
	uint32_t cost;      /* tests and items that one evaluation may look at, groups included */
	bool wild_special;  /* its own `kind` asks for <init> or <clinit>: wildcards match them */
};

#endif
