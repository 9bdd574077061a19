/*
 * action.c: see action.h. The keys that rules and `defaults` share are one table.
 */
#include <string.h>

#include "base/nearest.h"
#include "rules/action.h"
#include "rules/captures.h"
#include "rules/keys.h"
#include "rules/later.h"
#include "rules/links.h"
#include "rules/sampling.h"
#include "rules/words.h"

#include "base/banned.h"

/* ---- labels ---- */

static const char *const placeholders[] = { "class", "simpleClass", "method", "params", NULL };

/* "{class}.{method}": only known names in braces. */
static enum jw_status check_label(struct rules_reading *c, const struct rules_json *json)
{
	const char *at = rules_json_str(json);
	size_t count = 0;

	while (placeholders[count])
		count++;
	while ((at = strchr(at, '{'))) {
		const char *end = strchr(at, '}');
		char *name;
		bool found = false;

		if (!end)
			return rules_json_fail_in(c->e, json, jw_span(at, 1), NULL,
						  "a '{' without '}'");
		name = jw_arena_str(c->arena, jw_span(at + 1, (size_t)(end - at - 1)));
		if (!name)
			return jw_nomem(c->e);
		for (size_t i = 0; i < count; i++)
			found |= strcmp(placeholders[i], name) == 0;
		if (!found)
			return rules_json_fail_in(c->e, json, jw_span(at, 1),
						  jw_nearest(name, placeholders, count),
						  "unknown placeholder \"{%.40s}\"", name);
		at = end;
	}
	return JW_OK;
}

/* ---- event ---- */

/* Words of `type` without operations: every event is one of these. */
static const char *const plain_types[] = { "method", "call" };
enum { PLAIN_TYPES = sizeof plain_types / sizeof *plain_types };

static enum jw_status parse_type(struct rules_reading *c, const struct rules_json *json,
				 size_t *type)
{
	const char *words[PLAIN_TYPES + JW_OPERATION_TYPES + 1] = { NULL };

	if (json->type == RULES_JSON_NUMBER)
		return rules_not_yet(c, json);
	for (size_t i = 0; i < PLAIN_TYPES; i++)
		words[i] = plain_types[i];
	for (size_t i = 0; i < JW_OPERATION_TYPES; i++)
		words[PLAIN_TYPES + i] = jw_operation_kinds[i].word;
	return rules_word(c, json, words, type);
}

/* The operation of TYPE that JSON names. */
static enum jw_status parse_value(struct rules_reading *c, const struct rules_json *json,
				  enum jw_operation_type type, const struct jw_operation **out)
{
	enum { MOST = 32 };
	const struct jw_operation *of_word[MOST];
	const char *words[MOST + 1] = { NULL };
	size_t count = 0, word;

	for (const struct jw_operation *op = jw_operations; op->word && count < MOST; op++) {
		if (op->type != type)
			continue;
		of_word[count] = op;
		words[count++] = op->word;
	}
	JW_TRY(rules_word(c, json, words, &word));
	*out = of_word[word];
	return JW_OK;
}

/* `value` goes with a type that has operations. */
static enum jw_status check_plain(struct rules_reading *c, const struct rules_json *type,
				  const struct rules_json *value)
{
	if (!value)
		return JW_OK;
	if (value->type == RULES_JSON_STRING && jw_span_eq_str(value->text, "auto"))
		return JW_OK;
	if (value->type == RULES_JSON_NUMBER)
		return rules_not_yet(c, value);
	JW_TRY(rules_want(c, value, RULES_JSON_STRING));
	return type ? rules_json_fail(c->e, value, false, NULL,
				      "the type \"%s\" has no operations: its value is \"auto\"",
				      rules_json_str(type))
		    : rules_json_fail(
			      c->e, value, true, NULL,
			      "\"value\" names an operation of a \"type\", which is missing");
}

static enum jw_status parse_operation(struct rules_reading *c, const struct rules_json *json,
				      struct rules_rule *face)
{
	const struct rules_json *type = rules_json_get(json, "type");
	const struct rules_json *value = rules_json_get(json, "value");
	size_t word = 0;

	if (type)
		JW_TRY(parse_type(c, type, &word));
	if (word < PLAIN_TYPES)
		return check_plain(c, type, value);
	if (!value)
		return rules_json_fail(c->e, json, false, NULL,
				       "the key \"value\" is missing: which operation of type "
				       "\"%s\"",
				       rules_json_str(type));
	return parse_value(c, value, (enum jw_operation_type)(word - PLAIN_TYPES),
			   &face->operation);
}

static enum jw_status parse_event(struct rules_reading *c, const struct rules_json *json,
				  struct rules_rule *face)
{
	static const char *const keys[] = { "type", "value", "label", "size", NULL };
	const struct rules_json *m;

	JW_TRY(rules_check_keys(c, json, keys));
	face->operation = NULL;
	face->size = 0;
	face->event_said = rules_json_get(json, "type") != NULL;
	JW_TRY(parse_operation(c, json, face));
	m = rules_json_get(json, "size");
	if (m && (!face->operation || face->operation->type != JW_OPERATIONS_IO))
		return rules_json_fail(c->e, m, true, NULL,
				       "\"size\" is the bytes of an operation of type \"io\"");
	if (m)
		JW_TRY(rules_natural(c, m, INT32_MAX, &face->size));
	m = rules_json_get(json, "label");
	if (m) {
		JW_TRY(rules_want(c, m, RULES_JSON_STRING));
		JW_TRY(check_label(c, m));
		face->label = rules_json_str(m);
	}
	return JW_OK;
}

/* ---- all of them ---- */

static enum jw_status parse_enabled(struct rules_reading *c, const struct rules_json *m,
				    struct rules_rule *face)
{
	JW_TRY(rules_want(c, m, RULES_JSON_BOOL));
	face->enabled = m->boolean;
	return JW_OK;
}

/* A state's word, or its number. */
static enum jw_status parse_state(struct rules_reading *c, const struct rules_json *m,
				  struct rules_rule *face)
{
	bool number = m->type == RULES_JSON_NUMBER;
	size_t word = 0;

	if (number && (!m->is_integer || m->integer < 0 || m->integer > RULES_MAX_STATE))
		return rules_json_fail(c->e, m, false, NULL, "a state is a number from 0 to %d",
				       RULES_MAX_STATE);
	if (!number)
		JW_TRY(rules_word(c, m, rules_state_names, &word));
	if (!face->call)
		return rules_not_yet(c, m);
	face->state = number ? (int)m->integer : rules_state_number(word);
	face->state_said = true;
	return JW_OK;
}

/* The keys that rules and defaults share. */
static enum jw_status parse_keys(struct rules_reading *c, const struct rules_json *json,
				 struct rules_rule *face)
{
	static const struct {
		const char *key;
		enum jw_status (*parse)(struct rules_reading *c, const struct rules_json *m,
					struct rules_rule *face);
	} keys[] = { { "event", parse_event },
		     { "capture", rules_captures_read },
		     { "enabled", parse_enabled },
		     { "state", parse_state },
		     { "link", rules_link_read } };

	for (const struct rules_json *m = json->first; m; m = m->next) {
		for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
			if (strcmp(m->key, keys[i].key) == 0)
				JW_TRY(keys[i].parse(c, m, face));
		}
		JW_TRY(rules_sampling_read(c, m, &face->sampling));
	}
	return JW_OK;
}

void rules_action_begin(struct rules_rule *defaults)
{
	*defaults = (struct rules_rule){ .label = "", .state = RULES_NO_STATE, .enabled = true };
}

enum jw_status rules_action_defaults(struct rules_reading *c, const struct rules_json *json,
				     struct rules_rule *defaults)
{
	return parse_keys(c, json, defaults);
}

/* State and captures of the operation of FACE, where FACE does not say them itself. */
static enum jw_status take_operation(struct rules_reading *c, struct rules_rule *face)
{
	if (!face->operation)
		return JW_OK;
	if (face->call && !face->state_said)
		face->state = face->operation->state;
	if (!face->captures_said)
		JW_TRY(rules_captures_of_operation(c, face));
	if (face->captures_said && !face->capture_count)
		return JW_OK;
	if (face->call && jw_operation_heeds_interrupts(face->operation))
		JW_TRY(rules_captures_exception(c, face));
	return JW_OK;
}

enum jw_status rules_action_read(struct rules_reading *c, const struct rules_json *json,
				 struct rules_rule *face)
{
	JW_TRY(parse_keys(c, json, face));
	JW_TRY(rules_captures_check(c, json, face));
	JW_TRY(rules_sampling_check(c, json, face));
	face->switchable = rules_json_get(json, "enabled") && !face->skip && !face->call &&
			   !face->exception && !face->creation;
	if (!face->enabled)
		face->on_unmatched = RULES_UNMATCHED_IGNORE;
	if (face->captures_said)
		JW_TRY(rules_captures_type(c, face));
	JW_TRY(take_operation(c, face));
	return rules_link_captures(c, json, face);
}
