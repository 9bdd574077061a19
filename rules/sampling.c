/*
 * sampling.c: see sampling.h.
 */
#include <string.h>

#include "rules/keys.h"
#include "rules/quantity.h"
#include "rules/sampling.h"

#include "base/banned.h"

enum { MOST_EVERY = 1000000000, MOST_DEPTH = 1000000 };

static const char *const keys[] = { "sample", "maxDepth", "minDuration" };
enum { KEYS = sizeof keys / sizeof *keys };

static enum jw_status parse_sample(struct rules_reading *c, const struct rules_json *json,
				   uint32_t *out)
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

static enum jw_status parse_duration(struct rules_reading *c, const struct rules_json *json,
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

enum jw_status rules_sampling_read(struct rules_reading *c, const struct rules_json *member,
				   struct rules_sampling *out)
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

enum jw_status rules_sampling_check(struct rules_reading *c, const struct rules_json *json,
				    struct rules_rule *face)
{
	const struct rules_json *member = said(json);

	bool plain = face->exception || face->creation; /* what is recorded is always the same */

	if (!face->skip && !face->operation && !plain && !face->monitor)
		return JW_OK;
	if (member && plain)
		return JW_OK; /* check_plain() in rule.c refuses it */
	if (member && face->skip)
		return rules_json_fail(c->e, member, true, NULL,
				       "\"%s\" is about calls that are traced, but this rule skips",
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
	if (member) /* the operation comes from the defaults: the rule's own key counts */
		face->operation = NULL;
	else
		face->sampling = (struct rules_sampling){ 0 };
	return JW_OK;
}

const char *rules_sampling_word(const struct rules_sampling *s)
{
	return s->every ? keys[0] : s->max_depth ? keys[1] : s->min_ns ? keys[2] : "enabled";
}
