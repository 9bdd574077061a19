#include "runtime-jni/config.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime-jni/baked.h"

#include "base/banned.h"

enum kind { TEXT, SIZE, FLAG, CHOICE, START, MODE, EVENTS };

/* X(kind, field, variable, property, default, what a value looks like; NULL: any text is one) */
#define OPTIONS(X)                                                                                 \
	X(TEXT, output, "JWEAVE_OUTPUT", "jweave.output", RT_OUTPUT_DEFAULT, NULL)                 \
	X(TEXT, tmp, "JWEAVE_TMP", "jweave.tmp", "", NULL)                                         \
	X(SIZE, max_size, "JWEAVE_MAX_SIZE", "jweave.max_size", "2G", "bytes, or with K, M, G, T") \
	X(CHOICE, convert, "JWEAVE_CONVERT", "jweave.convert", "auto", "auto, on or off")          \
	X(CHOICE, ffm, "JWEAVE_FFM", "jweave.ffm", "auto", "auto, on or off")                      \
	X(EVENTS, events, "JWEAVE_EVENTS", "jweave.events", "gc,monitor",                          \
	  "none, or gc, monitor and alloc with commas between")                                    \
	X(SIZE, alloc, "JWEAVE_ALLOC", "jweave.alloc", "0", "bytes, or with K, M, G")              \
	X(CHOICE, keep, "JWEAVE_KEEP", "jweave.keep", "auto", "auto, on or off")                   \
	X(FLAG, summary, "JWEAVE_SUMMARY", "jweave.summary", "1", "1 or 0")                        \
	X(START, start, "JWEAVE_START", "jweave.start", "running", "running or paused")            \
	X(MODE, mode, "JWEAVE_MODE", "jweave.mode", "stream",                                      \
	  "stream, flight-recorder or summary")                                                    \
	X(TEXT, enable, "JWEAVE_ENABLE", "jweave.enable", "", NULL)                                \
	X(TEXT, disable, "JWEAVE_DISABLE", "jweave.disable", "", NULL)                             \
	X(FLAG, control, "JWEAVE_CONTROL", "jweave.control", "1", "1 or 0")

static const struct option {
	enum kind kind;
	size_t offset;
	const char *variable, *property, *fallback, *form;
} options[] = {
#define OPTION(kind, field, variable, property, fallback, form) \
	{ kind, offsetof(struct rt_config, field), variable, property, fallback, form },
	OPTIONS(OPTION)
#undef OPTION
};

bool rt_parse_size(const char *text, uint64_t *out)
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

/* The index of TEXT in a list of words that ends with NULL, or -1. */
static int word_index(const char *text, const char *const *words)
{
	for (int i = 0; words[i]; i++)
		if (!strcmp(text, words[i]))
			return i;
	return -1;
}

static bool set_flag(const char *text, bool *out)
{
	static const char *const words[] = { "0",    "1",  "off", "on", "false",
					     "true", "no", "yes", NULL };
	int i = word_index(text, words);

	if (i >= 0)
		*out = i % 2;
	return i >= 0;
}

/* One of WORDS, into a field that is an enum in their order. */
static bool set_word(const char *text, const char *const *words, void *out)
{
	int i = word_index(text, words);
	unsigned value = (unsigned)i;

	if (i >= 0)
		memcpy(out, &value, sizeof(value));
	return i >= 0;
}

_Static_assert(sizeof(enum rt_choice) == sizeof(unsigned) &&
		       sizeof(enum rt_start) == sizeof(unsigned),
	       "set_word() writes enums as unsigned");

/* ORDER config.h */
static const char *const choice_words[] = { "auto", "on", "off", NULL };
static const char *const mode_words[] = { "stream", "flight-recorder", "summary", NULL };
static const char *const start_words[] = { "running", "paused", NULL };

const char *rt_mode_name(enum rt_mode mode)
{
	return mode_words[mode];
}

static bool set_choice(const char *text, void *out)
{
	bool on;

	if (set_flag(text, &on)) /* "1" is "on" */
		text = on ? "on" : "off";
	return set_word(text, choice_words, out);
}

/* A list of words; "none" is the empty one. */
static bool set_events(const char *text, unsigned *out)
{
	static const char *const words[] = { "gc", "monitor", "alloc",
					     NULL }; /* ORDER enum rt_events */
	unsigned events = 0;
	char word[16];

	for (const char *p = text; *p && strcmp(text, "none") != 0;) {
		size_t n = strcspn(p, ",");

		snprintf(word, sizeof(word), "%.*s", (int)(n < sizeof(word) ? n : sizeof(word)), p);
		int i = word_index(word, words);
		if (i < 0)
			return false;
		events |= 1u << i;
		p += n + (p[n] == ',');
	}
	*out = events;
	return true;
}

static bool set_value(const struct option *o, const char *text, struct rt_config *config)
{
	void *field = (char *)config + o->offset;

	switch (o->kind) {
	case TEXT:
		memcpy(field, &text, sizeof(text));
		return true;
	case SIZE:
		return rt_parse_size(text, field);
	case FLAG:
		return set_flag(text, field);
	case CHOICE:
		return set_choice(text, field);
	case MODE:
		return set_word(text, mode_words, field);
	case START:
		return set_word(text, start_words, field);
	case EVENTS:
		return set_events(text, field);
	}
	return false;
}

/* Takes TEXT, the value of NAME, if it is one; a wrong one is named. */
static bool take(const struct option *o, const char *name, const char *text,
		 const struct rt_config_source *source, struct rt_config *out)
{
	char line[256];

	if (!text || !*text)
		return false;
	if (set_value(o, text, out))
		return true;
	snprintf(line, sizeof(line), "%s is '%.64s', which is not %s: ignored", name, text,
		 o->form);
	if (source->say)
		source->say(line);
	return false;
}

/* The value of O from whoever says a right one first; false: nobody did, or no memory (*FAILED). */
static bool ask(const struct option *o, const struct rt_config_source *source,
		struct jw_arena *arena, struct rt_config *out, bool *failed)
{
	const char *name = o->property + sizeof("jweave.") - 1, *text = getenv(o->variable);

	if (source->property &&
	    take(o, o->property, source->property(source->ctx, o->property, arena), source, out))
		return true;
	if (text) {
		/* a copy: the program may change its environment */
		text = jw_arena_str(arena, jw_span_str(text));
		*failed |= !text;
	}
	return take(o, o->variable, text, source, out) ||
	       take(o, name, rt_baked_value(source->baked, name, arena), source, out);
}

bool rt_config_read(const struct rt_config_source *source, struct jw_arena *arena,
		    struct rt_config *out)
{
	bool sized = false, failed = false; /* sized: max_size was given */

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		const struct option *o = &options[i];

		if (ask(o, source, arena, out, &failed))
			sized |= o->offset == offsetof(struct rt_config, max_size);
		else
			set_value(o, o->fallback, out);
	}
	if (out->alloc != UINT64_MAX) /* "0" is no limit: none */
		out->events |= RT_EVENTS_ALLOC;
	else
		out->alloc = RT_ALLOC_BYTES;
	if (out->mode == RT_MODE_FLIGHT && !sized)
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
