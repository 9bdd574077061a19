/*
 * nested.h: archives inside archives: which of them are looked into, how deep, and what messages
 * about them say.
 */
#ifndef JW_WEAVER_NESTED_H
#define JW_WEAVER_NESTED_H

#include <stdbool.h>

#include "base/memory.h"
#include "base/status.h"
#include "rules/glob.h"

enum { WEAVE_DEPTH_MAX = 8 }; /* archives inside archives */

/* Which of them: those whose path GLOB matches, or all, or none. */
struct weave_nested {
	bool none, some;
	struct rules_glob glob; /* of some */
};

/* As TEXT says ("all", "none" or a glob; NULL: all), in ARENA. A wrong glob: JW_USAGE. */
enum jw_status JW_MUST_USE weave_nested_set(struct weave_nested *nested, const char *text,
					    struct jw_arena *arena, struct jw_err *e);
bool weave_wants_nested(const struct weave_nested *nested, struct jw_span path);

/* E is about an archive inside, whose entries have paths that begin with PREFIX ("outer.jar!/"): puts
 * its name in front. "": the outermost archive, which the caller names. Returns E's status. */
enum jw_status weave_err_inside(const char *prefix, struct jw_err *e);

/* Is an error of STATUS about the input, whose name then goes in front? */
bool weave_is_about_input(enum jw_status status);

#endif
