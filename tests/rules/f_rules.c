/*
 * f_rules.c: any bytes as a rules file: refused with a place, or a set that decides without a
 * crash about methods, calls, new objects and exceptions, twice the same, and whose gates are never
 * closed to what it traces.
 */
#include <stdlib.h>
#include <string.h>

#include "rules/rules.h"
#include "tests/fuzz.h"
#include "tests/rules/mutate_rules.h"

#include "base/banned.h"

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

static bool each_of(const char *const *names, rules_take_name *take, void *take_ctx)
{
	for (; *names; names++)
		if (take(take_ctx, jw_span_str(*names)))
			return true;
	return false;
}

/* What every class here extends and implements, each is annotated with, and each body is for. */
static bool supertypes(void *ctx, rules_take_name *take, void *take_ctx)
{
	static const char *const names[] = { "a/B", "java/lang/Runnable", "a/Base",
					     "java/lang/Object", NULL };

	(void)ctx;
	return each_of(names, take, take_ctx);
}

static bool annotations(void *ctx, rules_take_name *take, void *take_ctx)
{
	static const char *const names[] = { "java/lang/Deprecated", "a/Traced", NULL };

	(void)ctx;
	return each_of(names, take, take_ctx);
}

static bool lambda_of(void *ctx, rules_take_name *take, void *take_ctx)
{
	static const char *const names[] = { "java/lang/Runnable", NULL };

	(void)ctx;
	return each_of(names, take, take_ctx);
}

static bool same(struct rules_verdict a, struct rules_verdict b)
{
	return a.why == b.why && a.rule == b.rule;
}

/* What a rule that traces METHOD, or a call of CALLEE in it, makes of that. */
static void ask_about(const struct rules *rules, const struct rules_class *c,
		      const struct rules_method *m, const struct rules_callee *callee, size_t rule)
{
	size_t operation = rules_operation_rule(rules, c, m, callee, rule);
	struct rules_about about;
	struct jw_span met;

	require(rule < rules_count(rules) && operation <= rule);
	rules_about(rules, rule, operation, &about);
	require(about.capture_count <= JW_CAPTURES);
	(void)rules_how(rules, callee ? NULL : c, callee ? NULL : m, rule, about.capture_count > 0);
	if (rules_subtype_met(rules, rule, supertypes, NULL, &met))
		require(met.n > 0);
}

static void ask_call(const struct rules *rules, const struct rules_class *c,
		     const struct rules_method *m, const struct rules_callee *callee)
{
	struct rules_verdict v = rules_decide_call(rules, c, m, callee);

	require(same(v, rules_decide_call(rules, c, m, callee)));
	if (v.why != RULES_WHY_TRACED)
		return;
	require(rules_has_calls(rules, c) && rules_may_call(rules, callee));
	ask_about(rules, c, m, callee, v.rule);
}

static void ask_creation(const struct rules *rules, const struct rules_class *c,
			 const struct rules_method *m, const struct rules_callee *made)
{
	struct rules_verdict v = rules_decide_creation(rules, c, m, made);

	if (v.why == RULES_WHY_TRACED) {
		require(rules_has_creations(rules, c));
		ask_about(rules, c, m, made, v.rule);
	}
}

/* What is called and made in METHOD. */
static void ask_code(const struct rules *rules, const struct rules_class *c,
		     const struct rules_method *m)
{
	static const struct {
		const char *owner, *name, *desc;
	} calls[] = { { "a/B", "f", "(I[Ljava/lang/String;)V" },
		      { "java/lang/Thread", "start", "()V" },
		      { "java/io/InputStream", "read", "([BII)I" },
		      { "com/acme/Foo$Bar", "<init>", "(J)V" },
		      { "[I", "clone", "()Ljava/lang/Object;" } };

	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		struct rules_callee callee = { .owner = jw_span_str(calls[i].owner),
					       .name = jw_span_str(calls[i].name),
					       .descriptor = jw_span_str(calls[i].desc),
					       .super_call = i == 0,
					       .supertypes = i % 2 ? NULL : supertypes };

		ask_call(rules, c, m, &callee);
	}
	struct rules_callee monitor = { .owner = JW_SPAN_LIT(RULES_MONITOR_OWNER),
					.name = JW_SPAN_LIT(RULES_MONITOR_EXIT),
					.descriptor = JW_SPAN_LIT("()V"),
					.monitor = true };
	struct rules_callee made = { .owner = JW_SPAN_LIT("int"),
				     .name = JW_SPAN_LIT("<init>"),
				     .descriptor = JW_SPAN_LIT("()[I"),
				     .made = true };

	ask_call(rules, c, m, &monitor);
	ask_creation(rules, c, m, &made);
	made.owner = JW_SPAN_LIT("com/acme/Foo$Bar");
	made.descriptor = JW_SPAN_LIT("()Lcom/acme/Foo$Bar;");
	made.supertypes = supertypes;
	ask_creation(rules, c, m, &made);
}

static void ask_exceptions(const struct rules *rules, const struct rules_class *c,
			   const struct rules_method *m)
{
	struct rules_verdict v = rules_decide_exceptions(rules, c, m);

	require(v.why != RULES_WHY_TRACED ||
		(rules_has_exceptions(rules, c) && v.rule < rules_count(rules)));
}

static void ask(const struct rules *rules, const char *cls, const char *name, const char *desc,
		uint8_t bytes)
{
	struct rules_class c = { .name = jw_span_str(cls),
				 .super = JW_SPAN_LIT("java/lang/Object"),
				 .source = JW_SPAN_LIT("A.java"),
				 .entry = JW_SPAN_LIT("a/A.class"),
				 .access = 0x21,
				 .supertypes = bytes % 2 ? supertypes : NULL,
				 .annotations = annotations };
	struct rules_method m = { .name = jw_span_str(name),
				  .descriptor = jw_span_str(desc),
				  .access = 1,
				  .has_code = true,
				  .code = body,
				  .annotations = annotations,
				  .lambda_of = lambda_of,
				  .ctx = &bytes };
	struct rules_verdict v;
	struct jw_arena arena = { 0 };

	m.kind = rules_method_kind(m.name, m.access);
	v = rules_decide(rules, &c, &m);
	require(same(v, rules_explain(rules, &c, &m, ignore_rule, NULL)));
	require(v.why != RULES_WHY_TRACED || rules_may_choose(rules, &c));
	if (v.why == RULES_WHY_TRACED)
		ask_about(rules, &c, &m, NULL, v.rule);
	c.prepared = rules_class_prepare(rules, &c, &arena);
	require(same(v, rules_decide(rules, &c, &m)));
	ask_exceptions(rules, &c, &m);
	ask_code(rules, &c, &m);
	jw_arena_free(&arena);
}

JW_MUTATES_BY(mutate_rules)

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
	ask(rules, "a/B", "lambda$run$0", "()V", 31);
	(void)rules_lint(rules, ignore_finding, NULL);
	rules_free(rules);
	return 0;
}
