/*
 * later.c: keys of format 1 that this version knows the shape of, but does not act on yet.
 *
 * Their values are checked like any other, so that a typing mistake is told as one. Then they are
 * refused, never ignored: a rules file must not silently mean less than it says. To act on a key,
 * take it out of the table, and parse it where its neighbours are parsed.
 */
#include <string.h>

#include "rules/rules_int.h"

#include "base/banned.h"

enum form {
	FORM_STRING,
	FORM_INTEGER,
	FORM_WORD,   /* one of `words` */
	FORM_OBJECT, /* `keys` */
};

struct shape {
	const char *key;
	enum form form;
	bool or_natural, required; /* a number from 0 may stand for the word */
	const char *const *words;
	const struct shape *keys; /* key NULL ends */
};

static const char *const states[] = { "none",
				      "idle",
				      "running",
				      "waiting-message",
				      "blocking-send",
				      "synchronization",
				      "probe",
				      "scheduling",
				      "wait",
				      "blocked",
				      "immediate-send",
				      "immediate-receive",
				      "io",
				      "group-communication",
				      "tracing-disabled",
				      "others",
				      NULL };
static const char *const roles[] = { "send", "receive", NULL };

static const struct shape link_keys[] = {
	{ "role", FORM_WORD, false, true, roles, NULL },
	{ "key", FORM_STRING, false, true, NULL, NULL },
	{ "size", FORM_STRING, false, false, NULL, NULL },
	{ "tag", FORM_INTEGER, false, false, NULL, NULL },
	{ NULL, 0, false, false, NULL, NULL },
};

/* Keys by name, of rules and defaults. */
static const struct shape later[] = {
	{ "state", FORM_WORD, true, false, states, NULL },
	{ "link", FORM_OBJECT, false, false, NULL, link_keys },
	{ NULL, 0, false, false, NULL, NULL },
};

static enum jw_status check(struct compile *c, const struct rules_json *json,
			    const struct shape *shape);

static enum jw_status integer(struct compile *c, const struct rules_json *json, int64_t least)
{
	JW_TRY(rules_want(c, json, RULES_JSON_NUMBER));
	if (json->is_integer && json->integer >= least)
		return JW_OK;
	return least == INT64_MIN
		       ? rules_json_fail(c->e, json, false, NULL, "expected a whole number")
		       : rules_json_fail(c->e, json, false, NULL, "expected a whole number from %d",
					 (int)least);
}

static enum jw_status object(struct compile *c, const struct rules_json *json,
			     const struct shape *keys)
{
	const char *names[16] = { NULL };
	size_t n = 0;

	while (keys[n].key && n < 15) {
		names[n] = keys[n].key;
		n++;
	}
	JW_TRY(rules_check_keys(c, json, names));
	for (const struct shape *k = keys; k->key; k++) {
		const struct rules_json *m = rules_json_get(json, k->key);

		if (m)
			JW_TRY(check(c, m, k));
		else if (k->required)
			return rules_json_fail(c->e, json, false, NULL, "the key \"%s\" is missing",
					       k->key);
	}
	return JW_OK;
}

static enum jw_status check(struct compile *c, const struct rules_json *json,
			    const struct shape *shape)
{
	size_t count;

	if (shape->or_natural && json->type == RULES_JSON_NUMBER)
		return integer(c, json, 0);
	switch (shape->form) {
	case FORM_STRING:
		return rules_want(c, json, RULES_JSON_STRING);
	case FORM_INTEGER:
		return integer(c, json, INT64_MIN);
	case FORM_WORD:
		return rules_word(c, json, shape->words, &count);
	case FORM_OBJECT:
		return object(c, json, shape->keys);
	}
	return jw_bug(c->e, "a shape without a form");
}

enum jw_status rules_shape(struct compile *c, const struct rules_json *member)
{
	for (const struct shape *s = later; s->key; s++) {
		if (strcmp(s->key, member->key) == 0)
			return check(c, member, s);
	}
	return jw_bug(c->e, "a key without a shape");
}

enum jw_status rules_not_yet(struct compile *c, const struct rules_json *member)
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

enum jw_status rules_later(struct compile *c, const struct rules_json *member)
{
	JW_TRY(rules_shape(c, member));
	return rules_not_yet(c, member);
}
