/*
 * groups.c: see groups.h.
 */
#include "rules/groups.h"

#include <string.h>

#include "base/nearest.h"
#include "rules/keys.h"
#include "rules/select.h"
#include "rules/source.h"

#include "base/banned.h"

/* Each reference looks at every group. */
enum { MAX_GROUPS = 10000, MAX_DEPTH = 64, NEAREST_OF = 64 };

struct rules_group {
	const char *name;
	const struct rules_json *json;
	const struct rules_selector *selector; /* once compiled */
	struct rules_source *source;           /* where it is defined: it sees that file's groups */
	bool open;                             /* being compiled: to see itself is a cycle */
	struct rules_group *next;
};

static enum jw_status compile(struct rules_reading *c, struct rules_group *group)
{
	struct rules_reading inner = *c;

	inner.source = group->source;
	group->open = true;
	JW_TRY(rules_selector_read(&inner, group->json, &group->selector));
	group->open = false;
	return JW_OK;
}

/* ---- reading ---- */

static enum jw_status add(struct rules_reading *c, const struct rules_json *m,
			  struct rules_source *source, size_t *count)
{
	struct rules_group *g;

	if (m->key[0] == '!' || m->key[0] == 0)
		return rules_json_fail(c->e, m, true, NULL,
				       "a group needs a name that does not begin with '!'");
	if (*count == MAX_GROUPS)
		return rules_json_fail(c->e, m, true, NULL, "too many groups (limit is %d)",
				       MAX_GROUPS);
	++*count;
	g = JW_NEW(c->arena, struct rules_group);
	if (!g)
		return jw_nomem(c->e);
	*g = (struct rules_group){
		.name = m->key, .json = m, .source = source, .next = source->groups
	};
	source->groups = g;
	return JW_OK;
}

enum jw_status rules_groups_read(struct rules_reading *c, const struct rules_json *json,
				 struct rules_source *source, size_t *count)
{
	JW_TRY(rules_want(c, json, RULES_JSON_OBJECT));
	for (const struct rules_json *m = json->first; m; m = m->next) {
		if (!rules_free_key(m->key))
			JW_TRY(add(c, m, source, count));
	}
	for (struct rules_group *g = source->groups; g; g = g->next) {
		if (!g->selector)
			JW_TRY(compile(c, g));
	}
	return JW_OK;
}

/* ---- references ---- */

static struct rules_group *group_in(const struct rules_source *source, const char *name,
				    unsigned depth)
{
	for (struct rules_group *g = source->groups; g; g = g->next) {
		if (strcmp(g->name, name) == 0)
			return g;
	}
	for (size_t i = source->include_count; i-- > 0 && depth < MAX_DEPTH;) {
		struct rules_group *g = group_in(source->includes[i], name, depth + 1);

		if (g)
			return g;
	}
	return NULL;
}

static enum jw_status unknown(struct rules_reading *c, const struct rules_json *json,
			      struct jw_span text)
{
	const char *names[NEAREST_OF], *name = (const char *)text.p;
	size_t n = 0;

	for (struct rules_group *g = c->source->groups; g && n < NEAREST_OF; g = g->next)
		names[n++] = g->name;
	return rules_json_fail_in(c->e, json, text, jw_nearest(name, names, n),
				  "unknown group \"%.60s\"", name);
}

enum jw_status rules_group_find(struct rules_reading *c, const struct rules_json *json,
				struct jw_span text, const struct rules_selector **out)
{
	struct rules_group *group = group_in(c->source, (const char *)text.p, 0);

	if (!group)
		return unknown(c, json, text);
	if (group->open)
		return rules_json_fail_in(c->e, json, text, NULL,
					  "group \"%.60s\" refers to itself", group->name);
	if (!group->selector)
		JW_TRY(compile(c, group));
	*out = group->selector;
	return JW_OK;
}
