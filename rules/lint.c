/*
 * lint.c: finds rules that are right in form but cannot be what was meant. Only certain findings
 * are reported: a rule without one may still choose nothing.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "rules/jdk.h"
#include "rules/lint.h"
#include "rules/selector.h"
#include "rules/set.h"

#include "base/banned.h"

enum { MAX_COMPARED = 10000 }; /* clauses that are compared with each other */

struct lint {
	const struct rules *set;
	void (*each)(void *ctx, const char *finding);
	void *ctx;
	size_t count;
};

static void find(struct lint *l, const char *file, uint32_t line, const char *fmt, ...)
	JW_PRINTF(4, 5);

static void find(struct lint *l, const char *file, uint32_t line, const char *fmt, ...)
{
	char text[512], finding[1024];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	(void)snprintf(finding, sizeof finding, "%s:%u: %s", file, line, text);
	l->each(l->ctx, finding);
	l->count++;
}

/* ---- one clause covers another ---- */

/* Does SELECTOR hold for every class under *PREFIX ("": all classes), whatever the method? */
static bool is_broad(const struct rules_selector *selector, struct jw_span *prefix)
{
	const struct rules_test *t = selector->tests;

	if (!t || t->next || t->kind != RULES_TEST_CLASS || t->count != 1 || t->items[0].negated ||
	    t->items[0].form != RULES_ITEM_GLOB || t->items[0].glob.shape != RULES_GLOB_PREFIX)
		return false;
	*prefix = t->items[0].glob.prefix;
	return true;
}

static bool all_under(const struct rules_selector *selector, struct jw_span prefix);

static bool item_under(const struct rules_item *item, struct jw_span prefix)
{
	if (item->form == RULES_ITEM_SELECTOR)
		return all_under(item->selector, prefix);
	return item->form == RULES_ITEM_GLOB && jw_span_starts(item->glob.prefix, prefix);
}

/* Do all classes that SELECTOR may choose begin with PREFIX? */
static bool all_under(const struct rules_selector *selector, struct jw_span prefix)
{
	for (const struct rules_test *t = selector->tests; t; t = t->next) {
		bool any = false, under = t->kind == RULES_TEST_CLASS ||
					  t->kind == RULES_TEST_PACKAGE ||
					  t->kind == RULES_TEST_ANY_OF;

		for (size_t i = 0; under && i < t->count; i++) {
			if (t->items[i].negated)
				continue;
			any = true;
			under = item_under(&t->items[i], prefix);
		}
		if (any && under)
			return true;
	}
	return prefix.n == 0;
}

/* Does the rule EARLIER do something, though LATER decides what it chooses: while that is switched
 * off, or as it says what the methods do (rules_operation_rule)? */
static bool still_counts(const struct rules *set, size_t earlier, size_t later)
{
	const struct rules_rule *e = &set->rules.at[earlier]->face, *l;

	if (later == RULES_NONE)
		return false;
	l = &set->rules.at[later]->face;
	return l->switchable ||
	       (e->operation && !l->skip && !l->event_said && !rules_samples(&l->sampling));
}

/* A rule that traces leaves out what its default kinds do not have. */
static bool covers(const struct rules *set, const struct rules_clause *later,
		   const struct rules_clause *earlier)
{
	const struct rules_selector *s = earlier->selector;
	struct jw_span prefix;

	if (still_counts(set, earlier->rule, later->rule))
		return false;
	if (!later->skip && (earlier->skip || s->says_kind || s->names_special))
		return false;
	return is_broad(later->selector, &prefix) && all_under(s, prefix);
}

static const struct rules_clause *cover_of(const struct rules *set, size_t index)
{
	for (size_t k = set->bodies.n; set->bodies.n <= MAX_COMPARED && k-- > 0;) {
		const struct rules_clause *later = &set->bodies.at[k];

		if (later->rule != set->bodies.at[index].rule && k > index &&
		    covers(set, later, &set->bodies.at[index]))
			return later;
	}
	return NULL;
}

/* Is the whole rule covered? COVER: by what, last. */
static bool rule_covered(const struct rules *set, const struct rules_compiled_rule *rule,
			 const struct rules_clause **cover)
{
	for (size_t k = rule->first; k < rule->first + rule->count; k++) {
		*cover = cover_of(set, k);
		if (!*cover)
			return false;
	}
	return true;
}

static void lint_cover(struct lint *l, const struct rules_compiled_rule *rule)
{
	const struct rules_clause *cover = NULL;
	const struct rules_rule *by;

	if (!rule_covered(l->set, rule, &cover) || !cover)
		return;
	if (cover->rule == RULES_NONE) {
		find(l, rule->face.file, rule->face.line,
		     "rule \"%s\" can choose nothing: an exclude covers it", rule->face.id);
		return;
	}
	by = &l->set->rules.at[cover->rule]->face;
	find(l, rule->face.file, rule->face.line,
	     "rule \"%s\" never decides: the later rule \"%s\" (%s:%u) covers it, and the last "
	     "matching rule decides",
	     rule->face.id, by->id, by->file, by->line);
}

/* ---- what can never be woven ---- */

static void lint_jdk(struct lint *l, const struct rules_compiled_rule *rule)
{
	for (size_t k = rule->first; k < rule->first + rule->count; k++) {
		const struct rules_selector *s = l->set->bodies.at[k].selector;
		bool own = all_under(s, JW_SPAN_LIT("jweave/rt/")), found = false;

		for (size_t i = 0; !l->set->options.jdk && rules_jdk_packages[i]; i++)
			found |= all_under(s, jw_span_str(rules_jdk_packages[i]));
		if (!own && !found)
			continue;
		find(l, rule->face.file, rule->face.line, "rule \"%s\" %s", rule->face.id,
		     own ? "can choose nothing: jweave's own runtime is never woven"
			 : "can choose nothing: bodies of the JDK are left out without --jdk");
		return;
	}
}

static bool only_bodiless(const struct rules_test *t)
{
	bool any = false;

	for (size_t i = 0; i < t->count; i++) {
		const uint32_t bodiless = 0x0400 | 0x0100; /* ACC_ABSTRACT, ACC_NATIVE */

		if (t->items[i].negated || !(t->items[i].mask & bodiless))
			return false;
		any = true;
	}
	return any;
}

static void lint_bodiless(struct lint *l, const struct rules_compiled_rule *rule)
{
	for (size_t k = rule->first; k < rule->first + rule->count; k++) {
		for (const struct rules_test *t = l->set->bodies.at[k].selector->tests; t;
		     t = t->next) {
			if (t->kind == RULES_TEST_MODIFIERS && only_bodiless(t)) {
				find(l, rule->face.file, rule->face.line,
				     "rule \"%s\" can choose nothing: abstract and native methods "
				     "have no body to weave",
				     rule->face.id);
				return;
			}
		}
	}
}

/* ---- types without their package ---- */

static bool lacks_package(const struct rules_item *item)
{
	struct jw_span name = item->type.name.prefix;

	return item->form == RULES_ITEM_TYPE && item->exact && !item->type.any && name.n > 0 &&
	       name.p[0] >= 'A' && name.p[0] <= 'Z' && !memchr(name.p, '/', name.n);
}

static void lint_types(struct lint *l, const struct rules_compiled_rule *rule)
{
	for (size_t k = rule->first; k < rule->first + rule->count; k++) {
		for (const struct rules_test *t = l->set->bodies.at[k].selector->tests; t;
		     t = t->next) {
			for (size_t i = 0; i < t->count; i++) {
				struct jw_span name = t->items[i].type.name.prefix;

				if (lacks_package(&t->items[i]))
					find(l, rule->face.file, rule->face.line,
					     "rule \"%s\": the type %.*s has no package: write it "
					     "as "
					     "java.lang.String, or with a wildcard as **.%.*s",
					     rule->face.id, (int)name.n, (const char *)name.p,
					     (int)name.n, (const char *)name.p);
			}
		}
	}
}

/* ---- too much ---- */

static bool is_unlimited(const struct rules_selector *s)
{
	for (const struct rules_test *t = s->tests; t; t = t->next) {
		if (t->kind == RULES_TEST_CODE)
			return t->code.min_bytes == 0 && t->code.has_loop < 1 &&
			       t->code.has_call < 1;
	}
	return false;
}

static void lint_everything(struct lint *l, const struct rules_compiled_rule *rule)
{
	for (size_t k = rule->first; k < rule->first + rule->count; k++) {
		const struct rules_selector *s = l->set->bodies.at[k].selector;
		struct jw_span prefix;
		bool all = is_broad(s, &prefix) && prefix.n == 0;

		if (all && l->set->options.no_guard)
			find(l, rule->face.file, rule->face.line,
			     "rule \"%s\" traces every method of every class, and --no-guard the "
			     "trivial ones, too: expect a slow program and a large trace",
			     rule->face.id);
		else if (is_unlimited(s))
			find(l, rule->face.file, rule->face.line,
			     "rule \"%s\" says code, so that trivial bodies are not left out for "
			     "it: give minBytes as well",
			     rule->face.id);
	}
}

static void lint_rule(struct lint *l, const struct rules_compiled_rule *rule, bool any_traced)
{
	if (rule->face.skip && !any_traced)
		find(l, rule->face.file, rule->face.line,
		     "rule \"%s\" skips what no rule before it traces: the last matching rule "
		     "decides, so a skip comes after what it takes from",
		     rule->face.id);
	lint_cover(l, rule);
	if (!rule->face.skip) {
		lint_jdk(l, rule);
		lint_bodiless(l, rule);
		lint_everything(l, rule);
	}
	lint_types(l, rule);
}

size_t rules_lint(const struct rules *rules, void (*each)(void *ctx, const char *finding),
		  void *ctx)
{
	struct lint l = { rules, each, ctx, 0 };
	bool traced = false;

	for (size_t i = 0; i < rules->rules.n; i++) {
		lint_rule(&l, rules->rules.at[i], traced);
		traced |= !rules->rules.at[i]->face.skip;
	}
	if (!traced)
		find(&l, rules->name, 1, "no rule traces anything: nothing will be woven");
	return l.count;
}
