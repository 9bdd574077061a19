/*
 * paths.c: see paths.h.
 */
#include "cli/paths.h"

#include <sys/stat.h>

#include "base/file.h"

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

bool cli_is_taken(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
}

enum jw_status cli_check_place(const char *path, struct jw_span mark, size_t within,
			       const char *maker, struct jw_err *e)
{
	struct jw_file file;
	struct stat st;
	bool own = false;

	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size == 0)
		return JW_OK;
	JW_TRY(jw_file_open(path, 0, &file, e));
	for (size_t i = 0; i < within && i < file.bytes.n && !own; i++)
		own = jw_span_starts(jw_span_sub(file.bytes, i, mark.n), mark);
	jw_file_close(&file);
	return own ? JW_OK
		   : jw_fail(e, JW_USAGE,
			     "'%s' exists, and was not made by 'jweave %s': choose another name",
			     path, maker);
}
