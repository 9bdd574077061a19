#include "runtime-jni/recorder/config.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/settings.h"
#include "runtime-jni/recorder/baked_read.h"

#include "base/banned.h"

/* Where the value of each setting goes. */
static const size_t offsets[JW_SETTINGS] = {
#define JW_SETTING(kind, form, name, variable, property, key, fallback, value, help) \
	offsetof(struct rt_config, name),
#define JW_SETTING_OF_RUN(kind, name, variable, property, fallback, value, help) \
	offsetof(struct rt_config, name),
#include "base/settings.def"
};

_Static_assert(sizeof(enum rt_choice) == sizeof(unsigned) &&
		       sizeof(enum rt_start) == sizeof(unsigned) &&
		       sizeof(enum rt_mode) == sizeof(unsigned),
	       "set_value() writes enums as unsigned");

const char *rt_mode_name(enum rt_mode mode)
{
	return jw_setting_words(JW_SETTING_MODE)[mode];
}

static bool set_value(enum jw_setting_id id, const char *text, struct rt_config *config)
{
	enum jw_setting_kind kind = jw_settings[id].kind;
	void *field = (char *)config + offsets[id];
	uint64_t value = 0;

	if (!jw_setting_read(kind, text, &value))
		return false;
	unsigned small = (unsigned)value;
	bool on = value != 0;

	if (kind == JW_SETTING_TEXT)
		memcpy(field, &text, sizeof(text));
	else if (kind == JW_SETTING_SIZE)
		memcpy(field, &value, sizeof(value));
	else if (kind == JW_SETTING_FLAG)
		memcpy(field, &on, sizeof(on));
	else
		memcpy(field, &small, sizeof(small));
	return true;
}

/* Takes TEXT, the value of NAME, if it is one; a wrong one is named. */
static bool take(enum jw_setting_id id, const char *name, const char *text,
		 const struct rt_config_source *source, struct rt_config *out)
{
	char line[256];

	if (!text || !*text)
		return false;
	if (set_value(id, text, out))
		return true;
	snprintf(line, sizeof(line), "%s is '%.64s', which is not %s: ignored", name, text,
		 jw_settings[id].form);
	if (source->say)
		source->say(line);
	return false;
}

/* The value of ID from whoever says a right one first; false: nobody did, or no memory (*FAILED).
 */
static bool ask(enum jw_setting_id id, const struct rt_config_source *source,
		struct jw_arena *arena, struct rt_config *out, bool *failed)
{
	const char *variable = jw_settings[id].variable, *property = jw_settings[id].property;
	const char *name = property + sizeof("jweave.") - 1, *text = getenv(variable);

	if (source->property &&
	    take(id, property, source->property(source->ctx, property, arena), source, out))
		return true;
	if (text) {
		/* a copy: the program may change its environment */
		text = jw_arena_str(arena, jw_span_str(text));
		*failed |= !text;
	}
	return take(id, variable, text, source, out) ||
	       take(id, name, rt_baked_value(source->baked, name, arena), source, out);
}

/* ---- names that nobody knows ---- */

static void say_unknown(void *ctx, const char *name, const char *near)
{
	const struct rt_config_source *source = ctx;
	char line[256];

	snprintf(line, sizeof(line), "%.80s is unknown: %s%s%s", name, near ? "did you mean " : "",
		 near ? near : "'jweave help runtime' has those that there are", near ? "?" : "");
	source->say(line);
}

static void look_at_property(void *ctx, const char *name)
{
	const char *near = NULL;

	if (jw_setting_unknown(name, &near))
		say_unknown(ctx, name, near);
}

static void name_unknown(const struct rt_config_source *source)
{
	union { /* say_unknown() changes nothing */
		const struct rt_config_source *in;
		void *out;
	} ctx = { .in = source };

	if (!source->say)
		return;
	if (!getenv(JW_TELL_VARIABLE)) /* else it is said */
		jw_settings_unknown(say_unknown, ctx.out);
	if (source->each_property)
		source->each_property(look_at_property, ctx.out);
}

bool rt_config_read(const struct rt_config_source *source, struct jw_arena *arena,
		    struct rt_config *out)
{
	bool said[JW_SETTINGS], failed = false;

	name_unknown(source);
	for (unsigned i = 0; i < JW_SETTINGS; i++) {
		enum jw_setting_id id = (enum jw_setting_id)i;

		said[i] = ask(id, source, arena, out, &failed);
		if (!said[i])
			set_value(id, jw_settings[id].fallback, out);
	}
	out->events_said = said[JW_SETTING_ID_events];
	if (out->alloc != UINT64_MAX) /* "0" is no limit: none */
		out->events |= RT_EVENTS_ALLOC;
	else
		out->alloc = RT_ALLOC_BYTES;
	if (out->mode == RT_MODE_FLIGHT && !said[JW_SETTING_ID_max_size])
		out->max_size = RT_FLIGHT_SIZE;
	return !failed;
}

char *rt_expand_name(const char *name, const char *host, long pid, struct jw_arena *arena)
{
	struct jw_buf b = { 0 };

	for (const char *p = name; *p; p++) {
		char next = '\0';

		if (*p == '%')
			next = p[1];
		if (next == 'h')
			jw_put_str(&b, host);
		else if (next == 'p')
			jw_put_fmt(&b, "%ld", pid);
		else if (next == '%')
			jw_put_u1(&b, '%');
		else
			jw_put_u1(&b, (uint8_t)*p);
		p += next == 'h' || next == 'p' || next == '%';
	}
	char *text = b.failed ? NULL : jw_arena_str(arena, jw_buf_span(&b));
	jw_buf_free(&b);
	return text;
}
