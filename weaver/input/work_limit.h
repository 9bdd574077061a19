/*
 * work_limit.h: is an input so much work that it is an attack (base/zip_work.h)?
 *
 * Asked before anything else is done with it. Costs a look at every directory of an archive, and
 * unpacking the archives inside that are not STORED.
 */
#ifndef JW_WEAVER_WORK_LIMIT_H
#define JW_WEAVER_WORK_LIMIT_H

#include "base/bytes.h"
#include "base/status.h"
#include "weaver/input/nested.h"
#include "weaver/input/tree.h"

/* Of the archive in BYTES, or the folder ROOT of TREE, with the archives inside that are NESTED:
 * JW_LIMIT if so. */
enum jw_status JW_MUST_USE weave_check_work(struct jw_span bytes, const struct weave_nested *nested,
					    struct jw_err *e);
enum jw_status JW_MUST_USE weave_check_tree_work(const char *root, const struct weave_tree *tree,
						 const struct weave_nested *nested,
						 struct jw_err *e);

#endif
