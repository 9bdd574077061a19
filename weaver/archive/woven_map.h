/*
 * woven_map.h: the method map of what was woven.
 */
#ifndef JW_WEAVER_WOVEN_MAP_H
#define JW_WEAVER_WOVEN_MAP_H

#include "weaver/archive/unit.h"
#include "weaver/archive/weave_tally.h"

/* Appends that of UNIT, whose tally is T. */
enum jw_status JW_MUST_USE weave_put_map(const struct weave_unit *unit, const struct weave_tally *t,
					 struct jw_buf *out, struct jw_err *e);

#endif
