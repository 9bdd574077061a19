/*
 * run_overlay.c: the table of what is shown, and the library that shows it, in the cache: a program may go on
 * when the run has ended, and start others.
 */
#define _GNU_SOURCE /* ST_NOEXEC */
#include "cli/run_overlay.h"
#include "cli/java_launcher.h"

#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/carried.h"
#include "base/file.h"
#include "base/overlay.h"
#include "cli/out.h"
#include "cli/paths.h"
#include "cli/safe_text.h"
#include "cli/words.h"

#include "base/banned.h"

#define PRELOAD "LD_PRELOAD"

/* ---- the library, which the program carries ---- */

#ifdef JW_OVERLAY_FILE
JW_CARRY(cli_overlay_library, JW_OVERLAY_FILE);

static struct jw_span library(void)
{
	return JW_CARRIED(cli_overlay_library);
}
#else /* a build for fuzzing */
static struct jw_span library(void)
{
	return (struct jw_span){ 0 };
}
#endif

struct shown {
	struct shown *next;
	const char *path, *copy; /* of the copy: from the root */
	struct stat st, copy_st;
};

struct run_overlay {
	struct shown *first, **last;
	size_t count;
	const char *library;
};

/* ---- can it be? ---- */

#define NOT_HANDED_ON "what comes before java in the command may not hand on the environment"

static bool hands_on(const struct run *run)
{
	return cli_java_hands_on(run->java.launcher, run->java.words, run->arena);
}

/* A program of another machine's, which takes no library of this one. A script is none. */
static bool is_foreign(struct jw_span java)
{
	struct jw_file self = { 0 };
	struct jw_err ignored = { 0 };
	const size_t machine = offsetof(Elf64_Ehdr, e_machine);
	bool foreign = false;

	if (java.n < sizeof(Elf64_Ehdr) || memcmp(java.p, ELFMAG, SELFMAG) != 0 ||
	    jw_file_open("/proc/self/exe", 0, &self, &ignored) != JW_OK)
		return false;
	foreign = java.p[EI_CLASS] != self.bytes.p[EI_CLASS] ||
		  memcmp(java.p + machine, self.bytes.p + machine, sizeof(Elf64_Half)) != 0;
	jw_file_close(&self);
	return foreign;
}

static const char *why_not_java(struct run *run)
{
	const char *path = cli_java_find(run->java.words[run->java.launcher], run->arena);
	struct jw_file file = { 0 };
	struct jw_err ignored = { 0 };
	bool foreign;

	if (!path)
		return NULL; /* it will be said */
	if (getxattr(path, "security.capability", NULL, 0) > 0)
		return "this java has capabilities, and loads no library that it is asked to";
	if (jw_file_open(path, 0, &file, &ignored) != JW_OK)
		return NULL;
	foreign = is_foreign(file.bytes);
	jw_file_close(&file);
	return foreign ? "this java is for another machine" : NULL;
}

static const char *why_not_here(const struct run *run)
{
	struct statvfs fs;

	if (library().n == 0)
		return "this build of jweave has no library for that";
	if (strpbrk(run->cache.root, " \t\n:$"))
		return "the path of the cache has a blank, a colon or a dollar in it";
	if (statvfs(run->cache.root, &fs) == 0 && (fs.f_flag & ST_NOEXEC))
		return "the cache is on a file system from which nothing may be executed";
	return NULL;
}

/* ---- in the cache ---- */

/* *PATH: a file NAME in the cache that holds BYTES, with MODE (0600, 0700). */
static enum jw_status keep(struct run *run, const char *name, mode_t mode, struct jw_span bytes,
			   const char **path, struct jw_err *e)
{
	const char *key =
		jw_arena_fmt(run->arena, "%016llx%016llx", (unsigned long long)jw_hash64(bytes, 0),
			     (unsigned long long)jw_hash64(bytes, 1));
	const char *folder = NULL, *temp = NULL;

	if (!key)
		return jw_nomem(e);
	JW_TRY(cli_cache_find(&run->cache, key, &folder, e));
	if (!folder) {
		JW_TRY(cli_cache_begin(&run->cache, key, &temp, e));
		const char *new = jw_arena_fmt(run->arena, "%s/%s", temp, name);
		enum jw_status status = new ? cli_write_file(new, mode, bytes, e) : jw_nomem(e);
		if (status != JW_OK)
			cli_cache_abandon(&run->cache, temp);
		JW_TRY(status);
		JW_TRY(cli_cache_commit(&run->cache, key, temp, &folder, e));
	}
	*path = jw_arena_fmt(run->arena, "%s/%s", folder, name);
	return *path ? JW_OK : jw_nomem(e);
}

enum jw_status run_overlay_open(struct run *run, const char **why, struct jw_err *e)
{
	*why = hands_on(run) ? NULL : NOT_HANDED_ON;
	if (!*why)
		*why = why_not_java(run);
	if (!*why)
		*why = why_not_here(run);
	if (*why)
		return JW_OK;
	struct run_overlay *overlay = JW_NEW(run->arena, struct run_overlay);
	if (!overlay)
		return jw_nomem(e);
	*overlay = (struct run_overlay){ .last = &overlay->first };
	JW_TRY(keep(run, JW_OVERLAY_LIBRARY, 0600, library(), &overlay->library, e));
	run->overlay = overlay;
	return JW_OK;
}

/* ---- what is shown ---- */

enum jw_status run_overlay_add(struct run *run, const char *path, const struct stat *was,
			       const char *copy, struct jw_err *e)
{
	struct shown *s = JW_NEW(run->arena, struct shown);
	char real[PATH_MAX];

	if (!s)
		return jw_nomem(e);
	*s = (struct shown){ .path = path };
	if (!realpath(copy, real) || stat(real, &s->copy_st) != 0 || stat(path, &s->st) != 0)
		return JW_OK; /* gone meanwhile: whoever opens it says so */
	s->st = was ? *was : s->st;
	s->copy = jw_arena_str(run->arena, jw_span_str(real));
	if (!s->copy)
		return jw_nomem(e);
	*run->overlay->last = s;
	run->overlay->last = &s->next;
	run->overlay->count++;
	return JW_OK;
}

bool run_overlay_any(const struct run *run)
{
	return run->overlay && run->overlay->first;
}

const char *run_overlay_copy(const struct run *run, const char *path)
{
	for (const struct shown *s = run->overlay ? run->overlay->first : NULL; s; s = s->next)
		if (strcmp(s->path, path) == 0)
			return s->copy;
	return NULL;
}

/* ---- the table ---- */

static struct jw_overlay_file facts(const struct stat *st)
{
	return (struct jw_overlay_file){ (uint64_t)st->st_size, st->st_mtim.tv_sec,
					 st->st_mtim.tv_nsec };
}

static int by_hash(const void *a, const void *b)
{
	const struct jw_overlay_entry *x = a, *y = b;

	return x->hash < y->hash ? -1 : x->hash > y->hash;
}

/* The entry of S by the last part of PATH; its text, the copy's path, is AT. */
static struct jw_overlay_entry entry_of(const struct shown *s, const char *path, size_t at)
{
	const char *slash = strrchr(path, '/');

	return (struct jw_overlay_entry){
		.hash = jw_overlay_hash(slash ? slash + 1 : path),
		.device = s->st.st_dev,
		.inode = s->st.st_ino,
		.original = facts(&s->st),
		.copy = facts(&s->copy_st),
		.copy_path = at,
	};
}

/* Each original by the name that its path has, and by that of the file itself: links may have led to it. */
static enum jw_status put_table(struct run *run, struct jw_buf *out, struct jw_err *e)
{
	struct jw_overlay_head head = { .count = 2 * run->overlay->count };
	struct jw_overlay_entry *all =
		JW_NEW_ARRAY(run->arena, struct jw_overlay_entry, (size_t)head.count);
	size_t at = sizeof(head) + (size_t)head.count * sizeof(*all), n = 0;

	if (!all)
		return jw_nomem(e);
	for (const struct shown *s = run->overlay->first; s; s = s->next) {
		char real[PATH_MAX];

		all[n++] = entry_of(s, s->path, at);
		all[n++] = entry_of(s, realpath(s->path, real) ? real : s->path, at);
		at += strlen(s->copy) + 1;
	}
	qsort(all, n, sizeof(*all), by_hash);
	memcpy(head.magic, JW_OVERLAY_MAGIC, sizeof(head.magic));
	head.texts = sizeof(head) + n * sizeof(*all);
	jw_put_bytes(out, jw_span(&head, sizeof(head)));
	jw_put_bytes(out, jw_span(all, n * sizeof(*all)));
	for (const struct shown *s = run->overlay->first; s; s = s->next)
		jw_put_bytes(out, jw_span(s->copy, strlen(s->copy) + 1));
	return jw_buf_finish(out, "the table of what is shown", e);
}

static enum jw_status keep_table(struct run *run, const char **path, struct jw_err *e)
{
	struct jw_buf table = { 0 };

	enum jw_status status = put_table(run, &table, e);
	if (status == JW_OK && table.n > JW_OVERLAY_BYTES_MAX)
		status = jw_fail(e, JW_LIMIT, "too many jars are woven (%zu)", run->overlay->count);
	if (status == JW_OK)
		status = keep(run, "overlay", 0600, jw_buf_span(&table), path, e);
	jw_buf_free(&table);
	return status;
}

static bool is_loaded(const char *list, const char *library)
{
	size_t n = strlen(library);

	for (const char *at = list; (at = strstr(at, library)); at += n)
		if ((at == list || strchr(" :", at[-1])) && (!at[n] || strchr(" :", at[n])))
			return true;
	return false;
}

/* Of the libraries that are loaded LIBRARY is the last: others see the program's own calls, and hand them on to
 * it. */
static enum jw_status preload(struct run *run, const char *library, struct jw_err *e)
{
	const char *before = getenv(PRELOAD), *all = library;

	if (before && is_loaded(before, library))
		all = before;
	else if (before && *before)
		all = jw_arena_fmt(run->arena, "%s:%s", before, library);
	return all && setenv(PRELOAD, all, 1) == 0 ? JW_OK : jw_nomem(e);
}

enum jw_status run_overlay_set(struct run *run, struct jw_err *e)
{
	const char *table;

	if (!run_overlay_any(run))
		return JW_OK;
	JW_TRY(keep_table(run, &table, e));
	JW_TRY(preload(run, run->overlay->library, e));
	if (run->embedded && setenv(JW_JVM_VARIABLE, run->embedded, 1) != 0)
		return jw_nomem(e);
	return setenv(JW_OVERLAY_VARIABLE, table, 1) == 0 ? JW_OK : jw_nomem(e);
}

enum jw_status run_overlay_launch(struct run *run, struct jw_span text, const char **script,
				  struct jw_err *e)
{
	const char *path, *why = run->java.none || hands_on(run) ? NULL : NOT_HANDED_ON;

	if (!why && !run->java.none)
		why = why_not_java(run);
	if (!why)
		why = why_not_here(run);
	if (why)
		return jw_fail(e, JW_INPUT, "%s", why);
	JW_TRY(keep(run, JW_OVERLAY_LIBRARY, 0600, library(), &path, e));
	JW_TRY(keep(run, "launch", 0700, text, script, e));
	if (access(*script, X_OK) != 0)
		return jw_fail_errno(e, errno, "'%s' cannot be executed", *script);
	return preload(run, path, e);
}
