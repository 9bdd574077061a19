/*
 * bake.c: see bake.h.
 *
 * The runtime decides call by call, by the number of the rule, which the probes of its methods push
 * after the id; what a number means is baked into the archive. All other methods have the short
 * probes.
 */
#include "rules/bake.h"

#include <string.h>

#include "base/baked.h"
#include "rules/runtime.h"
#include "rules/sampling.h"
#include "rules/selector.h"
#include "rules/set.h"
#include "rules/switches.h"

#include "base/banned.h"

/* ---- numbers ---- */

/* Rules with a switch get the first numbers, as long as there are bits for them. */
static uint32_t number_switches(struct rules *set)
{
	uint32_t number = 0;

	for (size_t i = 0; i < set->rules.n; i++) {
		struct rules_compiled_rule *rule = set->rules.at[i];

		if (rule->face.switchable && number == JW_HOW_SWITCHES) {
			rule->face.switchable = false;
			rule->off_count = 0;
		}
		if (!rule->face.switchable)
			continue;
		rule->face.number = ++number;
		set->switches = true;
		set->has_off |= rule->off_count > 0;
		for (size_t k = 0; k < rule->off_count; k++)
			set->needs_supertypes |= rule->off[k].selector->says_subtype;
	}
	return number;
}

enum jw_status rules_number(struct rules *set, struct jw_err *e)
{
	uint32_t number = number_switches(set);

	for (size_t i = 0; i < set->rules.n; i++) {
		struct rules_rule *face = &set->rules.at[i]->face;

		if (face->number || !face->enabled || !rules_samples(&face->sampling))
			continue;
		if (number == JW_HOW_RULES)
			return jw_fail(e, JW_RULES,
				       "%s:%u: too many rules with sample, maxDepth or minDuration "
				       "(limit is %d)",
				       face->file, face->line, JW_HOW_RULES);
		face->number = ++number;
	}
	return JW_OK;
}

uint64_t rules_how(const struct rules *rules, const struct rules_class *cls,
		   const struct rules_method *method, size_t rule, bool captures)
{
	uint64_t how = rules->rules.at[rule]->face.number;

	if (method && rules->switches)
		how = rules_switches_of(rules, cls, method);
	return how && captures ? how | JW_HOW_CAPTURES : how;
}

/* ---- the text ---- */

static void put_rule(const struct rules_rule *face, struct jw_buf *out)
{
	const char *on = face->switchable ? face->enabled ? "on" : "off" : "-";

	if (face->number)
		jw_put_fmt(out, "rule\t%s\t%u\t%u\t%llu\t%s\n", face->id, face->sampling.every,
			   face->sampling.max_depth, (unsigned long long)face->sampling.min_ns, on);
}

static void put_rules(const struct rules *set, struct jw_buf *out)
{
	for (size_t i = 0; i < set->rules.n; i++)
		if (set->rules.at[i]->face.switchable)
			put_rule(&set->rules.at[i]->face, out);
	for (size_t i = 0; i < set->rules.n; i++)
		if (!set->rules.at[i]->face.switchable)
			put_rule(&set->rules.at[i]->face, out);
}

enum jw_status rules_bake(struct rules *set, struct jw_err *e)
{
	struct jw_span head = JW_SPAN_LIT(JW_BAKED_HEAD);
	struct jw_buf text = { 0 };
	enum jw_status status;

	jw_put_bytes(&text, head);
	rules_runtime_put(set->settings, &text);
	put_rules(set, &text);
	status = jw_buf_finish(&text, "what is baked in", e);
	if (status == JW_OK && text.n > JW_BAKED_MAX - JW_BAKED_SPARE)
		status = jw_fail(e, JW_RULES,
				 "what the rules say about the run time takes %zu bytes (limit is "
				 "%d)",
				 text.n, JW_BAKED_MAX - JW_BAKED_SPARE);
	if (status == JW_OK && text.n > head.n) {
		const char *kept = jw_arena_str(&set->arena, jw_buf_span(&text));

		set->baked = kept ? jw_span(kept, text.n) : set->baked;
		status = kept ? JW_OK : jw_nomem(e);
	}
	jw_buf_free(&text);
	return status;
}

bool rules_off(const struct rules *rules)
{
	const char *tracing = rules->settings[RULES_SETTING_tracing];

	return tracing && strcmp(tracing, "off") == 0;
}

struct jw_span rules_baked(const struct rules *rules)
{
	return rules->baked;
}

const char *rules_baked_key(const struct rules *rules)
{
	for (size_t i = 0; i < RULES_SETTINGS; i++) {
		if (rules->settings[i])
			return "runtime";
	}
	for (size_t i = 0; i < rules->rules.n; i++) {
		if (rules->rules.at[i]->face.number)
			return rules_sampling_word(&rules->rules.at[i]->face.sampling);
	}
	return NULL;
}
