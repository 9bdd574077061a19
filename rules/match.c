/*
 * match.c: compiled selectors against the description of a class and a method. It allocates nothing
 * and writes only the evaluation's own state: any number of threads may match at once.
 */
#include <string.h>

#include "rules/clauses.h"
#include "rules/match.h"
#include "rules/regex.h"
#include "rules/selector.h"
#include "rules/words.h"

#include "base/banned.h"

/* Access flags that mean different things to classes and methods (JVMS tables 4.1-B, 4.6-A). */
enum {
	ACC_PUBLIC = 0x0001,
	ACC_PRIVATE = 0x0002,
	ACC_PROTECTED = 0x0004,
	ACC_BRIDGE = 0x0040,
	ACC_SYNTHETIC = 0x1000,
	ACC_MODULE = 0x8000,
};
enum { MAX_TEXT = 65535, GUARD_BYTES = 32 };

/* ---- parts of names ---- */

static struct jw_span package_of(struct jw_span name)
{
	size_t n = name.n;

	while (n > 0 && name.p[n - 1] != '/')
		n--;
	return jw_span_sub(name, 0, n);
}

static struct jw_span returns_of(struct jw_span descriptor)
{
	size_t n = descriptor.n;

	while (n > 0 && descriptor.p[n - 1] != ')')
		n--;
	return jw_span_sub(descriptor, n, descriptor.n - n);
}

/* The next field descriptor at CUR; empty at the ')' or where the descriptor is damaged. */
static struct jw_span next_field(struct jw_cur *cur)
{
	size_t start = cur->pos;
	uint8_t c = jw_cur_u1(cur);

	while (c == '[')
		c = jw_cur_u1(cur);
	if (c == 'L') {
		while (jw_cur_ok(cur) && c != ';')
			c = jw_cur_u1(cur);
	} else if (c == ')') {
		return jw_span(NULL, 0);
	}
	return jw_cur_ok(cur) ? jw_span_sub(cur->s, start, cur->pos - start) : jw_span(NULL, 0);
}

static struct jw_span primitive_name(uint8_t c)
{
	static const struct {
		char code;
		const char *name;
	} primitives[] = { { 'B', "byte" },  { 'C', "char" }, { 'D', "double" },
			   { 'F', "float" }, { 'I', "int" },  { 'J', "long" },
			   { 'S', "short" }, { 'V', "void" }, { 'Z', "boolean" } };

	for (size_t i = 0; i < sizeof primitives / sizeof *primitives; i++) {
		if (primitives[i].code == (char)c)
			return jw_span_str(primitives[i].name);
	}
	return jw_span(NULL, 0);
}

static bool type_matches(const struct rules_type_glob *type, struct jw_span field)
{
	uint32_t dims = 0;

	while (dims < field.n && field.p[dims] == '[')
		dims++;
	field = jw_span_sub(field, dims, field.n - dims);
	if (type->any)
		return field.n > 0 && dims >= type->dims;
	if (dims != type->dims || field.n == 0)
		return false;
	if (field.p[0] == 'L' && field.n > 2)
		return rules_glob_match(&type->name, jw_span_sub(field, 1, field.n - 2));
	return rules_glob_match(&type->name, primitive_name(field.p[0]));
}

static bool params_match(const struct rules_test *test, struct jw_span descriptor)
{
	struct jw_cur cur = jw_cur(descriptor);

	if (jw_cur_u1(&cur) != '(')
		return false;
	for (size_t i = 0; i < test->count; i++) {
		struct jw_span field = next_field(&cur);

		if (field.n == 0 || !type_matches(&test->items[i].type, field))
			return false;
	}
	return test->rest || (jw_cur_u1(&cur) == ')' && jw_cur_ok(&cur));
}

/* ---- items ---- */

/* Regular expressions match names as Java writes them: dots, and a zero byte at the end. */
static bool regex_matches(struct rules_regex *regex, enum rules_test_kind kind, struct jw_span text)
{
	bool dotted = kind == RULES_TEST_CLASS || kind == RULES_TEST_PACKAGE;
	char copy[MAX_TEXT + 1];

	if (kind == RULES_TEST_PACKAGE && text.n > 0)
		text.n--; /* the separator after the package */
	if (text.n > MAX_TEXT)
		return false;
	for (size_t i = 0; i < text.n; i++)
		copy[i] = (char)(dotted && text.p[i] == '/' ? '.' : text.p[i]);
	copy[text.n] = 0;
	return rules_regex_matches(regex, copy, text.n);
}

/* "[Ljava/lang/String;" as "java.lang.String[]". Cut when longer than OUT. */
static struct jw_span java_type(struct jw_span field, uint8_t *out, size_t size)
{
	size_t dims = 0, n = 0;
	struct jw_span name;

	while (dims < field.n && field.p[dims] == '[')
		dims++;
	field = jw_span_sub(field, dims, field.n - dims);
	name = field.n > 2   ? jw_span_sub(field, 1, field.n - 2)
	       : field.n > 0 ? primitive_name(field.p[0])
			     : field;
	for (; n < name.n && n < size; n++)
		out[n] = name.p[n] == '/' ? '.' : name.p[n];
	for (; dims > 0 && n + 2 <= size; dims--) {
		out[n++] = '[';
		out[n++] = ']';
	}
	return jw_span(out, n);
}

/* A wildcard never matches <init> and <clinit>, unless `kind` asks for them, too. */
static bool method_matches(const struct rules_item *item, const struct rules_selector *selector,
			   struct rules_eval *eval)
{
	struct jw_span name = eval->method->name;
	bool special = name.n > 0 && name.p[0] == '<';
	bool asks = item->text.n > 0 && item->text.p[0] == '<';

	if (item->form == RULES_ITEM_REGEX) {
		asks = asks || selector->names_special;
		return (!special || asks || selector->wild_special) &&
		       regex_matches(item->regex, RULES_TEST_METHOD, name);
	}
	if (special && !item->exact && !asks && !selector->wild_special)
		return false;
	if (!rules_glob_match(&item->glob, name))
		return false;
	if (item->exact && !item->negated)
		eval->named = true;
	return true;
}

static bool bits_match(const struct rules_item *item, uint32_t bits)
{
	return (bits & item->mask) == item->want;
}

static uint32_t with_package(uint32_t bits)
{
	return bits & (ACC_PUBLIC | ACC_PROTECTED | ACC_PRIVATE) ? bits : bits | RULES_BIT_PACKAGE;
}

static uint32_t class_bits(const struct rules_class *cls)
{
	uint32_t bits = with_package(cls->access);

	return jw_span_eq_str(cls->super, "java/lang/Record") ? bits | RULES_BIT_RECORD : bits;
}

static bool text_item_matches(const struct rules_item *item, enum rules_test_kind kind,
			      struct jw_span text)
{
	if (item->form == RULES_ITEM_GLOB)
		return rules_glob_match(&item->glob, text);
	if (item->form == RULES_ITEM_REGEX)
		return regex_matches(item->regex, kind, text);
	return jw_span_eq(item->text, text);
}

static bool returns_match(const struct rules_item *item, struct jw_span field)
{
	uint8_t text[MAX_TEXT];

	if (item->form == RULES_ITEM_TYPE)
		return type_matches(&item->type, field);
	return regex_matches(item->regex, RULES_TEST_RETURNS, java_type(field, text, sizeof text));
}

/* ---- names from callbacks ---- */

bool rules_item_names(const struct rules_item *item, struct jw_span name)
{
	return text_item_matches(item, RULES_TEST_CLASS, name);
}

static bool is_wanted(void *ctx, struct jw_span name)
{
	return rules_item_names(*(const struct rules_item *const *)ctx, name);
}

static bool supertypes_match(const struct rules_item *item, const struct rules_class *cls)
{
	if (cls->supertypes)
		return cls->supertypes(cls->ctx, is_wanted, &item);
	return is_wanted(&item, cls->name) || is_wanted(&item, cls->super);
}

static bool names_match(const struct rules_item *item, rules_each_name *names, void *ctx)
{
	return names && names(ctx, is_wanted, &item);
}

static bool item_matches(const struct rules_item *item, const struct rules_test *test,
			 const struct rules_selector *selector, struct rules_eval *eval)
{
	const struct rules_class *cls = eval->cls;

	switch (test->kind) {
	case RULES_TEST_CLASS:
		return text_item_matches(item, test->kind, cls->name);
	case RULES_TEST_PACKAGE:
		return text_item_matches(item, test->kind, package_of(cls->name));
	case RULES_TEST_SOURCE:
		return text_item_matches(item, test->kind, cls->source);
	case RULES_TEST_ENTRY:
		return text_item_matches(item, test->kind, cls->entry);
	case RULES_TEST_CLASS_MODIFIERS:
		return bits_match(item, class_bits(cls));
	case RULES_TEST_SUBTYPE:
		return supertypes_match(item, cls);
	case RULES_TEST_CLASS_ANNOTATION:
		return names_match(item, cls->annotations, cls->ctx);
	case RULES_TEST_METHOD_ANNOTATION:
		return names_match(item, eval->method->annotations, eval->method->ctx);
	case RULES_TEST_LAMBDA:
		return names_match(item, eval->method->lambda_of, eval->method->ctx);
	case RULES_TEST_METHOD:
		return method_matches(item, selector, eval);
	case RULES_TEST_KIND:
		return bits_match(item, 1u << eval->method->kind);
	case RULES_TEST_MODIFIERS:
		return bits_match(item, with_package(eval->method->access));
	case RULES_TEST_DESCRIPTOR:
		return text_item_matches(item, test->kind, eval->method->descriptor);
	case RULES_TEST_RETURNS:
		return returns_match(item, returns_of(eval->method->descriptor));
	case RULES_TEST_PARAMS:
	case RULES_TEST_ANY_OF:
	case RULES_TEST_NOT:
	case RULES_TEST_CODE:
		break;
	}
	return false;
}

/* Any positive item (or none is there), and no negated one. */
static bool items_match(const struct rules_test *test, const struct rules_selector *selector,
			struct rules_eval *eval)
{
	bool positive = false, found = false;

	for (size_t i = 0; i < test->count; i++) {
		const struct rules_item *item = &test->items[i];

		if (!item->negated)
			positive = true;
		if (!item->negated && found && !(test->kind == RULES_TEST_METHOD && item->exact))
			continue;
		if (!item_matches(item, test, selector, eval))
			continue;
		if (item->negated)
			return false;
		found = true;
	}
	return found || !positive;
}

/* ---- code ---- */

bool rules_know_code(struct rules_eval *eval)
{
	if (eval->code_state == 0) {
		const struct rules_method *m = eval->method;

		eval->code_state = m->has_code && m->code && m->code(m->ctx, &eval->code) ? 1 : -1;
	}
	return eval->code_state > 0;
}

static bool code_matches(const struct rules_code_test *t, struct rules_eval *eval)
{
	const struct rules_code *code = &eval->code;

	return rules_know_code(eval) && code->bytes >= t->min_bytes &&
	       code->bytes <= t->max_bytes && code->lines >= t->min_lines &&
	       (t->has_loop < 0 || t->has_loop == (signed char)code->has_loop) &&
	       (t->has_call < 0 || t->has_call == (signed char)code->has_call);
}

/* ---- selectors ---- */

static enum rules_answer any_of(const struct rules_test *test, struct rules_eval *eval)
{
	enum rules_answer best = RULES_NO;
	bool positive = false;
	enum rules_answer refused = RULES_NO;

	for (size_t i = 0; i < test->count; i++) {
		const struct rules_item *item = &test->items[i];
		bool named = eval->named;
		enum rules_answer a;

		if (!item->negated)
			positive = true;
		if (!item->negated && best == RULES_YES)
			continue;
		a = rules_selector_eval(item->selector, eval);
		if (item->negated || a != RULES_YES)
			eval->named = named;
		if (item->negated && a > refused)
			refused = a;
		if (!item->negated && a > best)
			best = a;
	}
	if (!positive)
		best = RULES_YES;
	if (refused == RULES_YES)
		return RULES_NO;
	return refused == RULES_MAYBE && best == RULES_YES ? RULES_MAYBE : best;
}

/* Before the class is opened its super class is not known. */
static bool asks_record(const struct rules_test *test)
{
	for (size_t i = 0; test->kind == RULES_TEST_CLASS_MODIFIERS && i < test->count; i++) {
		if (test->items[i].mask & RULES_BIT_RECORD)
			return true;
	}
	return false;
}

/* Can TEST be answered by now? */
static bool is_known(const struct rules_test *test, const struct rules_eval *eval)
{
	if (eval->method)
		return true;
	if (test->kind >= RULES_TEST_METHOD)
		return false;
	if (eval->open || (test->kind == RULES_TEST_SUBTYPE && eval->cls->supertypes))
		return true;
	return test->kind < RULES_TEST_SOURCE && !asks_record(test);
}

static enum rules_answer eval_test(const struct rules_test *test,
				   const struct rules_selector *selector, struct rules_eval *eval)
{
	bool yes;

	if (test->kind == RULES_TEST_ANY_OF)
		return any_of(test, eval);
	if (test->kind == RULES_TEST_NOT) {
		bool named = eval->named;
		enum rules_answer a = rules_selector_eval(test->items[0].selector, eval);

		eval->named = named;
		return (enum rules_answer)(RULES_YES - a);
	}
	if (!is_known(test, eval))
		return RULES_MAYBE;
	if (test->kind == RULES_TEST_CODE)
		yes = code_matches(&test->code, eval);
	else if (test->kind == RULES_TEST_PARAMS)
		yes = eval->method && params_match(test, eval->method->descriptor);
	else
		yes = items_match(test, selector, eval);
	return yes ? RULES_YES : RULES_NO;
}

enum rules_answer rules_selector_eval(const struct rules_selector *selector,
				      struct rules_eval *eval)
{
	enum rules_answer all = RULES_YES;

	for (const struct rules_test *t = selector->tests; t && all != RULES_NO; t = t->next) {
		enum rules_answer a = eval_test(t, selector, eval);

		if (a < all)
			all = a;
	}
	return all;
}

/* Default kinds of a rule that traces and says none: methods and lambda bodies, and what it names.
 */
static bool kind_wanted(const struct rules_selector *s, enum rules_kind kind)
{
	if (s->says_kind || kind == RULES_KIND_METHOD || kind == RULES_KIND_LAMBDA)
		return true;
	return s->names_special && (kind == RULES_KIND_CONSTRUCTOR || kind == RULES_KIND_CLINIT);
}

enum rules_answer rules_clause_eval(const struct rules_clause *clause, struct rules_eval *eval)
{
	eval->named = false;
	if (eval->method && !clause->skip && !kind_wanted(clause->selector, eval->method->kind))
		return RULES_NO;
	return rules_selector_eval(clause->selector, eval);
}
