/*
 * match.c: compiled selectors against the description of a class and a method. No memory is taken,
 * nothing is written but the evaluation's own state: any number of threads may match at once.
 */
#include <string.h>

#include "base/runtime_class.h"
#include "rules/rules_int.h"

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

static bool type_matches(const struct type_glob *type, struct jw_span field)
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

static bool params_match(const struct test *test, struct jw_span descriptor)
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

/* Regular expressions see names as Java writes them: dots, and a zero byte at the end. */
static bool regex_matches(struct regex *regex, enum test_kind kind, struct jw_span text)
{
	bool dotted = kind == TEST_CLASS || kind == TEST_PACKAGE;
	char copy[MAX_TEXT + 1];

	if (kind == TEST_PACKAGE && text.n > 0)
		text.n--; /* the separator behind the package */
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

/* A wildcard never matches <init> and <clinit>, unless `kind` asks for them beside it. */
static bool method_matches(const struct item *item, const struct selector *selector,
			   struct eval *eval)
{
	struct jw_span name = eval->method->name;
	bool special = name.n > 0 && name.p[0] == '<';
	bool asks = item->text.n > 0 && item->text.p[0] == '<';

	if (item->form == ITEM_REGEX) {
		asks = asks || selector->names_special;
		return (!special || asks || selector->wild_special) &&
		       regex_matches(item->regex, TEST_METHOD, name);
	}
	if (special && !item->exact && !asks && !selector->wild_special)
		return false;
	if (!rules_glob_match(&item->glob, name))
		return false;
	if (item->exact && !item->negated)
		eval->named = true;
	return true;
}

static bool bits_match(const struct item *item, uint32_t bits)
{
	return (bits & item->mask) == item->want;
}

static uint32_t with_package(uint32_t bits)
{
	return bits & (ACC_PUBLIC | ACC_PROTECTED | ACC_PRIVATE) ? bits : bits | BIT_PACKAGE;
}

static uint32_t class_bits(const struct rules_class *cls)
{
	uint32_t bits = with_package(cls->access);

	return jw_span_eq_str(cls->super, "java/lang/Record") ? bits | BIT_RECORD : bits;
}

static bool text_item_matches(const struct item *item, enum test_kind kind, struct jw_span text)
{
	if (item->form == ITEM_GLOB)
		return rules_glob_match(&item->glob, text);
	if (item->form == ITEM_REGEX)
		return regex_matches(item->regex, kind, text);
	return jw_span_eq(item->text, text);
}

static bool returns_match(const struct item *item, struct jw_span field)
{
	uint8_t text[MAX_TEXT];

	if (item->form == ITEM_TYPE)
		return type_matches(&item->type, field);
	return regex_matches(item->regex, TEST_RETURNS, java_type(field, text, sizeof text));
}

/* ---- names that are asked for ---- */

bool rules_item_names(const struct item *item, struct jw_span name)
{
	return text_item_matches(item, TEST_CLASS, name);
}

static bool is_wanted(void *ctx, struct jw_span name)
{
	return rules_item_names(*(const struct item *const *)ctx, name);
}

static bool supertypes_match(const struct item *item, const struct rules_class *cls)
{
	if (cls->supertypes)
		return cls->supertypes(cls->ctx, is_wanted, &item);
	return is_wanted(&item, cls->name) || is_wanted(&item, cls->super);
}

static bool names_match(const struct item *item, rules_each_name *names, void *ctx)
{
	return names && names(ctx, is_wanted, &item);
}

static bool item_matches(const struct item *item, const struct test *test,
			 const struct selector *selector, struct eval *eval)
{
	const struct rules_class *cls = eval->cls;

	switch (test->kind) {
	case TEST_CLASS:
		return text_item_matches(item, test->kind, cls->name);
	case TEST_PACKAGE:
		return text_item_matches(item, test->kind, package_of(cls->name));
	case TEST_SOURCE:
		return text_item_matches(item, test->kind, cls->source);
	case TEST_ENTRY:
		return text_item_matches(item, test->kind, cls->entry);
	case TEST_CLASS_MODIFIERS:
		return bits_match(item, class_bits(cls));
	case TEST_SUBTYPE:
		return supertypes_match(item, cls);
	case TEST_CLASS_ANNOTATION:
		return names_match(item, cls->annotations, cls->ctx);
	case TEST_METHOD_ANNOTATION:
		return names_match(item, eval->method->annotations, eval->method->ctx);
	case TEST_LAMBDA:
		return names_match(item, eval->method->lambda_of, eval->method->ctx);
	case TEST_METHOD:
		return method_matches(item, selector, eval);
	case TEST_KIND:
		return bits_match(item, 1u << eval->method->kind);
	case TEST_MODIFIERS:
		return bits_match(item, with_package(eval->method->access));
	case TEST_DESCRIPTOR:
		return text_item_matches(item, test->kind, eval->method->descriptor);
	case TEST_RETURNS:
		return returns_match(item, returns_of(eval->method->descriptor));
	case TEST_PARAMS:
	case TEST_ANY_OF:
	case TEST_NOT:
	case TEST_CODE:
		break;
	}
	return false;
}

/* Any positive item (or none is there), and no negated one. */
static bool items_match(const struct test *test, const struct selector *selector, struct eval *eval)
{
	bool positive = false, found = false;

	for (size_t i = 0; i < test->count; i++) {
		const struct item *item = &test->items[i];

		if (!item->negated)
			positive = true;
		if (!item->negated && found && !(test->kind == TEST_METHOD && item->exact))
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

static bool know_code(struct eval *eval)
{
	if (eval->code_state == 0) {
		const struct rules_method *m = eval->method;

		eval->code_state = m->has_code && m->code && m->code(m->ctx, &eval->code) ? 1 : -1;
	}
	return eval->code_state > 0;
}

static bool code_matches(const struct code_test *t, struct eval *eval)
{
	const struct rules_code *code = &eval->code;

	return know_code(eval) && code->bytes >= t->min_bytes && code->bytes <= t->max_bytes &&
	       code->lines >= t->min_lines &&
	       (t->has_loop < 0 || t->has_loop == (signed char)code->has_loop) &&
	       (t->has_call < 0 || t->has_call == (signed char)code->has_call);
}

/* ---- selectors ---- */

static enum answer any_of(const struct test *test, struct eval *eval)
{
	enum answer best = ANSWER_NO;
	bool positive = false;
	enum answer refused = ANSWER_NO;

	for (size_t i = 0; i < test->count; i++) {
		const struct item *item = &test->items[i];
		bool named = eval->named;
		enum answer a;

		if (!item->negated)
			positive = true;
		if (!item->negated && best == ANSWER_YES)
			continue;
		a = rules_eval(item->selector, eval);
		if (item->negated || a != ANSWER_YES)
			eval->named = named;
		if (item->negated && a > refused)
			refused = a;
		if (!item->negated && a > best)
			best = a;
	}
	if (!positive)
		best = ANSWER_YES;
	if (refused == ANSWER_YES)
		return ANSWER_NO;
	return refused == ANSWER_MAYBE && best == ANSWER_YES ? ANSWER_MAYBE : best;
}

/* Before the class is opened its super class is not known. */
static bool asks_record(const struct test *test)
{
	for (size_t i = 0; test->kind == TEST_CLASS_MODIFIERS && i < test->count; i++) {
		if (test->items[i].mask & BIT_RECORD)
			return true;
	}
	return false;
}

/* Can TEST be answered by now? */
static bool is_known(const struct test *test, const struct eval *eval)
{
	if (eval->method)
		return true;
	if (test->kind >= TEST_METHOD)
		return false;
	if (eval->open || (test->kind == TEST_SUBTYPE && eval->cls->supertypes))
		return true;
	return test->kind < TEST_SOURCE && !asks_record(test);
}

static enum answer eval_test(const struct test *test, const struct selector *selector,
			     struct eval *eval)
{
	bool yes;

	if (test->kind == TEST_ANY_OF)
		return any_of(test, eval);
	if (test->kind == TEST_NOT) {
		bool named = eval->named;
		enum answer a = rules_eval(test->items[0].selector, eval);

		eval->named = named;
		return (enum answer)(ANSWER_YES - a);
	}
	if (!is_known(test, eval))
		return ANSWER_MAYBE;
	if (test->kind == TEST_CODE)
		yes = code_matches(&test->code, eval);
	else if (test->kind == TEST_PARAMS)
		yes = eval->method && params_match(test, eval->method->descriptor);
	else
		yes = items_match(test, selector, eval);
	return yes ? ANSWER_YES : ANSWER_NO;
}

enum answer rules_eval(const struct selector *selector, struct eval *eval)
{
	enum answer all = ANSWER_YES;

	for (const struct test *t = selector->tests; t && all != ANSWER_NO; t = t->next) {
		enum answer a = eval_test(t, selector, eval);

		if (a < all)
			all = a;
	}
	return all;
}

/* Default kinds of a rule that traces and says none: methods and lambda bodies, and what it names.
 */
static bool kind_wanted(const struct selector *s, enum rules_kind kind)
{
	if (s->says_kind || kind == RULES_KIND_METHOD || kind == RULES_KIND_LAMBDA)
		return true;
	return s->names_special && (kind == RULES_KIND_CONSTRUCTOR || kind == RULES_KIND_CLINIT);
}

enum answer rules_eval_clause(const struct clause *clause, struct eval *eval)
{
	eval->named = false;
	if (eval->method && !clause->skip && !kind_wanted(clause->selector, eval->method->kind))
		return ANSWER_NO;
	return rules_eval(clause->selector, eval);
}

/* ---- verdicts ---- */

/* What neither rules nor excludes are asked about. */
enum rules_why rules_left_out(const struct rules *rules, const struct rules_class *cls,
			      const struct rules_method *method)
{
	static const char *const jdk[] = { "java/", "jdk/", "sun/" };

	if (jw_is_runtime_class(cls->name))
		return RULES_WHY_RUNTIME;
	if (cls->access & ACC_MODULE)
		return RULES_WHY_UNMATCHED;
	for (size_t i = 0; i < sizeof jdk / sizeof *jdk; i++) {
		if (!jw_span_starts(cls->name, jw_span_str(jdk[i])))
			continue;
		if (!rules->options.jdk)
			return RULES_WHY_JDK;
		return method && !rules->options.any ? rules_jdk_keeps(cls, method)
						     : RULES_WHY_TRACED;
	}
	return RULES_WHY_TRACED;
}

bool rules_passes_guard(const struct rules *rules, size_t rule, struct eval *eval)
{
	const struct rule_int *r = rules->rules[rule];

	if (rules->options.no_guard || !know_code(eval))
		return true;
	if (eval->code.has_call || eval->code.has_loop || eval->code.has_monitor ||
	    eval->code.bytes > GUARD_BYTES)
		return true;
	const struct clause *clauses = r->off_count ? r->off : rules->clauses + r->first;
	for (size_t i = 0; i < (r->off_count ? r->off_count : r->count); i++) {
		const struct clause *clause = &clauses[i];

		if (rules_eval_clause(clause, eval) == ANSWER_YES &&
		    (clause->selector->says_code || eval->named))
			return true;
	}
	return false;
}

static struct rules_verdict judge(const struct rules *rules, struct eval *eval, size_t clause)
{
	size_t rule = clause == RULES_NONE ? RULES_NONE : rules->clauses[clause].rule;
	struct rules_verdict v = { RULES_WHY_TRACED, rule };

	if (clause == RULES_NONE)
		v.why = RULES_WHY_UNMATCHED;
	else if (rule == RULES_NONE)
		v.why = RULES_WHY_EXCLUDED;
	else if (rules->clauses[clause].skip)
		v.why = RULES_WHY_SKIPPED;
	else if (!eval->method->has_code)
		v.why = RULES_WHY_NO_CODE;
	else if (!rules_passes_guard(rules, rule, eval))
		v.why = RULES_WHY_GUARDED;
	return v;
}

struct rules_verdict rules_decide(const struct rules *rules, const struct rules_class *cls,
				  const struct rules_method *method)
{
	struct eval eval = { .cls = cls, .method = method };
	struct candidates candidates;
	size_t deciding = RULES_NONE;
	uint32_t clause;
	enum rules_why why = rules_left_out(rules, cls, method);

	if (why != RULES_WHY_TRACED)
		return (struct rules_verdict){ why, RULES_NONE };
	rules_candidates(rules, cls, method, &candidates);
	while (deciding == RULES_NONE && rules_candidates_next(&candidates, &clause)) {
		if (rules_eval_clause(&rules->clauses[clause], &eval) == ANSWER_YES)
			deciding = clause;
	}
	return rules_or_off(rules, &eval, judge(rules, &eval, deciding));
}

bool rules_may_choose(const struct rules *rules, const struct rules_class *cls)
{
	struct eval eval = { .cls = cls };
	struct candidates candidates;
	uint32_t i;

	if (rules_left_out(rules, cls, NULL) != RULES_WHY_TRACED)
		return false;
	if (rules_off_may_choose(rules, &eval))
		return true;
	rules_candidates(rules, cls, NULL, &candidates);
	while (rules_candidates_next(&candidates, &i)) {
		const struct clause *clause = &rules->clauses[i];
		enum answer a = rules_eval_clause(clause, &eval);

		if (a == ANSWER_YES && clause->skip)
			return false; /* decides every method that no later clause chose */
		if (a != ANSWER_NO && !clause->skip)
			return true;
	}
	return false;
}

bool rules_needs_supertypes(const struct rules *rules)
{
	return rules->needs_supertypes;
}

/* ---- words of the interface ---- */

enum rules_kind rules_method_kind(struct jw_span name, uint16_t access)
{
	if (jw_span_eq_str(name, "<init>"))
		return RULES_KIND_CONSTRUCTOR;
	if (jw_span_eq_str(name, "<clinit>"))
		return RULES_KIND_CLINIT;
	if (access & ACC_BRIDGE)
		return RULES_KIND_BRIDGE;
	if (!(access & ACC_SYNTHETIC))
		return RULES_KIND_METHOD;
	if (jw_span_starts(name, JW_SPAN_LIT("lambda$")))
		return RULES_KIND_LAMBDA;
	if (jw_span_starts(name, JW_SPAN_LIT("access$")))
		return RULES_KIND_ACCESSOR;
	return RULES_KIND_SYNTHETIC;
}

const char *rules_why_text(enum rules_why why)
{
	static const char *const text[] = {
#define WHY_TEXT(name, words) words,
		RULES_WHY_LIST(WHY_TEXT)
#undef WHY_TEXT
	};
	return (size_t)why < sizeof text / sizeof *text ? text[why] : "?";
}
