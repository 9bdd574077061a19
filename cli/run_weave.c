/*
 * run_weave.c: one entry of a path into the cache: found by its content, or woven now.
 */
#include "cli/run_weave.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/file.h"
#include "base/guard.h"
#include "cli/cmd_weave.h"
#include "cli/commands.h"
#include "cli/paths.h"
#include "cli/out.h"
#include "cli/safe_text.h"
#include "weaver/archive/archive.h"
#include "weaver/archive/jar_class_path.h"
#include "weaver/archive/woven_mark.h"
#include "weaver/input/tree.h"

#include "base/banned.h"

#define TRIES_MAX 3 /* of what is written to while it is woven */

#define COUNTS_NAME ".counts" /* in a folder of the cache */
#define COUNTS_MAX  256

/* ---- where ---- */

enum jw_status run_open_cache(struct run *run, struct jw_err *e)
{
	bool first = !run->cache.root && !run->outer;

	JW_TRY(cli_cache_open(&run->cache, run->arena, e));
	if (first && run->cache.refused)
		cli_note(run->cli, "the cache cannot be in '%s' (%s): it is '%s'",
			 run->cache.refused, run->cache.why, run->cache.root);
	return JW_OK;
}

void run_trim_cache(struct run *run)
{
	uint64_t limit;

	if (!cli_cache_limit(&limit))
		cli_warn(run->cli,
			 "JWEAVE_CACHE_SIZE: '%s' is no size (bytes, or with K, M, G, T): it is 1G",
			 getenv("JWEAVE_CACHE_SIZE"));
	(void)cli_cache_trim(&run->cache, limit, NULL);
}

void run_tell_room(struct jw_err *why)
{
	struct jw_err before = *why;

	if (strstr(before.text, strerror(ENOSPC)))
		(void)jw_fail(why, JW_IO,
			      "%s (copies need room: XDG_CACHE_HOME names a folder for them; "
			      "jweave run --clean removes those of earlier runs)",
			      before.text);
}

/* ---- keys ---- */

static uint64_t hash_text(const char *text, uint64_t hash)
{
	return jw_hash64(jw_span(text, strlen(text) + 1), hash);
}

enum jw_status run_hash_file(const char *path, uint64_t *hash, struct jw_err *e)
{
	struct jw_file file = { 0 };

	JW_TRY(jw_file_open(path, 0, &file, e));
	*hash = jw_checksum64(file.bytes, *hash); /* jars have 100 MB */
	jw_file_close(&file);
	return JW_OK;
}

enum jw_status run_hash_rules(struct run *run, struct jw_err *e)
{
	static const enum cli_option_id options[] = { CLI_OPT_jdk, CLI_OPT_no_guard, CLI_OPT_huge };
	const char *nested = cli_value(run->cli, CLI_OPT_nested, "all");
	uint64_t hash = hash_text("jweave run 1 " JW_VERSION, 0);
	struct jw_err ignored = { 0 };
	struct stat st;

	/* another build of the same version weaves in another way */
	if (stat("/proc/self/exe", &st) == 0) {
		const char *build = jw_arena_fmt(run->arena, "%lld %lld.%ld", (long long)st.st_size,
						 (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);

		if (!build)
			return jw_nomem(e);
		hash = hash_text(build, hash);
	}
	hash = hash_text(run->anywhere ? "on" : "off", hash);
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		hash = hash_text(cli_given(run->cli, options[i]) ? "1" : "0", hash);
	hash = hash_text(nested, hash);
	hash = hash_text(rules_digest(run->rules), hash);
	for (size_t i = 0; i < rules_file_count(run->rules); i++)
		if (run_hash_file(rules_file(run->rules, i), &hash, &ignored) != JW_OK)
			continue; /* from memory or a pipe: the digest speaks for it */
	run->rules_hash = hash;
	return JW_OK;
}

void run_hash_text(const char *text, uint64_t *hash)
{
	*hash = hash_text(text, *hash);
}

/* The key of CONTENT that becomes NAME. */
static const char *key_of(struct run *run, uint64_t content, const char *name)
{
	return jw_arena_fmt(run->arena, "%016llx%016llx", (unsigned long long)content,
			    (unsigned long long)hash_text(name, run->rules_hash));
}

/* ---- weaving ---- */

struct weaving {
	struct run *run;
	bool untouched;
};

static enum jw_status before_commit(void *ctx, const struct weave_report *report, struct jw_err *e)
{
	struct weaving *w = ctx;

	/* a status without an error: weave() takes it for "stays as it is", nobody is told */
	(void)e;
	w->untouched = report->woven_classes == 0; /* calls alone are woven, too */
	return w->untouched ? JW_POLICY : JW_OK;
}

/* "12 of 34 methods and 5 calls in 6 classes" */
static const char *sum_of(struct jw_arena *arena, const struct weave_report *r)
{
	const char *text = jw_arena_fmt(arena, "%llu of %s%s in %s", (unsigned long long)r->woven,
					cli_plural(arena, r->methods, "method", "methods"),
					cli_weave_others(arena, r),
					cli_plural(arena, r->woven_classes, "class", "classes"));

	return text ? text : "";
}

static void tell(struct run *run, const char *shown, const struct weave_report *r)
{
	for (size_t i = 0; i < r->note_count; i++)
		cli_detail(run->cli, "%s", r->notes[i]);
	cli_detail(run->cli, "wove %s of '%s'", sum_of(run->arena, r), shown);
}

/* What is counted of what is woven; the same numbers, with blanks between, are beside it in the
 * cache. */
#define COUNTS(X)  \
	X(methods) \
	X(woven) X(woven_classes) X(calls) X(creations) X(exceptions) X(signature_removed)

static void count(struct run *run, const char *shown, const struct weave_report *r, bool now)
{
	struct run_sums *sums = &run->sums;

#define ADD(field) sums->report.field += r->field;
	COUNTS(ADD)
#undef ADD
	sums->shown = shown;
	sums->places++;
	sums->unsigned_jars += r->signature_removed;
	sums->unsigned_jar = r->signature_removed ? shown : sums->unsigned_jar;
	sums->earlier += !now;
}

static enum jw_status keep_counts(struct run *run, const char *temp, struct jw_err *e)
{
	const char *path = jw_arena_fmt(run->arena, "%s/" COUNTS_NAME, temp);
	const struct weave_report *r = &run->made;
	struct jw_buf text = { 0 };

	if (!path)
		return jw_nomem(e);
#define PUT(field) jw_put_fmt(&text, "%llu ", (unsigned long long)r->field);
	COUNTS(PUT)
#undef PUT
	enum jw_status status = jw_buf_finish(&text, "counts", e);
	if (status == JW_OK)
		status = cli_write_file(path, 0600, jw_buf_span(&text), e);
	jw_buf_free(&text);
	return status;
}

/* Counts what FOLDER of the cache holds for SHOWN; what cannot be read counts as nothing. */
static void count_kept(struct run *run, const char *folder, const char *shown)
{
	const char *path = jw_arena_fmt(run->arena, "%s/" COUNTS_NAME, folder);
	struct weave_report report = { 0 };
	struct jw_err ignored = { 0 };
	struct jw_file file = { 0 };

	if (!path || jw_file_open(path, COUNTS_MAX, &file, &ignored) != JW_OK)
		return;
	const char *text = jw_arena_str(run->arena, file.bytes);
	char *end;
	jw_file_close(&file);
#define TAKE(field)                                      \
	if (text) {                                      \
		report.field = strtoull(text, &end, 10); \
		text = end;                              \
	}
	COUNTS(TAKE)
#undef TAKE
	count(run, shown, &report, false);
}

void run_tell_woven(struct run *run, bool first)
{
	const struct run_sums *sums = &run->sums;
	struct jw_arena *arena = run->arena;
	const char *sum = sum_of(arena, &sums->report), *where;
	bool all = sums->earlier == sums->places;

	if (sums->places == 1)
		where = jw_arena_fmt(arena, "'%s'", sums->shown);
	else
		where = jw_arena_fmt(arena, "%zu jars and folders", sums->places);
	if (all && !first && !cli_verbose(run->cli))
		return;
	if (!sums->places || !where || (cli_verbose(run->cli) && sums->places == 1 && !all))
		return; /* -v has told already */
	if (all)
		cli_note(run->cli, "traces %s of %s, woven by an earlier run", sum, where);
	else if (sums->earlier)
		cli_note(run->cli, "wove %s of %s, %zu of them in an earlier run", sum, where,
			 sums->earlier);
	else
		cli_note(run->cli, "wove %s of %s", sum, where);
}

enum jw_status run_weave_to(struct run *run, const char *in, const char *shown, const char *out,
			    bool *wove, struct jw_err *e)
{
	struct weave_limits limits = weave_default_limits;
	struct weaving weaving = { .run = run };
	struct weave_report report = { 0 };
	struct jw_arena arena = { 0 };
	struct weave_archive_job job = {
		.in = in,
		.out = out,
		.rules = run->rules,
		.limits = &limits,
		.on_woven = WEAVE_WOVEN_SKIP,
		.off = !run->anywhere,
		.nested = cli_value(run->cli, CLI_OPT_nested, "all"),
		.class_path = run->types,
		.no_limits = cli_given(run->cli, CLI_OPT_no_limits),
		.level = 1, /* read once or twice: not worth the time */
		.before_commit = before_commit,
		.before_commit_ctx = &weaving,
	};

	if (cli_given(run->cli, CLI_OPT_huge))
		limits.compiled = 0;
	enum jw_status status = weave_archive(&job, &arena, &report, e);
	*wove = status == JW_OK;
	if (status == JW_OK) {
		tell(run, shown, &report);
		run->made = report;
	} else if (weaving.untouched && status == JW_POLICY) {
		status = JW_OK;
	}
	jw_arena_free(&arena);
	return status;
}

bool run_is_about_entry(enum jw_status status)
{
	return status == JW_INPUT || status == JW_LIMIT || status == JW_UNSUPPORTED;
}

/* What FOLDER of the cache holds for NAME; NULL in *OUT: nothing. */
static enum jw_status take(struct run *run, const char *folder, const char *name, const char **out,
			   struct jw_err *e)
{
	const char *path = jw_arena_fmt(run->arena, "%s/%s", folder, name);

	if (!path)
		return jw_nomem(e);
	*out = cli_exists(path) ? path : NULL;
	return JW_OK;
}

/* Is what PATH holds still CONTENT? Else it was written to while a copy was made. */
static bool is_same_content(struct run *run, const char *path, run_hash *hash, uint64_t content)
{
	struct jw_err ignored = { 0 };
	uint64_t now = 0;

	return hash(run, path, &now, &ignored) == JW_OK && now == content;
}

/* *FOLDER: that of KEY, made now of PATH, which is CONTENT. *CHANGED: it is no longer. */
static enum jw_status make_folder(struct run *run, const char *path, const char *name,
				  const char *key, run_hash *hash, uint64_t content, run_make *make,
				  bool *changed, const char **folder, struct jw_err *e)
{
	const char *temp;

	JW_TRY(cli_cache_begin(&run->cache, key, &temp, e));
	enum jw_status status = make(run, path, temp, name, e);
	*changed = (status == JW_OK || run_is_about_entry(status)) &&
		   !is_same_content(run, path, hash, content);
	if (status == JW_OK && !*changed && run->made.woven_classes) {
		count(run, path, &run->made, true);
		status = keep_counts(run, temp, e);
	}
	if (status == JW_OK && !*changed)
		return cli_cache_commit(&run->cache, key, temp, folder, e);
	cli_cache_abandon(&run->cache, temp);
	return *changed ? JW_OK : status;
}

/* One try; *CHANGED as above. */
static enum jw_status find_or_make(struct run *run, const char *path, const char *name,
				   run_hash *hash, run_make *make, bool *changed, const char **out,
				   struct jw_err *e)
{
	const char *folder = NULL;
	uint64_t content = 0;

	*changed = false;
	run->made = (struct weave_report){ 0 };
	JW_TRY(hash(run, path, &content, e));
	const char *key = key_of(run, content, name);
	if (!key)
		return jw_nomem(e);
	size_t damaged = run->cache.damaged;
	JW_TRY(cli_cache_find(&run->cache, key, &folder, e));
	if (run->cache.damaged > damaged)
		cli_note(run->cli, "the copy of '%s' in the cache was damaged: it is made again",
			 path);
	if (folder) {
		count_kept(run, folder, path);
		return take(run, folder, name, out, e);
	}
	enum jw_status status =
		make_folder(run, path, name, key, hash, content, make, changed, &folder, e);
	if (run_is_about_entry(status)) {
		run->failed = true;
		cli_warn(run->cli, "%s; it runs without tracing", e->text);
		return JW_OK;
	}
	JW_TRY(status);
	return *changed ? JW_OK : take(run, folder, name, out, e);
}

enum jw_status run_find_or_make(struct run *run, const char *path, const char *name, run_hash *hash,
				run_make *make, const char **out, struct jw_err *e)
{
	bool changed = true;

	*out = NULL;
	for (int i = 0; i < TRIES_MAX && changed; i++)
		JW_TRY(find_or_make(run, path, name, hash, make, &changed, out, e));
	if (changed) {
		run->failed = true;
		cli_warn(run->cli, "'%s' changes again and again; it runs without tracing", path);
	}
	return JW_OK;
}

/* ---- a jar, an exploded module ---- */

static enum jw_status make_woven(struct run *run, const char *path, const char *temp,
				 const char *name, struct jw_err *e)
{
	const char *out = jw_arena_fmt(run->arena, "%s/%s", temp, name);
	bool wove;

	return out ? run_weave_to(run, path, path, out, &wove, e) : jw_nomem(e);
}

static enum jw_status hash_tree(struct run *run, const char *path, uint64_t *hash, struct jw_err *e)
{
	struct weave_tree tree;

	JW_TRY(weave_tree_list_inputs(path, run->arena, &tree, e));
	for (size_t i = 0; i < tree.count; i++) {
		const struct weave_tree_file *file = &tree.files[i];
		const char *full = jw_arena_fmt(run->arena, "%s/%s", path, file->path);

		if (!full)
			return jw_nomem(e);
		*hash = hash_text(file->path, *hash);
		if (file->type == WEAVE_TREE_FILE)
			JW_TRY(run_hash_file(full, hash, e));
	}
	return JW_OK;
}

static enum jw_status hash_jar(struct run *run, const char *path, uint64_t *hash, struct jw_err *e)
{
	return cli_is_folder(path) ? hash_tree(run, path, hash, e) : run_hash_file(path, hash, e);
}

enum jw_status run_weave_jar(struct run *run, const char *path, const char **out, struct jw_err *e)
{
	const char *name = cli_base_name(run->arena, path);

	*out = NULL;
	if (!name)
		return jw_nomem(e);
	enum jw_status status = run_find_or_make(run, path, name, hash_jar, make_woven, out, e);
	/* missing, or not to be read: the launcher's to say */
	return run_is_about_entry(status) ? JW_OK : status;
}

/* ---- files ---- */

enum jw_status run_copy_into(struct run *run, const char *from, const char *folder,
			     const char *file, struct jw_err *e)
{
	struct jw_file opened = { 0 };
	const char *to = jw_arena_fmt(run->arena, "%s/%s", folder, file);

	if (!to)
		return jw_nomem(e);
	JW_TRY(weave_tree_make_parents(folder, file, e));
	JW_TRY(jw_file_open(from, 0, &opened, e));
	enum jw_status status = cli_write_file(to, 0600, opened.bytes, e);
	jw_file_close(&opened);
	return status;
}

/* ---- a jar with another Class-Path ---- */

static enum jw_status make_moved(struct run *run, const char *path, const char *temp,
				 const char *name, struct jw_err *e)
{
	const char *out = jw_arena_fmt(run->arena, "%s/%s", temp, name);

	return out ? weave_jar_set_class_path(path, out, run->moving, e) : jw_nomem(e);
}

static enum jw_status hash_moved(struct run *run, const char *path, uint64_t *hash,
				 struct jw_err *e)
{
	*hash = hash_text("Class-Path", *hash);
	JW_TRY(run_hash_file(path, hash, e));
	*hash = hash_text(run->moving, *hash);
	return JW_OK;
}

enum jw_status run_move_jar(struct run *run, const char *jar, const char *class_path,
			    const char **out, struct jw_err *e)
{
	const char *name = cli_base_name(run->arena, jar);

	if (!name)
		return jw_nomem(e);
	run->moving = class_path;
	return run_find_or_make(run, jar, name, hash_moved, make_moved, out, e);
}
