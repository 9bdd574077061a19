#include "cli/folder.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/banned.h"

enum jw_status cli_new_folder(const char *path, struct jw_err *e)
{
	if (!path)
		return jw_nomem(e);
	return mkdir(path, 0700) == 0 ? JW_OK : jw_fail_errno(e, errno, "cannot make '%s'", path);
}

static enum jw_status make_link(struct jw_arena *arena, const char *from, const char *folder,
				const char *name, struct jw_err *e)
{
	const char *to = jw_arena_fmt(arena, "%s/%s", from, name);
	const char *at = jw_arena_fmt(arena, "%s/%s", folder, name);

	if (!to || !at)
		return jw_nomem(e);
	return symlink(to, at) == 0 ? JW_OK : jw_fail_errno(e, errno, "cannot make '%s'", at);
}

enum jw_status cli_link_all(struct jw_arena *arena, const char *from, const char *folder,
			    const char *const *except, struct jw_err *e)
{
	const struct dirent *entry;
	enum jw_status status = JW_OK;
	char real[PATH_MAX];

	DIR *dir = realpath(from, real) ? opendir(real) : NULL;
	if (!dir)
		return jw_fail_errno(e, errno, "cannot read '%s'", from);
	while (status == JW_OK && (entry = readdir(dir))) {
		const char *name = entry->d_name;

		if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && !cli_among(except, name))
			status = make_link(arena, real, folder, name, e);
	}
	closedir(dir);
	return status;
}
