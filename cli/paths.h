/*
 * paths.h: what a path is.
 */
#ifndef JW_CLI_PATHS_H
#define JW_CLI_PATHS_H

#include <stdbool.h>

#include "base/bytes.h"
#include "base/status.h"

/* Does PATH exist? Is it a folder? (Symbolic links are followed.) */
bool cli_exists(const char *path);
bool cli_is_folder(const char *path);

/* *OWN: may what writes PATH write it again? MARK begins in its first WITHIN bytes, or it is empty, no
 * regular file, or not there. JW_IO: it cannot be read. */
enum jw_status JW_MUST_USE cli_is_own(const char *path, struct jw_span mark, size_t within,
				      bool *own, struct jw_err *e);

#endif
