/*
 * about.c: combines two rules: the one that traces a join point, and the one that says what it
 * does.
 */
#include "rules/captures.h"
#include "rules/rules.h"

#include "base/banned.h"

static bool same_capture(const struct jw_capture *a, const struct jw_capture *b)
{
	/* an identity serves both; values without a type are the operation's */
	bool shared = a->as == JW_AS_IDENTITY && (!a->type || !b->type);

	return rules_capture_rank(a) == rules_capture_rank(b) && a->as == b->as &&
	       a->key == b->key && (a->type == b->type || shared);
}

/* Adds C unless it is there, if there is room. */
static void add_capture(struct rules_about *out, const struct jw_capture *c)
{
	for (size_t i = 0; i < out->capture_count; i++) {
		if (!same_capture(&out->captures[i], c))
			continue;
		enum jw_hold hold =
			out->captures[i].hold > c->hold ? out->captures[i].hold : c->hold;

		if (!out->captures[i].type)
			out->captures[i] = *c;
		out->captures[i].hold = hold;
		return;
	}
	if (out->capture_count < JW_CAPTURES)
		out->captures[out->capture_count++] = *c;
}

void rules_about(const struct rules *rules, size_t rule, size_t operation_rule,
		 struct rules_about *out)
{
	const struct rules_rule *own = rules_rule(rules, rule);
	const struct rules_rule *does = rules_rule(rules, operation_rule);

	*out = (struct rules_about){ .operation = does->operation,
				     .size = does->size,
				     .state = own->state_said ? own->state : does->state };
	for (size_t i = 0; i < does->capture_count; i++)
		add_capture(out, &does->captures[i]);
	for (size_t i = 0; own != does && i < own->capture_count; i++)
		add_capture(out, &own->captures[i]);
	rules_captures_sort(out->captures, out->capture_count);
}
