/*
 * explain_json.c: the answers of `jweave explain --json`: see explain.h.
 *
 * [ { method, entry, size, rules: [{ rule, matches, [subtype: [...]] }], woven, why, [rule],
 *     [operation], [sampleEvery, maxDepth, minDurationNs], [off], [captures: [...]],
 *     [link] },
 *   { exceptions, rule },
 *   { calls or makes, line, rules: [], woven, why, ... } ]
 */
#include "base/assert.h"
#include "cli/explain.h"
#include "cli/safe_text.h"

#include "base/banned.h"

static bool add_link(void *ctx, struct jw_span name)
{
	struct cli_explain *x = ctx;
	struct jw_buf one = { 0 };

	cli_put_class(&one, name);
	cli_json_span(&x->json, x->chain, NULL, jw_buf_span(&one));
	x->json.failed |= one.failed != JW_OK;
	jw_buf_free(&one);
	return false;
}

static void each_rule(void *ctx, size_t index, bool matches)
{
	struct cli_explain *x = ctx;
	const struct rules_rule *rule = rules_rule(x->rules, index);
	const struct cli_explained method = { 0 };

	if (!cli_explain_is_of_method(rule))
		return;
	cJSON *object = cli_json_object(&x->json, x->each_rule, NULL);
	cli_json_text(&x->json, object, "rule", rule->id);
	cli_json_bool(&x->json, object, "matches", matches);
	x->chain = cli_json_array(&x->json, NULL, NULL);
	if (matches && cli_explain_chain(x, index, &method, add_link, x))
		cli_json_take(&x->json, object, "subtype", x->chain);
	else
		cJSON_Delete(x->chain);
}

/* The answer, in OBJECT. */
static void add_verdict(struct cli_explain *x, cJSON *object, const struct cli_explained *what)
{
	struct cli_json *json = &x->json;
	const struct rules_rule *rule = NULL;
	struct rules_about about = { 0 };
	size_t had = 0;
	struct jw_buf text = { 0 };
	bool chosen = what->verdict.why == RULES_WHY_TRACED;
	const struct weave_skipped *skip = chosen ? cli_explain_skip(x, what->method) : NULL;

	cli_json_bool(json, object, "woven", chosen && !skip);
	if (skip)
		cli_explain_put_skip(&text, skip);
	else
		jw_put_str(&text, rules_why_text(what->verdict.why));
	cli_json_span(json, object, "why", jw_buf_span(&text));
	json->failed |= text.failed != JW_OK;
	jw_buf_clear(&text);
	if (what->verdict.rule != RULES_NONE) {
		rule = rules_rule(x->rules, what->verdict.rule);
		cli_json_text(json, object, "rule", rule->id);
	}
	if (!chosen || skip) {
		jw_buf_free(&text);
		return;
	}
	JW_ASSERT(rule); /* nothing else is traced */
	(void)cli_explain_about(x, what, &about, &had);
	if (about.operation) {
		cli_put_operation(&text, about.operation);
		cli_json_span(json, object, "operation", jw_buf_span(&text));
	}
	cli_json_sampling(json, object, &rule->sampling);
	if (!rule->enabled)
		cli_json_bool(json, object, "off", true);
	cJSON *captures = had ? cli_json_array(json, object, "captures") : NULL;
	for (size_t i = 0; i < had; i++) {
		jw_buf_clear(&text);
		cli_put_capture(&text, &about.captures[i]);
		cli_json_span(json, captures, NULL, jw_buf_span(&text));
	}
	if (rule->link) {
		jw_buf_clear(&text);
		cli_put_link(&text, rule->link);
		cli_json_span(json, object, "link", jw_buf_span(&text));
	}
	json->failed |= text.failed != JW_OK;
	jw_buf_free(&text);
}

/* What the rules for exceptions say of the method, an item of its own. */
static void put_exceptions(struct cli_explain *x, const struct rules_method *method)
{
	struct rules_verdict verdict = rules_decide_exceptions(x->rules, x->cls, method);

	if (verdict.rule == RULES_NONE)
		return;
	bool recorded = verdict.why == RULES_WHY_TRACED && !cli_explain_skip(x, method);
	cJSON *object = cli_json_object(&x->json, NULL, NULL);
	cli_json_bool(&x->json, object, "exceptions", recorded);
	cli_json_text(&x->json, object, "rule", rules_rule(x->rules, verdict.rule)->id);
	cli_json_element(&x->json, object);
}

static void put_method(struct cli_explain *x, const struct cli_explained *what)
{
	struct cli_explained answered = *what;
	struct jw_buf name = { 0 };
	cJSON *object = cli_json_object(&x->json, NULL, NULL);

	cli_explain_put_name(&name, x->cls, what->method);
	cli_json_span(&x->json, object, "method", jw_buf_span(&name));
	x->json.failed |= name.failed != JW_OK;
	jw_buf_free(&name);
	cli_json_span(&x->json, object, "entry", x->cls->entry);
	cli_json_number(&x->json, object, "size", what->code_bytes);
	x->each_rule = cli_json_array(&x->json, object, "rules");
	answered.verdict = rules_explain(x->rules, x->cls, what->method, each_rule, x);
	add_verdict(x, object, &answered);
	cli_json_element(&x->json, object);
	if (what->method->has_code)
		put_exceptions(x, what->method);
}

static void put_call(struct cli_explain *x, const struct cli_explained *what)
{
	struct jw_buf name = { 0 };
	cJSON *object = cli_json_object(&x->json, NULL, NULL);

	cli_put_callee(&name, what->callee);
	cli_json_span(&x->json, object, what->callee->made ? "makes" : "calls", jw_buf_span(&name));
	x->json.failed |= name.failed != JW_OK;
	jw_buf_free(&name);
	cli_json_number(&x->json, object, "line", what->line);
	(void)cli_json_array(&x->json, object, "rules");
	add_verdict(x, object, what);
	cli_json_element(&x->json, object);
}

void cli_explain_json(struct cli_explain *x, const struct cli_explained *what)
{
	if (what->callee)
		put_call(x, what);
	else
		put_method(x, what);
}
