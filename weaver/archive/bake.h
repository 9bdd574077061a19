/*
 * bake.h: puts facts of one archive into the class file of the runtime that it carries.
 */
#ifndef JW_WEAVER_BAKE_H
#define JW_WEAVER_BAKE_H

#include "base/bytes.h"
#include "base/status.h"

/* Puts TEXT (base/baked.h; empty: nothing to do) into CLASS_FILE, class 0 of weave_runtime_class(). */
enum jw_status JW_MUST_USE weave_bake(struct jw_buf *class_file, struct jw_span text,
				      struct jw_err *e);

/* Puts BASE, the id of the number that is pushed as 0, into CLASS_FILE, class 0 of
 * weave_runtime_class() or the one of weave_runtime_numbered(). */
enum jw_status JW_MUST_USE weave_bake_number_base(struct jw_buf *class_file, uint64_t base,
						  struct jw_err *e);

#endif
