/*
 * runtime.h: the key `runtime` of a file: defaults for the recorder that are baked into what is
 * woven. The keys are those of base/settings.def, and `tracing`.
 */
#ifndef JW_RULES_RUNTIME_H
#define JW_RULES_RUNTIME_H

#include "rules/reading.h"

enum rules_setting {
	RULES_SETTING_tracing,
#define JW_SETTING(kind, form, name, variable, property, key, fallback, value, help) \
	RULES_SETTING_##name,
#define JW_SETTING_OF_RUN(kind, name, variable, property, fallback, value, help)
#include "base/settings.def"
	RULES_SETTINGS
};

extern const char *const rules_runtime_keys[RULES_SETTINGS + 1]; /* NULL ends */

/* Sets those of SETTINGS that JSON has, as texts that the recorder reads. */
enum jw_status JW_MUST_USE rules_runtime_read(struct rules_reading *c,
					      const struct rules_json *json,
					      const char *settings[RULES_SETTINGS]);

/* Appends the lines of those that are not NULL (base/baked.h). */
void rules_runtime_put(const char *const settings[RULES_SETTINGS], struct jw_buf *out);

#endif
