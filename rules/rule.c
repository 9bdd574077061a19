/*
 * rule.c: the rules, excludes, groups and defaults of one file, added to the set being built.
 */
#include <stdlib.h>
#include <string.h>

#include "rules/rules_int.h"

#include "base/banned.h"

enum { MAX_ID = 100, MAX_COST = 10000000 };

/* ---- one rule ---- */

static bool id_char(char c, bool first)
{
	if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
		return true;
	return !first && c && ((c >= '0' && c <= '9') || strchr("_.-", c));
}

static enum jw_status parse_id(struct compile *c, const struct rules_json *json)
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

static enum jw_status add_clause(struct building *b, const struct rules_json *json, size_t rule,
				 bool skip, struct jw_buf *to)
{
	struct clause clause = { .rule = rule, .skip = skip };

	JW_TRY(rules_selector(&b->c, json, &clause.selector));
	if (to == &b->calls || to == &b->creations)
		JW_TRY(rules_call_check(&b->c, json, clause.selector, to == &b->creations));
	b->cost += clause.selector->cost;
	if (b->cost > MAX_COST)
		return rules_json_fail(
			b->c.e, json, false, NULL,
			"too many conditions in all, counting those of groups for each "
			"rule that refers to them (limit is %d)",
			MAX_COST);
	jw_put_bytes(to, jw_span(&clause, sizeof clause));
	return jw_buf_finish(to, "list of rules", b->c.e);
}

/* The patterns of `match`, or the one `select`. */
static enum jw_status add_clauses(struct building *b, const struct rules_json *json, size_t rule,
				  bool skip, struct jw_buf *to)
{
	const struct rules_json *match = rules_json_get(json, "match");
	const struct rules_json *select = rules_json_get(json, "select");
	size_t count;

	if (match && select)
		return rules_json_fail(b->c.e, select, true, NULL,
				       "a rule has either \"match\" or \"select\", not both");
	if (!match && !select)
		return rules_json_fail(b->c.e, json, false, NULL,
				       "a rule needs \"match\" or \"select\"");
	if (select) {
		JW_TRY(rules_want(&b->c, select, RULES_JSON_OBJECT));
		return add_clause(b, select, rule, skip, to);
	}
	JW_TRY(rules_strings(&b->c, match, &count));
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

/* Words of `on`, `action` and `onUnmatched`: the index, or OTHERWISE when the key is not there. */
static enum jw_status word_key(struct compile *c, const struct rules_json *json, const char *key,
			       const char *const *words, size_t *out)
{
	const struct rules_json *m = rules_json_get(json, key);

	return m ? rules_word(c, m, words, out) : JW_OK;
}

static enum jw_status parse_words(struct compile *c, const struct rules_json *json,
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

/* Everything of a rule but its clauses. PLACE: how many rules stand before it. */
static enum jw_status parse_face(struct compile *c, const struct source *source, size_t place,
				 struct rule_int *rule)
{
	const struct rules_json *json = rule->json, *m = rules_json_get(json, "id");
	struct rules_rule *face = &rule->face;

	*face = source->defaults;
	face->file = source->name;
	face->line = json->line;
	if (m)
		JW_TRY(parse_id(c, m));
	face->id = m ? rules_json_str(m) : jw_arena_fmt(&c->set->arena, "rule-%zu", place + 1);
	if (!face->id)
		return jw_nomem(c->e);
	m = rules_json_get(json, "description");
	if (m)
		JW_TRY(rules_want(c, m, RULES_JSON_STRING));
	JW_TRY(parse_words(c, json, face));
	JW_TRY(rules_action(c, json, face));
	if (face->exception || face->creation)
		JW_TRY(rules_plain_check(c, json, face->exception ? "exceptions" : "new objects"));
	m = rules_json_get(json, "within");
	if (m && face->monitor)
		return rules_json_fail(c->e, m, true, NULL,
				       "\"within\" is about calls: of a rule with \"on\": "
				       "\"monitor\", match and select say in which code");
	if (m && !face->call && !face->creation)
		return rules_json_fail(
			c->e, m, true, NULL,
			"\"within\" is about calls: it needs \"on\": \"call\", or \"new\"");
	return JW_OK;
}

/* The clauses of a rule for calls or new objects, with what its `within` says, to TO. */
static enum jw_status add_calls(struct building *b, const struct rules_json *json, size_t rule,
				bool skip, struct jw_buf *to)
{
	const struct rules_json *m = rules_json_get(json, "within");
	const struct selector *within = NULL;
	size_t at = to->n;

	if (m)
		JW_TRY(rules_selector(&b->c, m, &within));
	JW_TRY(add_clauses(b, json, rule, skip, to));
	for (; at < to->n; at += sizeof(struct clause)) {
		struct clause clause;

		memcpy(&clause, to->p + at, sizeof clause);
		clause.within = within;
		memcpy(to->p + at, &clause, sizeof clause);
	}
	return JW_OK;
}

/* The clauses of a rule for monitors: what it matches is the code in which they are. */
static enum jw_status add_monitors(struct building *b, const struct rules_json *json, size_t rule,
				   const struct rules_rule *face)
{
	const struct selector *selector;
	struct jw_buf code = { 0 };
	enum jw_status status;

	JW_TRY(rules_monitor_selector(&b->c, json, face, &selector));
	status = add_clauses(b, json, rule, face->skip, &code);
	for (size_t at = 0; status == JW_OK && at < code.n; at += sizeof(struct clause)) {
		struct clause clause;

		memcpy(&clause, code.p + at, sizeof clause);
		clause.within = clause.selector;
		clause.selector = selector;
		clause.monitor = true;
		jw_put_bytes(&b->calls, jw_span(&clause, sizeof clause));
	}
	jw_buf_free(&code);
	return status == JW_OK ? jw_buf_finish(&b->calls, "list of rules", b->c.e) : status;
}

/* Where the clauses of a rule like FACE go. */
static struct jw_buf *clauses_of(struct building *b, const struct rules_rule *face)
{
	if (face->call)
		return &b->calls;
	if (face->creation)
		return &b->creations;
	return face->exception ? &b->exceptions : &b->clauses;
}

static enum jw_status add_to(struct building *b, const struct rules_json *json, size_t rule,
			     const struct rules_rule *face)
{
	struct jw_buf *to = clauses_of(b, face);

	if (face->monitor)
		return add_monitors(b, json, rule, face);
	if (face->call || face->creation)
		return add_calls(b, json, rule, face->skip, to);
	return add_clauses(b, json, rule, face->skip, to);
}

/* A rule that is off: its selectors are checked like any other's, and kept apart when it can be
 * switched on. */
static enum jw_status add_disabled(struct building *b, const struct rules_json *json, size_t place,
				   struct rule_int *rule)
{
	const struct rules_rule *face = &rule->face;
	struct jw_buf *to = clauses_of(b, face);
	size_t before = to->n;

	JW_TRY(add_to(b, json, place, face));
	if (face->switchable) {
		struct clause *off = JW_NEW_ARRAY(&b->c.set->arena, struct clause,
						  (to->n - before) / sizeof(struct clause));

		if (!off)
			return jw_nomem(b->c.e);
		memcpy(off, to->p + before, to->n - before);
		rule->off = off;
		rule->off_count = (to->n - before) / sizeof(struct clause);
	}
	to->n = before;
	return JW_OK;
}

static enum jw_status add_rule(struct building *b, const struct source *source,
			       const struct rules_json *json)
{
	struct rule_int *rule = JW_NEW(&b->c.set->arena, struct rule_int);
	size_t place =
		b->rules.n / sizeof(struct rule_int *); /* NOLINT(bugprone-sizeof-expression) */

	if (!rule)
		return jw_nomem(b->c.e);
	rule->json = json;
	JW_TRY(rules_check_keys(&b->c, json, rules_rule_keys));
	JW_TRY(parse_face(&b->c, source, place, rule));
	rule->first = b->clauses.n / sizeof(struct clause);
	if (!rule->face.enabled)
		JW_TRY(add_disabled(b, json, place, rule));
	else
		JW_TRY(add_to(b, json, place, &rule->face));
	rule->count = b->clauses.n / sizeof(struct clause) - rule->first;
	jw_put_bytes(&b->rules,
		     jw_span(&rule, sizeof rule)); /* NOLINT(bugprone-sizeof-expression) */
	return jw_buf_finish(&b->rules, "list of rules", b->c.e);
}

/* ---- one file ---- */

const char *const rules_file_keys[] = { "jweave", "name",     "description", "include", "exclude",
					"groups", "defaults", "rules",       "runtime", NULL };

const char *const rules_default_keys[] = { "event",    "state",   "link",
					   "capture",  "sample",  "minDuration",
					   "maxDepth", "enabled", NULL };

static enum jw_status parse_defaults(struct compile *c, const struct rules_json *json,
				     struct source *source)
{
	JW_TRY(rules_check_keys(c, json, rules_default_keys));
	return rules_action_defaults(c, json, source);
}

/* Each reference looks at every group. */
enum { MAX_GROUPS = 10000 };

/* Groups that nobody refers to are checked, too. */
static enum jw_status parse_groups(struct compile *c, const struct rules_json *json,
				   struct source *source)
{
	JW_TRY(rules_want(c, json, RULES_JSON_OBJECT));
	for (const struct rules_json *m = json->first; m; m = m->next) {
		struct group *g;

		if (rules_free_key(m->key))
			continue;
		if (m->key[0] == '!' || m->key[0] == 0)
			return rules_json_fail(
				c->e, m, true, NULL,
				"a group needs a name, and one that does not begin with '!'");
		if (c->set->group_count++ == MAX_GROUPS)
			return rules_json_fail(c->e, m, true, NULL, "too many groups (limit is %d)",
					       MAX_GROUPS);
		g = JW_NEW(&c->set->arena, struct group);
		if (!g)
			return jw_nomem(c->e);
		*g = (struct group){ m->key, m, NULL, source, false, source->groups };
		source->groups = g;
	}
	return JW_OK;
}

static enum jw_status compile_groups(struct compile *c, struct source *source)
{
	for (struct group *g = source->groups; g; g = g->next) {
		if (g->selector)
			continue;
		g->open = true;
		JW_TRY(rules_selector(c, g->json, &g->selector));
		g->open = false;
	}
	return JW_OK;
}

static enum jw_status parse_text_keys(struct compile *c, const struct rules_json *json)
{
	const struct rules_json *m;

	if ((m = rules_json_get(json, "name")))
		JW_TRY(rules_want(c, m, RULES_JSON_STRING));
	if ((m = rules_json_get(json, "description")))
		JW_TRY(rules_want(c, m, RULES_JSON_STRING));
	if ((m = rules_json_get(json, "runtime")))
		JW_TRY(rules_runtime(c, m));
	return JW_OK;
}

static enum jw_status add_excludes(struct building *b, const struct rules_json *json)
{
	JW_TRY(rules_want(&b->c, json, RULES_JSON_ARRAY));
	for (const struct rules_json *i = json->first; i; i = i->next)
		JW_TRY(add_clause(b, i, RULES_NONE, true, &b->excludes));
	return JW_OK;
}

static enum jw_status add_rules(struct building *b, const struct source *source,
				const struct rules_json *json)
{
	JW_TRY(rules_want(&b->c, json, RULES_JSON_ARRAY));
	for (const struct rules_json *i = json->first; i; i = i->next)
		JW_TRY(add_rule(b, source, i));
	return JW_OK;
}

enum jw_status rules_add_file(struct building *b, struct source *source)
{
	const struct rules_json *defaults = rules_json_get(source->json, "defaults");
	const struct rules_json *groups = rules_json_get(source->json, "groups");
	const struct rules_json *exclude = rules_json_get(source->json, "exclude");
	const struct rules_json *rules = rules_json_get(source->json, "rules");

	b->c.source = source;
	rules_action_begin(source);
	JW_TRY(parse_text_keys(&b->c, source->json));
	if (defaults)
		JW_TRY(parse_defaults(&b->c, defaults, source));
	if (groups)
		JW_TRY(parse_groups(&b->c, groups, source));
	JW_TRY(compile_groups(&b->c, source));
	if (exclude)
		JW_TRY(add_excludes(b, exclude));
	return rules ? add_rules(b, source, rules) : JW_OK;
}

/* ---- ids ---- */

/* By id; of equal ids, in the order of the rules. */
static int by_id(const void *a, const void *b)
{
	const struct rule_int *x = *(struct rule_int *const *)a;
	const struct rule_int *y = *(struct rule_int *const *)b;
	int c = strcmp(x->face.id, y->face.id);

	return c ? c : (x->first > y->first) - (x->first < y->first);
}

enum jw_status rules_check_ids(const struct rules *set, struct jw_err *e)
{
	struct rule_int **sorted = jw_mem_zalloc(set->rule_count + 1, sizeof(struct rule_int *));
	enum jw_status status = JW_OK;

	if (!sorted)
		return jw_nomem(e);
	for (size_t i = 0; i < set->rule_count; i++)
		sorted[i] = set->rules[i];
	qsort(sorted, set->rule_count, sizeof(void *), by_id);
	for (size_t i = 1; i < set->rule_count && status == JW_OK; i++) {
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
