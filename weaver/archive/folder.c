/*
 * folder.c: a folder in, a folder out.
 *
 * A folder that is an archive unpacked (weave_tree_is_archive()) is woven as that archive would be:
 * archives in it find the runtime where it does. In any other one each archive is a unit of its
 * own, since what opens it is not known, and each class directory gets the runtime, once for all its
 * classes: a class path may begin with any of them.
 *
 * The output is built under a temporary name next to OUT and renamed, so that it appears whole. An
 * OUT that is there is replaced when it is empty, or was itself woven by jweave (a build that runs
 * again) and holds nothing else (made_list.h); any other folder is refused, since it may hold the only
 * copy of something. Files keep their mode and their time of change; links stay links
 * (folder_links.h); nothing but files, folders and links is copied.
 */
#include "weaver/archive/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <libdeflate.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/guard.h"
#include "base/parallel.h"
#include "weaver/archive/addition.h"
#include "weaver/archive/folder_links.h"
#include "weaver/archive/home.h"
#include "weaver/archive/idents.h"
#include "weaver/archive/jar.h"
#include "weaver/archive/jar_class_path.h"
#include "weaver/archive/made_list.h"
#include "weaver/archive/packaging.h"
#include "weaver/archive/woven_mark.h"
#include "weaver/input/tree.h"
#include "weaver/input/work_limit.h"

#include "base/banned.h"

struct folder {
	struct weave_where where;
	const char *in;
	const char *to; /* the temporary folder; NULL: nothing is written */
	struct weave_tree tree;
	struct weave_tally *tally;
	struct weave_slot *slots;
	struct weave_tools *tools;
	struct jw_arena *arena;
	struct timespec newest;
	uint64_t done_bytes, all_bytes, out_bytes;
	bool plain; /* copies only */
	bool wove, main_class, has_module;
};

/* ---- the place of the output ---- */

static enum jw_status check_apart(const char *in, const char *out, struct jw_err *e)
{
	char real_in[PATH_MAX], real_out[PATH_MAX], parent[PATH_MAX];
	enum jw_status status = JW_OK;

	if (!realpath(in, real_in))
		return jw_fail_errno(e, errno, "%s: cannot inspect", in);
	int n = snprintf(parent, sizeof(parent), "%s", out);
	if (n < 0 || (size_t)n >= sizeof(parent))
		return jw_fail(e, JW_INPUT, "the name of the output is too long");
	/* an output that is not there yet is in its folder */
	if (!realpath(out, real_out)) {
		char *slash = strrchr(parent, '/');

		if (slash)
			*slash = 0;
		const char *folder = !slash ? "." : *parent ? parent : "/";
		if (!realpath(folder, real_out))
			return jw_fail_errno(e, errno, "%s: cannot inspect", folder);
	}
	if (weave_tree_is_below(real_out, real_in))
		status = jw_fail(e, JW_INPUT,
				 "%s: the output is in the input folder (choose another place)",
				 out);
	return status;
}

static enum jw_status check_out(const char *out, const struct weave_tree *in, struct jw_err *e)
{
	if (!weave_is_there(out))
		return JW_OK;
	if (!weave_is_folder(out))
		return jw_fail(e, JW_INPUT, "%s: is a file; the input is a folder", out);
	return weave_made_check(out, in, e);
}

/* The real path of OUT: of a link, the folder is replaced and not the link. NULL: no memory. */
static const char *place_of_out(struct weave_unit *unit)
{
	const char *out = unit->job->out;
	char real[PATH_MAX];

	return jw_arena_str(unit->arena, jw_span_str(realpath(out, real) ? real : out));
}

/* A path next to OUT, with WORD and the process in its name. */
static const char *beside(struct folder *f, const char *word)
{
	const char *out = place_of_out(f->where.unit);
	size_t n = out ? strlen(out) : 0;

	if (!out)
		return NULL;

	while (n > 1 && out[n - 1] == '/')
		n--;
	return jw_arena_fmt(f->arena, "%.*s.%s-%ld", (int)n, out, word, (long)getpid());
}

/* ---- files ---- */

static enum jw_status set_times(const char *path, mode_t mode, struct timespec time,
				struct jw_err *e)
{
	struct timespec times[2] = { time, time };

	if (chmod(path, mode) != 0 || utimensat(AT_FDCWD, path, times, 0) != 0)
		return jw_fail_errno(e, errno, "%s: cannot set mode and time", path);
	return JW_OK;
}

static enum jw_status put_bytes(struct folder *f, const char *path, struct jw_span bytes,
				mode_t mode, struct timespec time, struct jw_err *e)
{
	const char *to = jw_arena_fmt(f->arena, "%s/%s", f->to, path);
	struct jw_out out = { .fd = -1 };

	if (!to)
		return jw_nomem(e);
	JW_TRY(jw_out_open(to, 0600, &out, e));
	enum jw_status status = jw_out_write(&out, bytes, e);
	if (status == JW_OK)
		status = jw_out_commit(&out, e);
	jw_out_abort(&out);
	JW_TRY(status);
	f->out_bytes += bytes.n;
	return set_times(to, mode, time, e);
}

static enum jw_status copy(struct folder *f, const struct weave_tree_file *file, struct jw_err *e)
{
	const char *from = jw_arena_fmt(f->arena, "%s/%s", f->in, file->path);
	const char *to = jw_arena_fmt(f->arena, "%s/%s", f->to, file->path);
	struct jw_file opened;

	if (!from || !to)
		return jw_nomem(e);
	switch (file->link ? WEAVE_TREE_LINK : file->type) {
	case WEAVE_TREE_FOLDER: /* its mode and time are set when all is in it */
		if (mkdir(to, 0700) != 0 && errno != EEXIST)
			return jw_fail_errno(e, errno, "%s: cannot make the folder", to);
		return JW_OK;
	case WEAVE_TREE_LINK:
		return weave_copy_link(f->in, from, to, e);
	case WEAVE_TREE_OTHER:
		return weave_tally_note(f->tally, e, "%s was not copied: no file, folder or link",
					file->path);
	default:
		break;
	}
	JW_TRY(jw_file_open(from, 0, &opened, e));
	enum jw_status status = put_bytes(f, file->path, opened.bytes, file->mode, file->time, e);
	jw_file_close(&opened);
	return status;
}

/* ---- jobs ---- */

static enum jw_status work(void *ctx, size_t job, size_t slot_index, size_t thread,
			   struct jw_err *e)
{
	struct folder *f = ctx;
	const struct weave_tree_file *file = &f->tree.files[job];
	struct weave_slot *slot = &f->slots[slot_index];
	const struct weave_unit *unit = f->where.unit;
	enum weave_kind kind = weave_kind(jw_span_str(file->path));
	struct jw_file opened;

	JW_TRY(weave_slot_reset(slot, unit->job->rules, e));
	slot->tally.r.entries = file->type == WEAVE_TREE_FILE;
	if (file->type != WEAVE_TREE_FILE || kind == WEAVE_KIND_OTHER || f->plain)
		return JW_OK;
	const char *from = jw_arena_fmt(&slot->arena, "%s/%s", f->in, file->path);
	if (!from)
		return jw_nomem(e);
	JW_TRY(jw_file_open(from, (size_t)unit->limits.max_size, &opened, e));
	jw_put_bytes(&slot->bytes, opened.bytes);
	jw_file_close(&opened);
	JW_TRY(jw_buf_finish(&slot->bytes, "file", e));
	enum jw_status status =
		kind == WEAVE_KIND_ARCHIVE
			? weave_inner(&f->where, file->path, slot, &f->tools[thread], e)
			: weave_entry(&f->where, kind, file->path, slot, e);
	return weave_is_about_input(status) ? jw_err_where(e, "%s", f->in) : status;
}

static enum jw_status done(void *ctx, size_t job, size_t slot_index, struct jw_err *e)
{
	struct folder *f = ctx;
	const struct weave_tree_file *file = &f->tree.files[job];
	struct weave_slot *slot = &f->slots[slot_index];
	const struct weave_archive_job *aj = f->where.unit->job;

	if (slot->wove && f->where.is_signed && aj->signatures == WEAVE_SIGNED_FAIL)
		return jw_fail(e, JW_POLICY,
			       "%s is signed, and weaving would break the signature "
			       "(--signed=strip removes it)",
			       f->in);
	f->wove = f->wove || slot->wove;
	f->main_class = f->main_class || slot->main_class;
	f->has_module = f->has_module || slot->has_module;
	JW_TRY(weave_tally_merge(f->tally, &slot->tally, e));
	f->done_bytes += file->type == WEAVE_TREE_FILE ? file->size : 0;
	if (aj->progress)
		aj->progress(aj->progress_ctx, f->done_bytes, f->all_bytes);
	if (!f->to || slot->fate == WEAVE_DROP)
		return JW_OK;
	if (slot->fate == WEAVE_CHANGE)
		return put_bytes(f, file->path, slot->content, file->mode, file->time, e);
	return copy(f, file, e);
}

static enum jw_status run_jobs(struct folder *f, size_t threads, struct jw_err *e)
{
	struct jw_parallel p = {
		.jobs = f->tree.count,
		.threads = threads,
		.window = 2 * threads,
		.ctx = f,
		.work = work,
		.done = done,
	};
	enum jw_status status = JW_OK;

	f->slots = jw_mem_zalloc(p.window, sizeof(*f->slots));
	f->tools = jw_mem_zalloc(threads, sizeof(*f->tools));
	if (!f->slots || !f->tools)
		status = jw_nomem(e);
	for (size_t i = 0; i < threads && status == JW_OK; i++)
		status = weave_tools_open(&f->tools[i], f->where.unit->job->level, f->all_bytes, e);
	if (status == JW_OK)
		status = jw_parallel_run(&p, e);
	for (size_t i = 0; f->slots && i < p.window; i++)
		weave_slot_free(&f->slots[i]);
	for (size_t i = 0; f->tools && i < threads; i++)
		weave_tools_close(&f->tools[i]);
	jw_mem_free(f->slots);
	jw_mem_free(f->tools);
	return status;
}

/* ---- what is added ---- */

static enum jw_status add(void *ctx, struct jw_span name, struct jw_span bytes, uint16_t method,
			  struct jw_err *e)
{
	struct folder *f = ctx;
	const char *path = jw_arena_str(f->arena, name);

	(void)method;
	if (!path)
		return jw_nomem(e);
	if (!f->to)
		return JW_OK;
	JW_TRY(weave_tree_make_parents(f->to, path, e));
	return put_bytes(f, path, bytes, 0644, f->newest, e);
}

/* The list of all that is there now. */
static enum jw_status add_list(struct folder *f, struct jw_err *e)
{
	struct jw_span text;

	JW_TRY(weave_made_list(f->to, f->arena, &text, e));
	return put_bytes(f, WEAVE_MADE_LIST, text, 0644, f->newest, e);
}

/* The jar that starts what Quarkus has built has the jar of the runtime on its class path, too. */
static enum jw_status start_with_runtime(struct folder *f, struct jw_err *e)
{
	const struct weave_unit *unit = f->where.unit;
	const char *jar = jw_arena_fmt(f->arena, "%s/" WEAVE_QUARKUS_START, f->to);
	const char *word =
		jw_arena_fmt(f->arena, WEAVE_QUARKUS_FOLDER WEAVE_EAR_JAR "%s.jar", unit->hash);
	struct stat st;

	if (!jar || !word)
		return jw_nomem(e);
	if (stat(jar, &st) != 0)
		return jw_fail(e, JW_INPUT,
			       "%s: Quarkus has built it, but there is no " WEAVE_QUARKUS_START
			       " to start it",
			       f->in);
	JW_TRY(weave_jar_add_to_class_path(jar, word, e));
	return set_times(jar, st.st_mode, st.st_mtim, e);
}

/* Modes and times of folders, inner ones first: files put into them have changed them. */
static enum jw_status close_folders(struct folder *f, struct jw_err *e)
{
	for (size_t i = f->tree.count; f->to && i > 0; i--) {
		const struct weave_tree_file *file = &f->tree.files[i - 1];

		if (file->type != WEAVE_TREE_FOLDER)
			continue;
		const char *to = jw_arena_fmt(f->arena, "%s/%s", f->to, file->path);
		if (!to)
			return jw_nomem(e);
		JW_TRY(set_times(to, file->mode, file->time, e));
	}
	return JW_OK;
}

/* ---- a run ---- */

static void set_epoch(struct folder *f)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");

	if (epoch && *epoch)
		f->newest = (struct timespec){ .tv_sec = (time_t)strtoll(epoch, NULL, 10) };
}

/* Hashes every file's path and bytes: for the salt and the name of the runtime. */
static enum jw_status survey(struct folder *f, struct jw_err *e)
{
	uint64_t hash = 0;
	struct jw_arena arena = { 0 };
	enum jw_status status = JW_OK;

	for (size_t i = 0; i < f->tree.count && status == JW_OK; i++) {
		const struct weave_tree_file *file = &f->tree.files[i];
		struct jw_file opened = { 0 };

		f->where.is_signed = f->where.is_signed ||
				     weave_kind(jw_span_str(file->path)) == WEAVE_KIND_SIGNATURE;
		if (file->type != WEAVE_TREE_FILE)
			continue;
		f->where.unit->boots =
			f->where.unit->boots || weave_is_boot_class(jw_span_str(file->path));
		f->all_bytes += file->size;
		if (file->time.tv_sec > f->newest.tv_sec)
			f->newest = (struct timespec){ .tv_sec = file->time.tv_sec };
		const char *path = jw_arena_fmt(&arena, "%s/%s", f->in, file->path);
		status = path ? jw_file_open(path, 0, &opened, e) : jw_nomem(e);
		if (status != JW_OK)
			break;
		uint32_t crc = libdeflate_crc32(
			0, opened.bytes.n ? opened.bytes.p : (const uint8_t *)"", opened.bytes.n);
		hash = weave_hash_entry(hash, jw_span_str(file->path), crc, opened.bytes.n);
		jw_file_close(&opened);
		jw_arena_reset(&arena);
	}
	jw_arena_free(&arena);
	set_epoch(f);
	JW_TRY(status);
	f->where.salt = hash;
	struct weave_unit *unit = f->where.unit;

	return weave_unit_name(unit, hash, weave_home_of_tree(&f->tree, &unit->roots, unit->bundle),
			       false, e);
}

/* A package is in one module alone (JLS 7.4.3), and so is the runtime's: one unit, one module. */
static enum jw_status check_modules(const struct folder *f, struct jw_err *e)
{
	const char *first = NULL;

	for (size_t i = 0; i < f->tree.count; i++) {
		const char *path = f->tree.files[i].path, *name = strrchr(path, '/');

		if (strcmp(name ? name + 1 : path, "module-info.class") != 0)
			continue;
		if (strstr(path, "META-INF/versions/"))
			continue;
		if (first)
			return jw_fail(e, JW_INPUT,
				       "%s: holds several modules ('%s', '%s'): weave each by "
				       "itself, or all of them by -r RULES -o OUTDIR",
				       f->in, first, path);
		first = path;
	}
	return JW_OK;
}

static enum jw_status find_roots(struct folder *f, struct jw_err *e)
{
	struct weave_unit *unit = f->where.unit;

	unit->bundle = !weave_tree_is_archive(&f->tree);
	if (!unit->bundle)
		return JW_OK;
	JW_TRY(weave_roots_find(f->in, &f->tree, f->arena, &unit->roots, e));
	if (unit->roots.count > WEAVE_ROOTS_MAX)
		return jw_fail(e, JW_LIMIT,
			       "%s: class paths begin in %zu folders of it (limit is %d): weave "
			       "them by -r RULES -o OUTDIR",
			       f->in, unit->roots.count, WEAVE_ROOTS_MAX);
	return unit->roots.count > 1 ? check_modules(f, e) : JW_OK;
}

static enum jw_status make_temp(struct folder *f, struct jw_err *e)
{
	if (!f->where.unit->job->out)
		return JW_OK;
	f->to = beside(f, "weaving");
	if (!f->to)
		return jw_nomem(e);
	weave_folder_discard(f->to); /* left by a killed process of the same number */
	jw_guard_add(f->to);
	if (mkdir(f->to, 0777) == 0)
		return JW_OK;
	enum jw_status status =
		jw_fail_errno(e, errno, "%s: cannot make a folder there", f->where.unit->job->out);
	jw_guard_drop(f->to);
	f->to = NULL;
	return status;
}

static enum jw_status run_once(struct folder *f, size_t threads, struct jw_err *e)
{
	struct weave_unit *unit = f->where.unit;
	struct weave_addition a = {
		.unit = unit,
		.packaging = weave_packaging_of_tree(&f->tree),
		.tally = f->tally,
		.dos_time = weave_zip_newest(NULL),
		.add = add,
		.ctx = f,
	};

	f->wove = false;
	f->done_bytes = f->out_bytes = 0;
	JW_TRY(make_temp(f, e));
	JW_TRY(weave_tally_open(f->tally, unit->arena, unit->job->rules, e));
	JW_TRY(run_jobs(f, threads, e));
	JW_TRY(weave_check_idents(unit, f->tally, e));
	if (unit->collided)
		return JW_OK;
	a.main_class = f->main_class;
	if (f->wove)
		JW_TRY(weave_add_all(&a, e));
	if (f->wove && f->to && unit->own.n && a.packaging == WEAVE_PACKAGING_QUARKUS)
		JW_TRY(start_with_runtime(f, e));
	if (f->wove && f->to)
		JW_TRY(add_list(f, e));
	return close_folders(f, e);
}

static enum jw_status run(struct folder *f, struct jw_err *e)
{
	size_t threads = f->where.unit->job->threads;

	threads = threads ? threads : jw_processors();
	int runs = 0;
	do {
		JW_TRY(weave_begin_run(f->where.unit, &runs, e));
		JW_TRY(run_once(f, threads, e));
	} while (f->where.unit->collided);
	if (f->wove)
		return weave_note_whole(&f->where, f->has_module, f->tally, e);
	if (f->plain || !f->to)
		return JW_OK;
	/* nothing was woven, but manifests may have been edited: copy the input. The counts are kept. */
	struct weave_tally none = { 0 }, *counted = f->tally;
	f->plain = true;
	f->tally = &none;
	enum jw_status status = run_once(f, threads, e);
	f->tally = counted;
	weave_tally_close(&none);
	return status;
}

void weave_folder_discard(const char *made)
{
	if (!made)
		return;
	jw_remove_all(made);
	jw_guard_drop(made);
}

/* MADE becomes OUT; what OUT was becomes OLD. */
static enum jw_status replace(const char *made, const char *out, const char *old, struct jw_err *e)
{
	bool there = weave_is_there(out);

	if (there && rename(out, old) != 0)
		return jw_fail_errno(e, errno, "%s: cannot replace it", out);
	if (rename(made, out) != 0) {
		int why = errno;

		if (there && rename(old, out) != 0)
			return jw_fail_errno(
				e, why,
				"%s: cannot give the new folder this name; the old one is now '%s'",
				out, old);
		return jw_fail_errno(e, why, "%s: cannot give the new folder this name", out);
	}
	jw_guard_drop(made);
	if (there)
		jw_guard_add(old);
	return JW_OK;
}

enum jw_status weave_folder_commit(struct weave_unit *unit, const char *made, struct jw_err *e)
{
	struct folder f = { .where = { .unit = unit }, .arena = unit->arena };
	sigset_t before;

	if (!made)
		return JW_OK;
	const char *old = beside(&f, "old"), *out = place_of_out(unit);
	if (!old || !out)
		return jw_nomem(e);
	/* a signal between the renames would leave neither folder there */
	jw_guard_hold(&before);
	enum jw_status status = replace(made, out, old, e);
	jw_guard_release(&before);
	if (status == JW_OK)
		weave_folder_discard(old);
	return status;
}

enum jw_status weave_folder(struct weave_unit *unit, struct weave_tally *tally, const char **made,
			    struct jw_err *e)
{
	const struct weave_archive_job *job = unit->job;
	struct folder f = {
		.where = { .unit = unit, .prefix = "" },
		.in = job->in,
		.tally = tally,
		.arena = unit->arena,
	};

	*made = NULL;
	if (job->out && strcmp(job->out, "-") == 0)
		return jw_fail(e, JW_USAGE, "a folder cannot be written to standard output");
	if (job->out)
		JW_TRY(check_apart(job->in, job->out, e));
	JW_TRY(weave_tree_list_inputs(f.in, f.arena, &f.tree, e));
	if (job->out)
		JW_TRY(check_out(job->out, &f.tree, e));
	if (!job->no_limits)
		JW_TRY(weave_check_tree_work(f.in, &f.tree, &unit->nested, e));
	JW_TRY(find_roots(&f, e));
	JW_TRY(survey(&f, e));
	for (size_t i = 0; i < f.tree.count; i++)
		f.plain = f.plain || strcmp(f.tree.files[i].path, WEAVE_MARK) == 0;
	bool already = f.plain;
	if (already && job->on_woven == WEAVE_WOVEN_ERROR)
		return jw_fail(
			e, JW_INPUT,
			"%s: is woven already: weave the original (--on-woven=skip leaves it "
			"as it is)",
			f.in);
	enum jw_status status = run(&f, e);
	if (status == JW_OK)
		status = weave_note_links(f.in, &f.tree, tally, e);
	if (status == JW_OK && already)
		status = weave_tally_note(tally, e, "%s was woven before, and left as it is", f.in);
	*made = f.to;
	tally->r.in_bytes = f.all_bytes;
	tally->r.out_bytes = f.out_bytes;
	return status;
}
