/*
 * run_written.c: see run_written.h. What was written is told by the time of change of the file itself, by the clock of
 * the kernel.
 */
#define _GNU_SOURCE /* CLOCK_REALTIME_COARSE: that of file systems */
#include "cli/run_written.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/out.h"
#include "cli/paths.h"
#include "cli/safe_text.h"
#include "cli/words.h"
#include "trace/format/fields.h"

#include "base/banned.h"

#define PREFIX ".written-"

enum { KEPT_MAX = 4 << 20 };

struct run_folder {
	struct run_folder *next;
	const char *path, *copy, *kept; /* kept: the file in the cache */
	struct timespec began;
	struct cli_words left, fresh; /* left out of the copy; written since */
	bool missed;                  /* one of fresh is in the copy */
};

static struct run_folder *find(const struct run *run, const char *path)
{
	struct run_folder *f = run->folders;

	while (f && strcmp(f->path, path) != 0)
		f = f->next;
	return f;
}

static const char *kept_file(struct run *run, const char *path)
{
	char real[PATH_MAX];

	return realpath(path, real)
		       ? jw_arena_fmt(run->arena, "%s/" PREFIX "%016llx", run->cache.root,
				      (unsigned long long)jw_hash64(jw_span_str(real), 0))
		       : NULL;
}

static enum jw_status read_kept(struct run *run, struct run_folder *f, struct jw_err *e)
{
	struct jw_file file = { 0 };
	struct jw_err ignored = { 0 };
	enum jw_status status = JW_OK;

	if (!f->kept || jw_file_open(f->kept, KEPT_MAX, &file, &ignored) != JW_OK)
		return JW_OK;
	for (struct jw_span text = file.bytes; text.n && status == JW_OK;)
		status = cli_words_add(&f->left, jw_arena_str(run->arena, trace_line(&text)), e);
	jw_file_close(&file);
	return status;
}

enum jw_status run_written_open(struct run *run, const char *path, struct jw_err *e)
{
	struct run_folder *f = find(run, path);

	if (f)
		return JW_OK;
	f = JW_NEW(run->arena, struct run_folder);
	if (!f)
		return jw_nomem(e);
	*f = (struct run_folder){ .next = run->folders,
				  .path = path,
				  .kept = kept_file(run, path),
				  .left.arena = run->arena,
				  .fresh.arena = run->arena };
	(void)clock_gettime(CLOCK_REALTIME_COARSE, &f->began);
	run->folders = f;
	return read_kept(run, f, e);
}

bool run_written_is(const struct run *run, const char *path, const char *file)
{
	const struct run_folder *f = find(run, path);

	return f && cli_among(cli_words_all(&f->left), file);
}

void run_written_copy(struct run *run, const char *path, const char *copy)
{
	struct run_folder *f = find(run, path);

	if (!f)
		return;
	f->copy = copy;
	if (f->left.count)
		cli_detail(run->cli, "as an earlier run has written it: %s of '%s'",
			   cli_plural(run->arena, f->left.count, "class", "classes"), path);
}

/* ---- when it has ended ---- */

struct run_folder *run_written_next(struct run_folder *folder)
{
	return folder->next;
}

const char *run_written_path(const struct run_folder *folder)
{
	return folder->kept && (folder->copy || folder->left.count) ? folder->path : NULL;
}

enum jw_status run_written_see(void *ctx, const char *file, struct jw_err *e)
{
	struct run_folder *f = ctx;
	struct jw_arena *arena = f->fresh.arena;
	const char *full = jw_arena_fmt(arena, "%s/%s", f->path, file);
	const char *copy = f->copy ? jw_arena_fmt(arena, "%s/%s", f->copy, file) : NULL;
	struct stat st;

	if (!full || (f->copy && !copy))
		return jw_nomem(e);
	if (stat(full, &st) != 0 || st.st_ctim.tv_sec < f->began.tv_sec ||
	    (st.st_ctim.tv_sec == f->began.tv_sec && st.st_ctim.tv_nsec <= f->began.tv_nsec) ||
	    strchr(file, '\n'))
		return JW_OK;
	f->missed = f->missed || (copy && cli_exists(copy));
	return cli_words_add(&f->fresh, file, e);
}

static void keep(const struct run_folder *f)
{
	struct jw_buf text = { 0 };
	struct jw_err ignored = { 0 };

	for (size_t i = 0; i < f->fresh.count; i++)
		jw_put_fmt(&text, "%s\n", f->fresh.items[i]);
	if (!f->fresh.count)
		(void)unlink(f->kept);
	else if (text.failed == JW_OK &&
		 cli_write_file(f->kept, 0600, jw_buf_span(&text), &ignored) != JW_OK)
		(void)unlink(f->kept); /* the next run says it again */
	jw_buf_free(&text);
}

void run_written_end(struct run *run, const struct run_folder *f)
{
	if (f->missed)
		cli_note(
			run->cli,
			"%s of '%s' written while the program ran, which may have seen older ones; "
			"the next run leaves what was written as it is",
			cli_plural(run->arena, f->fresh.count, "class was", "classes were"),
			f->path);
	if (f->fresh.count || f->left.count)
		keep(f);
}

void run_written_forget_all(const struct cli_cache *cache)
{
	DIR *dir = opendir(cache->root);
	const struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		const char *path =
			cli_after(entry->d_name, PREFIX)
				? jw_arena_fmt(cache->arena, "%s/%s", cache->root, entry->d_name)
				: NULL;

		if (path)
			unlink(path);
	}
	if (dir)
		closedir(dir);
}
