/*
 * types_path.h: types from a class path.
 */
#ifndef JW_WEAVER_TYPES_PATH_H
#define JW_WEAVER_TYPES_PATH_H

#include "base/status.h"
#include "weaver/types/graph.h"

/* Defines what T does not know yet and PATH has, and what that refers to. A part of PATH that cannot
 * be read is a note. */
enum jw_status JW_MUST_USE weave_types_add_path(struct weave_types *t, const char *path,
						bool no_limits, struct jw_err *e);

#endif
