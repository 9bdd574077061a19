/*
 * types_jdk.h: the types that the JDK exports, from a table that the program carries.
 */
#ifndef JW_WEAVER_TYPES_JDK_H
#define JW_WEAVER_TYPES_JDK_H

#include "base/status.h"
#include "weaver/types/graph.h"

/* Defines those that T does not know yet. */
enum jw_status JW_MUST_USE weave_types_add_jdk(struct weave_types *t, struct jw_err *e);

#endif
