#include "base/settings.h"

#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/overlay.h"

#include "base/banned.h"

extern char **environ;

const struct jw_setting jw_settings[JW_SETTINGS] = {
#define JW_SETTING(kind, form, name, variable, property, key, fallback, value, help) \
	{ JW_SETTING_##kind, variable, property, fallback, value, help },
#define JW_SETTING_OF_RUN(kind, name, variable, property, fallback, value, help) \
	{ JW_SETTING_##kind, variable, property, fallback, value, help },
#include "base/settings.def"
};

const char *const jw_other_variables[] = { "JWEAVE_LIB",
					   "JWEAVE_CACHE_SIZE",
					   JW_TELL_VARIABLE,
					   JW_OVERLAY_VARIABLE,
					   JW_LAUNCH_VARIABLE,
					   JW_JVM_VARIABLE,
					   NULL };

static const char variable_prefix[] = "JWEAVE_", property_prefix[] = "jweave.";
static const char library_property[] = "jweave.lib"; /* JWEAVE_LIB's */
static const char tell_property[] = JW_TELL_PROPERTY;

/* ---- values ---- */

const char *const *jw_setting_words(enum jw_setting_kind kind)
{
#define WORD(name, word) word,
	static const char *const choices[] = { JW_CHOICE_WORDS(WORD) NULL };
	static const char *const starts[] = { JW_START_WORDS(WORD) NULL };
	static const char *const modes[] = { JW_MODE_WORDS(WORD) NULL };
	static const char *const events[] = { JW_EVENTS_WORDS(WORD) NULL };
#undef WORD
	static const char *const *const words[] = {
		[JW_SETTING_CHOICE] = choices,
		[JW_SETTING_START] = starts,
		[JW_SETTING_MODE] = modes,
		[JW_SETTING_EVENTS] = events,
	};

	return words[kind];
}

/* The place in WORDS of the first N characters of TEXT, or -1. */
static int place_of(const char *text, size_t n, const char *const *words)
{
	for (int i = 0; words[i]; i++)
		if (strlen(words[i]) == n && strncmp(text, words[i], n) == 0)
			return i;
	return -1;
}

bool jw_setting_size(const char *text, uint64_t *out)
{
	static const char units[] = "kmgt";
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	uint64_t n = strtoull(text, &end, 10);
	if (*end) {
		char lower = (char)(*end | 0x20);
		const char *unit = strchr(units, lower);
		unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;

		if (!unit || end[1] || n > UINT64_MAX >> shift)
			return false;
		n <<= shift;
	}
	*out = n ? n : UINT64_MAX;
	return true;
}

bool jw_setting_flag(const char *text, bool *on)
{
	static const char *const words[] = { "0",    "1",  "off", "on", "false",
					     "true", "no", "yes", NULL };
	int i = place_of(text, strlen(text), words);

	if (i >= 0)
		*on = i % 2;
	return i >= 0;
}

bool jw_setting_tracing(const char *text, bool *on)
{
	char small[sizeof("false")];
	size_t n = text ? strlen(text) : sizeof(small);

	if (n >= sizeof(small))
		return false;
	for (size_t i = 0; i <= n; i++)
		small[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] | 0x20 : text[i]);
	return jw_setting_flag(small, on);
}

static bool read_word(enum jw_setting_kind kind, const char *text, uint64_t *out)
{
	int i = place_of(text, strlen(text), jw_setting_words(kind));

	if (i >= 0)
		*out = (uint64_t)i;
	return i >= 0;
}

/* The words of TEXT; USUAL: what "default" adds, 0: it is no word. */
static bool read_list(const char *text, uint64_t usual, uint64_t *events)
{
	static const char *const adds[] = { JW_EVENTS_DEFAULT, NULL };

	for (size_t n; *text; text += n + (text[n] == ',')) {
		n = strcspn(text, ",");
		int i = place_of(text, n, jw_setting_words(JW_SETTING_EVENTS));
		bool is_usual = usual && place_of(text, n, adds) == 0;

		if (i < 0 && !is_usual)
			return false;
		*events |= is_usual ? usual : UINT64_C(1) << i;
	}
	return true;
}

static bool read_events(const char *text, uint64_t *out)
{
	uint64_t usual = 0, events = 0;

	(void)read_list(jw_settings[JW_SETTING_ID_events].fallback, 0, &usual);
	if (strcmp(text, "none") != 0 && !read_list(text, usual, &events))
		return false;
	*out = events;
	return true;
}

/* Reads digits at *TEXT and moves it past them; the first is worth UNIT, the next a tenth of that.
 */
static uint64_t decimals(const char **text, uint64_t unit)
{
	uint64_t sum = 0;

	for (; **text >= '0' && **text <= '9'; unit /= 10)
		sum += (uint64_t)(*(*text)++ - '0') * unit;
	return sum;
}

/* No more than 99.9999 percent. (strtod() would ask the locale for the decimal point.) */
static bool read_share(const char *text, uint64_t *out)
{
	const uint64_t percent = 10000; /* millionths */
	size_t whole = strspn(text, "0123456789");

	if (strcmp(text, "none") == 0) {
		*out = 0;
		return true;
	}
	if (whole != 1 && whole != 2)
		return false;
	uint64_t share = decimals(&text, whole == 2 ? 10 * percent : percent);
	if (*text == '.') {
		text++;
		share += decimals(&text, percent / 10);
	}
	if (*text == '%')
		text++;
	if (*text || !share)
		return false;
	*out = share;
	return true;
}

bool jw_setting_read(enum jw_setting_kind kind, const char *text, uint64_t *out)
{
	bool on = false;

	switch (kind) {
	case JW_SETTING_TEXT:
		*out = 0;
		return true;
	case JW_SETTING_SIZE:
		return jw_setting_size(text, out);
	case JW_SETTING_SHARE:
		return read_share(text, out);
	case JW_SETTING_EVENTS:
		return read_events(text, out);
	case JW_SETTING_FLAG:
		if (!jw_setting_flag(text, &on))
			return false;
		*out = on;
		return true;
	case JW_SETTING_CHOICE:
		if (jw_setting_flag(text, &on)) /* "1" is "on" */
			text = on ? "on" : "off";
		return read_word(kind, text, out);
	case JW_SETTING_START:
	case JW_SETTING_MODE:
		return read_word(kind, text, out);
	}
	return false;
}

/* ---- names ---- */

/* All names that begin with PREFIX, without it, into NAMES; returns how many. */
static size_t names_after(const char *prefix, const char **names)
{
	bool variables = prefix == variable_prefix;
	size_t count = 0, skip = strlen(prefix);

	for (size_t i = 0; i < JW_SETTINGS; i++)
		names[count++] =
			(variables ? jw_settings[i].variable : jw_settings[i].property) + skip;
	if (!variables) {
		names[count++] = library_property + skip;
		names[count++] = tell_property + skip;
	}
	for (size_t i = 0; variables && jw_other_variables[i]; i++)
		names[count++] = jw_other_variables[i] + skip;
	return count;
}

bool jw_setting_unknown(const char *name, const char **near)
{
	static const char *const prefixes[] = { variable_prefix, property_prefix };
	const char *names[JW_SETTINGS + 8];

	for (size_t i = 0; i < 2; i++) {
		size_t n = strlen(prefixes[i]);

		if (strncmp(name, prefixes[i], n) != 0)
			continue;
		size_t count = names_after(prefixes[i], names);
		for (size_t k = 0; k < count; k++)
			if (strcmp(names[k], name + n) == 0)
				return false;
		*near = jw_nearest(name + n, names, count);
		if (*near) /* the whole name: the prefix is before it */
			*near -= n;
		return true;
	}
	return false;
}

void jw_settings_unknown(void (*each)(void *ctx, const char *name, const char *near), void *ctx)
{
	for (char **entry = environ; entry && *entry; entry++) {
		size_t n = strcspn(*entry, "=");
		const char *near = NULL;
		char name[64];

		if (strncmp(*entry, variable_prefix, strlen(variable_prefix)) != 0)
			continue;
		if (n >= sizeof(name)) /* longer than any: its beginning names it, too */
			n = sizeof(name) - 1;
		memcpy(name, *entry, n);
		name[n] = '\0';
		if (jw_setting_unknown(name, &near))
			each(ctx, name, near);
	}
}
