/*
 * captures.c: see captures.h.
 */
#include "rules/captures.h"

#include "rules/keys.h"

#include "base/banned.h"

/* Event types that are jweave's own: captures have others. */
enum { OWN_FIRST = 48100000, OWN_LAST = 48199999, USER_FUNCTION = 60000019, MOST_TYPE = 999999999 };

/* ---- reading ---- */

static enum jw_status parse_what(struct rules_reading *c, const struct rules_json *json,
				 struct jw_capture *out)
{
	static const char *const words[] = { "this", "return",  "exception", "task",
					     "arg0", "filled0", "context",   NULL };
	static const char *const numbered[] = { "arg", "filled" };
	size_t word;

	JW_TRY(rules_want(c, json, RULES_JSON_STRING));
	if (jw_capture_of(json->text, out))
		return JW_OK;
	for (size_t i = 0; i < sizeof numbered / sizeof *numbered; i++) {
		if (jw_span_starts(json->text, jw_span_str(numbered[i])))
			return rules_json_fail(c->e, json, false, NULL,
					       "an argument is \"%s0\" to \"%s%d\"", numbered[i],
					       numbered[i], JW_CAPTURE_ARGS - 1);
	}
	return rules_word(c, json, words, &word);
}

static enum jw_status parse_capture_type(struct rules_reading *c, const struct rules_json *json,
					 uint32_t *out)
{
	JW_TRY(rules_natural(c, json, MOST_TYPE, out));
	if ((*out >= OWN_FIRST && *out <= OWN_LAST) || *out == USER_FUNCTION)
		return rules_json_fail(c->e, json, false, NULL,
				       "%d to %d and %d are jweave's own types of events",
				       OWN_FIRST, OWN_LAST, USER_FUNCTION);
	return JW_OK;
}

static enum jw_status parse_hold(struct rules_reading *c, const struct rules_json *json,
				 enum jw_hold *out)
{
	static const char *const words[] = { "around", NULL };
	size_t word;

	if (json->type == RULES_JSON_STRING) {
		JW_TRY(rules_word(c, json, words, &word));
		*out = JW_HOLD_AROUND;
		return JW_OK;
	}
	JW_TRY(rules_want(c, json, RULES_JSON_BOOL));
	*out = json->boolean ? JW_HOLD_CALL : JW_HOLD_NOT;
	return JW_OK;
}

/* Refuses forms that do not exist, or that only code of the program could compute. */
static enum jw_status check_capture(struct rules_reading *c, const struct rules_json *json,
				    const struct jw_capture *out)
{
	bool text = jw_capture_is_text(out);

	if (out->what == JW_CAPTURE_EXCEPTION && out->as != JW_AS_COUNT &&
	    out->as != JW_AS_IDENTITY && out->as != JW_AS_CLASS)
		return rules_json_fail(c->e, rules_json_get(json, "as"), false, NULL,
				       "an exception has an identity and a class; to read its "
				       "message would run code of the program");
	if (out->what == JW_CAPTURE_TASK && out->as != JW_AS_COUNT && out->as != JW_AS_IDENTITY)
		return rules_json_fail(c->e, rules_json_get(json, "as"), false, NULL,
				       "only the identity is known of the task that runs a method");
	if (out->what == JW_CAPTURE_FILLED && out->as != JW_AS_COUNT && out->as != JW_AS_VALUE)
		return rules_json_fail(c->e, rules_json_get(json, "as"), false, NULL,
				       "how much a call has filled is a number: use \"value\"");
	if (out->what == JW_CAPTURE_CONTEXT && (out->as != JW_AS_COUNT || out->type || out->hold))
		return rules_json_fail(c->e, json, false, NULL,
				       "a trace context has its own form, events and end: "
				       "\"context\" takes no \"as\", \"type\" and \"hold\"");
	if (out->max_values && !text)
		return rules_json_fail(c->e, rules_json_get(json, "maxValues"), true, NULL,
				       "\"maxValues\" is for captures as \"class\" or \"string\"");
	if (out->hold && !jw_capture_is_early(out))
		return rules_json_fail(c->e, rules_json_get(json, "hold"), true, NULL,
				       "only what is known when the call begins can be held: "
				       "\"this\", an argument, or \"task\"");
	return JW_OK;
}

/* "label", "maxValues" and "hold" of the capture JSON. */
static enum jw_status parse_how_shown(struct rules_reading *c, const struct rules_json *json,
				      struct jw_capture *out)
{
	const struct rules_json *m = rules_json_get(json, "label");

	if (m) {
		JW_TRY(rules_want(c, m, RULES_JSON_STRING));
		out->label = rules_json_str(m);
	}
	m = rules_json_get(json, "maxValues");
	if (m)
		JW_TRY(rules_natural(c, m, INT32_MAX, &out->max_values));
	m = rules_json_get(json, "hold");
	return m ? parse_hold(c, m, &out->hold) : JW_OK;
}

static enum jw_status parse_capture(struct rules_reading *c, const struct rules_json *json,
				    struct jw_capture *out)
{
	static const char *const keys[] = {
		"what", "as", "type", "label", "maxValues", "hold", NULL
	};
	const struct rules_json *m;
	size_t as = JW_AS_COUNT;

	JW_TRY(rules_check_keys(c, json, keys));
	*out = (struct jw_capture){ .label = "" };
	m = rules_json_get(json, "what");
	if (!m)
		return rules_json_fail(c->e, json, false, NULL, "the key \"what\" is missing");
	JW_TRY(parse_what(c, m, out));
	m = rules_json_get(json, "as");
	if (m)
		JW_TRY(rules_word(c, m, jw_capture_as_words, &as));
	out->as = (enum jw_capture_as)as;
	m = rules_json_get(json, "type");
	if (m)
		JW_TRY(parse_capture_type(c, m, &out->type));
	JW_TRY(parse_how_shown(c, json, out));
	return check_capture(c, json, out);
}

/* Room for COUNT captures; NULL: no memory. */
static struct jw_capture *new_captures(struct rules_reading *c, size_t count)
{
	return JW_NEW_ARRAY(c->arena, struct jw_capture, count + 1);
}

int rules_capture_rank(const struct jw_capture *c)
{
	return (int)c->what * JW_CAPTURE_ARGS + c->arg;
}

void rules_captures_sort(struct jw_capture *list, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		struct jw_capture moved = list[i];
		size_t at = i;

		for (; at > 0 && rules_capture_rank(&list[at - 1]) > rules_capture_rank(&moved);
		     at--)
			list[at] = list[at - 1];
		list[at] = moved;
	}
}

enum jw_status rules_captures_read(struct rules_reading *c, const struct rules_json *json,
				   struct rules_rule *face)
{
	size_t count = 0, at = 0;
	struct jw_capture *list;

	JW_TRY(rules_want(c, json, RULES_JSON_ARRAY));
	for (const struct rules_json *i = json->first; i; i = i->next)
		count++;
	if (count > JW_CAPTURES)
		return rules_json_fail(c->e, json, false, NULL, "too many captures (limit is %d)",
				       JW_CAPTURES);
	list = new_captures(c, count);
	if (!list)
		return jw_nomem(c->e);
	for (const struct rules_json *i = json->first; i; i = i->next)
		JW_TRY(parse_capture(c, i, &list[at++]));
	rules_captures_sort(list, count);
	face->captures = list;
	face->capture_count = count;
	face->captures_said = true;
	return JW_OK;
}

enum jw_status rules_captures_check(struct rules_reading *c, const struct rules_json *json,
				    const struct rules_rule *face)
{
	const struct rules_json *captures = rules_json_get(json, "capture");

	for (size_t i = 0; captures && !face->call && i < face->capture_count; i++) {
		if (face->captures[i].what == JW_CAPTURE_FILLED)
			return rules_json_fail(c->e, captures, false, NULL,
					       "only calls say what they filled: "
					       "\"filled%u\" needs \"on\": \"call\"",
					       face->captures[i].arg);
	}
	return JW_OK;
}

/* ---- captures that an operation needs ---- */

enum jw_status rules_captures_of_operation(struct rules_reading *c, struct rules_rule *face)
{
	/* ORDER: that of their records */
	static const struct {
		enum jw_operation_object bit;
		enum jw_capture_what what;
	} objects[] = { { JW_OBJECT_THIS, JW_CAPTURE_THIS },
			{ JW_OBJECT_ARG0, JW_CAPTURE_ARG },
			{ JW_OBJECT_RETURN, JW_CAPTURE_RETURN } };
	enum { OBJECTS = sizeof objects / sizeof *objects };
	struct jw_capture *list = new_captures(c, OBJECTS);
	size_t count = 0;

	if (!list)
		return jw_nomem(c->e);
	for (size_t i = 0; i < OBJECTS; i++) {
		if (face->operation->object & objects[i].bit)
			list[count++] = (struct jw_capture){ .what = objects[i].what,
							     .as = JW_AS_IDENTITY,
							     .label = "" };
	}
	face->captures = list;
	face->capture_count = count;
	return JW_OK;
}

enum jw_status rules_captures_exception(struct rules_reading *c, struct rules_rule *face)
{
	size_t count = face->capture_count;
	struct jw_capture *list;

	for (size_t i = 0; i < count; i++)
		if (face->captures[i].what == JW_CAPTURE_EXCEPTION &&
		    face->captures[i].as == JW_AS_CLASS)
			return JW_OK;
	if (count >= JW_CAPTURES)
		return JW_OK;
	list = new_captures(c, count + 1);
	if (!list)
		return jw_nomem(c->e);
	for (size_t i = 0; i < count; i++)
		list[i] = face->captures[i];
	list[count++] =
		(struct jw_capture){ .what = JW_CAPTURE_EXCEPTION, .as = JW_AS_CLASS, .label = "" };
	rules_captures_sort(list, count);
	face->captures = list;
	face->capture_count = count;
	return JW_OK;
}

/* ---- captures that name no type ---- */

static enum jw_status label_capture(struct rules_reading *c, struct jw_capture *capture)
{
	const char *as = capture->as == JW_AS_COUNT ? "" : jw_capture_as_words[capture->as];
	char what[JW_CAPTURE_WHAT_ROOM];

	if (!capture->label[0])
		capture->label =
			jw_arena_fmt(c->arena, "captured %s%s%s",
				     jw_capture_what_text(capture, what), *as ? ", " : "", as);
	if (!capture->label)
		return jw_nomem(c->e);
	capture->type = jw_labelled_type(capture->label);
	return JW_OK;
}

enum jw_status rules_captures_type(struct rules_reading *c, struct rules_rule *face)
{
	struct jw_capture *list = new_captures(c, face->capture_count);

	if (!list)
		return jw_nomem(c->e);
	for (size_t i = 0; i < face->capture_count; i++) {
		list[i] = face->captures[i];
		if (!list[i].type && (!face->operation || list[i].label[0] || list[i].hold))
			JW_TRY(label_capture(c, &list[i]));
	}
	face->captures = list;
	return JW_OK;
}
