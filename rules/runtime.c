/*
 * runtime.c: the `runtime` of a file: defaults that are baked into what is woven.
 *
 * Its keys are those of JWEAVE_*, and their values become the texts that those take; all are
 * checked here, since the woven program could only report a wrong one and go on. A file overrides,
 * key by key, those that it includes.
 */
#include <string.h>

#include "base/settings.h"
#include "rules/keys.h"
#include "rules/quantity.h"
#include "rules/runtime.h"

#include "base/banned.h"

enum form {
	FORM_TEXT,    /* not empty */
	FORM_FOLDER,  /* likewise, absolute */
	FORM_SWITCH,  /* true, false: "1", "0" */
	FORM_TRACING, /* true, false: "on", "off" */
	FORM_WORD,    /* one of the words of its kind */
	FORM_WORDS,   /* events, any of them; none: "none" */
	FORM_SIZE,    /* "64M", or bytes */
};

/* In the order of enum rules_setting, which is that of the text. Tracing is no setting of the
 * recorder: without it, there is none. */
static const struct setting {
	const char *key, *name; /* name: what it is called at run time */
	enum form form;
	enum jw_setting_kind kind;
} rows[RULES_SETTINGS] = {
	{ "tracing", "tracing", FORM_TRACING, JW_SETTING_FLAG },
#define JW_SETTING(kind, form, name, variable, property, key, fallback, value, help) \
	{ key, #name, FORM_##form, JW_SETTING_##kind },
#define JW_SETTING_OF_RUN(kind, name, variable, property, fallback, value, help)
#include "base/settings.def"
};

const char *const rules_runtime_keys[RULES_SETTINGS + 1] = {
	"tracing",
#define JW_SETTING(kind, form, name, variable, property, key, fallback, value, help) key,
#define JW_SETTING_OF_RUN(kind, name, variable, property, fallback, value, help)
#include "base/settings.def"
};

/* ---- values ---- */

static const char *keep_text(struct rules_reading *c, const char *text)
{
	return jw_arena_str(c->arena, jw_span_str(text));
}

static enum jw_status read_text(struct rules_reading *c, const struct rules_json *json,
				const char **out)
{
	JW_TRY(rules_want(c, json, RULES_JSON_STRING));
	if (json->text.n == 0)
		return rules_json_fail(c->e, json, false, NULL, "expected a name, not \"\"");
	for (size_t i = 0; i < json->text.n; i++) {
		if (json->text.p[i] < ' ' || json->text.p[i] == 0x7f)
			return rules_json_fail_in(c->e, json, jw_span_sub(json->text, i, 1), NULL,
						  "a file name cannot contain a control character");
	}
	*out = rules_json_str(json);
	return JW_OK;
}

/* Processes of one job have working directories of their own. */
static enum jw_status read_folder(struct rules_reading *c, const struct rules_json *json,
				  const char **out)
{
	JW_TRY(read_text(c, json, out));
	if (json->text.p[0] == '/')
		return JW_OK;
	return rules_json_fail(c->e, json, false, NULL,
			       "expected an absolute folder, as \"/shared/job\"");
}

static enum jw_status read_size(struct rules_reading *c, const struct rules_json *json,
				const char **out)
{
	const char *wrong = "";
	uint64_t bytes = 0;

	if (json->type == RULES_JSON_STRING)
		wrong = rules_size(rules_json_str(json), &bytes);
	else if (json->type == RULES_JSON_NUMBER && json->is_integer && json->integer > 0)
		bytes = (uint64_t)json->integer, wrong = NULL;
	if (wrong)
		return rules_json_fail_in(
			c->e, json, jw_span_str(wrong), NULL,
			"expected a size such as \"64MiB\" or \"2G\", or a number "
			"of bytes (\"0\": no limit)");
	*out = jw_arena_fmt(c->arena, "%llu", (unsigned long long)bytes);
	return JW_OK;
}

static enum jw_status read_events(struct rules_reading *c, const struct rules_json *json,
				  const char **out)
{
#define WORD(name, word) word,
	static const char *const words[] = { JW_EVENTS_WORDS(WORD) JW_EVENTS_DEFAULT, NULL };
#undef WORD
	struct jw_buf text = { 0 };
	enum jw_status status = JW_OK;
	size_t at;

	JW_TRY(rules_want(c, json, RULES_JSON_ARRAY));
	for (const struct rules_json *i = json->first; i && status == JW_OK; i = i->next) {
		status = rules_word(c, i, words, &at);
		if (status == JW_OK)
			jw_put_fmt(&text, "%s%s", text.n ? "," : "", words[at]);
	}
	if (text.n == 0)
		jw_put_str(&text, "none");
	if (status == JW_OK)
		status = jw_buf_finish(&text, "list of events", c->e);
	if (status == JW_OK)
		*out = jw_arena_str(c->arena, jw_buf_span(&text));
	jw_buf_free(&text);
	return status;
}

static enum jw_status read_bool(struct rules_reading *c, const struct rules_json *json,
				const char *yes, const char *no, const char **out)
{
	JW_TRY(rules_want(c, json, RULES_JSON_BOOL));
	*out = keep_text(c, json->boolean ? yes : no);
	return JW_OK;
}

static enum jw_status read_setting(struct rules_reading *c, const struct rules_json *json,
				   const struct setting *s, const char **out)
{
	const char *const *words = jw_setting_words(s->kind);
	size_t at;

	switch (s->form) {
	case FORM_TEXT:
		return read_text(c, json, out);
	case FORM_FOLDER:
		return read_folder(c, json, out);
	case FORM_SWITCH:
		return read_bool(c, json, "1", "0", out);
	case FORM_TRACING:
		return read_bool(c, json, "on", "off", out);
	case FORM_WORD:
		JW_TRY(rules_word(c, json, words, &at));
		*out = keep_text(c, words[at]);
		return JW_OK;
	case FORM_WORDS:
		return read_events(c, json, out);
	case FORM_SIZE:
		return read_size(c, json, out);
	}
	return jw_bug(c->e, "a setting without a form");
}

enum jw_status rules_runtime_read(struct rules_reading *c, const struct rules_json *json,
				  const char *settings[RULES_SETTINGS])
{
	JW_TRY(rules_check_keys(c, json, rules_runtime_keys));
	for (size_t i = 0; i < RULES_SETTINGS; i++) {
		const struct rules_json *m = rules_json_get(json, rows[i].key);
		const char *value = NULL;

		if (!m)
			continue;
		JW_TRY(read_setting(c, m, &rows[i], &value));
		if (!value)
			return jw_nomem(c->e);
		settings[i] = value;
	}
	return JW_OK;
}

/* ---- the text ---- */

static void put_escaped(struct jw_buf *out, const char *text)
{
	for (const char *p = text; *p; p++) {
		unsigned char byte = (unsigned char)*p;

		if (byte < ' ' || byte >= 0x7f || byte == '\\')
			jw_put_fmt(out, "\\x%02x", byte);
		else
			jw_put_u1(out, byte);
	}
}

void rules_runtime_put(const char *const settings[RULES_SETTINGS], struct jw_buf *out)
{
	for (size_t i = 0; i < RULES_SETTINGS; i++) {
		if (!settings[i])
			continue;
		jw_put_fmt(out, "%s\t", rows[i].name);
		put_escaped(out, settings[i]);
		jw_put_u1(out, '\n');
	}
}
