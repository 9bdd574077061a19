/*
 * action.c: what a rule does with what it chooses: event, state, capture, enabled, and
 * (sampling_table.c) what it leaves out. A file's `defaults` give them to each of its rules that
 * says nothing itself.
 */
#include <string.h>

#include "rules/rules_int.h"

#include "base/banned.h"

/* Event types that are jweave's own: captures have others. */
enum { OWN_FIRST = 48100000, OWN_LAST = 48199999, USER_FUNCTION = 60000019, MOST_TYPE = 999999999 };

/* ---- labels ---- */

static const char *const placeholders[] = { "class", "simpleClass", "method", "params", NULL };

/* "{class}.{method}": only known names in braces. */
static enum jw_status check_label(struct compile *c, const struct rules_json *json)
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
		name = jw_arena_str(&c->set->arena, jw_span(at + 1, (size_t)(end - at - 1)));
		if (!name)
			return jw_nomem(c->e);
		for (size_t i = 0; i < count; i++)
			found |= strcmp(placeholders[i], name) == 0;
		if (!found)
			return rules_json_fail_in(c->e, json, jw_span(at, 1),
						  rules_nearest(name, placeholders, count),
						  "unknown placeholder \"{%.40s}\"", name);
		at = end;
	}
	return JW_OK;
}

/* ---- event ---- */

/* Words of `type` that name no operation: what every event is. */
static const char *const plain_types[] = { "method", "call" };
enum { PLAIN_TYPES = sizeof plain_types / sizeof *plain_types };

static enum jw_status parse_type(struct compile *c, const struct rules_json *json, size_t *type)
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
static enum jw_status parse_value(struct compile *c, const struct rules_json *json,
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
static enum jw_status check_plain(struct compile *c, const struct rules_json *type,
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

static enum jw_status parse_operation(struct compile *c, const struct rules_json *json,
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

static enum jw_status parse_event(struct compile *c, const struct rules_json *json,
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

/* ---- captures ---- */

static enum jw_status parse_what(struct compile *c, const struct rules_json *json,
				 struct jw_capture *out)
{
	static const char *const words[] = { "this", "return",  "exception", "task",
					     "arg0", "filled0", NULL };
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

static enum jw_status parse_capture_type(struct compile *c, const struct rules_json *json,
					 uint32_t *out)
{
	JW_TRY(rules_natural(c, json, MOST_TYPE, out));
	if ((*out >= OWN_FIRST && *out <= OWN_LAST) || *out == USER_FUNCTION)
		return rules_json_fail(c->e, json, false, NULL,
				       "%d to %d and %d are jweave's own types of events",
				       OWN_FIRST, OWN_LAST, USER_FUNCTION);
	return JW_OK;
}

/* What nothing has, or only code of the program could tell. */
static enum jw_status check_capture(struct compile *c, const struct rules_json *json,
				    const struct jw_capture *out)
{
	bool text = out->as == JW_AS_CLASS || out->as == JW_AS_STRING;

	if (out->what == JW_CAPTURE_EXCEPTION && out->as != JW_AS_COUNT &&
	    out->as != JW_AS_IDENTITY && out->as != JW_AS_CLASS)
		return rules_json_fail(c->e, rules_json_get(json, "as"), false, NULL,
				       "an exception has an identity and a class; its message "
				       "could only be had by running code of the program");
	if (out->what == JW_CAPTURE_TASK && out->as != JW_AS_COUNT && out->as != JW_AS_IDENTITY)
		return rules_json_fail(c->e, rules_json_get(json, "as"), false, NULL,
				       "of the task that runs a method only the identity is known");
	if (out->what == JW_CAPTURE_FILLED && out->as != JW_AS_COUNT && out->as != JW_AS_VALUE)
		return rules_json_fail(c->e, rules_json_get(json, "as"), false, NULL,
				       "how much a call has filled is a number: its value");
	if (out->max_values && !text)
		return rules_json_fail(c->e, rules_json_get(json, "maxValues"), true, NULL,
				       "\"maxValues\" is for captures as \"class\" or \"string\"");
	return JW_OK;
}

static enum jw_status parse_capture(struct compile *c, const struct rules_json *json,
				    struct jw_capture *out)
{
	static const char *const keys[] = { "what", "as", "type", "label", "maxValues", NULL };
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
	m = rules_json_get(json, "label");
	if (m) {
		JW_TRY(rules_want(c, m, RULES_JSON_STRING));
		out->label = rules_json_str(m);
	}
	m = rules_json_get(json, "maxValues");
	if (m)
		JW_TRY(rules_natural(c, m, INT32_MAX, &out->max_values));
	return check_capture(c, json, out);
}

/* Room for COUNT captures; NULL: no memory. */
static struct jw_capture *new_captures(struct compile *c, size_t count)
{
	return JW_NEW_ARRAY(&c->set->arena, struct jw_capture, count + 1);
}

static int rank(const struct jw_capture *c)
{
	return (int)c->what * JW_CAPTURE_ARGS + c->arg;
}

/* In the order of their records: `this`, args by number, what is returned, an exception. */
static void sort_captures(struct jw_capture *list, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		struct jw_capture moved = list[i];
		size_t at = i;

		for (; at > 0 && rank(&list[at - 1]) > rank(&moved); at--)
			list[at] = list[at - 1];
		list[at] = moved;
	}
}

static enum jw_status parse_captures(struct compile *c, const struct rules_json *json,
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
	sort_captures(list, count);
	face->captures = list;
	face->capture_count = count;
	face->captures_said = true;
	return JW_OK;
}

/* The captures that the operation of FACE needs: the objects that it is about. */
static enum jw_status operation_captures(struct compile *c, struct rules_rule *face)
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

/* That of what ends FACE: only an InterruptedException has an arrow from who interrupted it. */
static enum jw_status exception_capture(struct compile *c, struct rules_rule *face)
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
	sort_captures(list, count);
	face->captures = list;
	face->capture_count = count;
	return JW_OK;
}

/* ---- captures that name no type ---- */

/* Theirs follows from the label, so that it is the same in every archive and run. */
enum { LABELLED_FIRST = 48110000, LABELLED_COUNT = 80000 };

static enum jw_status label_capture(struct compile *c, struct jw_capture *capture)
{
	const char *as = capture->as == JW_AS_COUNT ? "" : jw_capture_as_words[capture->as];
	char what[JW_CAPTURE_WHAT_ROOM];

	if (!capture->label[0])
		capture->label =
			jw_arena_fmt(&c->set->arena, "captured %s%s%s",
				     jw_capture_what_text(capture, what), *as ? ", " : "", as);
	if (!capture->label)
		return jw_nomem(c->e);
	capture->type = LABELLED_FIRST +
			(uint32_t)(jw_hash64(jw_span_str(capture->label), 0) % LABELLED_COUNT);
	return JW_OK;
}

/* Gives those of FACE a type, but what only tells its operation what it is about. */
static enum jw_status type_captures(struct compile *c, struct rules_rule *face)
{
	struct jw_capture *list = new_captures(c, face->capture_count);

	if (!list)
		return jw_nomem(c->e);
	for (size_t i = 0; i < face->capture_count; i++) {
		list[i] = face->captures[i];
		if (!list[i].type && (!face->operation || list[i].label[0]))
			JW_TRY(label_capture(c, &list[i]));
	}
	face->captures = list;
	return JW_OK;
}

/* ---- all of them ---- */

static enum jw_status parse_enabled(struct compile *c, const struct rules_json *m,
				    struct rules_rule *face)
{
	JW_TRY(rules_want(c, m, RULES_JSON_BOOL));
	face->enabled = m->boolean;
	return JW_OK;
}

static enum jw_status parse_state(struct compile *c, const struct rules_json *m,
				  struct rules_rule *face)
{
	if (!face->call)
		return rules_later(c, m);
	JW_TRY(rules_call_state(c, m, &face->state));
	face->state_said = true;
	return JW_OK;
}

static enum jw_status parse_link(struct compile *c, const struct rules_json *m,
				 struct rules_rule *face)
{
	(void)face;
	return rules_later(c, m);
}

/* The keys that rules and defaults share. */
static enum jw_status parse_keys(struct compile *c, const struct rules_json *json,
				 struct rules_rule *face)
{
	static const struct {
		const char *key;
		enum jw_status (*parse)(struct compile *c, const struct rules_json *m,
					struct rules_rule *face);
	} keys[] = { { "event", parse_event },
		     { "capture", parse_captures },
		     { "enabled", parse_enabled },
		     { "state", parse_state },
		     { "link", parse_link } };

	for (const struct rules_json *m = json->first; m; m = m->next) {
		for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
			if (strcmp(m->key, keys[i].key) == 0)
				JW_TRY(keys[i].parse(c, m, face));
		}
		JW_TRY(rules_spare_key(c, m, &face->spare));
	}
	return JW_OK;
}

void rules_action_begin(struct source *source)
{
	source->defaults =
		(struct rules_rule){ .label = "", .state = RULES_NO_STATE, .enabled = true };
}

enum jw_status rules_action_defaults(struct compile *c, const struct rules_json *json,
				     struct source *source)
{
	return parse_keys(c, json, &source->defaults);
}

/* What FACE itself captures, of what it is about. */
static enum jw_status check_captures(struct compile *c, const struct rules_json *json,
				     const struct rules_rule *face)
{
	const struct rules_json *captures = rules_json_get(json, "capture");

	for (size_t i = 0; captures && !face->call && i < face->capture_count; i++) {
		if (face->captures[i].what == JW_CAPTURE_FILLED)
			return rules_json_fail(c->e, captures, false, NULL,
					       "what is filled is known of calls alone: "
					       "\"filled%u\" needs \"on\": \"call\"",
					       face->captures[i].arg);
	}
	return JW_OK;
}

/* What the operation of FACE brings, as far as FACE says nothing itself. */
static enum jw_status take_operation(struct compile *c, struct rules_rule *face)
{
	if (!face->operation)
		return JW_OK;
	if (face->call && !face->state_said)
		face->state = face->operation->state;
	if (!face->captures_said)
		JW_TRY(operation_captures(c, face));
	if (face->captures_said && !face->capture_count)
		return JW_OK;
	if (face->call && jw_operation_heeds_interrupts(face->operation))
		JW_TRY(exception_capture(c, face));
	return JW_OK;
}

enum jw_status rules_action(struct compile *c, const struct rules_json *json,
			    struct rules_rule *face)
{
	JW_TRY(parse_keys(c, json, face));
	JW_TRY(check_captures(c, json, face));
	JW_TRY(rules_spare_check(c, json, face));
	face->switchable = rules_json_get(json, "enabled") && !face->skip && !face->call &&
			   !face->exception && !face->creation;
	if (!face->enabled)
		face->on_unmatched = RULES_UNMATCHED_IGNORE;
	if (face->captures_said)
		JW_TRY(type_captures(c, face));
	return take_operation(c, face);
}

/* ---- two rules together ---- */

static bool same_capture(const struct jw_capture *a, const struct jw_capture *b)
{
	/* which object it is serves both; of numbers, those without a type are the operation's */
	bool shared = a->as == JW_AS_IDENTITY && (!a->type || !b->type);

	return rank(a) == rank(b) && a->as == b->as && (a->type == b->type || shared);
}

/* Adds C where it is not, as far as there is room. */
static void add_capture(struct rules_about *out, const struct jw_capture *c)
{
	for (size_t i = 0; i < out->capture_count; i++) {
		if (!same_capture(&out->captures[i], c))
			continue;
		if (!out->captures[i].type)
			out->captures[i] = *c;
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
	sort_captures(out->captures, out->capture_count);
}
