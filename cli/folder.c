#include "cli/folder.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/open_archives.h"
#include "cli/safe_text.h"

#include "base/banned.h"

enum { DEEPEST = 16 };

bool cli_is_jar(const char *path)
{
	return cli_ends(path, ".jar");
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

enum jw_status cli_list_folder(const char *folder, bool (*takes)(const char *path),
			       struct cli_words *out, struct jw_err *e)
{
	const struct dirent *entry;
	enum jw_status status = JW_OK;
	size_t before = out->count;

	DIR *dir = opendir(folder);
	while (dir && status == JW_OK && (entry = readdir(dir))) {
		const char *path = jw_arena_fmt(out->arena, "%s/%s", folder, entry->d_name);

		if (!path || (entry->d_name[0] != '.' && takes(path)))
			status = cli_words_add(out, path, e);
	}
	if (dir)
		closedir(dir);
	if (out->count > before)
		qsort(out->items + before, out->count - before, sizeof(*out->items), by_text);
	return status;
}

static bool is_own_folder(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool is_archive_file(const char *path)
{
	struct stat st;

	return jw_is_archive(path) && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static enum jw_status list_below(const char *folder, unsigned depth, struct cli_words *out,
				 struct jw_err *e)
{
	struct cli_words folders = { .arena = out->arena };

	JW_TRY(cli_list_folder(folder, is_archive_file, out, e));
	if (depth == DEEPEST)
		return JW_OK;
	JW_TRY(cli_list_folder(folder, is_own_folder, &folders, e));
	for (size_t i = 0; i < folders.count; i++)
		JW_TRY(list_below(folders.items[i], depth + 1, out, e));
	return JW_OK;
}

enum jw_status cli_list_archives(const char *folder, struct cli_words *out, struct jw_err *e)
{
	return list_below(folder, 0, out, e);
}

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
