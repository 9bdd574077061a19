/*
 * select.c: JSON `select` objects -> selectors. One table has each key with its parser.
 */
#include <string.h>

#include "base/nearest.h"
#include "rules/groups.h"
#include "rules/keys.h"
#include "rules/pattern.h"
#include "rules/regex.h"
#include "rules/rules.h"
#include "rules/select.h"
#include "rules/words.h"

#include "base/banned.h"

enum { MAX_DEPTH = 64, MAX_COST = 200000 };

/* ---- tests ---- */

struct rules_test *rules_test_add(struct rules_reading *c, struct rules_selector *selector,
				  enum rules_test_kind kind, size_t count)
{
	struct rules_test *test = JW_NEW(c->arena, struct rules_test), **at = &selector->tests;

	if (!test)
		return NULL;
	test->kind = kind;
	test->count = count;
	test->items = JW_NEW_ARRAY(c->arena, struct rules_item, count ? count : 1);
	if (!test->items)
		return NULL;
	while (*at && (*at)->kind <= kind)
		at = &(*at)->next;
	test->next = *at;
	*at = test;
	return test;
}

static void learn_from(struct rules_selector *s, const struct rules_selector *child, bool refused)
{
	s->cost += child->cost < MAX_COST ? child->cost : MAX_COST;
	if (s->cost > MAX_COST)
		s->cost = MAX_COST + 1; /* never wraps */
	s->says_subtype |= child->says_subtype;
	if (refused)
		return;
	s->says_kind |= child->says_kind;
	s->says_code |= child->says_code;
	s->names_special |= child->names_special;
}

static void learn_item(struct rules_selector *s, const struct rules_test *test,
		       const struct rules_item *item)
{
	const uint32_t special = 1u << RULES_KIND_CONSTRUCTOR | 1u << RULES_KIND_CLINIT;

	if (item->form == RULES_ITEM_SELECTOR) {
		learn_from(s, item->selector, test->kind == RULES_TEST_NOT || item->negated);
	} else if (test->kind == RULES_TEST_METHOD && !item->negated) {
		s->names_special |= item->text.n > 0 && item->text.p[0] == '<';
	} else if (test->kind == RULES_TEST_KIND) {
		s->says_kind = true;
		s->wild_special |= (item->mask & special) != 0;
	}
}

enum jw_status rules_selector_finish(struct rules_reading *c, const struct rules_json *json,
				     struct rules_selector *s)
{
	for (const struct rules_test *t = s->tests; t; t = t->next) {
		s->cost++;
		s->says_code |= t->kind == RULES_TEST_CODE;
		s->says_subtype |= t->kind == RULES_TEST_SUBTYPE || t->kind == RULES_TEST_LAMBDA;
		for (size_t i = 0; i < t->count && s->cost <= MAX_COST; i++) {
			s->cost++;
			learn_item(s, t, &t->items[i]);
		}
	}
	if (s->cost > MAX_COST)
		return rules_json_fail(
			c->e, json, false, NULL,
			"too many conditions, counting those of groups (limit is %d)", MAX_COST);
	return JW_OK;
}

/* ---- items of lists ---- */

static enum jw_status filled_string(struct rules_reading *c, const struct rules_json *json)
{
	JW_TRY(rules_want(c, json, RULES_JSON_STRING));
	if (json->text.n == 0)
		return rules_json_fail(c->e, json, false, NULL, "an empty string");
	return JW_OK;
}

enum jw_status rules_strings(struct rules_reading *c, const struct rules_json *json, size_t *count)
{
	*count = 1;
	if (json->type == RULES_JSON_STRING)
		return filled_string(c, json);
	if (json->type != RULES_JSON_ARRAY)
		return rules_json_fail(c->e, json, false, NULL,
				       "expected a string or a list of strings, found %s",
				       rules_json_type_text(json->type));
	if (json->count == 0)
		return rules_json_fail(c->e, json, false, NULL, "an empty list");
	for (const struct rules_json *i = json->first; i; i = i->next)
		JW_TRY(filled_string(c, i));
	*count = json->count;
	return JW_OK;
}

/* The strings of a key that may be one string: for (j = first(v); j; j = following(v, j)). */
static const struct rules_json *first(const struct rules_json *json)
{
	return json->type == RULES_JSON_ARRAY ? json->first : json;
}

static const struct rules_json *following(const struct rules_json *list, const struct rules_json *j)
{
	return list->type == RULES_JSON_ARRAY ? j->next : NULL;
}

static bool has_wildcard(struct jw_span text)
{
	return memchr(text.p, '*', text.n) || memchr(text.p, '?', text.n);
}

/* Takes a field type off TEXT (JVMS 4.3.2); false: there is none, and TEXT is unchanged. */
static bool take_field(struct jw_span *text)
{
	size_t i = 0;

	while (i < text->n && text->p[i] == '[')
		i++;
	if (i == text->n || !strchr("BCDFIJSZL", text->p[i]))
		return false;
	if (text->p[i] == 'L') {
		const uint8_t *end = memchr(text->p + i, ';', text->n - i);

		if (!end || end == text->p + i + 1)
			return false;
		i = (size_t)(end - text->p);
	}
	*text = jw_span_sub(*text, i + 1, text->n - i - 1);
	return true;
}

/* Is TEXT a method descriptor (JVMS 4.3.3)? *REST: where it stops being one. */
static bool is_descriptor(struct jw_span text, struct jw_span *rest)
{
	*rest = text;
	if (text.n == 0 || text.p[0] != '(')
		return false;
	*rest = jw_span_sub(text, 1, text.n);
	while (rest->n && rest->p[0] != ')') {
		if (!take_field(rest))
			return false;
	}
	if (rest->n == 0)
		return false;
	*rest = jw_span_sub(*rest, 1, rest->n);
	return jw_span_eq_str(*rest, "V") || (take_field(rest) && rest->n == 0);
}

/* TEXT from its first wildcard on; empty: it has none. */
static struct jw_span wildcard_of(struct jw_span text)
{
	while (text.n > 0 && text.p[0] != '*' && text.p[0] != '?')
		text = jw_span_sub(text, 1, text.n);
	return text;
}

static enum jw_status descriptor_item(struct rules_reading *c, const struct rules_json *json,
				      struct jw_span text, struct rules_item *out)
{
	struct jw_span wrong = wildcard_of(text), rest;

	out->form = RULES_ITEM_TEXT;
	if (wrong.n == 0 && is_descriptor(text, &rest))
		return JW_OK;
	return rules_json_fail_in(c->e, json, wrong.n ? wrong : rest, NULL,
				  "not a method descriptor such as (ILjava/lang/String;)V; "
				  "for types and wildcards use params and returns");
}

static enum jw_status modifier_item(struct rules_reading *c, const struct rules_json *json,
				    enum rules_test_kind kind, struct jw_span text,
				    struct rules_item *out)
{
	bool on_class = kind == RULES_TEST_CLASS_MODIFIERS;
	const struct rules_modifier *m = rules_modifier_of(text);
	const char *names[32], *word;
	size_t n = 0;

	if (m && (on_class ? m->on_class : m->on_method)) {
		out->form = RULES_ITEM_BITS;
		out->mask = out->want = m->bit;
		return JW_OK;
	}
	if (m && on_class)
		return rules_json_fail_in(c->e, json, text, NULL,
					  "a class file does not say whether a class is %s",
					  m->text);
	if (m)
		return rules_json_fail_in(c->e, json, text, NULL,
					  "\"%s\" is about classes: use classModifiers", m->text);
	for (m = rules_modifiers; m->text; m++) {
		if (on_class ? m->on_class : m->on_method)
			names[n++] = m->text;
	}
	word = jw_arena_str(c->arena, text);
	if (!word)
		return jw_nomem(c->e);
	return rules_json_fail_in(c->e, json, text, jw_nearest(word, names, n),
				  "unknown modifier \"%.60s\"", word);
}

static enum jw_status kind_item(struct rules_reading *c, const struct rules_json *json,
				struct rules_item *out)
{
	size_t kind;

	JW_TRY(rules_word(c, json, rules_kind_names, &kind));
	out->form = RULES_ITEM_BITS;
	out->mask = out->want = 1u << kind;
	return JW_OK;
}

static enum jw_status glob_item(struct rules_reading *c, const struct rules_json *json,
				enum rules_glob_mode mode, struct jw_span text,
				struct rules_item *out)
{
	size_t wrong = 0;

	out->form = RULES_ITEM_GLOB;
	out->exact = !has_wildcard(text);
	if (rules_glob_compile(text, mode, c->arena, &out->glob, &wrong, c->e) != JW_OK)
		return rules_error_at(c, json, wrong ? jw_span_sub(text, wrong, text.n) : text);
	return JW_OK;
}

static enum jw_status positive_item(struct rules_reading *c, const struct rules_json *json,
				    enum rules_test_kind kind, struct jw_span text,
				    struct rules_item *out)
{
	switch (kind) {
	case RULES_TEST_CLASS:
	case RULES_TEST_SUBTYPE:
	case RULES_TEST_CLASS_ANNOTATION:
	case RULES_TEST_METHOD_ANNOTATION:
	case RULES_TEST_LAMBDA:
		return glob_item(c, json, RULES_GLOB_CLASS, text, out);
	case RULES_TEST_PACKAGE:
		return glob_item(c, json, RULES_GLOB_PACKAGE, text, out);
	case RULES_TEST_SOURCE:
	case RULES_TEST_ENTRY:
		return glob_item(c, json, RULES_GLOB_PATH, text, out);
	case RULES_TEST_METHOD:
		return glob_item(c, json, RULES_GLOB_NAME, text, out);
	case RULES_TEST_CLASS_MODIFIERS:
	case RULES_TEST_MODIFIERS:
		return modifier_item(c, json, kind, text, out);
	case RULES_TEST_KIND:
		return kind_item(c, json, out);
	case RULES_TEST_DESCRIPTOR:
		return descriptor_item(c, json, text, out);
	case RULES_TEST_RETURNS:
	case RULES_TEST_PARAMS:
		return rules_type_read(c, json, text, out);
	case RULES_TEST_ANY_OF:
		out->form = RULES_ITEM_SELECTOR;
		return rules_group_find(c, json, text, &out->selector);
	case RULES_TEST_NOT:
	case RULES_TEST_CODE:
		break;
	}
	return jw_bug(c->e, "an item of a key without items");
}

static bool takes_regex(enum rules_test_kind kind)
{
	return kind == RULES_TEST_CLASS || kind == RULES_TEST_SUBTYPE ||
	       kind == RULES_TEST_CLASS_ANNOTATION || kind == RULES_TEST_METHOD_ANNOTATION ||
	       kind == RULES_TEST_LAMBDA || kind == RULES_TEST_PACKAGE ||
	       kind == RULES_TEST_SOURCE || kind == RULES_TEST_ENTRY || kind == RULES_TEST_METHOD ||
	       kind == RULES_TEST_DESCRIPTOR || kind == RULES_TEST_RETURNS;
}

enum jw_status rules_item_read(struct rules_reading *c, const struct rules_json *json,
			       enum rules_test_kind kind, struct jw_span text,
			       struct rules_item *out)
{
	if (text.p[0] == '!' && kind != RULES_TEST_KIND && kind != RULES_TEST_PARAMS) {
		out->negated = true;
		text = jw_span_sub(text, 1, text.n - 1);
		if (text.n == 0)
			return rules_json_fail_in(c->e, json, text, NULL,
						  "\"!\" with nothing after it");
	}
	out->text = text;
	if (takes_regex(kind) && jw_span_starts(text, JW_SPAN_LIT("re:"))) {
		out->form = RULES_ITEM_REGEX;
		out->text = jw_span_sub(text, 3, text.n - 3);
		return rules_regex_read(c, json, out->text, &out->regex);
	}
	return positive_item(c, json, kind, text, out);
}

static enum jw_status list_key(struct rules_reading *c, const struct rules_json *json,
			       enum rules_test_kind kind, struct rules_selector *out)
{
	struct rules_test *test;
	size_t count, i = 0;

	JW_TRY(rules_strings(c, json, &count));
	test = rules_test_add(c, out, kind, count);
	if (!test)
		return jw_nomem(c->e);
	for (const struct rules_json *j = first(json); j; j = following(json, j))
		JW_TRY(rules_item_read(c, j, kind, j->text, &test->items[i++]));
	return JW_OK;
}

/* ---- keys of their own form ---- */

static enum jw_status params_key(struct rules_reading *c, const struct rules_json *json,
				 enum rules_test_kind kind, struct rules_selector *out)
{
	struct rules_test *test;
	size_t i = 0;

	JW_TRY(rules_want(c, json, RULES_JSON_ARRAY));
	test = rules_test_add(c, out, kind, json->count);
	if (!test)
		return jw_nomem(c->e);
	for (const struct rules_json *j = json->first; j; j = j->next) {
		JW_TRY(filled_string(c, j));
		if (!jw_span_eq_str(j->text, "..")) {
			JW_TRY(rules_item_read(c, j, kind, j->text, &test->items[i++]));
			continue;
		}
		if (j->next)
			return rules_json_fail(c->e, j, false, NULL,
					       "\"..\" stands for the rest: nothing can follow it");
		test->rest = true;
		test->count--;
	}
	return JW_OK;
}

static enum jw_status amount(struct rules_reading *c, const struct rules_json *json, uint32_t *out)
{
	JW_TRY(rules_want(c, json, RULES_JSON_NUMBER));
	if (!json->is_integer || json->integer < 0 || json->integer > UINT32_MAX)
		return rules_json_fail(c->e, json, false, NULL,
				       "expected a whole number from 0 to 4294967295");
	*out = (uint32_t)json->integer;
	return JW_OK;
}

static enum jw_status either(struct rules_reading *c, const struct rules_json *json,
			     signed char *out)
{
	JW_TRY(rules_want(c, json, RULES_JSON_BOOL));
	*out = json->boolean ? 1 : 0;
	return JW_OK;
}

static enum jw_status code_member(struct rules_reading *c, const struct rules_json *m,
				  struct rules_code_test *code)
{
	if (strcmp(m->key, "minBytes") == 0)
		return amount(c, m, &code->min_bytes);
	if (strcmp(m->key, "maxBytes") == 0)
		return amount(c, m, &code->max_bytes);
	if (strcmp(m->key, "minLines") == 0)
		return amount(c, m, &code->min_lines);
	if (strcmp(m->key, "hasLoop") == 0)
		return either(c, m, &code->has_loop);
	if (strcmp(m->key, "hasCall") == 0)
		return either(c, m, &code->has_call);
	return JW_OK; /* a free key */
}

const char *const rules_code_keys[] = { "minBytes", "maxBytes", "minLines",
					"hasLoop",  "hasCall",  NULL };

static enum jw_status code_key(struct rules_reading *c, const struct rules_json *json,
			       enum rules_test_kind kind, struct rules_selector *out)
{
	struct rules_code_test code = { 0, UINT32_MAX, 0, -1, -1 };
	struct rules_test *test;

	JW_TRY(rules_check_keys(c, json, rules_code_keys));
	if (json->count == 0)
		return rules_json_fail(c->e, json, false, NULL, "an empty object");
	for (const struct rules_json *m = json->first; m; m = m->next)
		JW_TRY(code_member(c, m, &code));
	if (code.min_bytes > code.max_bytes)
		return rules_json_fail(c->e, json, false, NULL, "minBytes is larger than maxBytes");
	test = rules_test_add(c, out, kind, 0);
	if (!test)
		return jw_nomem(c->e);
	test->code = code;
	return JW_OK;
}

static enum jw_status any_of_key(struct rules_reading *c, const struct rules_json *json,
				 enum rules_test_kind kind, struct rules_selector *out)
{
	struct rules_test *test;
	size_t i = 0;

	JW_TRY(rules_want(c, json, RULES_JSON_ARRAY));
	if (json->count == 0)
		return rules_json_fail(c->e, json, false, NULL, "an empty list");
	test = rules_test_add(c, out, kind, json->count);
	if (!test)
		return jw_nomem(c->e);
	for (const struct rules_json *j = json->first; j; j = j->next, i++) {
		test->items[i].form = RULES_ITEM_SELECTOR;
		JW_TRY(rules_selector_read(c, j, &test->items[i].selector));
	}
	return JW_OK;
}

static enum jw_status not_key(struct rules_reading *c, const struct rules_json *json,
			      enum rules_test_kind kind, struct rules_selector *out)
{
	struct rules_test *test = rules_test_add(c, out, kind, 1);

	if (!test)
		return jw_nomem(c->e);
	test->items[0].form = RULES_ITEM_SELECTOR;
	return rules_selector_read(c, json, &test->items[0].selector);
}

/* ---- select ---- */

typedef enum jw_status key_parser(struct rules_reading *c, const struct rules_json *json,
				  enum rules_test_kind kind, struct rules_selector *out);

/* X(name, parser, kind) : the keys of `select`. */
#define SELECT_KEY_LIST(X)                                            \
	X("class", list_key, RULES_TEST_CLASS)                        \
	X("package", list_key, RULES_TEST_PACKAGE)                    \
	X("source", list_key, RULES_TEST_SOURCE)                      \
	X("entry", list_key, RULES_TEST_ENTRY)                        \
	X("classModifiers", list_key, RULES_TEST_CLASS_MODIFIERS)     \
	X("method", list_key, RULES_TEST_METHOD)                      \
	X("params", params_key, RULES_TEST_PARAMS)                    \
	X("returns", list_key, RULES_TEST_RETURNS)                    \
	X("descriptor", list_key, RULES_TEST_DESCRIPTOR)              \
	X("modifiers", list_key, RULES_TEST_MODIFIERS)                \
	X("kind", list_key, RULES_TEST_KIND)                          \
	X("code", code_key, RULES_TEST_CODE)                          \
	X("group", list_key, RULES_TEST_ANY_OF)                       \
	X("anyOf", any_of_key, RULES_TEST_ANY_OF)                     \
	X("not", not_key, RULES_TEST_NOT)                             \
	X("subtypeOf", list_key, RULES_TEST_SUBTYPE)                  \
	X("classAnnotation", list_key, RULES_TEST_CLASS_ANNOTATION)   \
	X("methodAnnotation", list_key, RULES_TEST_METHOD_ANNOTATION) \
	X("lambdaOf", list_key, RULES_TEST_LAMBDA)

static const struct select_key {
	const char *name;
	key_parser *parse;
	enum rules_test_kind kind;
} select_keys[] = {
#define SELECT_KEY_ROW(name, parse, kind) { name, parse, kind },
	SELECT_KEY_LIST(SELECT_KEY_ROW)
#undef SELECT_KEY_ROW
};
enum { SELECT_KEYS = sizeof select_keys / sizeof *select_keys };

const char *const *rules_select_keys(void)
{
	static const char *const names[] = {
#define SELECT_KEY_NAME(name, parse, kind) name,
		SELECT_KEY_LIST(SELECT_KEY_NAME)
#undef SELECT_KEY_NAME
			NULL,
	};
	return names;
}

static const struct select_key *select_key(const char *name)
{
	for (size_t i = 0; i < SELECT_KEYS; i++) {
		if (strcmp(name, select_keys[i].name) == 0)
			return &select_keys[i];
	}
	return NULL;
}

static enum jw_status select_object(struct rules_reading *c, const struct rules_json *json,
				    struct rules_selector *out)
{
	bool any = false;

	JW_TRY(rules_check_keys(c, json, rules_select_keys()));
	for (const struct rules_json *m = json->first; m; m = m->next) {
		const struct select_key *key = select_key(m->key);

		if (!key)
			continue;
		any = true;
		JW_TRY(key->parse(c, m, key->kind, out));
	}
	if (!any)
		return rules_json_fail(c->e, json, false, NULL,
				       "selects nothing: give at least one key, such as \"class\"");
	return rules_selector_finish(c, json, out);
}

enum jw_status rules_selector_read(struct rules_reading *c, const struct rules_json *json,
				   const struct rules_selector **out)
{
	struct rules_selector *selector = JW_NEW(c->arena, struct rules_selector);
	enum jw_status status;

	if (!selector)
		return jw_nomem(c->e);
	if (c->depth == MAX_DEPTH)
		return rules_json_fail(c->e, json, false, NULL,
				       "selectors and groups are nested too deep (limit is %d)",
				       MAX_DEPTH);
	c->depth++;
	if (json->type == RULES_JSON_STRING)
		status = rules_pattern_read(c, json, selector);
	else if (json->type == RULES_JSON_OBJECT)
		status = select_object(c, json, selector);
	else
		status = rules_json_fail(c->e, json, false, NULL,
					 "expected a pattern string or a select object, found %s",
					 rules_json_type_text(json->type));
	c->depth--;
	if (status == JW_OK)
		*out = selector;
	return status;
}
