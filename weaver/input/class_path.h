/*
 * class_path.h: a class path taken apart as java does it.
 */
#ifndef JW_WEAVER_CLASS_PATH_H
#define JW_WEAVER_CLASS_PATH_H

#include "base/memory.h"
#include "base/status.h"

/* Gives EACH the parts of the class path TEXT: they are separated by colons, an empty one is ".",
 * "folder" followed by a slash and a star is every jar in that folder, here in the order of their
 * names (and the folder itself when it cannot be read). Paths live in ARENA. */
enum jw_status JW_MUST_USE weave_class_path_parts(const char *text, struct jw_arena *arena,
						  enum jw_status (*each)(void *ctx,
									 const char *path,
									 struct jw_err *e),
						  void *ctx, struct jw_err *e);

#endif
