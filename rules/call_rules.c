/*
 * call_rules.c: see call_rules.h.
 */
#include "rules/call_rules.h"
#include "rules/select.h"

#include "base/banned.h"

enum { ACC_INTERFACE = 0x0200 };

/* The key of KIND when a call (MADE: a new object) does not tell it; else NULL. */
static const char *untold(enum rules_test_kind kind, bool made)
{
	static const char *const words[] = {
		[RULES_TEST_ENTRY] = "entry",
		[RULES_TEST_CLASS_MODIFIERS] = "classModifiers",
		[RULES_TEST_SOURCE] = "source",
		[RULES_TEST_KIND] = "kind",
		[RULES_TEST_CODE] = "code",
		[RULES_TEST_MODIFIERS] = "modifiers",
		[RULES_TEST_CLASS_ANNOTATION] = "classAnnotation",
		[RULES_TEST_METHOD_ANNOTATION] = "methodAnnotation",
		[RULES_TEST_LAMBDA] = "lambdaOf",
	};
	static const char *const of_methods[] = {
		[RULES_TEST_METHOD] = "method",
		[RULES_TEST_PARAMS] = "params",
		[RULES_TEST_DESCRIPTOR] = "descriptor",
	};

	if ((size_t)kind < sizeof words / sizeof *words && words[kind])
		return words[kind];
	return made && (size_t)kind < sizeof of_methods / sizeof *of_methods ? of_methods[kind]
									     : NULL;
}

/* Does TEST ask only whether the call is made through an interface? */
static bool asks_interface(const struct rules_test *test)
{
	bool only = test->kind == RULES_TEST_CLASS_MODIFIERS;

	for (size_t i = 0; i < test->count; i++)
		only = only && test->items[i].mask == ACC_INTERFACE;
	return only;
}

/* The first test of S about something that a call does not tell, or NULL. */
static const struct rules_test *asks_too_much(const struct rules_selector *s, bool made)
{
	for (const struct rules_test *t = s->tests; t; t = t->next) {
		if (untold(t->kind, made) && (made || !asks_interface(t)))
			return t;
		for (size_t i = 0; i < t->count; i++) {
			const struct rules_test *inner = NULL;

			if (t->items[i].form == RULES_ITEM_SELECTOR)
				inner = asks_too_much(t->items[i].selector, made);
			if (inner)
				return inner;
		}
	}
	return NULL;
}

enum jw_status rules_call_check(struct rules_reading *c, const struct rules_json *json,
				const struct rules_selector *selector, bool made)
{
	const struct rules_test *t = asks_too_much(selector, made);
	const char *word = t ? untold(t->kind, made) : NULL;
	struct jw_span part = t && t->count ? t->items[0].text : json->text; /* of a match line */

	if (!word)
		return JW_OK;
	if (made)
		return rules_json_fail_in(c->e, json, part, NULL,
					  "\"%s\" is not known of a new object, only its type is: "
					  "use \"within\" for the code that makes it",
					  word);
	return rules_json_fail_in(c->e, json, part, NULL,
				  "\"%s\" is not known of a call, which names only class, method "
				  "and types: use \"within\" for the code that calls",
				  word);
}

enum jw_status rules_monitor_selector(struct rules_reading *c, const struct rules_json *json,
				      const struct rules_rule *face,
				      const struct rules_selector **out)
{
	const struct jw_operation *op = face->skip ? NULL : face->operation;
	const char *line = "java.lang.Object#monitor*()";
	struct rules_json pattern = *json;

	if (op && op == jw_operation_find(JW_SPAN_LIT("monitor/enter")))
		line = "java.lang.Object#" RULES_MONITOR_ENTER "()";
	else if (op && op == jw_operation_find(JW_SPAN_LIT("monitor/exit")))
		line = "java.lang.Object#" RULES_MONITOR_EXIT "()";
	else if (!face->skip)
		return rules_json_fail(
			c->e, json, false, NULL,
			"a rule with \"on\": \"monitor\" names the end that it is about: "
			"\"event\": "
			"{ \"type\": \"monitor\", \"value\": \"enter\" } or \"exit\"");
	pattern.type = RULES_JSON_STRING;
	pattern.text = jw_span_str(line);
	pattern.raw = jw_span(NULL, 0);
	return rules_selector_read(c, &pattern, out);
}
