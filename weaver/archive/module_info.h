/*
 * module_info.h: the package of an embedded runtime in the module-info of its module.
 */
#ifndef JW_WEAVER_MODULE_INFO_H
#define JW_WEAVER_MODULE_INFO_H

#include "base/bytes.h"
#include "base/memory.h"
#include "base/status.h"

/* Adds PACKAGE (internal form) to ModulePackages of the module-info in BYTES, into OUT. *CHANGED is
 * false when there is no such attribute: then the JVM looks for itself. */
enum jw_status JW_MUST_USE weave_module_add_package(struct jw_span bytes, struct jw_span package,
						    struct jw_arena *arena, struct jw_buf *out,
						    bool *changed, struct jw_err *e);

#endif
