/*
 * f_rules.c: any bytes as a rules file: refused with a place, or a set that decides without a
 * crash, twice the same, and whose gate is never closed to what it traces.
 */
#include <stdlib.h>
#include <string.h>

#include "rules/rules.h"

#include "base/banned.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static bool body(void *ctx, struct rules_code *out)
{
	*out = (struct rules_code){ .bytes = *(const uint8_t *)ctx };
	return true;
}

static void ignore_rule(void *ctx, size_t rule, bool matches)
{
	(void)ctx;
	(void)rule;
	(void)matches;
}

static void ignore_finding(void *ctx, const char *finding)
{
	(void)ctx;
	require(finding[0] != 0);
}

static void ask(const struct rules *rules, const char *cls, const char *name, const char *desc,
		uint8_t bytes)
{
	struct rules_class c = { .name = jw_span_str(cls),
				 .super = JW_SPAN_LIT("java/lang/Object"),
				 .source = JW_SPAN_LIT("A.java"),
				 .entry = JW_SPAN_LIT("a/A.class"),
				 .access = 0x21 };
	struct rules_method m = { .name = jw_span_str(name),
				  .descriptor = jw_span_str(desc),
				  .access = 1,
				  .has_code = true,
				  .code = body,
				  .ctx = &bytes };
	struct rules_verdict v, again;

	m.kind = rules_method_kind(m.name, m.access);
	v = rules_decide(rules, &c, &m);
	again = rules_explain(rules, &c, &m, ignore_rule, NULL);
	require(v.why == again.why && v.rule == again.rule);
	require(v.why != RULES_WHY_TRACED || rules_may_choose(rules, &c));
	require(v.why != RULES_WHY_TRACED || v.rule < rules_count(rules));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct jw_err e = { 0 };
	struct rules *rules = NULL;
	enum jw_status status;

	/* no includes of files: the outcome depends on the input alone */
	if (size > 65536)
		return 0;
	status = rules_parse(jw_span(data, size), "/nowhere/f.json", NULL, &rules, &e);
	require((status == JW_OK) == (rules != NULL));
	require(status == JW_OK || strncmp(e.text, "/nowhere/f.json:", 16) == 0);
	if (!rules)
		return 0;
	ask(rules, "a/B", "f", "(I[Ljava/lang/String;)V", 10);
	ask(rules, "com/acme/Foo$Bar", "getX", "()J", 100);
	ask(rules, "a/b/c/D", "<init>", "(", 3);
	(void)rules_lint(rules, ignore_finding, NULL);
	rules_free(rules);
	return 0;
}
