/*
 * pattern.c: the match line, one string for what `select` says in keys:
 *
 *     [modifiers] [@Annotation] class-glob[#method[(types)]][:return]
 *     public static com.acme.**#run(int, java.lang.String[], ..):void
 *
 * An annotation is the method's where the line names methods ('#'), else the class's. Modifiers
 * here are all meant (AND), as in Java; interface, enum, annotation and record are about the class.
 * Types are written as in Java source, with their package: int, java.lang.String[][], T... for T[];
 * "*" alone is any type, "*[]" any array, and ".." any rest.
 */
#include <ctype.h>
#include <string.h>

#include "rules/keys.h"
#include "rules/pattern.h"
#include "rules/rules.h"
#include "rules/select.h"
#include "rules/words.h"

#include "base/banned.h"

bool rules_is_literal(uint32_t c)
{
	return c >= 0x80 || isalnum((int)c) || (c && strchr("_$-.", (int)c));
}

static struct jw_span trim(struct jw_span s)
{
	while (s.n > 0 && (s.p[0] == ' ' || s.p[0] == '\t'))
		s = jw_span_sub(s, 1, s.n - 1);
	while (s.n > 0 && (s.p[s.n - 1] == ' ' || s.p[s.n - 1] == '\t'))
		s.n--;
	return s;
}

/* The offset of the first byte of SET in S, or S.n. */
static size_t find(struct jw_span s, const char *set)
{
	size_t i = 0;

	while (i < s.n && (s.p[i] == 0 || !strchr(set, s.p[i])))
		i++;
	return i;
}

/* S from AT on; empty, at its end, when AT is past it. */
static struct jw_span after(struct jw_span s, size_t at)
{
	return jw_span_sub(s, at, s.n);
}

/* WHAT is wrong with PART of the string JSON. */
static enum jw_status fail(struct rules_reading *c, const struct rules_json *json,
			   struct jw_span part, const char *what)
{
	return rules_json_fail_in(c->e, json, part, NULL, "%s", what);
}

/* ---- types ---- */

/* Takes the brackets off TEXT; returns how many. */
static uint32_t take_dims(struct jw_span *text)
{
	uint32_t dims = 0;

	if (text->n > 3 && jw_span_ends(*text, JW_SPAN_LIT("..."))) {
		dims = 1;
		text->n -= 3;
	}
	while (jw_span_ends(*text, JW_SPAN_LIT("[]"))) {
		dims++;
		*text = trim(jw_span_sub(*text, 0, text->n - 2));
	}
	return dims;
}

enum jw_status rules_type_read(struct rules_reading *c, const struct rules_json *json,
			       struct jw_span text, struct rules_item *out)
{
	struct rules_type_glob *type = &out->type;
	size_t wrong = 0, angle;

	out->form = RULES_ITEM_TYPE;
	text = trim(text);
	if (jw_span_eq_str(text, "..."))
		return fail(c, json, text, "any rest is written \"..\", with two dots");
	type->dims = take_dims(&text);
	if (text.n == 0)
		return fail(c, json, text, "a type is missing");
	angle = find(text, "<");
	if (angle < text.n)
		return fail(c, json, after(text, angle),
			    "type arguments are not in class files: write java.util.List, "
			    "not java.util.List<String>");
	if (type->dims > 0 && jw_span_eq_str(text, "void"))
		return fail(c, json, text, "there are no arrays of void");
	type->any = jw_span_eq_str(text, "*") || jw_span_eq_str(text, "**");
	if (rules_glob_compile(text, RULES_GLOB_CLASS, c->arena, &type->name, &wrong, c->e) !=
	    JW_OK)
		return rules_error_at(c, json, after(text, wrong));
	out->exact = type->name.shape == RULES_GLOB_LITERAL;
	return JW_OK;
}

/* Between the brackets: fills TEST, which has room for as many types as there are commas and one.
 */
static enum jw_status parse_types(struct rules_reading *c, const struct rules_json *json,
				  struct jw_span text, struct rules_test *test)
{
	size_t i = 0;

	for (bool more = trim(text).n > 0; more;) {
		size_t comma = find(text, ",");
		struct jw_span type = trim(jw_span_sub(text, 0, comma));

		more = comma < text.n;
		text = after(text, comma + 1);
		if (!jw_span_eq_str(type, "..")) {
			JW_TRY(rules_type_read(c, json, type, &test->items[i]));
			i++;
			continue;
		}
		if (more)
			return fail(c, json, type,
				    "\"..\" stands for the rest: nothing can follow it");
		test->rest = true;
	}
	test->count = i;
	return JW_OK;
}

static enum jw_status add_params(struct rules_reading *c, const struct rules_json *json,
				 struct jw_span text, struct rules_selector *out)
{
	struct rules_test *test;
	size_t commas = 1;

	for (size_t i = 0; i < text.n; i++)
		commas += text.p[i] == ',';
	test = rules_test_add(c, out, RULES_TEST_PARAMS, commas);
	return test ? parse_types(c, json, text, test) : jw_nomem(c->e);
}

/* ---- words before the class ---- */

static enum jw_status add_item(struct rules_reading *c, const struct rules_json *json,
			       enum rules_test_kind kind, struct jw_span text,
			       struct rules_selector *out)
{
	struct rules_test *test;

	if (text.n == 0)
		return fail(c, json, text,
			    kind == RULES_TEST_CLASS ? "a class pattern is missing"
			    : kind == RULES_TEST_CLASS_ANNOTATION ||
					    kind == RULES_TEST_METHOD_ANNOTATION
				    ? "an annotation is missing after '@'"
			    : kind == RULES_TEST_METHOD ? "a method name is missing after '#'"
							: "a type is missing after ':'");
	test = rules_test_add(c, out, kind, 1);
	return test ? rules_item_read(c, json, kind, text, &test->items[0]) : jw_nomem(c->e);
}

static enum jw_status add_modifier(struct rules_reading *c, const struct rules_json *json,
				   struct jw_span word, struct rules_selector *out)
{
	static const char *const types[] = { "void", "boolean", "byte",  "char",  "short",
					     "int",  "long",    "float", "double" };
	bool negated = word.p[0] == '!';

	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		if (jw_span_eq_str(word, types[i]))
			return fail(c, json, word,
				    "the type of the result comes last: "
				    "com.acme.Foo#bar(int):void");
	}
	if (word.p[word.n - 1] == ',')
		return fail(c, json, after(word, word.n - 1), RULES_GLOB_NO_COMMA);
	if (find(word, ".*#") < word.n)
		return fail(c, json, word, "modifiers and annotations come before the class");
	const struct rules_modifier *m = rules_modifier_of(after(word, negated));

	return add_item(c, json,
			m && !m->on_method ? RULES_TEST_CLASS_MODIFIERS : RULES_TEST_MODIFIERS,
			word, out);
}

/* Takes modifiers and annotations off the front of TEXT. */
static enum jw_status parse_words(struct rules_reading *c, const struct rules_json *json,
				  struct jw_span *text, struct rules_selector *out)
{
	enum rules_test_kind on = find(*text, "#") < text->n ? RULES_TEST_METHOD_ANNOTATION
							     : RULES_TEST_CLASS_ANNOTATION;

	for (;;) {
		size_t space = find(*text, " \t"), mark = find(*text, "#(:");

		bool at = text->n > 0 && text->p[0] == '@';

		if (at && (space >= text->n || mark < space))
			return fail(c, json, after(*text, mark < space ? mark : space),
				    "a class pattern is missing after the annotation");
		if (space >= text->n || mark < space)
			return JW_OK;
		if (at)
			JW_TRY(add_item(c, json, on, jw_span_sub(*text, 1, space - 1), out));
		else
			JW_TRY(add_modifier(c, json, jw_span_sub(*text, 0, space), out));
		*text = trim(after(*text, space));
	}
}

/* ---- the line ---- */

/* After '#': method[(types)]. */
static enum jw_status parse_method(struct rules_reading *c, const struct rules_json *json,
				   struct jw_span text, struct rules_selector *out)
{
	size_t open = find(text, "("), end = find(text, ")");

	JW_TRY(add_item(c, json, RULES_TEST_METHOD, trim(jw_span_sub(text, 0, open)), out));
	if (open == text.n)
		return JW_OK;
	if (text.p[text.n - 1] != ')')
		return fail(c, json, trim(after(text, end + 1)),
			    end < text.n
				    ? "text after ')': a result is written (int):void, and nothing "
				      "follows it"
				    : "')' is missing");
	return add_params(c, json, jw_span_sub(text, open + 1, text.n - open - 2), out);
}

enum jw_status rules_pattern_read(struct rules_reading *c, const struct rules_json *json,
				  struct rules_selector *out)
{
	struct jw_span text = trim(json->text);
	struct jw_span second;
	size_t hash, colon;

	if (text.n == 0)
		return fail(c, json, text, "an empty pattern matches nothing");
	if (text.p[0] == '!' && find(text, " \t") == text.n)
		return fail(c, json, text,
			    "a match line cannot be negated: use \"not\", \"exclude\", or a "
			    "rule with \"action\": \"skip\"");
	if (jw_span_starts(text, JW_SPAN_LIT("re:")))
		return fail(c, json, text,
			    "regular expressions have no place in a match line: use \"select\"");
	if (jw_span_starts(text, JW_SPAN_LIT("preset:")))
		return fail(c, json, text, "a preset is no pattern: name it in \"include\"");
	JW_TRY(parse_words(c, json, &text, out));
	hash = find(text, "#");
	colon = find(text, ":");
	if (colon + 1 < text.n && text.p[colon + 1] == ':')
		return fail(c, json, after(text, colon),
			    "a method comes after '#', not after '::'");
	second = after(text, hash + 1);
	second = after(second, find(second, "#"));
	if (second.n > 0)
		return fail(c, json, second,
			    "a second '#': a match line names one method of one class");
	if (colon < text.n) {
		JW_TRY(add_item(c, json, RULES_TEST_RETURNS, trim(after(text, colon + 1)), out));
		text = trim(jw_span_sub(text, 0, colon));
	}
	hash = find(text, "#");
	JW_TRY(add_item(c, json, RULES_TEST_CLASS, trim(jw_span_sub(text, 0, hash)), out));
	if (hash < text.n)
		JW_TRY(parse_method(c, json, trim(after(text, hash + 1)), out));
	return rules_selector_finish(c, json, out);
}
