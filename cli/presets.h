/*
 * presets.h: rules that come with jweave, as the command line names them.
 */
#ifndef JW_CLI_PRESETS_H
#define JW_CLI_PRESETS_H

#include "base/status.h"

/* Is there a preset of this name? JW_USAGE, with what may be meant, when not. */
enum jw_status JW_MUST_USE cli_check_preset(const char *name, struct jw_err *e);

#endif
