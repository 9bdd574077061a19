/*
 * presets.h: the rules files that come with jweave (share/presets/NAME.json), embedded.
 */
#ifndef JW_RULES_PRESETS_H
#define JW_RULES_PRESETS_H

#include "base/bytes.h"
#include "base/memory.h"
#include "base/status.h"

/* The text of a preset ("jdk-threads"), or an empty span. */
struct jw_span rules_preset(const char *name);
/* The names of all, by index; NULL ends. */
const char *rules_preset_name(size_t index);
/* What the preset is for, in a line: the first sentence of its description, without the full stop, in ARENA; empty
 * if it has none. */
enum jw_status JW_MUST_USE rules_preset_line(const char *name, struct jw_arena *arena,
					     struct jw_span *line, struct jw_err *e);
/* "preset:NAME" of the preset that WORD, with the prefix or without, may have meant; NULL: none. */
const char *rules_preset_meant(const char *word);

#endif
