/*
 * explain_text.c: the answers of `jweave explain` in words: see explain.h.
 */
#include "cli/explain.h"
#include "cli/out.h"
#include "cli/safe_text.h"

#include "base/banned.h"

/* ---- the chain of supertypes ---- */

static bool put_link(void *ctx, struct jw_span name)
{
	struct jw_buf *text = ctx;

	if (text->n)
		jw_put_str(text, " -> ");
	cli_put_class(text, name);
	return false;
}

/* By which types subtypeOf made the rule INDEX match: a line after INDENT. */
static void put_chain(struct cli_explain *x, size_t index, const struct cli_explained *what,
		      const char *indent)
{
	struct jw_buf chain = { 0 };

	if (cli_explain_chain(x, index, what, put_link, &chain)) {
		jw_put_fmt(&x->text, "%ssubtypeOf: ", indent);
		jw_put_bytes(&x->text, jw_buf_span(&chain));
		jw_put_str(&x->text, "\n");
	}
	if (chain.failed != JW_OK)
		x->text.failed = chain.failed;
	jw_buf_free(&chain);
}

/* ---- rules and verdicts ---- */

/* "ID (FILE:LINE, action: skip)" */
static void put_rule(struct cli_explain *x, const struct rules_rule *rule)
{
	cli_put_escaped(&x->text, jw_span_str(rule->id));
	jw_put_str(&x->text, " (");
	cli_put_escaped(&x->text, jw_span_str(rule->file));
	jw_put_fmt(&x->text, ":%u%s)", rule->line, rule->skip ? ", action: skip" : "");
}

static void each_rule(void *ctx, size_t index, bool matches)
{
	struct cli_explain *x = ctx;
	const struct rules_rule *rule = rules_rule(x->rules, index);

	if (!cli_explain_is_of_method(rule))
		return;
	jw_put_fmt(&x->text, "     %s  ", matches ? "matches       " : "does not match");
	put_rule(x, rule);
	jw_put_str(&x->text, "\n");
}

/* What is done with WHAT: operation, what is not recorded, captures. */
static void put_about(struct cli_explain *x, const struct rules_about *about, size_t had,
		      const struct rules_rule *rule)
{
	if (about->operation) {
		jw_put_str(&x->text, ", as ");
		cli_put_operation(&x->text, about->operation);
	}
	if (rules_samples(&rule->sampling)) {
		jw_put_str(&x->text, ", recording ");
		cli_put_sampling(&x->text, &rule->sampling);
	}
	if (!rule->enabled)
		jw_put_str(&x->text, ", off until JWEAVE_ENABLE names it");
	for (size_t i = 0; i < about->capture_count; i++) {
		const char *first = had > 0 && i == 0 ? ", captures " : ", has no ";

		jw_put_str(&x->text, i == 0 || i == had ? first : " ");
		cli_put_capture(&x->text, &about->captures[i]);
	}
	if (rule->link) {
		jw_put_str(&x->text, ", ");
		cli_put_link(&x->text, rule->link);
	}
}

/* The rule INDEX, on a line of its own after INDENT, with WHAT it has to do with the answer. */
static void put_decider(struct cli_explain *x, const char *indent, size_t index, const char *what)
{
	jw_put_str(&x->text, indent);
	put_rule(x, rules_rule(x->rules, index));
	jw_put_fmt(&x->text, "%s\n", what);
}

/* The answer, and the rules that it is by. */
static void put_verdict(struct cli_explain *x, const struct cli_explained *what)
{
	struct rules_verdict verdict = what->verdict;
	bool chosen = verdict.why == RULES_WHY_TRACED;
	const struct weave_skipped *skip = chosen ? cli_explain_skip(x, what->method) : NULL;
	const char *indent = what->callee ? "       " : "     ";
	struct rules_about about;
	size_t does = verdict.rule, had;

	jw_put_fmt(&x->text, "  => %s: ", chosen && !skip ? "woven" : "not woven");
	if (skip)
		cli_explain_put_skip(&x->text, skip);
	else
		jw_put_str(&x->text, rules_why_text(verdict.why));
	if (chosen && !skip) {
		does = cli_explain_about(x, what, &about, &had);
		put_about(x, &about, had, rules_rule(x->rules, verdict.rule));
	}
	jw_put_str(&x->text, "\n");
	if (verdict.rule == RULES_NONE)
		return;
	put_decider(x, indent, verdict.rule, "");
	put_chain(x, verdict.rule, what, what->callee ? "         " : "       ");
	if (does != verdict.rule)
		put_decider(x, indent, does, ", which says what it does");
}

/* What the rules for exceptions say of the method. */
static void put_exceptions(struct cli_explain *x, const struct rules_method *method)
{
	struct rules_verdict verdict = rules_decide_exceptions(x->rules, x->cls, method);

	if (verdict.rule == RULES_NONE)
		return;
	bool recorded = verdict.why == RULES_WHY_TRACED && !cli_explain_skip(x, method);
	jw_put_fmt(&x->text, "  => its exceptions: %s\n", recorded ? "recorded" : "not recorded");
	put_decider(x, "     ", verdict.rule, "");
}

/* ---- methods and calls ---- */

static void put_method(struct cli_explain *x, const struct cli_explained *what)
{
	const struct rules_method *method = what->method;

	jw_put_str(&x->text, x->count ? "\n" : "");
	cli_explain_put_name(&x->text, x->cls, method);
	if (method->has_code)
		jw_put_fmt(&x->text, "  (%u byte%s of code", what->code_bytes,
			   jw_s(what->code_bytes));
	else
		jw_put_str(&x->text, "  (no code");
	if (x->cls->entry.n) {
		jw_put_str(&x->text, ", ");
		cli_put_escaped(&x->text, x->cls->entry);
	}
	jw_put_str(&x->text, ")\n");
	put_verdict(x, what);
	if (x->verbose)
		(void)rules_explain(x->rules, x->cls, method, each_rule, x);
	if (method->has_code)
		put_exceptions(x, method);
}

static void put_call(struct cli_explain *x, const struct cli_explained *what)
{
	jw_put_str(&x->text, what->callee->made ? "  makes " : "  calls ");
	cli_put_callee(&x->text, what->callee);
	if (what->line)
		jw_put_fmt(&x->text, ", line %u", what->line);
	jw_put_str(&x->text, "\n  ");
	put_verdict(x, what);
}

enum jw_status cli_explain_text(struct cli_explain *x, const struct cli_explained *what,
				struct jw_err *e)
{
	jw_buf_clear(&x->text);
	if (what->callee)
		put_call(x, what);
	else
		put_method(x, what);
	cli_put_span(x->cli, jw_buf_span(&x->text));
	return jw_buf_finish(&x->text, "the text", e);
}
