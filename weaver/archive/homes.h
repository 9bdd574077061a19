/*
 * homes.h: which classes of an archive can be found again by their names, so that the map may leave the
 * names of methods to the class files.
 */
#ifndef JW_WEAVER_HOMES_H
#define JW_WEAVER_HOMES_H

#include "base/zip.h"
#include "weaver/archive/unit.h"

/* Decides whether the map of UNIT may leave names to the class files of ZIP (unit->plain_map, true
 * before): each must have a hash of its own. */
enum jw_status JW_MUST_USE weave_plain_map(struct weave_unit *unit, const struct jw_zip *zip,
					   struct jw_err *e);

/* "a/B" of PATH "a/B.class", DEPTH archives deep in UNIT: the class that can be found again there by
 * its name, and it alone; else empty. */
struct jw_span weave_home(const struct weave_unit *unit, unsigned depth, struct jw_span path);

#endif
