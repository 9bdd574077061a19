/*
 * run_classes.c: a folder of classes on a path: its class files, and the folder of woven ones in the cache.
 */
#include "cli/run_classes.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/guard.h"
#include "cli/out.h"
#include "cli/paths.h"
#include "cli/run_weave.h"
#include "cli/run_written.h"
#include "cli/safe_text.h"
#include "weaver/archive/woven_mark.h"

#include "base/banned.h"

#define SEEN_MAX         200000 /* names in a folder of the class path; more is no folder of classes */
#define DEPTH_MAX        64
#define CLASSES_NAME_MAX 200 /* of a copy, which has a longer name while it is made */

struct classes {
	struct run *run;
	const char *root, *to; /* to: NULL, or where the class files are copied */
	run_take_class *each;  /* NULL, or who wants their names alone */
	void *each_ctx;
	uint64_t hash;
	size_t seen, count;
};

static enum jw_status walk(struct classes *c, const char *folder, unsigned depth, struct jw_err *e);

/* A folder of this name can be a package. */
static bool is_package(const char *name)
{
	return !strpbrk(name, ".- ");
}

static enum jw_status walk_one(struct classes *c, const char *folder, const char *name,
			       unsigned depth, struct jw_err *e)
{
	const char *path = jw_arena_fmt(c->run->arena, "%s%s%s", folder, *folder ? "/" : "", name);
	const char *full = path ? jw_arena_fmt(c->run->arena, "%s/%s", c->root, path) : NULL;
	struct stat st;

	if (!full)
		return jw_nomem(e);
	if (!cli_ends(name, ".class") && !is_package(name))
		return JW_OK;
	if (stat(full, &st) != 0)
		return JW_OK;
	if (S_ISDIR(st.st_mode))
		return is_package(name) ? walk(c, path, depth + 1, e) : JW_OK;
	if (!S_ISREG(st.st_mode) || !cli_ends(name, ".class"))
		return JW_OK;
	if (c->each)
		return c->each(c->each_ctx, path, e);
	if (run_written_is(c->run, c->root, path)) {
		run_hash_text(path, &c->hash);
		return JW_OK;
	}
	c->count++;
	if (c->to)
		return run_copy_into(c->run, full, c->to, path, e);
	run_hash_text(path, &c->hash);
	return run_hash_file(full, &c->hash, e);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static enum jw_status walk(struct classes *c, const char *folder, unsigned depth, struct jw_err *e)
{
	const char *full = jw_arena_fmt(c->run->arena, "%s/%s", c->root, folder);
	struct dirent **names = NULL;
	enum jw_status status = JW_OK;

	if (!full)
		return jw_nomem(e);
	int count = depth > DEPTH_MAX ? 0 : scandir(full, &names, NULL, by_name);
	c->seen += count > 0 ? (size_t)count : 0;
	if (c->seen > SEEN_MAX)
		status = jw_fail(e, JW_LIMIT, "'%s' holds over %d files: not looked through",
				 c->root, SEEN_MAX);
	for (int i = 0; i < count; i++) {
		if (status == JW_OK && names[i]->d_name[0] != '.')
			status = walk_one(c, folder, names[i]->d_name, depth, e);
		(free)(names[i]); /* from libc, back to libc */
	}
	(free)(names);
	return status;
}

enum jw_status run_hash_classes(struct run *run, const char *path, uint64_t *hash, struct jw_err *e)
{
	struct classes c = { .run = run, .root = path, .hash = *hash };

	JW_TRY(walk(&c, "", 0, e));
	*hash = c.hash;
	return JW_OK;
}

enum jw_status run_folder_classes(struct run *run, const char *path, run_take_class *each,
				  void *ctx, struct jw_err *e)
{
	struct classes c = { .run = run, .root = path, .each = each, .each_ctx = ctx };

	return walk(&c, "", 0, e);
}

bool run_is_woven(struct run *run, const char *path)
{
	const char *mark = jw_arena_fmt(run->arena, "%s/" WEAVE_MARK, path);

	return mark && cli_exists(mark);
}

/* TEMP/NAME: the classes of PATH alone, woven. */
static enum jw_status make_classes(struct run *run, const char *path, const char *temp,
				   const char *name, struct jw_err *e)
{
	const char *stage = jw_arena_fmt(run->arena, "%s/.classes", temp);
	const char *out = jw_arena_fmt(run->arena, "%s/%s", temp, name);
	struct classes c = { .run = run, .root = path, .to = stage };
	bool wove = false;

	if (!stage || !out)
		return jw_nomem(e);
	if (mkdir(stage, 0700) != 0)
		return jw_fail_errno(e, errno, "cannot make '%s'", stage);
	JW_TRY(walk(&c, "", 0, e));
	JW_TRY(run_weave_to(run, stage, path, out, &wove, e));
	jw_remove_all(stage);
	return JW_OK;
}

/* JW_POLICY: it has none. */
static enum jw_status hash_classes(struct run *run, const char *path, uint64_t *hash,
				   struct jw_err *e)
{
	struct classes c = { .run = run, .root = path, .hash = *hash };

	JW_TRY(walk(&c, "", 0, e));
	*hash = c.hash;
	return c.count ? JW_OK : JW_POLICY;
}

enum jw_status run_weave_folder(struct run *run, const char *path, const char **out,
				struct jw_err *e)
{
	const char *name = cli_base_name(run->arena, path);

	*out = NULL;
	if (!name)
		return jw_nomem(e);
	if (run_is_woven(run, path))
		return JW_OK;
	JW_TRY(run_written_open(run, path, e));
	if (*name == '.' || *name == '/' || !*name || strlen(name) > CLASSES_NAME_MAX)
		name = "classes";
	enum jw_status status =
		run_find_or_make(run, path, name, hash_classes, make_classes, out, e);
	run->failed = run->failed || status == JW_LIMIT;
	if (status == JW_LIMIT)
		cli_warn(run->cli, "%s; it runs without tracing", e->text);
	if (status == JW_OK && *out)
		run_written_copy(run, path, *out);
	return run_is_about_entry(status) || status == JW_POLICY ? JW_OK : status;
}

/* ---- all of them ---- */

enum jw_status run_hash_types(struct run *run, const char *const *parts, struct jw_err *e)
{
	struct jw_err ignored = { 0 };
	struct stat st;

	for (; parts && *parts; parts++) {
		const char *facts = "";

		if (cli_is_folder(*parts)) {
			if (run_hash_classes(run, *parts, &run->rules_hash, &ignored) == JW_NOMEM)
				return jw_nomem(e);
		} else if (stat(*parts, &st) == 0) {
			facts = jw_arena_fmt(run->arena, "%lld %lld.%ld", (long long)st.st_size,
					     (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
		}
		if (!facts)
			return jw_nomem(e);
		run_hash_text(*parts, &run->rules_hash);
		run_hash_text(facts, &run->rules_hash);
	}
	return JW_OK;
}

void run_look_at_folders(struct run *run)
{
	for (struct run_folder *f = run->folders; f; f = run_written_next(f)) {
		const char *path = run_written_path(f);
		struct jw_err ignored = { 0 };

		if (path && run_folder_classes(run, path, run_written_see, f, &ignored) == JW_OK)
			run_written_end(run, f);
	}
}
