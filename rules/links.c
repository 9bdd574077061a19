/*
 * links.c: see links.h.
 */
#include <string.h>

#include "rules/captures.h"
#include "rules/keys.h"
#include "rules/links.h"

#include "base/banned.h"

/* ---- reading ---- */

static enum jw_status parse_part(struct rules_reading *c, const struct rules_json *json,
				 struct jw_link *link)
{
	struct jw_capture part = { 0 };

	JW_TRY(rules_want(c, json, RULES_JSON_STRING));
	if (!jw_capture_of(json->text, &part) ||
	    (part.what != JW_CAPTURE_THIS && part.what != JW_CAPTURE_ARG &&
	     part.what != JW_CAPTURE_RETURN))
		return rules_json_fail(c->e, json, false, NULL,
				       "a key is made of \"arg0\" to \"arg%d\", \"this\" and "
				       "\"return\"",
				       JW_CAPTURE_ARGS - 1);
	for (uint8_t i = 0; i < link->n; i++)
		if (link->parts[i].what == part.what && link->parts[i].arg == part.arg)
			return rules_json_fail(c->e, json, false, NULL,
					       "\"%s\" is part of the key already",
					       rules_json_str(json));
	if (part.what == JW_CAPTURE_RETURN && link->end == JW_LINK_BOTH)
		return rules_json_fail(c->e, json, false, NULL,
				       "what is returned is known too late for an end that may be "
				       "either: use \"send\" or \"receive\"");
	link->parts[link->n++] = (struct jw_link_part){ part.what, part.arg };
	return JW_OK;
}

static enum jw_status parse_key(struct rules_reading *c, const struct rules_json *json,
				struct jw_link *link)
{
	size_t count = 0;

	if (json->type == RULES_JSON_STRING)
		return parse_part(c, json, link);
	JW_TRY(rules_want(c, json, RULES_JSON_ARRAY));
	for (const struct rules_json *i = json->first; i; i = i->next)
		count++;
	if (count == 0 || count > JW_LINK_PARTS)
		return rules_json_fail(c->e, json, false, NULL,
				       count ? "too many parts of a key (limit is %d)"
					     : "a key has 1 to %d parts",
				       JW_LINK_PARTS);
	for (const struct rules_json *i = json->first; i; i = i->next)
		JW_TRY(parse_part(c, i, link));
	return JW_OK;
}

static enum jw_status parse_name(struct rules_reading *c, const struct rules_json *json,
				 const char **out)
{
	JW_TRY(rules_want(c, json, RULES_JSON_STRING));
	if (json->text.n == 0 || json->text.n > JW_LINK_NAME)
		return rules_json_fail(c->e, json, false, NULL, "a name has 1 to %d bytes",
				       JW_LINK_NAME);
	*out = rules_json_str(json);
	return JW_OK;
}

enum jw_status rules_link_read(struct rules_reading *c, const struct rules_json *json,
			       struct rules_rule *face)
{
	static const char *const keys[] = { "name", "key", "end", NULL };
	struct jw_link *link = JW_NEW(c->arena, struct jw_link);
	size_t end;

	if (!link)
		return jw_nomem(c->e);
	*link = (struct jw_link){ 0 };
	JW_TRY(rules_check_keys(c, json, keys));
	for (size_t i = 0; keys[i]; i++)
		if (!rules_json_get(json, keys[i]))
			return rules_json_fail(c->e, json, false, NULL, "the key \"%s\" is missing",
					       keys[i]);
	JW_TRY(parse_name(c, rules_json_get(json, "name"), &link->name));
	JW_TRY(rules_word(c, rules_json_get(json, "end"), jw_link_ends, &end));
	link->end = (enum jw_link_end)end;
	JW_TRY(parse_key(c, rules_json_get(json, "key"), link));
	face->link = link;
	return JW_OK;
}

/* ---- what it needs ---- */

static bool is_part(const struct jw_capture *c, const struct jw_link_part *part)
{
	return c->what == part->what && c->arg == part->arg;
}

/* Is PART among the N captures LIST of a rule in a form that another process understands? One that
 * names no form is made so; *IDENTITY: there is only its identity. */
static bool is_captured(struct jw_capture *list, size_t n, const struct jw_link_part *part,
			bool *identity)
{
	bool found = false;

	*identity = false;
	for (size_t i = 0; i < n; i++) {
		if (!is_part(&list[i], part))
			continue;
		list[i].key |= list[i].as == JW_AS_COUNT;
		if (list[i].as == JW_AS_IDENTITY || list[i].as == JW_AS_TASK)
			*identity = true;
		else
			found = true;
	}
	return found;
}

/* The place of PART of the link of the rule JSON: in the link itself, unless it has it from the
 * defaults. */
static const struct rules_json *place_of(const struct rules_json *json)
{
	const struct rules_json *link = rules_json_get(json, "link");

	return link ? rules_json_get(link, "key") : json;
}

static enum jw_status need(struct rules_reading *c, const struct rules_json *json,
			   const struct jw_link_part *part, struct jw_capture *list, size_t *n)
{
	struct jw_capture wanted = { .what = part->what, .arg = part->arg };
	char word[JW_CAPTURE_WHAT_ROOM];
	bool identity;

	if (is_captured(list, *n, part, &identity))
		return JW_OK;
	jw_capture_what_text(&wanted, word);
	if (identity)
		return rules_json_fail(c->e, place_of(json), false, NULL,
				       "the identity of \"%s\" means nothing to another process: "
				       "capture it as \"value\", \"string\" or \"class\"",
				       word);
	if (part->what == JW_CAPTURE_THIS)
		return rules_json_fail(c->e, place_of(json), false, NULL,
				       "\"this\" is not captured as something that another process "
				       "knows: add it to \"capture\", as \"value\", \"string\" or "
				       "\"class\"");
	if (*n >= JW_CAPTURES)
		return rules_json_fail(c->e, place_of(json), false, NULL,
				       "too many captures with the key (limit is %d)", JW_CAPTURES);
	wanted.as = JW_AS_COUNT;
	wanted.label = "";
	wanted.key = true;
	list[(*n)++] = wanted;
	return JW_OK;
}

enum jw_status rules_link_captures(struct rules_reading *c, const struct rules_json *json,
				   struct rules_rule *face)
{
	size_t n = face->capture_count;
	struct jw_capture *list;

	if (!face->link)
		return JW_OK;
	list = JW_NEW_ARRAY(c->arena, struct jw_capture, n + JW_LINK_PARTS);
	if (!list)
		return jw_nomem(c->e);
	for (size_t i = 0; i < n; i++)
		list[i] = face->captures[i];
	for (uint8_t i = 0; i < face->link->n; i++)
		JW_TRY(need(c, json, &face->link->parts[i], list, &n));
	rules_captures_sort(list, n);
	face->captures = list;
	face->capture_count = n;
	return JW_OK;
}
