/*
 * settings.h: the settings of the recorder (settings.def): their names, and how their values read.
 *
 * One table for all that use them: the recorder, which obeys; rules files, which bake defaults in;
 * `jweave run`, which sets variables. A name that is in no row is a mistake.
 */
#ifndef JW_BASE_SETTINGS_H
#define JW_BASE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum jw_setting_kind {
	JW_SETTING_TEXT,   /* any */
	JW_SETTING_SIZE,   /* "2G", "512m", "65536": bytes; 0 is no limit */
	JW_SETTING_FLAG,   /* 1, on, true, yes; 0, off, false, no */
	JW_SETTING_CHOICE, /* one of the words, or a flag */
	JW_SETTING_START,  /* one of the words */
	JW_SETTING_MODE,   /* one of the words */
	JW_SETTING_SHARE,  /* "5%", "0.5": of 100; "none" is 0 */
	JW_SETTING_EVENTS, /* any of the words, commas between; "none" is the empty list,
	                    * "default" adds those that are on by default */
};

/* X(name, word) : the words of the kinds that have some, in the order of their values. */
#define JW_CHOICE_WORDS(X) X(AUTO, "auto") X(ON, "on") X(OFF, "off")
#define JW_START_WORDS(X)  X(RUNNING, "running") X(PAUSED, "paused")
#define JW_MODE_WORDS(X)   X(STREAM, "stream") X(FLIGHT, "flight-recorder") X(SUMMARY, "summary")
#define JW_EVENTS_WORDS(X)    \
	X(GC, "gc")           \
	X(MONITOR, "monitor") \
	X(ALLOC, "alloc")     \
	X(PARK, "park")       \
	X(SLEEP, "sleep")     \
	X(IO, "io")           \
	X(NET, "net")         \
	X(FILE, "file")       \
	X(PROCESS, "process")
/* A word of a list of events: those that are on by default. */
#define JW_EVENTS_DEFAULT "default"

struct jw_setting {
	enum jw_setting_kind kind;
	const char *variable, *property, *fallback;
	const char *form; /* what a value looks like; NULL: any text is one */
	const char *help;
};

enum jw_setting_id {
#define JW_SETTING(kind, form, name, variable, property, key, fallback, value, help) \
	JW_SETTING_ID_##name,
#define JW_SETTING_OF_RUN(kind, name, variable, property, fallback, value, help) \
	JW_SETTING_ID_##name,
#include "base/settings.def"
	JW_SETTINGS
};

extern const struct jw_setting jw_settings[JW_SETTINGS];

/* The words of a KIND, in the order of their values; NULL ends them. NULL: it has none. */
const char *const *jw_setting_words(enum jw_setting_kind kind);

/* The value of TEXT: bytes (UINT64_MAX: no limit), millionths of a share, the place of a word, 0 or
 * 1, or a bit for each event; of kind TEXT: 0. False: it is no value of KIND. */
bool jw_setting_read(enum jw_setting_kind kind, const char *text, uint64_t *out);
bool jw_setting_size(const char *text, uint64_t *out);

/* Is TEXT a word of a flag? *ON: which way; unchanged when it is none. */
bool jw_setting_flag(const char *text, bool *on);

/* Is tracing on, as JWEAVE=TEXT says? *ON, by the words of a flag in small or capital letters; unchanged
 * when TEXT (NULL: not set) is none. Probe.java and Trace.java know the same words. */
bool jw_setting_tracing(const char *text, bool *on);

/* Variables that the recorder does not read itself: JWEAVE_LIB and the like; NULL ends them. */
extern const char *const jw_other_variables[];

/* `jweave run` sets it for the program that it starts: the name of a file for messages to jweave, a
 * line for each trace. Where it is set, jweave has named unknown variables already. */
#define JW_TELL_VARIABLE "JWEAVE_RUN"
/* The same, where the environment may not reach the program. */
#define JW_TELL_PROPERTY "jweave.run"

/* What `jweave run` has woven is in a folder of this name, of the user's caches, by keys of 32 hex digits. */
#define JW_CACHE_OWN "/jweave"
#define JW_CACHE_RUN "/run-1"

/* Does NAME ("JWEAVE_KEP", or "jweave.kep") look like a setting, without being one? *NEAR: the one
 * that may be meant, or NULL. False for names with another prefix. */
bool jw_setting_unknown(const char *name, const char **near);

/* Calls EACH with every unknown variable of the environment, which must not change meanwhile. */
void jw_settings_unknown(void (*each)(void *ctx, const char *name, const char *near), void *ctx);

#endif
