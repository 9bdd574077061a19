/*
 * cache_clean.c: what is ours in the cache's place beside woven copies, for --clean: programs that a plugin of Maven or
 * Gradle has unpacked (share/plugin-common: PROGRAMS/SUM/jweave), and folders that are empty.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/guard.h"
#include "cli/cache.h"
#include "cli/safe_text.h"

#include "base/banned.h"

#define PROGRAMS "program"
#define SUM      64 /* hex digits */

/* Does a process run the file that ST is of? What cannot be looked at, of other users, is not ours. */
static bool is_run(const struct stat *st, struct jw_arena *arena)
{
	DIR *dir = opendir("/proc");
	const struct dirent *entry;
	bool found = false;

	while (dir && !found && (entry = readdir(dir))) {
		struct stat exe;

		if (entry->d_name[0] < '0' || entry->d_name[0] > '9')
			continue;
		const char *path = jw_arena_fmt(arena, "/proc/%s/exe", entry->d_name);
		found = path && stat(path, &exe) == 0 && exe.st_ino == st->st_ino &&
			exe.st_dev == st->st_dev;
	}
	if (!dir)
		return true;
	closedir(dir);
	return found;
}

static bool is_sum(const char *name)
{
	return strlen(name) == SUM && name[strspn(name, "0123456789abcdef")] == '\0';
}

/* Removes FOLDER, of one program; returns its bytes, 0 where it stays. */
static uint64_t remove_program(const char *folder, struct jw_arena *arena)
{
	const char *file = jw_arena_fmt(arena, "%s/jweave", folder);
	struct stat st = { 0 };

	if (!file || (lstat(file, &st) == 0 && is_run(&st, arena)))
		return 0;
	jw_remove_all(folder);
	return (uint64_t)st.st_size;
}

static uint64_t remove_programs(const char *programs, struct jw_arena *arena)
{
	struct jw_err ignored = { 0 };
	const struct dirent *entry;
	uint64_t bytes = 0;

	if (cli_cache_private(programs, false, &ignored) != JW_OK)
		return 0;
	DIR *dir = opendir(programs);
	while (dir && (entry = readdir(dir))) {
		const char *folder = is_sum(entry->d_name)
					     ? jw_arena_fmt(arena, "%s/%s", programs, entry->d_name)
					     : NULL;

		if (folder)
			bytes += remove_program(folder, arena);
	}
	if (dir)
		closedir(dir);
	return bytes;
}

uint64_t cli_cache_clean(struct cli_cache *cache)
{
	const char *own = cli_cache_around(cache->arena, cache->root);
	const char *base = own ? cli_cache_around(cache->arena, own) : NULL;
	const char *programs = own ? jw_arena_fmt(cache->arena, "%s/" PROGRAMS, own) : NULL;

	if (!base || !programs)
		return 0;
	uint64_t bytes = remove_programs(programs, cache->arena);
	rmdir(programs);
	rmdir(cache->root);
	rmdir(own);
	if (cache->own_base)
		rmdir(base);
	return bytes;
}
