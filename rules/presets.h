/*
 * presets.h: the rules files that come with jweave (share/presets/NAME.json), embedded.
 */
#ifndef JW_RULES_PRESETS_H
#define JW_RULES_PRESETS_H

#include "base/bytes.h"

/* The text of a preset ("jdk-threads"), or an empty span. */
struct jw_span rules_preset(const char *name);
/* The names of all, by index; NULL ends. */
const char *rules_preset_name(size_t index);
/* "preset:NAME" of the preset that WORD, with the prefix or without, may have meant; NULL: none. */
const char *rules_preset_meant(const char *word);

#endif
