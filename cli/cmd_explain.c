/*
 * cmd_explain.c: jweave explain [-r RULES] IN PATTERN: is it woven, and why or why not.
 *
 * PATTERN is a match line of the rules, compiled as a rules file of one rule with nothing left out;
 * for each method that it selects, the answer comes first, then the rule that decided, and (with -v
 * or as JSON) what each rule says. Without -r the rules are those that `jweave run` would make.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "cli/explain.h"
#include "cli/inputs.h"
#include "cli/out.h"
#include "cli/run_choose.h"
#include "cli/safe_text.h"
#include "weaver/archive/scan.h"

#include "base/banned.h"

#define NAMES_MAX 200000 /* names remembered for "did you mean" */

/* ---- what both forms of the answer say ---- */

size_t cli_explain_about(const struct cli_explain *x, const struct cli_explained *what,
			 struct rules_about *about, size_t *had)
{
	size_t rule = what->verdict.rule, n = 0;
	size_t does = rules_operation_rule(x->rules, x->cls, what->method, what->callee, rule);
	struct rules_about all;

	rules_about(x->rules, rule, does, &all);
	*about = all;
	for (int has = 1; has >= 0; has--) {
		for (size_t i = 0; i < all.capture_count; i++)
			if (weave_scan_has(&all, &all.captures[i], what->method, what->callee) ==
			    has)
				about->captures[n++] = all.captures[i];
		if (has)
			*had = n;
	}
	return does;
}

void cli_explain_put_name(struct jw_buf *out, const struct rules_class *cls,
			  const struct rules_method *method)
{
	cli_put_class(out, cls->name);
	jw_put_u1(out, '#');
	cli_put_method(out, method->name, method->descriptor);
}

bool cli_explain_is_of_method(const struct rules_rule *rule)
{
	return !rule->call && !rule->exception && !rule->creation;
}

bool cli_explain_chain(const struct cli_explain *x, size_t index, const struct cli_explained *what,
		       bool (*put)(void *ctx, struct jw_span name), void *put_ctx)
{
	const struct rules_callee *callee = what->callee;
	rules_each_name *supertypes = callee ? callee->supertypes : x->cls->supertypes;
	rules_path *path = callee ? callee->path : x->cls->path;
	void *ctx = callee ? callee->ctx : x->cls->ctx;
	struct jw_span to;

	if (!path || !rules_subtype_met(x->rules, index, supertypes, ctx, &to))
		return false;
	if (!path(ctx, to, put, put_ctx))
		(void)put(put_ctx, to);
	return true;
}

/* ---- the methods that are asked about ---- */

/* Remembers what could have been meant, while nothing is found. */
static enum jw_status remember(struct cli_explain *x, const struct rules_class *cls,
			       const struct rules_method *method, struct jw_err *e)
{
	struct jw_buf name = { 0 };

	if (x->count || x->name_count == NAMES_MAX)
		return JW_OK;
	cli_put_class(&name, cls->name);
	if (x->with_method) {
		jw_put_u1(&name, '#');
		cli_put_escaped(&name, method->name);
	}
	const char *copy =
		name.failed == JW_OK ? jw_arena_str(&x->cli->arena, jw_buf_span(&name)) : NULL;
	jw_buf_free(&name);
	if (!copy)
		return jw_nomem(e);
	if (x->name_count == 0 || strcmp(x->names[x->name_count - 1], copy) != 0)
		x->names[x->name_count++] = copy;
	return JW_OK;
}

static enum jw_status answer(struct cli_explain *x, const struct cli_explained *what,
			     struct jw_err *e)
{
	if (!x->as_json)
		return cli_explain_text(x, what, e);
	cli_explain_json(x, what);
	return JW_OK;
}

static enum jw_status look(void *ctx, const struct rules_class *cls,
			   const struct rules_method *method, uint32_t code_bytes,
			   struct rules_verdict verdict, struct jw_err *e)
{
	struct cli_explain *x = ctx;
	enum rules_why why = rules_decide(x->pattern, cls, method).why;
	const struct cli_explained what = { .method = method,
					    .code_bytes = code_bytes,
					    .verdict = verdict };

	/* of methods without a body, those that are asked for */
	if (why != RULES_WHY_TRACED && (why != RULES_WHY_NO_CODE || !x->with_method))
		return remember(x, cls, method, e);
	x->cls = cls;
	enum jw_status status = answer(x, &what, e);
	x->count++;
	return status;
}

/* A call in a method that was explained. */
static enum jw_status look_at_call(void *ctx, const struct rules_class *cls,
				   const struct rules_method *method,
				   const struct rules_callee *callee, uint32_t line,
				   struct rules_verdict verdict, struct jw_err *e)
{
	struct cli_explain *x = ctx;
	const struct cli_explained what = {
		.method = method, .callee = callee, .line = line, .verdict = verdict
	};

	if (rules_decide(x->pattern, cls, method).why != RULES_WHY_TRACED)
		return JW_OK;
	x->cls = cls;
	return answer(x, &what, e);
}

/* "Solver" for "com.acme.Solver#step": the simple name of the class and what follows. */
static const char *tail(const char *name)
{
	size_t n = strcspn(name, "#");

	while (n > 0 && name[n - 1] != '.')
		n--;
	return name + n;
}

/* "com.acme.Solver" for "com.acme.Solver.none" or "Solver.none": the class is there; NULL: none. */
static const char *class_of(const struct cli_explain *x, const char *word)
{
	const char *dot = strrchr(word, '.');
	struct jw_span cls = jw_span(word, dot ? (size_t)(dot - word) : 0);

	for (size_t i = 0; dot && !x->with_method && i < x->name_count; i++)
		if (jw_span_eq_str(cls, x->names[i]) || jw_span_eq_str(cls, tail(x->names[i])))
			return x->names[i];
	return NULL;
}

static enum jw_status nothing_found(struct cli_explain *x, struct jw_err *e)
{
	size_t n = strcspn(x->wanted, "(");
	const char *word, *near = NULL;

	while (n > 0 && x->wanted[n - 1] == ' ')
		n--;
	word = jw_arena_str(&x->cli->arena, jw_span(x->wanted, n));
	if (!word)
		return jw_nomem(e);
	word = strrchr(word, ' ') ? strrchr(word, ' ') + 1 : word; /* after modifiers */
	for (size_t i = 0; i < x->name_count && !near; i++)
		if (strcmp(tail(x->names[i]), word) == 0)
			near = x->names[i];
	if (!near)
		near = class_of(x, word);
	if (!near)
		near = jw_nearest(word, x->names, x->name_count);
	if (!near && !x->with_method && !strpbrk(word, ".*?$@!"))
		near = jw_arena_fmt(&x->cli->arena, "**#%s", word);
	if (near && strcmp(near, x->wanted) == 0)
		return jw_fail(e, JW_INPUT,
			       "'%s' is part of jweave's own runtime, which is never woven", near);
	if (near)
		return jw_fail(e, JW_INPUT, "'%s' selects no method of '%s'; did you mean '%s'?",
			       x->wanted, x->cli->args.operands[0], near);
	return jw_fail(
		e, JW_INPUT,
		"'%s' selects no method of '%s' (a wildcard never matches <init> or <clinit>; "
		"'jweave list %s' shows all)",
		x->wanted, x->cli->args.operands[0], x->cli->args.operands[0]);
}

static enum jw_status pass_by(void *ctx, const struct rules_class *cls,
			      const struct rules_method *method, uint32_t code_bytes,
			      struct rules_verdict verdict, struct jw_err *e)
{
	(void)ctx;
	(void)cls;
	(void)method;
	(void)code_bytes;
	(void)verdict;
	(void)e;
	return JW_OK;
}

/* Why there are no default rules for IN: it cannot be read, else it holds nothing of that kind. */
static enum jw_status no_rules(struct cli_explain *x, struct jw_err *e)
{
	const char *in = x->cli->args.operands[0];

	JW_TRY(cli_scan(x->cli, in, x->pattern, pass_by, NULL, e));
	return jw_fail(e, JW_INPUT,
		       "'%s' has no classes that 'jweave run' would trace by itself: give -r RULES",
		       in);
}

/* Those that `jweave run -- java -jar IN` would make. */
static enum jw_status default_rules(struct cli_explain *x, struct jw_err *e)
{
	struct cli *cli = x->cli;
	struct run run = { .cli = cli,
			   .arena = &cli->arena,
			   .java = { .words = cli->args.operands, .mode = CLI_JAVA_JAR } };
	const struct rules_options options = { .jdk = cli_given(cli, CLI_OPT_jdk),
					       .no_guard = cli_given(cli, CLI_OPT_no_guard) };
	struct jw_buf text = { 0 };
	enum jw_status status = run_choose(&run, &text, e);

	if (status == JW_INPUT)
		status = no_rules(x, e);
	if (status == JW_OK)
		status = rules_parse(jw_buf_span(&text), "default rules", &options, &x->rules, e);
	if (status == JW_OK)
		run_tell_rules(cli, jw_buf_span(&text));
	jw_buf_free(&text);
	return status;
}

static enum jw_status explain(struct cli_explain *x, struct jw_err *e)
{
	struct cli *cli = x->cli;

	JW_TRY(cli_load_pattern(x->wanted, &x->pattern, e));
	JW_TRY(cli_given(cli, CLI_OPT_rules)
		       ? cli_load_rules(cli, cli_value(cli, CLI_OPT_rules, NULL), &x->rules, e)
		       : default_rules(x, e));
	x->names = JW_NEW_ARRAY(&cli->arena, const char *, NAMES_MAX);
	if (!x->names)
		return jw_nomem(e);
	if (x->as_json)
		cli_json_open(&x->json, cli, '[');
	JW_TRY(cli_scan_calls(cli, cli->args.operands[0], x->rules, look, look_at_call, x, e));
	if (x->as_json)
		JW_TRY(cli_json_close(&x->json, e));
	if (x->count == 0)
		return nothing_found(x, e);
	if (!x->as_json)
		cli_put(cli,
			"\nThe last matching rule decides. A top-level exclude always wins.%s\n",
			x->verbose ? "" : " -v shows every rule.");
	return JW_OK;
}

enum jw_status cli_run_explain(struct cli *cli, struct jw_err *e)
{
	struct cli_explain x = { .cli = cli,
				 .wanted = cli->args.operands[1],
				 .as_json = cli_given(cli, CLI_OPT_json),
				 .verbose = cli_verbose(cli) };

	x.with_method = strchr(x.wanted, '#') != NULL;
	enum jw_status status = explain(&x, e);
	jw_buf_free(&x.text);
	rules_free(x.pattern);
	rules_free(x.rules);
	return status;
}
