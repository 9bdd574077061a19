/*
 * settings.h: the settings of the recorder (settings.def): their names, and how their values read.
 *
 * One table for all who have to do with them: the recorder, which obeys; rules files, which bake
 * defaults in; `jweave run`, which sets variables. A name that is in no row is a mistake.
 */
#ifndef JW_BASE_SETTINGS_H
#define JW_BASE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum jw_setting_kind {
	JW_SETTING_TEXT,   /* any */
	JW_SETTING_SIZE,   /* "2G", "512m", "65536": bytes; 0 is no limit */
	JW_SETTING_FLAG,   /* 1 on true yes, 0 off false no */
	JW_SETTING_CHOICE, /* one of the words, or a flag */
	JW_SETTING_START,  /* one of the words */
	JW_SETTING_MODE,   /* one of the words */
	JW_SETTING_SHARE,  /* "5%", "0.5": of 100; "none" is 0 */
	JW_SETTING_EVENTS, /* any of the words, commas between; "none" is the empty list */
};

/* X(name, word) : the words of the kinds that have some, in the order of their values. */
#define JW_CHOICE_WORDS(X) X(AUTO, "auto") X(ON, "on") X(OFF, "off")
#define JW_START_WORDS(X)  X(RUNNING, "running") X(PAUSED, "paused")
#define JW_MODE_WORDS(X)   X(STREAM, "stream") X(FLIGHT, "flight-recorder") X(SUMMARY, "summary")
#define JW_EVENTS_WORDS(X) \
	X(GC, "gc") X(MONITOR, "monitor") X(ALLOC, "alloc") X(PARK, "park") X(SLEEP, "sleep")

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

/* What TEXT says: bytes (UINT64_MAX: no limit), millionths of a share, the place of a word, 0 or 1,
 * or a bit for each of the events. False: it is no value of KIND. A TEXT is always one, and says 0.
 */
bool jw_setting_read(enum jw_setting_kind kind, const char *text, uint64_t *out);
bool jw_setting_size(const char *text, uint64_t *out);

/* Is TEXT a flag's "0", "off", "false" or "no", or the other way round? *ON stays when it is none.
 */
bool jw_setting_flag(const char *text, bool *on);

/* Variables that others than the recorder read: JWEAVE_LIB and the like; NULL ends them. */
extern const char *const jw_other_variables[];

/* What `jweave run` sets for the program that it starts: a file for what the program has to say to
 * it, a line for each trace. Where it is set, jweave has named unknown variables. */
#define JW_TELL_VARIABLE "JWEAVE_RUN"

/* Is NAME ("JWEAVE_KEP", or "jweave.kep") what a setting would be called, and none is? *NEAR: the
 * one that may be meant, or NULL. Says nothing of names that do not begin so. */
bool jw_setting_unknown(const char *name, const char **near);

/* Gives EACH the name of every variable of the environment that is unknown (it may be changed by
 * nobody meanwhile). */
void jw_settings_unknown(void (*each)(void *ctx, const char *name, const char *near), void *ctx);

#endif
