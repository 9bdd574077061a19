/*
 * rule.c: see rule.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "rules/action.h"
#include "rules/call_rules.h"
#include "rules/groups.h"
#include "rules/keys.h"
#include "rules/rule.h"
#include "rules/select.h"
#include "rules/selector.h"
#include "rules/source.h"

#include "base/banned.h"

enum { MAX_ID = 100, MAX_COST = 10000000 };

/* ---- one rule ---- */

static bool id_char(char c, bool first)
{
	if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
		return true;
	return !first && c && ((c >= '0' && c <= '9') || strchr("_.-", c));
}

static enum jw_status parse_id(struct rules_reading *c, const struct rules_json *json)
{
	const char *id;

	JW_TRY(rules_want(c, json, RULES_JSON_STRING));
	id = rules_json_str(json);
	if (json->text.n > MAX_ID)
		return rules_json_fail(c->e, json, false, NULL, "id too long (limit is %d)",
				       MAX_ID);
	for (size_t i = 0; i < json->text.n || i == 0; i++) {
		if (!id_char(id[i], i == 0))
			return rules_json_fail_in(
				c->e, json, jw_span_sub(json->text, i, 1), NULL,
				"an id starts with a letter and has letters, digits, "
				"'_', '.' and '-'");
	}
	return JW_OK;
}

static enum jw_status add_clause(struct rules_building *b, const struct rules_json *json,
				 size_t rule, bool skip, struct rules_clauses *to)
{
	struct rules_clause clause = { .rule = rule, .skip = skip };

	JW_TRY(rules_selector_read(&b->reading, json, &clause.selector));
	if (to == &b->calls || to == &b->creations)
		JW_TRY(rules_call_check(&b->reading, json, clause.selector, to == &b->creations));
	b->cost += clause.selector->cost;
	if (b->cost > MAX_COST)
		return rules_json_fail(
			b->reading.e, json, false, NULL,
			"too many conditions in all, counting those of groups for each "
			"rule that refers to them (limit is %d)",
			MAX_COST);
	return rules_clauses_add(b->reading.arena, to, clause, b->reading.e);
}

/* The patterns of `match`, or the one `select`. */
static enum jw_status add_clauses(struct rules_building *b, const struct rules_json *json,
				  size_t rule, bool skip, struct rules_clauses *to)
{
	const struct rules_json *match = rules_json_get(json, "match");
	const struct rules_json *select = rules_json_get(json, "select");
	size_t count;

	if (match && select)
		return rules_json_fail(b->reading.e, select, true, NULL,
				       "a rule has either \"match\" or \"select\", not both");
	if (!match && !select)
		return rules_json_fail(b->reading.e, json, false, NULL,
				       "a rule needs \"match\" or \"select\"");
	if (select) {
		JW_TRY(rules_want(&b->reading, select, RULES_JSON_OBJECT));
		return add_clause(b, select, rule, skip, to);
	}
	JW_TRY(rules_strings(&b->reading, match, &count));
	if (match->type == RULES_JSON_STRING)
		return add_clause(b, match, rule, skip, to);
	for (const struct rules_json *m = match->first; m; m = m->next)
		JW_TRY(add_clause(b, m, rule, skip, to));
	return JW_OK;
}

const char *const rules_rule_keys[] = { "id",     "description", "match",    "select",
					"within", "on",          "action",   "onUnmatched",
					"event",  "state",       "link",     "capture",
					"sample", "minDuration", "maxDepth", "enabled",
					NULL };

/* Words of `on`, `action` and `onUnmatched`: the index; OUT is unchanged when the key is missing.
 */
static enum jw_status word_key(struct rules_reading *c, const struct rules_json *json,
			       const char *key, const char *const *words, size_t *out)
{
	const struct rules_json *m = rules_json_get(json, key);

	return m ? rules_word(c, m, words, out) : JW_OK;
}

static enum jw_status parse_words(struct rules_reading *c, const struct rules_json *json,
				  struct rules_rule *face)
{
	static const char *const on[] = {
		"execution", "call", "exception", "monitor", "new", NULL
	};
	static const char *const action[] = { "trace", "skip", NULL };
	/* ORDER: RULES_UNMATCHED_* */
	static const char *const unmatched[] = { "ignore", "warn", "error", NULL };
	size_t on_what = 0, what = 0, when = RULES_UNMATCHED_WARN;

	JW_TRY(word_key(c, json, "on", on, &on_what));
	JW_TRY(word_key(c, json, "action", action, &what));
	JW_TRY(word_key(c, json, "onUnmatched", unmatched, &when));
	face->call = on_what == 1 || on_what == 3;
	face->exception = on_what == 2;
	face->monitor = on_what == 3;
	face->creation = on_what == 4;
	face->skip = what == 1;
	face->on_unmatched = (int)when;
	return JW_OK;
}

/* The rule JSON, about WHAT, says nothing that only calls and methods have. */
static enum jw_status check_plain(struct rules_reading *c, const struct rules_json *json,
				  const char *what)
{
	static const char *const keys[] = { "event",  "state",    "link",       "capture",
					    "sample", "maxDepth", "minDuration" };

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		const struct rules_json *m = rules_json_get(json, keys[i]);

		if (m)
			return rules_json_fail(c->e, m, true, NULL,
					       "a rule for %s has no \"%s\": what is recorded "
					       "of them is always the same",
					       what, keys[i]);
	}
	return JW_OK;
}

/* Everything of a rule except its clauses. PLACE: how many rules are before it. */
static enum jw_status parse_face(struct rules_reading *c, const struct rules_source *source,
				 size_t place, struct rules_compiled_rule *rule)
{
	const struct rules_json *json = rule->json, *m = rules_json_get(json, "id");
	struct rules_rule *face = &rule->face;

	*face = source->defaults;
	face->file = source->name;
	face->line = json->line;
	if (m)
		JW_TRY(parse_id(c, m));
	face->id = m ? rules_json_str(m) : jw_arena_fmt(c->arena, "rule-%zu", place + 1);
	if (!face->id)
		return jw_nomem(c->e);
	m = rules_json_get(json, "description");
	if (m)
		JW_TRY(rules_want(c, m, RULES_JSON_STRING));
	JW_TRY(parse_words(c, json, face));
	JW_TRY(rules_action_read(c, json, face));
	if (face->exception || face->creation)
		JW_TRY(check_plain(c, json, face->exception ? "exceptions" : "new objects"));
	m = rules_json_get(json, "link");
	if (m && face->monitor)
		return rules_json_fail(c->e, m, true, NULL,
				       "a rule for monitors has no \"link\": they have no key");
	m = rules_json_get(json, "within");
	if (m && face->monitor)
		return rules_json_fail(c->e, m, true, NULL,
				       "\"within\" is about calls: in a rule with \"on\": "
				       "\"monitor\", match and select say in which code");
	if (m && !face->call && !face->creation)
		return rules_json_fail(c->e, m, true, NULL,
				       "\"within\" needs \"on\": \"call\" or \"new\"");
	return JW_OK;
}

/* The clauses of a rule for calls or new objects, with what its `within` says, to TO. */
static enum jw_status add_calls(struct rules_building *b, const struct rules_json *json,
				size_t rule, bool skip, struct rules_clauses *to)
{
	const struct rules_json *m = rules_json_get(json, "within");
	const struct rules_selector *within = NULL;
	size_t first = to->n;

	if (m)
		JW_TRY(rules_selector_read(&b->reading, m, &within));
	JW_TRY(add_clauses(b, json, rule, skip, to));
	for (size_t i = first; i < to->n; i++)
		to->at[i].within = within;
	return JW_OK;
}

/* The clauses of a rule for monitors: it matches the code that contains the instructions. */
static enum jw_status add_monitors(struct rules_building *b, const struct rules_json *json,
				   size_t rule, const struct rules_rule *face)
{
	const struct rules_selector *selector;
	struct rules_clauses code = { 0 };

	JW_TRY(rules_monitor_selector(&b->reading, json, face, &selector));
	JW_TRY(add_clauses(b, json, rule, face->skip, &code));
	for (size_t i = 0; i < code.n; i++) {
		struct rules_clause clause = code.at[i];

		clause.within = clause.selector;
		clause.selector = selector;
		clause.monitor = true;
		JW_TRY(rules_clauses_add(b->reading.arena, &b->calls, clause, b->reading.e));
	}
	return JW_OK;
}

/* Where the clauses of a rule like FACE go. */
static struct rules_clauses *clauses_of(struct rules_building *b, const struct rules_rule *face)
{
	if (face->call)
		return &b->calls;
	if (face->creation)
		return &b->creations;
	return face->exception ? &b->exceptions : &b->bodies;
}

static enum jw_status add_to(struct rules_building *b, const struct rules_json *json, size_t rule,
			     const struct rules_rule *face)
{
	struct rules_clauses *to = clauses_of(b, face);

	if (face->monitor)
		return add_monitors(b, json, rule, face);
	if (face->call || face->creation)
		return add_calls(b, json, rule, face->skip, to);
	return add_clauses(b, json, rule, face->skip, to);
}

/* A rule that is off: its selectors are checked like any other's, and kept apart when it can be
 * switched on. */
static enum jw_status add_disabled(struct rules_building *b, const struct rules_json *json,
				   size_t place, struct rules_compiled_rule *rule)
{
	const struct rules_rule *face = &rule->face;
	struct rules_clauses *to = clauses_of(b, face);
	size_t before = to->n;

	JW_TRY(add_to(b, json, place, face));
	if (face->switchable) {
		size_t count = to->n - before;
		struct rules_clause *off =
			JW_NEW_ARRAY(b->reading.arena, struct rules_clause, count + 1);

		if (!off)
			return jw_nomem(b->reading.e);
		for (size_t i = 0; i < count; i++)
			off[i] = to->at[before + i];
		rule->off = off;
		rule->off_count = count;
	}
	to->n = before;
	return JW_OK;
}

static enum jw_status add_rule(struct rules_building *b, const struct rules_source *source,
			       const struct rules_json *json)
{
	static const struct jw_growth growth = { .what = "rules" };
	struct rules_compiled_rule *rule = JW_NEW(b->reading.arena, struct rules_compiled_rule);
	size_t place = b->rules.n;

	if (!rule)
		return jw_nomem(b->reading.e);
	rule->json = json;
	rule->place = place;
	JW_TRY(rules_check_keys(&b->reading, json, rules_rule_keys));
	JW_TRY(parse_face(&b->reading, source, place, rule));
	rule->first = b->bodies.n;
	if (!rule->face.enabled)
		JW_TRY(add_disabled(b, json, place, rule));
	else
		JW_TRY(add_to(b, json, place, &rule->face));
	rule->count = b->bodies.n - rule->first;
	JW_TRY(jw_grow(b->reading.arena, &b->rules.at, &b->rules.room,
		       sizeof(struct rules_compiled_rule *), b->rules.n + 1, &growth,
		       b->reading.e));
	b->rules.at[b->rules.n++] = rule;
	return JW_OK;
}

/* ---- one file ---- */

const char *const rules_file_keys[] = { "jweave", "name",     "description", "include", "exclude",
					"groups", "defaults", "rules",       "runtime", NULL };

const char *const rules_default_keys[] = { "event",    "state",   "link",
					   "capture",  "sample",  "minDuration",
					   "maxDepth", "enabled", NULL };

static enum jw_status parse_defaults(struct rules_reading *c, const struct rules_json *json,
				     struct rules_rule *defaults)
{
	JW_TRY(rules_check_keys(c, json, rules_default_keys));
	return rules_action_defaults(c, json, defaults);
}

static enum jw_status parse_text_keys(struct rules_building *b, const struct rules_json *json)
{
	struct rules_reading *c = &b->reading;
	const struct rules_json *m;

	if ((m = rules_json_get(json, "name")))
		JW_TRY(rules_want(c, m, RULES_JSON_STRING));
	if ((m = rules_json_get(json, "description")))
		JW_TRY(rules_want(c, m, RULES_JSON_STRING));
	if ((m = rules_json_get(json, "runtime")))
		JW_TRY(rules_runtime_read(c, m, b->settings));
	return JW_OK;
}

static enum jw_status add_excludes(struct rules_building *b, const struct rules_json *json)
{
	JW_TRY(rules_want(&b->reading, json, RULES_JSON_ARRAY));
	for (const struct rules_json *i = json->first; i; i = i->next)
		JW_TRY(add_clause(b, i, RULES_NONE, true, &b->excludes));
	return JW_OK;
}

static enum jw_status add_rules(struct rules_building *b, const struct rules_source *source,
				const struct rules_json *json)
{
	JW_TRY(rules_want(&b->reading, json, RULES_JSON_ARRAY));
	for (const struct rules_json *i = json->first; i; i = i->next)
		JW_TRY(add_rule(b, source, i));
	return JW_OK;
}

enum jw_status rules_add_file(struct rules_building *b, struct rules_source *source)
{
	const struct rules_json *defaults = rules_json_get(source->json, "defaults");
	const struct rules_json *groups = rules_json_get(source->json, "groups");
	const struct rules_json *exclude = rules_json_get(source->json, "exclude");
	const struct rules_json *rules = rules_json_get(source->json, "rules");

	b->reading.source = source;
	rules_action_begin(&source->defaults);
	JW_TRY(parse_text_keys(b, source->json));
	if (defaults)
		JW_TRY(parse_defaults(&b->reading, defaults, &source->defaults));
	if (groups)
		JW_TRY(rules_groups_read(&b->reading, groups, source, &b->group_count));
	if (exclude)
		JW_TRY(add_excludes(b, exclude));
	return rules ? add_rules(b, source, rules) : JW_OK;
}

/* ---- ids ---- */

/* By id; of equal ids, in the order of the rules. */
static int by_id(const void *a, const void *b)
{
	const struct rules_compiled_rule *x = *(struct rules_compiled_rule *const *)a;
	const struct rules_compiled_rule *y = *(struct rules_compiled_rule *const *)b;
	int c = strcmp(x->face.id, y->face.id);

	return c ? c : (x->place > y->place) - (x->place < y->place);
}

enum jw_status rules_check_ids(const struct rules_rule_list *rules, struct jw_err *e)
{
	struct rules_compiled_rule **sorted =
		jw_mem_zalloc(rules->n + 1, sizeof(struct rules_compiled_rule *));
	enum jw_status status = JW_OK;

	if (!sorted)
		return jw_nomem(e);
	for (size_t i = 0; i < rules->n; i++)
		sorted[i] = rules->at[i];
	qsort(sorted, rules->n, sizeof(void *), by_id);
	for (size_t i = 1; i < rules->n && status == JW_OK; i++) {
		const struct rules_rule *first = &sorted[i - 1]->face;
		const struct rules_json *id = rules_json_get(sorted[i]->json, "id");

		if (strcmp(first->id, sorted[i]->face.id) == 0)
			status = rules_json_fail(e, id ? id : sorted[i]->json, false, NULL,
						 "the id \"%s\" is taken by the rule at %s:%u",
						 first->id, first->file, first->line);
	}
	jw_mem_free(sorted);
	return status;
}
