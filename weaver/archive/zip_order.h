/*
 * zip_order.h: the entries of an archive in the order of their data, as zip_out.h takes them.
 */
#ifndef JW_WEAVER_ZIP_ORDER_H
#define JW_WEAVER_ZIP_ORDER_H

#include "base/memory.h"
#include "base/status.h"
#include "base/zip.h"

/* *ORDER: the indices of the entries of ZIP, by their local records; in ARENA. */
enum jw_status JW_MUST_USE weave_zip_order(const struct jw_zip *zip, struct jw_arena *arena,
					   size_t **order, struct jw_err *e);

#endif
