/*
 * f_rules.c: any bytes as a rules file: refused with a place, or a set that decides without a
 * crash about methods, calls, new objects and exceptions, twice the same, and whose gates are never
 * closed to what it traces.
 */
#include <stdlib.h>
#include <string.h>

#include "rules/explain.h"
#include "rules/lint.h"
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
	*out = *(const struct rules_code *)ctx;
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
	if (v.why != RULES_WHY_TRACED && v.why != RULES_WHY_SKIPPED)
		return;
	require(rules_has_calls(rules, c) && rules_may_call(rules, callee));
	if (v.why == RULES_WHY_TRACED)
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

/* What the rules are asked about: methods of each kind, and classes that are left out. */
static const struct asked {
	const char *cls, *name, *desc;
	uint16_t of_class, of_method; /* access */
	struct rules_code code;       /* of no bytes: the method has none */
	bool supertypes;              /* those of the class are known */
} methods[] = {
	{ "a/B", "f", "(I[Ljava/lang/String;)V", 0x21, 1, { .bytes = 10 }, false },
	{ "com/acme/Foo$Bar", "getX", "()J", 0x21, 1, { .bytes = 100, .lines = 9 }, true },
	{ "a/b/c/D", "<init>", "(", 0x31, 2, { .bytes = 3, .has_call = true }, true },
	{ "a/B", "lambda$run$0", "()V", 0x21, 0x100a, { .bytes = 31, .has_loop = true }, true },
	{ "D", "<clinit>", "()V", 0x4020, 8, { .bytes = 7, .has_monitor = true }, false },
	{ "a/B", "access$000", "(La/B;[[I)[La/B;", 0x1020, 0x1008, { .bytes = 5 }, true },
	{ "a/B", "f", "()Ljava/lang/Object;", 0x421, 0x1041, { .bytes = 5 }, false },
	{ "a/E", "g", "(La/b/C;JD)[B", 0x601, 0x401, { .bytes = 0 }, true },
	{ "a/package-info", "h", "([J)Z", 0x2600, 0xc89, { .bytes = 40 }, false },
	{ "java/util/ArrayList", "add", "(Ljava/lang/Object;)Z", 0x21, 1, { .bytes = 25 }, true },
	{ "java/lang/Object", "<init>", "()V", 0x21, 1, { .bytes = 1 }, false },
	{ "jweave/abcdefg/P", "on", "(I)V", 0x31, 9, { .bytes = 20 }, false },
	{ "module-info", "f", "()V", 0x8000, 1, { .bytes = 20 }, false },
};

static void ask(const struct rules *rules, const struct asked *asked)
{
	struct rules_class c = { .name = jw_span_str(asked->cls),
				 .super = JW_SPAN_LIT("java/lang/Object"),
				 .source = JW_SPAN_LIT("A.java"),
				 .entry = JW_SPAN_LIT("a/A.class"),
				 .access = asked->of_class,
				 .supertypes = asked->supertypes ? supertypes : NULL,
				 .annotations = annotations };
	struct rules_code code = asked->code;
	struct rules_method m = { .name = jw_span_str(asked->name),
				  .descriptor = jw_span_str(asked->desc),
				  .access = asked->of_method,
				  .has_code = code.bytes > 0,
				  .code = body,
				  .annotations = annotations,
				  .lambda_of = lambda_of,
				  .ctx = &code };
	struct rules_verdict v;
	struct jw_arena arena = { 0 };

	m.kind = rules_method_kind(m.name, m.access);
	v = rules_decide(rules, &c, &m);
	require(same(v, rules_explain(rules, &c, &m, ignore_rule, NULL)));
	require(v.why != RULES_WHY_TRACED || rules_may_choose(rules, &c, NULL));
	require(strlen(rules_why_text(v.why)) > 1);
	if (v.why == RULES_WHY_TRACED)
		ask_about(rules, &c, &m, NULL, v.rule);
	c.prepared = rules_class_prepare(rules, &c, &arena);
	require(same(v, rules_decide(rules, &c, &m)));
	ask_exceptions(rules, &c, &m);
	ask_code(rules, &c, &m);
	jw_arena_free(&arena);
}

/* What the set says of itself. */
static void ask_faces(const struct rules *rules)
{
	bool numbered = false;

	for (size_t i = 0; i < rules_count(rules); i++) {
		const struct rules_rule *face = rules_rule(rules, i);

		require(face->id[0] && face->file[0] && face->line > 0);
		require(!face->enabled || face->number > 0 || !rules_samples(&face->sampling));
		require(face->capture_count <= JW_CAPTURES);
		numbered = numbered || face->number > 0;
	}
	require(rules_file_count(rules) == 0 || rules_file(rules, 0)[0]);
	require(strlen(rules_digest(rules)) == 16);
	require((rules_baked(rules).n > 0) == (rules_baked_key(rules) != NULL));
	require(!numbered || rules_baked(rules).n > 0);
	(void)rules_needs_supertypes(rules);
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
	/* the length chooses what the command line would say */
	const struct rules_options options = { .jdk = size & 1,
					       .any = size & 2,
					       .no_guard = size & 4 };
	status = rules_parse(jw_span(data, size), "/nowhere/f.json", &options, &rules, &e);
	require((status == JW_OK) == (rules != NULL));
	require(status == JW_OK || strncmp(e.text, "/nowhere/f.json:", 16) == 0);
	if (!rules)
		return 0;
	for (size_t i = 0; i < sizeof(methods) / sizeof(*methods); i++)
		ask(rules, &methods[i]);
	ask_faces(rules);
	(void)rules_lint(rules, ignore_finding, NULL);
	rules_free(rules);
	return 0;
}
