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
/* Would an output at PATH take the place of something? A pipe or a device is written to: it has nothing to lose. */
bool cli_is_taken(const char *path);

/* JW_USAGE where what MAKER ("view") writes as PATH would take the place of something else: MARK does not begin
 * in its first WITHIN bytes, and it is a regular file that is not empty. JW_IO: it cannot be read. */
enum jw_status JW_MUST_USE cli_check_place(const char *path, struct jw_span mark, size_t within,
					   const char *maker, struct jw_err *e);

#endif
