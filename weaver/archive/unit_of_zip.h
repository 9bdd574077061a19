/*
 * unit_of_zip.h: what the directory of an archive says about the unit that it is.
 */
#ifndef JW_WEAVER_UNIT_OF_ZIP_H
#define JW_WEAVER_UNIT_OF_ZIP_H

#include "base/zip.h"
#include "weaver/archive/unit.h"

/* Fills in what of UNIT depends on ZIP: the name of the runtime, bundle or not, numbers. */
enum jw_status JW_MUST_USE weave_unit_of_zip(struct weave_unit *unit, const struct jw_zip *zip,
					     struct jw_err *e);

/* weave_hash_entry() of all its entries. */
uint64_t weave_hash_of_zip(const struct jw_zip *zip);

#endif
