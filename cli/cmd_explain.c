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
#include "cli/cmd_run.h"
#include "rules/explain.h"

#include "base/banned.h"

#define NAMES_MAX 200000 /* names remembered for "did you mean" */

struct explain {
	struct cli *cli;
	struct rules *rules, *pattern;
	const char *wanted; /* PATTERN as given */
	size_t count;       /* methods explained */
	bool json, with_method, verbose;
	const char **names; /* what PATTERN could have meant */
	size_t name_count;
	struct jw_buf text;
	const struct rules_class *cls; /* the one that is explained */
};

/* ---- the chain of supertypes ---- */

struct chain {
	struct jw_buf *text;
	bool json, behind;
};

static bool put_link(void *ctx, struct jw_span name)
{
	struct chain *c = ctx;
	struct jw_buf one = { 0 };

	cli_put_class(&one, name);
	if (c->behind)
		jw_put_str(c->text, c->json ? "," : " -> ");
	c->behind = true;
	if (c->json)
		cli_put_json(c->text, jw_buf_span(&one));
	else
		jw_put_bytes(c->text, jw_buf_span(&one));
	jw_buf_free(&one);
	return false;
}

/* Where subtypeOf made the rule INDEX match: by which types; in JSON a member that begins with a
 * comma, else a line behind INDENT. */
static void put_chain(struct explain *x, size_t index, rules_each_name *supertypes,
		      rules_path *path, void *ctx, const char *indent)
{
	struct chain chain = { .text = &x->text, .json = x->json };
	struct jw_span to;

	if (!path || !rules_subtype_met(x->rules, index, supertypes, ctx, &to))
		return;
	if (x->json)
		jw_put_str(&x->text, ",\"subtype\":[");
	else
		jw_put_fmt(&x->text, "%ssubtypeOf: ", indent);
	if (!path(ctx, to, put_link, &chain))
		(void)put_link(&chain, to);
	jw_put_str(&x->text, x->json ? "]" : "\n");
}

/* ---- rules and verdicts ---- */

/* "ID (FILE:LINE, action: skip)" */
static void put_rule(struct explain *x, const struct rules_rule *rule)
{
	cli_put_escaped(&x->text, jw_span_str(rule->id));
	jw_put_str(&x->text, " (");
	cli_put_escaped(&x->text, jw_span_str(rule->file));
	jw_put_fmt(&x->text, ":%u%s)", rule->line, rule->skip ? ", action: skip" : "");
}

static void each_rule(void *ctx, size_t index, bool matches)
{
	struct explain *x = ctx;
	const struct rules_rule *rule = rules_rule(x->rules, index);

	if (rule->call || rule->exception || rule->creation) /* they come after the method */
		return;
	if (!x->json) {
		jw_put_fmt(&x->text, "     %s  ", matches ? "matches       " : "does not match");
		put_rule(x, rule);
		jw_put_str(&x->text, "\n");
		return;
	}
	jw_put_str(&x->text, x->text.p[x->text.n - 1] == '[' ? "{\"rule\":" : ",{\"rule\":");
	cli_put_json(&x->text, jw_span_str(rule->id));
	jw_put_fmt(&x->text, ",\"matches\":%s", matches ? "true" : "false");
	if (matches)
		put_chain(x, index, x->cls->supertypes, x->cls->path, x->cls->ctx, "");
	jw_put_str(&x->text, "}");
}

static void put_spared(struct explain *x, const struct rules_sampling *spare)
{
	if (x->json) {
		cli_put_json_spared(&x->text, spare);
	} else if (rules_samples(spare)) {
		jw_put_str(&x->text, ", recording ");
		cli_put_spared(&x->text, spare);
	}
}

/* What RULE makes of what it traces: operation, what it spares, captures. */
static void put_about(struct explain *x, size_t rule, size_t operation_rule)
{
	bool json = x->json;
	struct rules_about about;

	rules_about(x->rules, rule, operation_rule, &about);
	if (about.operation) {
		jw_put_str(&x->text, json ? ",\"operation\":\"" : ", as ");
		cli_put_operation(&x->text, about.operation);
		jw_put_str(&x->text, json ? "\"" : "");
	}
	put_spared(x, &rules_rule(x->rules, rule)->sampling);
	if (!rules_rule(x->rules, rule)->enabled)
		jw_put_str(&x->text, json ? ",\"off\":true" : ", off until JWEAVE_ENABLE names it");
	if (about.capture_count == 0)
		return;
	jw_put_str(&x->text, json ? ",\"captures\":[" : ", captures ");
	for (size_t i = 0; i < about.capture_count; i++) {
		jw_put_str(&x->text, i == 0 ? "" : json ? "," : " ");
		jw_put_str(&x->text, json ? "\"" : "");
		cli_put_capture(&x->text, &about.captures[i]);
		jw_put_str(&x->text, json ? "\"" : "");
	}
	jw_put_str(&x->text, json ? "]" : "");
}

static void put_json_verdict(struct explain *x, struct rules_verdict verdict, size_t does)
{
	bool woven = verdict.why == RULES_WHY_TRACED;

	jw_put_fmt(&x->text, "],\"woven\":%s,\"why\":", woven ? "true" : "false");
	cli_put_json(&x->text, jw_span_str(rules_why_text(verdict.why)));
	if (verdict.rule != RULES_NONE) {
		jw_put_str(&x->text, ",\"rule\":");
		cli_put_json(&x->text, jw_span_str(rules_rule(x->rules, verdict.rule)->id));
	}
	if (woven)
		put_about(x, verdict.rule, does);
	jw_put_str(&x->text, "}");
}

/* The rule INDEX, on a line of its own behind INDENT, with WHAT it has to do with the answer. */
static void put_decider(struct explain *x, const char *indent, size_t index, const char *what)
{
	jw_put_str(&x->text, indent);
	put_rule(x, rules_rule(x->rules, index));
	jw_put_fmt(&x->text, "%s\n", what);
}

/* The answer, and the rules that it is by; CALLEE: of a call of that in METHOD, else NULL. */
static void put_verdict(struct explain *x, struct rules_verdict verdict,
			const struct rules_method *method, const struct rules_callee *callee)
{
	bool woven = verdict.why == RULES_WHY_TRACED;
	size_t does = verdict.rule;

	if (woven)
		does = rules_operation_rule(x->rules, x->cls, method, callee, verdict.rule);
	if (x->json) {
		put_json_verdict(x, verdict, does);
		return;
	}
	jw_put_fmt(&x->text, "  => %s: %s", woven ? "woven" : "not woven",
		   rules_why_text(verdict.why));
	if (woven)
		put_about(x, verdict.rule, does);
	jw_put_str(&x->text, "\n");
	if (verdict.rule == RULES_NONE)
		return;
	const char *indent = callee ? "       " : "     ";
	put_decider(x, indent, verdict.rule, "");
	if (callee)
		put_chain(x, verdict.rule, callee->supertypes, callee->path, callee->ctx,
			  "         ");
	else
		put_chain(x, verdict.rule, x->cls->supertypes, x->cls->path, x->cls->ctx,
			  "       ");
	if (does != verdict.rule)
		put_decider(x, indent, does, ", which says what it does");
}

/* What the rules for exceptions say of the method, in JSON an item of its own. */
static void put_exceptions(struct explain *x, struct rules_verdict verdict)
{
	bool woven = verdict.why == RULES_WHY_TRACED;

	if (verdict.rule == RULES_NONE)
		return;
	if (x->json) {
		jw_put_fmt(&x->text, ",\n{\"exceptions\":%s,\"rule\":", woven ? "true" : "false");
		cli_put_json(&x->text, jw_span_str(rules_rule(x->rules, verdict.rule)->id));
		jw_put_str(&x->text, "}");
		return;
	}
	jw_put_fmt(&x->text, "  => its exceptions: %s\n", woven ? "recorded" : "not recorded");
	put_decider(x, "     ", verdict.rule, "");
}

static void put_heading(struct explain *x, const struct rules_class *cls,
			const struct rules_method *method, uint32_t code_bytes)
{
	struct jw_buf name = { 0 };

	cli_put_class(&name, cls->name);
	jw_put_u1(&name, '#');
	cli_put_method(&name, method->name, method->descriptor);
	if (x->json) {
		jw_put_str(&x->text, x->count ? ",\n{\"method\":" : "[\n{\"method\":");
		cli_put_json(&x->text, jw_buf_span(&name));
		jw_put_str(&x->text, ",\"entry\":");
		cli_put_json(&x->text, cls->entry);
		jw_put_fmt(&x->text, ",\"size\":%u,\"rules\":[", code_bytes);
	} else {
		jw_put_str(&x->text, x->count ? "\n" : "");
		jw_put_bytes(&x->text, jw_buf_span(&name));
		if (method->has_code)
			jw_put_fmt(&x->text, "  (%u byte%s of code", code_bytes, jw_s(code_bytes));
		else
			jw_put_str(&x->text, "  (no code");
		if (cls->entry.n) {
			jw_put_str(&x->text, ", ");
			cli_put_escaped(&x->text, cls->entry);
		}
		jw_put_str(&x->text, ")\n");
	}
	jw_buf_free(&name);
}

/* Remembers what could have been meant, while nothing is found. */
static enum jw_status remember(struct explain *x, const struct rules_class *cls,
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

static enum jw_status look(void *ctx, const struct rules_class *cls,
			   const struct rules_method *method, uint32_t code_bytes,
			   struct rules_verdict verdict, struct jw_err *e)
{
	struct explain *x = ctx;
	enum rules_why why = rules_decide(x->pattern, cls, method).why;

	/* of methods without a body, those that are asked for */
	if (why != RULES_WHY_TRACED && (why != RULES_WHY_NO_CODE || !x->with_method))
		return remember(x, cls, method, e);
	jw_buf_clear(&x->text);
	put_heading(x, cls, method, code_bytes);
	x->cls = cls;
	if (x->json)
		verdict = rules_explain(x->rules, cls, method, each_rule, x);
	put_verdict(x, verdict, method, NULL);
	if (x->verbose && !x->json)
		(void)rules_explain(x->rules, cls, method, each_rule, x);
	if (method->has_code)
		put_exceptions(x, rules_decide_exceptions(x->rules, cls, method));
	cli_put_span(x->cli, jw_buf_span(&x->text));
	x->count++;
	return jw_buf_finish(&x->text, "the text", e);
}

/* A call in a method that was explained. */
static enum jw_status look_at_call(void *ctx, const struct rules_class *cls,
				   const struct rules_method *method,
				   const struct rules_callee *callee, uint32_t line,
				   struct rules_verdict verdict, struct jw_err *e)
{
	struct explain *x = ctx;
	struct jw_buf name = { 0 };

	if (rules_decide(x->pattern, cls, method).why != RULES_WHY_TRACED)
		return JW_OK;
	cli_put_callee(&name, callee);
	jw_buf_clear(&x->text);
	if (x->json) {
		jw_put_str(&x->text, callee->made ? ",\n{\"makes\":" : ",\n{\"calls\":");
		cli_put_json(&x->text, jw_buf_span(&name));
		jw_put_fmt(&x->text, ",\"line\":%u,\"rules\":[", line);
	} else {
		jw_put_str(&x->text, callee->made ? "  makes " : "  calls ");
		jw_put_bytes(&x->text, jw_buf_span(&name));
		if (line)
			jw_put_fmt(&x->text, ", line %u", line);
		jw_put_str(&x->text, "\n  ");
	}
	jw_buf_free(&name);
	x->cls = cls;
	put_verdict(x, verdict, method, callee);
	cli_put_span(x->cli, jw_buf_span(&x->text));
	return jw_buf_finish(&x->text, "the text", e);
}

/* "Solver" for "com.acme.Solver#step": the simple name of the class and what follows. */
static const char *tail(const char *name)
{
	size_t n = strcspn(name, "#");

	while (n > 0 && name[n - 1] != '.')
		n--;
	return name + n;
}

/* "com.acme.Solver#step" for "com.acme.Solver.step" or "Solver.step", of a class that is there;
 * NULL: none. */
static const char *as_method(struct explain *x, const char *word)
{
	const char *dot = strrchr(word, '.');
	struct jw_span cls = jw_span(word, dot ? (size_t)(dot - word) : 0);

	for (size_t i = 0; dot && !x->with_method && i < x->name_count; i++)
		if (jw_span_eq_str(cls, x->names[i]) || jw_span_eq_str(cls, tail(x->names[i])))
			return jw_arena_fmt(&x->cli->arena, "%s#%s", x->names[i], dot + 1);
	return NULL;
}

static enum jw_status nothing_found(struct explain *x, struct jw_err *e)
{
	size_t n = strcspn(x->wanted, "(");
	const char *word, *near = NULL;

	while (n > 0 && x->wanted[n - 1] == ' ')
		n--;
	word = jw_arena_str(&x->cli->arena, jw_span(x->wanted, n));
	if (!word)
		return jw_nomem(e);
	word = strrchr(word, ' ') ? strrchr(word, ' ') + 1 : word; /* behind modifiers */
	for (size_t i = 0; i < x->name_count && !near; i++)
		if (strcmp(tail(x->names[i]), word) == 0)
			near = x->names[i];
	if (!near)
		near = as_method(x, word);
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

/* All kinds: a question about a bridge is a fair question. */
static const char pattern_head[] =
	"{\"jweave\":1,\"rules\":[{\"select\":{\"kind\":[\"method\",\"constructor\",\"clinit\","
	"\"lambda\",\"accessor\",\"bridge\",\"synthetic\"],\"anyOf\":[";
static const char pattern_line[] = "PATTERN:1:", pattern_place[] = "/anyOf/0: ";

/* The place in a file that the user never saw says nothing: that in the pattern stands for it. */
static enum jw_status wrong_pattern(struct explain *x, struct jw_err *e)
{
	const char *place = strstr(e->text, pattern_place);
	size_t column = strlen(pattern_head) + 1, at = 0; /* and a quote */
	char what[JW_ERR_TEXT], where[32] = "";

	if (strncmp(e->text, pattern_line, strlen(pattern_line)) == 0)
		at = strtoul(e->text + strlen(pattern_line), NULL, 10);
	if (at > column && !strpbrk(x->wanted, "\"\\")) /* (as wide as JSON writes it) */
		snprintf(where, sizeof where, ", column %zu", at - column);
	snprintf(what, sizeof(what), "%s", place ? place + strlen(pattern_place) : e->text);
	return jw_fail(e, JW_USAGE, "PATTERN '%s'%s: %s", x->wanted, where, what);
}

static enum jw_status load_pattern(struct explain *x, struct jw_err *e)
{
	struct rules_options options = { .jdk = true, .any = true, .no_guard = true };
	struct jw_buf text = { 0 };

	jw_put_str(&text, pattern_head);
	cli_put_json(&text, jw_span_str(x->wanted));
	jw_put_str(&text, "]}}]}");
	enum jw_status status = jw_buf_finish(&text, "the pattern", e);
	if (status == JW_OK)
		status = rules_parse(jw_buf_span(&text), "PATTERN", &options, &x->pattern, e);
	jw_buf_free(&text);
	return status == JW_RULES ? wrong_pattern(x, e) : status;
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
static enum jw_status no_rules(struct explain *x, struct jw_err *e)
{
	const char *in = x->cli->args.operands[0];

	JW_TRY(cli_scan(x->cli, in, x->pattern, pass_by, NULL, e));
	return jw_fail(e, JW_INPUT,
		       "'%s' has no classes that 'jweave run' would trace by itself: give -r RULES",
		       in);
}

/* Those that `jweave run -- java -jar IN` would make. */
static enum jw_status default_rules(struct explain *x, struct jw_err *e)
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

static enum jw_status explain(struct explain *x, struct jw_err *e)
{
	struct cli *cli = x->cli;

	JW_TRY(load_pattern(x, e));
	JW_TRY(cli_given(cli, CLI_OPT_rules)
		       ? cli_load_rules(cli, cli_value(cli, CLI_OPT_rules, NULL), &x->rules, e)
		       : default_rules(x, e));
	x->names = JW_NEW_ARRAY(&cli->arena, const char *, NAMES_MAX);
	if (!x->names)
		return jw_nomem(e);
	JW_TRY(cli_scan_calls(cli, cli->args.operands[0], x->rules, look, look_at_call, x, e));
	if (x->json)
		cli_put(cli, "\n]\n");
	if (x->count == 0)
		return nothing_found(x, e);
	if (!x->json)
		cli_put(cli,
			"\nThe last matching rule decides. A top-level exclude always wins.%s\n",
			x->verbose ? "" : " -v shows every rule.");
	return JW_OK;
}

enum jw_status cli_run_explain(struct cli *cli, struct jw_err *e)
{
	struct explain x = { .cli = cli,
			     .wanted = cli->args.operands[1],
			     .json = cli_given(cli, CLI_OPT_json),
			     .verbose = cli_verbose(cli) };

	x.with_method = strchr(x.wanted, '#') != NULL;
	enum jw_status status = explain(&x, e);
	jw_buf_free(&x.text);
	rules_free(x.pattern);
	rules_free(x.rules);
	return status;
}
