/*
 * numbers.h: ids of two bytes, for the methods of an archive's own classes.
 */
#ifndef JW_WEAVER_NUMBERS_H
#define JW_WEAVER_NUMBERS_H

#include "base/zip.h"
#include "weaver/archive/unit.h"

/* Gives each class in ZIP, which UNIT is, numbers for its methods. */
enum jw_status JW_MUST_USE weave_numbers_share(struct weave_unit *unit, const struct jw_zip *zip,
					       struct jw_err *e);

/* Those of ENTRY, by its index in the directory; none in a unit that has no numbers. */
struct weave_numbers weave_numbers_of(const struct weave_unit *unit, size_t entry);

#endif
