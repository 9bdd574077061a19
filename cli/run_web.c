/*
 * run_web.c: see run_web.h. In the cache, NAME has the woven ones of the folder's classes and jars, and RUNTIME beside
 * it is what weaving has added.
 */
#include "cli/run_web.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/guard.h"
#include "cli/folder.h"
#include "cli/out.h"
#include "cli/paths.h"
#include "cli/run_classes.h"
#include "cli/run_overlay.h"
#include "cli/run_weave.h"
#include "cli/safe_text.h"
#include "cli/words.h"
#include "weaver/archive/woven_mark.h"
#include "weaver/input/tree.h"

#include "base/banned.h"

#define CLASSES "WEB-INF/classes"
#define LIB     "WEB-INF/lib"
#define RUNTIME "runtime"

bool run_is_web(const char *path)
{
	char inside[4096];
	int n = snprintf(inside, sizeof(inside), "%s/WEB-INF", path);

	return n > 0 && (size_t)n < sizeof(inside) && cli_is_folder(inside);
}

/* The classes of FOLDER, which is PATH, or a copy of it; NULL: no memory. */
static const char *classes_of(struct run *run, const char *folder, const char *path)
{
	return run_is_web(path) ? jw_arena_fmt(run->arena, "%s/" CLASSES, folder) : folder;
}

/* ---- its files ---- */

struct each {
	struct run *run;
	run_take_file *take;
	void *ctx;
};

static enum jw_status take_class(void *ctx, const char *file, struct jw_err *e)
{
	const struct each *each = ctx;
	const char *path = jw_arena_fmt(each->run->arena, CLASSES "/%s", file);

	return path ? each->take(each->ctx, path, e) : jw_nomem(e);
}

enum jw_status run_web_files(struct run *run, const char *path, run_take_file *take, void *ctx,
			     struct jw_err *e)
{
	struct each each = { run, take, ctx };
	struct cli_words jars = { .arena = run->arena };

	if (!run_is_web(path))
		return run_folder_classes(run, path, take, ctx, e);
	const char *classes = jw_arena_fmt(run->arena, "%s/" CLASSES, path);
	const char *lib = jw_arena_fmt(run->arena, "%s/" LIB, path);

	if (!classes || !lib)
		return jw_nomem(e);
	JW_TRY(run_folder_classes(run, classes, take_class, &each, e));
	JW_TRY(cli_list_folder(lib, cli_is_jar, &jars, e));
	for (size_t i = 0; i < jars.count; i++)
		JW_TRY(take(ctx, jars.items[i] + strlen(path) + 1, e));
	return JW_OK;
}

/* ---- weaving ---- */

struct web {
	struct run *run;
	const char *path, *copy; /* copy: where the files are copied to; or the woven ones */
	uint64_t hash;
	bool runtime; /* something is shown, and needs it */
};

static const char *in(struct run *run, const char *folder, const char *file)
{
	return jw_arena_fmt(run->arena, "%s/%s", folder, file);
}

static enum jw_status hash_one(void *ctx, const char *file, struct jw_err *e)
{
	struct web *w = ctx;
	const char *path = in(w->run, w->path, file);

	run_hash_text(file, &w->hash);
	return path ? run_hash_file(path, &w->hash, e) : jw_nomem(e);
}

static enum jw_status hash_all(struct run *run, const char *path, uint64_t *hash, struct jw_err *e)
{
	struct web w = { .run = run, .path = path, .hash = *hash };

	/* the same folder on a class path is kept otherwise */
	run_hash_text("one by one", &w.hash);
	JW_TRY(run_web_files(run, path, hash_one, &w, e));
	*hash = w.hash;
	return JW_OK;
}

static enum jw_status copy_one(void *ctx, const char *file, struct jw_err *e)
{
	struct web *w = ctx;
	const char *from = in(w->run, w->path, file);

	return from ? run_copy_into(w->run, from, w->copy, file, e) : jw_nomem(e);
}

static bool is_same(const char *a, const char *b)
{
	struct jw_file x = { 0 }, y = { 0 };
	struct jw_err ignored = { 0 };
	bool same = jw_file_open(a, 0, &x, &ignored) == JW_OK &&
		    jw_file_open(b, 0, &y, &ignored) == JW_OK && jw_span_eq(x.bytes, y.bytes);

	jw_file_close(&x);
	jw_file_close(&y);
	return same;
}

/* What is not woven is not shown. */
static enum jw_status drop_same(void *ctx, const char *file, struct jw_err *e)
{
	struct web *w = ctx;
	const char *path = in(w->run, w->path, file), *copy = in(w->run, w->copy, file);

	if (!path || !copy)
		return jw_nomem(e);
	if (is_same(path, copy))
		(void)unlink(copy); /* one that stays is shown, and is what the original is */
	return JW_OK;
}

static enum jw_status move(struct run *run, const char *from, const char *to, const char *name,
			   struct jw_err *e)
{
	const char *a = in(run, from, name), *b = in(run, to, name);

	if (!a || !b)
		return jw_nomem(e);
	JW_TRY(weave_tree_make_parents(to, name, e));
	return rename(a, b) == 0 ? JW_OK : jw_fail_errno(e, errno, "cannot make '%s'", b);
}

/* What weaving has added to CLASSES is in TEMP/RUNTIME. */
static enum jw_status take_runtime(struct run *run, const char *classes, const char *temp,
				   struct jw_err *e)
{
	const char *runtime = in(run, temp, RUNTIME);
	struct weave_tree tree = { 0 };

	if (!classes || !runtime)
		return jw_nomem(e);
	JW_TRY(cli_new_folder(runtime, e));
	JW_TRY(weave_tree_list(classes, run->arena, &tree, e));
	for (size_t i = 0; i < tree.count; i++) {
		const struct weave_tree_file *file = &tree.files[i];

		if (file->type == WEAVE_TREE_FILE && weave_is_added(jw_span_str(file->path)))
			JW_TRY(move(run, classes, runtime, file->path, e));
	}
	return JW_OK;
}

static enum jw_status make(struct run *run, const char *path, const char *temp, const char *name,
			   struct jw_err *e)
{
	struct web w = { .run = run, .path = path, .copy = in(run, temp, ".web") };
	const char *out = in(run, temp, name);
	bool wove = false;

	if (!w.copy || !out)
		return jw_nomem(e);
	JW_TRY(cli_new_folder(w.copy, e));
	if (run_is_web(path)) /* the copy is known for one by this */
		JW_TRY(weave_tree_make_parents(w.copy, CLASSES "/any", e));
	JW_TRY(run_web_files(run, path, copy_one, &w, e));
	JW_TRY(run_weave_to(run, w.copy, path, out, &wove, e));
	jw_remove_all(w.copy);
	if (!wove)
		return JW_OK;
	w.copy = out;
	JW_TRY(run_web_files(run, path, drop_same, &w, e));
	return take_runtime(run, classes_of(run, out, path), temp, e);
}

/* ---- showing ---- */

static enum jw_status show_one(void *ctx, const char *file, struct jw_err *e)
{
	struct web *w = ctx;
	const char *path = in(w->run, w->path, file), *copy = in(w->run, w->copy, file);

	if (!path || !copy)
		return jw_nomem(e);
	if (!cli_exists(copy))
		return JW_OK;
	w->runtime = true;
	return run_overlay_add(w->run, path, NULL, copy, e);
}

enum jw_status run_weave_web(struct run *run, const char *path, const char **runtime,
			     struct jw_err *e)
{
	struct web w = { .run = run, .path = path };
	const char *name = cli_base_name(run->arena, path);

	*runtime = NULL;
	if (!name)
		return jw_nomem(e);
	if (run_is_woven(run, path))
		return JW_OK;
	enum jw_status status = run_find_or_make(run, path, name, hash_all, make, &w.copy, e);
	if (run_is_about_entry(status)) {
		cli_warn(run->cli, "%s; it runs without tracing", e->text);
		return JW_OK;
	}
	JW_TRY(status);
	if (!w.copy)
		return JW_OK;
	JW_TRY(run_web_files(run, path, show_one, &w, e));
	if (!w.runtime)
		return JW_OK;
	*runtime = jw_arena_fmt(run->arena, "%.*s" RUNTIME, (int)(strlen(w.copy) - strlen(name)),
				w.copy);
	return *runtime ? JW_OK : jw_nomem(e);
}
