/*
 * paths.c: see paths.h.
 */
#include "cli/paths.h"

#include <sys/stat.h>

#include "base/banned.h"

bool cli_exists(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0;
}

bool cli_is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}
