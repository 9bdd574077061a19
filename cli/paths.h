/*
 * paths.h: what a path is.
 */
#ifndef JW_CLI_PATHS_H
#define JW_CLI_PATHS_H

#include <stdbool.h>

/* Does PATH exist? Is it a folder? (Symbolic links are followed.) */
bool cli_exists(const char *path);
bool cli_is_folder(const char *path);

#endif
