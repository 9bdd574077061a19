/*
 * work_limit.c: see work_limit.h. Asked on one thread and by the directories of its archives alone:
 * so the answer is the same for every command and any number of threads. Archives inside that are packed are unpacked for it, once more than needed: 0.27 s of CPU
 * time for a zip of 78 MB of jars, 4 % of what weaving it takes, and nothing where they are STORED.
 *
 * What cannot be read, or is over the limits of an entry, is passed over: weaving reports it.
 */
#include "weaver/input/work_limit.h"

#include "base/file.h"
#include "base/zip_work.h"
#include "weaver/input/kind.h"

#include "base/banned.h"

enum { RUNTIME_BYTES = 512 << 10 }; /* what an archive gets that is a unit, rounded up */

struct work_count {
	const struct weave_nested *nested;
	struct jw_inflater *inflater;
	struct jw_zip_work work;
};

/* An archive on the way. */
struct archive_place {
	const char *path; /* "": the input itself */
	unsigned depth;   /* archives around it */
	bool bundle;      /* around it are bundles alone: those in it may be units, if it is one */
};

static enum jw_status count_zip(struct work_count *c, struct jw_span bytes,
				const struct archive_place *at, struct jw_err *e);

/* Is ENTRY unpacked by all that go through its archive? */
static bool is_unpacked(const struct jw_zip_entry *entry)
{
	enum weave_kind kind = weave_kind(entry->name);

	return (kind == WEAVE_KIND_CLASS || kind == WEAVE_KIND_MODULE ||
		kind == WEAVE_KIND_MANIFEST || kind == WEAVE_KIND_ARCHIVE) &&
	       entry->size <= jw_zip_default_limits.max_size;
}

/* One more archive, which is in BYTES. */
static enum jw_status count_inner(struct work_count *c, struct jw_span bytes,
				  const struct archive_place *at, struct jw_err *e)
{
	if (jw_zip_work_add(&c->work, JW_ZIP_WORK_ARCHIVES, 1, e) != JW_OK)
		return jw_err_where(e, "%s", at->path);
	return count_zip(c, bytes, at, e);
}

/* ENTRY, which is the archive AT. */
static enum jw_status open_inner(struct work_count *c, const struct jw_zip *zip,
				 const struct jw_zip_entry *entry, const struct archive_place *at,
				 struct jw_err *e)
{
	struct jw_err ignored = { 0 };
	struct jw_buf unpacked = { 0 };
	struct jw_span bytes;
	enum jw_status status;

	if (entry->method == JW_ZIP_STORED) {
		status = jw_zip_data(zip, entry, &bytes, NULL, &ignored);
	} else {
		status = jw_zip_unpack(zip, entry, &jw_zip_default_limits, c->inflater, &unpacked,
				       &ignored);
		bytes = jw_buf_span(&unpacked);
	}
	if (status == JW_OK)
		status = count_inner(c, bytes, at, e);
	else
		status = status == JW_NOMEM ? jw_nomem(e) : JW_OK;
	jw_buf_free(&unpacked);
	return status;
}

/* ENTRY of ZIP, which is AT; BUNDLE: archives in it may be units. */
static enum jw_status count_entry(struct work_count *c, const struct jw_zip *zip,
				  const struct jw_zip_entry *entry, const struct archive_place *at,
				  bool bundle, struct jw_arena *arena, struct jw_err *e)
{
	jw_arena_reset(arena);
	const struct archive_place inner = {
		.path = jw_arena_fmt(arena, "%s%s%.*s", at->path, *at->path ? "!/" : "",
				     (int)entry->name.n, (const char *)entry->name.p),
		.depth = at->depth + 1,
		.bundle = bundle,
	};

	if (!inner.path)
		return jw_nomem(e);
	if (jw_zip_work_add(&c->work, JW_ZIP_WORK_BYTES, entry->size, e) != JW_OK)
		return jw_err_where(e, "%s", inner.path);
	if (weave_kind(entry->name) != WEAVE_KIND_ARCHIVE || inner.depth >= WEAVE_DEPTH_MAX ||
	    !weave_wants_nested(c->nested, jw_span_str(inner.path)))
		return JW_OK;
	return open_inner(c, zip, entry, &inner, e);
}

/* The archive AT, which is in BYTES. */
static enum jw_status count_zip(struct work_count *c, struct jw_span bytes,
				const struct archive_place *at, struct jw_err *e)
{
	struct jw_arena index = { 0 }, arena = { 0 };
	struct jw_err ignored = { 0 };
	struct jw_zip zip = { 0 };
	enum jw_status status = jw_zip_open(bytes, &index, &zip, &ignored);
	bool bundle = at->bundle && status == JW_OK && weave_may_be_bundle(&zip);

	if (status != JW_OK)
		status = status == JW_NOMEM ? jw_nomem(e) : JW_OK;
	else if (jw_zip_work_add(&c->work, JW_ZIP_WORK_ENTRIES, zip.count, e) != JW_OK ||
		 (at->bundle && at->depth > 0 &&
		  jw_zip_work_add(&c->work, JW_ZIP_WORK_BYTES, RUNTIME_BYTES, e) != JW_OK))
		status = *at->path ? jw_err_where(e, "%s", at->path) : JW_LIMIT;
	for (size_t i = 0; status == JW_OK && i < zip.count; i++)
		if (is_unpacked(&zip.entries[i]))
			status = count_entry(c, &zip, &zip.entries[i], at, bundle, &arena, e);
	jw_arena_free(&arena);
	jw_arena_free(&index);
	return status;
}

enum jw_status weave_check_work(struct jw_span bytes, const struct weave_nested *nested,
				struct jw_err *e)
{
	struct work_count c = { .nested = nested,
				.inflater = jw_inflater_new(),
				.work = { .input = bytes.n } };
	const struct archive_place at = { .path = "", .bundle = true };
	enum jw_status status = c.inflater ? count_zip(&c, bytes, &at, e) : jw_nomem(e);

	jw_inflater_free(c.inflater);
	return status;
}

static enum jw_status count_file(struct work_count *c, const char *root, const char *path,
				 struct jw_arena *arena, struct jw_err *e)
{
	struct jw_err ignored = { 0 };
	struct jw_file file;

	jw_arena_reset(arena);
	const char *full = jw_arena_fmt(arena, "%s/%s", root, path);
	if (!full)
		return jw_nomem(e);
	enum jw_status status = jw_file_open(full, 0, &file, &ignored);
	if (status != JW_OK)
		return status == JW_NOMEM ? jw_nomem(e) : JW_OK;
	/* the user put the files there: each may be a unit */
	status = count_inner(c, file.bytes, &(struct archive_place){ .path = path, .depth = 1 }, e);
	jw_file_close(&file);
	return status;
}

enum jw_status weave_check_tree_work(const char *root, const struct weave_tree *tree,
				     const struct weave_nested *nested, struct jw_err *e)
{
	struct work_count c = { .nested = nested, .inflater = jw_inflater_new() };
	enum jw_status status = c.inflater ? JW_OK : jw_nomem(e);
	struct jw_arena arena = { 0 };

	for (size_t i = 0; i < tree->count; i++)
		if (tree->files[i].type == WEAVE_TREE_FILE)
			c.work.input += tree->files[i].size;
	for (size_t i = 0; status == JW_OK && i < tree->count; i++) {
		struct jw_span path = jw_span_str(tree->files[i].path);

		if (tree->files[i].type == WEAVE_TREE_FILE &&
		    weave_kind(path) == WEAVE_KIND_ARCHIVE && weave_wants_nested(nested, path))
			status = count_file(&c, root, tree->files[i].path, &arena, e);
	}
	jw_inflater_free(c.inflater);
	jw_arena_free(&arena);
	return weave_is_about_input(status) ? jw_err_where(e, "%s", root) : status;
}
