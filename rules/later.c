/*
 * later.c: see later.h. To act on a key: parse it where its neighbours are parsed, and take it out
 * of here.
 */
#include <string.h>

#include "rules/keys.h"
#include "rules/later.h"

#include "base/banned.h"

enum form {
	FORM_STRING,
	FORM_INTEGER,
	FORM_WORD, /* one of `words` */
};

struct shape {
	const char *key;
	enum form form;
	bool required;
	const char *const *words;
};

static const char *const roles[] = { "send", "receive", NULL };

static const struct shape link_keys[] = {
	{ "role", FORM_WORD, true, roles },
	{ "key", FORM_STRING, true, NULL },
	{ "size", FORM_STRING, false, NULL },
	{ "tag", FORM_INTEGER, false, NULL },
};
enum { LINK_KEYS = sizeof link_keys / sizeof *link_keys };

static enum jw_status check(struct rules_reading *c, const struct rules_json *json,
			    const struct shape *shape)
{
	size_t word;

	switch (shape->form) {
	case FORM_STRING:
		return rules_want(c, json, RULES_JSON_STRING);
	case FORM_INTEGER:
		JW_TRY(rules_want(c, json, RULES_JSON_NUMBER));
		return json->is_integer ? JW_OK
					: rules_json_fail(c->e, json, false, NULL,
							  "expected a whole number");
	case FORM_WORD:
		return rules_word(c, json, shape->words, &word);
	}
	return jw_bug(c->e, "a shape without a form");
}

static enum jw_status check_link(struct rules_reading *c, const struct rules_json *json)
{
	const char *names[LINK_KEYS + 1] = { NULL };

	for (size_t i = 0; i < LINK_KEYS; i++)
		names[i] = link_keys[i].key;
	JW_TRY(rules_check_keys(c, json, names));
	for (const struct shape *k = link_keys; k < link_keys + LINK_KEYS; k++) {
		const struct rules_json *m = rules_json_get(json, k->key);

		if (m)
			JW_TRY(check(c, m, k));
		else if (k->required)
			return rules_json_fail(c->e, json, false, NULL, "the key \"%s\" is missing",
					       k->key);
	}
	return JW_OK;
}

enum jw_status rules_not_yet(struct rules_reading *c, const struct rules_json *member)
{
	const char *quote = member->type == RULES_JSON_STRING ? "\"" : "";

	/* other values of these keys are acted on */
	if (strcmp(member->key, "value") == 0 || strcmp(member->key, "type") == 0)
		return rules_json_fail(c->e, member, true, NULL,
				       "\"%s\": %s%.60s%s is not supported yet by this version of "
				       "jweave",
				       member->key, quote, rules_json_str(member), quote);
	if (strcmp(member->key, "link") == 0)
		return rules_json_fail(c->e, member, true, NULL,
				       "\"link\" is not supported: arrows are drawn between "
				       "operations on the same object (\"event\": { \"type\": "
				       "\"queue\", \"value\": \"put\" })");
	return rules_json_fail(c->e, member, true, NULL,
			       "\"%s\" is not supported yet by this version of jweave",
			       member->key);
}

enum jw_status rules_link_read(struct rules_reading *c, const struct rules_json *member)
{
	JW_TRY(check_link(c, member));
	return rules_not_yet(c, member);
}
