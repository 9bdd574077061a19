/*
 * sampling_table.c: rules that record less than all calls: sample, maxDepth, minDuration.
 *
 * The runtime decides call by call, by numbers that the probes of such methods push beside the id;
 * what a number stands for is baked into the archive (base/baked.h). All other methods have probes
 * that know nothing of it.
 */
#include <string.h>

#include "base/baked.h"
#include "rules/rules_int.h"

#include "base/banned.h"

enum { MOST_EVERY = 1000000000, MOST_DEPTH = 1000000 };

static const char *const keys[] = { "sample", "maxDepth", "minDuration" };
enum { KEYS = sizeof keys / sizeof *keys };

/* ---- reading ---- */

static enum jw_status parse_sample(struct compile *c, const struct rules_json *json, uint32_t *out)
{
	static const char *const names[] = { "every", NULL };
	const struct rules_json *every;

	JW_TRY(rules_check_keys(c, json, names));
	every = rules_json_get(json, "every");
	if (!every)
		return rules_json_fail(c->e, json, false, NULL, "the key \"every\" is missing");
	JW_TRY(rules_natural(c, every, MOST_EVERY, out));
	if (*out == 1)
		*out = 0;
	return JW_OK;
}

static enum jw_status parse_duration(struct compile *c, const struct rules_json *json,
				     uint64_t *out)
{
	const char *wrong;

	JW_TRY(rules_want(c, json, RULES_JSON_STRING));
	wrong = rules_duration(rules_json_str(json), out);
	if (wrong)
		return rules_json_fail_in(c->e, json, jw_span_str(wrong), NULL,
					  "expected a duration such as \"10us\" or \"1.5ms\" "
					  "(ns, us, ms, s)");
	return JW_OK;
}

enum jw_status rules_spare_key(struct compile *c, const struct rules_json *member,
			       struct rules_spare *out)
{
	if (strcmp(member->key, "sample") == 0)
		return parse_sample(c, member, &out->every);
	if (strcmp(member->key, "maxDepth") == 0)
		return rules_natural(c, member, MOST_DEPTH, &out->max_depth);
	if (strcmp(member->key, "minDuration") == 0)
		return parse_duration(c, member, &out->min_ns);
	return JW_OK;
}

/* The first of the keys that JSON has itself, or NULL. */
static const struct rules_json *said(const struct rules_json *json)
{
	const struct rules_json *member = NULL;

	for (size_t i = 0; i < KEYS && !member; i++)
		member = rules_json_get(json, keys[i]);
	return member;
}

enum jw_status rules_spare_check(struct compile *c, const struct rules_json *json,
				 struct rules_rule *face)
{
	const struct rules_json *member = said(json);

	bool plain = face->exception || face->creation; /* nothing but what is recorded always */

	if (!face->skip && !face->operation && !plain && !face->monitor)
		return JW_OK;
	if (member && plain)
		return JW_OK; /* refused where those are checked */
	if (member && face->skip)
		return rules_json_fail(c->e, member, true, NULL,
				       "\"%s\" is about calls that are traced, and this rule skips",
				       member->key);
	if (member && face->monitor)
		return rules_json_fail(c->e, member, true, NULL,
				       "\"%s\" leaves calls out: who holds a monitor is only known "
				       "when all that enter and leave it are traced",
				       member->key);
	if (member && rules_json_get(json, "event"))
		return rules_json_fail(
			c->e, member, true, NULL,
			"\"%s\" leaves calls out, and the \"type\" of \"event\" says "
			"what each of them does: states and arrows would be wrong",
			member->key);
	if (member) /* the operation is that of the defaults: the rule's own word counts */
		face->operation = NULL;
	else
		face->spare = (struct rules_spare){ 0 };
	return JW_OK;
}

const char *rules_spare_word(const struct rules_spare *s)
{
	return s->every ? keys[0] : s->max_depth ? keys[1] : s->min_ns ? keys[2] : "enabled";
}

/* ---- numbers ---- */

/* Rules with a switch have the first numbers, as far as there are bits for them. */
static uint32_t number_switches(struct rules *set)
{
	uint32_t number = 0;

	for (size_t i = 0; i < set->rule_count; i++) {
		struct rule_int *rule = set->rules[i];

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

enum jw_status rules_spare_number(struct rules *set, struct jw_err *e)
{
	uint32_t number = number_switches(set);

	for (size_t i = 0; i < set->rule_count; i++) {
		struct rules_rule *face = &set->rules[i]->face;

		if (face->number || !face->enabled || !rules_spares(&face->spare))
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

static void bake_rule(const struct rules_rule *face, struct jw_buf *out)
{
	const char *on = face->switchable ? face->enabled ? "on" : "off" : "-";

	if (face->number)
		jw_put_fmt(out, "rule\t%s\t%u\t%u\t%llu\t%s\n", face->id, face->spare.every,
			   face->spare.max_depth, (unsigned long long)face->spare.min_ns, on);
}

void rules_spare_bake(const struct rules *set, struct jw_buf *out)
{
	for (size_t i = 0; i < set->rule_count; i++)
		if (set->rules[i]->face.switchable)
			bake_rule(&set->rules[i]->face, out);
	for (size_t i = 0; i < set->rule_count; i++)
		if (!set->rules[i]->face.switchable)
			bake_rule(&set->rules[i]->face, out);
}

uint64_t rules_how(const struct rules *rules, const struct rules_class *cls,
		   const struct rules_method *method, size_t rule, bool captures)
{
	uint64_t how = rules->rules[rule]->face.number;

	if (method && rules->switches)
		how = rules_switches_of(rules, cls, method);
	return how && captures ? how | JW_HOW_CAPTURES : how;
}
