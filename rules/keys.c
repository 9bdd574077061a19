/*
 * keys.c: what every part of the parser asks of JSON: known keys, right types, known words, and the
 * nearest name when one is not known.
 */
#include <string.h>

#include "base/nearest.h"
#include "rules/keys.h"

#include "base/banned.h"

/* ---- nearest name ---- */

static const char *nearest(const char *word, const char *const *names)
{
	size_t count = 0;

	while (names[count])
		count++;
	return jw_nearest(word, names, count);
}

/* ---- checks ---- */

bool rules_free_key(const char *key)
{
	return key[0] == '$' || strncmp(key, "x-", 2) == 0;
}

static bool known(const char *key, const char *const *names)
{
	for (; *names; names++) {
		if (strcmp(key, *names) == 0)
			return true;
	}
	return false;
}

/* Where a key would be right; NULL: nowhere. */
static const char *home_of(const struct rules_reading *c, const char *key)
{
	for (const struct rules_home *home = c->homes; home && home->keys; home++) {
		if (known(key, home->keys))
			return home->place;
	}
	return NULL;
}

enum jw_status rules_check_keys(struct rules_reading *c, const struct rules_json *object,
				const char *const *names)
{
	JW_TRY(rules_want(c, object, RULES_JSON_OBJECT));
	for (const struct rules_json *m = object->first; m; m = m->next) {
		if (rules_free_key(m->key) || known(m->key, names))
			continue;
		const char *near = nearest(m->key, names), *home = home_of(c, m->key);

		if (home && !near)
			return rules_json_fail(c->e, m, true, NULL,
					       "unknown key here: it belongs in %s", home);
		return rules_json_fail(c->e, m, true, near, "unknown key");
	}
	return JW_OK;
}

enum jw_status rules_want(struct rules_reading *c, const struct rules_json *json,
			  enum rules_json_type type)
{
	if (json->type == type)
		return JW_OK;
	return rules_json_fail(c->e, json, false, NULL, "expected %s, found %s",
			       rules_json_type_text(type), rules_json_type_text(json->type));
}

enum jw_status rules_natural(struct rules_reading *c, const struct rules_json *json, int64_t most,
			     uint32_t *out)
{
	JW_TRY(rules_want(c, json, RULES_JSON_NUMBER));
	if (!json->is_integer || json->integer < 1 || json->integer > most)
		return rules_json_fail(c->e, json, false, NULL,
				       "expected a whole number from 1 to %lld", (long long)most);
	*out = (uint32_t)json->integer;
	return JW_OK;
}

enum jw_status rules_word(struct rules_reading *c, const struct rules_json *json,
			  const char *const *words, size_t *out)
{
	JW_TRY(rules_want(c, json, RULES_JSON_STRING));
	for (size_t i = 0; words[i]; i++) {
		if (strcmp(rules_json_str(json), words[i]) == 0) {
			*out = i;
			return JW_OK;
		}
	}
	struct jw_buf list = { 0 };
	for (size_t i = 0; words[i]; i++) {
		jw_put_str(&list, i ? ", " : "");
		jw_put_str(&list, words[i]);
	}
	(void)rules_json_fail(c->e, json, false, nearest(rules_json_str(json), words),
			      "\"%.60s\" is not one of %.*s", rules_json_str(json), (int)list.n,
			      list.p ? (const char *)list.p : "");
	jw_buf_free(&list);
	return JW_RULES;
}

enum jw_status rules_error_at(struct rules_reading *c, const struct rules_json *json,
			      struct jw_span part)
{
	char text[JW_ERR_TEXT];

	if (!c->e)
		return JW_RULES;
	if (c->e->status != JW_RULES)
		return c->e->status;
	memcpy(text, c->e->text, sizeof text);
	return rules_json_fail_in(c->e, json, part, NULL, "%s", text);
}
