/*
 * scan.c: looks at every class of an input, in the order of the archive (names in order in a
 * folder), and writes nothing.
 */
#include <string.h>

#include "base/file.h"
#include "cfr/class.h"
#include "weaver/archive/archive_int.h"
#include "weaver/archive/tree.h"
#include "weaver/types/types.h"

#include "base/banned.h"

typedef enum jw_status each_class(void *ctx, struct jw_span entry, struct jw_span bytes,
				  struct jw_err *e);

struct walk {
	each_class *each;
	void *ctx;
	struct jw_zip_limits limits;
	struct jw_inflater *inflater;
	struct weave_nested nested;
	bool no_limits;
};

/* One archive on the way. */
struct walk_level {
	const struct jw_zip *zip;
	const char *prefix;
	unsigned depth;
	struct jw_arena arena; /* reset for each entry */
	struct jw_buf bytes;
};

static enum jw_status walk_zip(const struct walk *w, struct jw_span bytes, const char *prefix,
			       unsigned depth, struct jw_err *e);

/* An archive inside: what is none is passed over, as weaving does. */
static enum jw_status walk_inner(const struct walk *w, struct jw_span bytes, const char *path,
				 unsigned depth, struct jw_arena *arena, struct jw_err *e)
{
	struct jw_zip zip;

	if (depth + 1 >= WEAVE_DEPTH_MAX || !weave_wants_nested(&w->nested, jw_span_str(path)))
		return JW_OK;
	enum jw_status status = jw_zip_open(bytes, arena, &zip, e);
	if (status == JW_INPUT)
		return JW_OK;
	JW_TRY(status);
	const char *prefix = jw_arena_fmt(arena, "%s!/", path);
	return prefix ? walk_zip(w, bytes, prefix, depth + 1, e) : jw_nomem(e);
}

static enum jw_status walk_entry(const struct walk *w, struct walk_level *l, size_t index,
				 struct jw_err *e)
{
	const struct jw_zip_entry *entry = &l->zip->entries[index];
	enum weave_kind kind = weave_kind(entry->name);

	if (kind != WEAVE_KIND_CLASS && kind != WEAVE_KIND_MODULE && kind != WEAVE_KIND_ARCHIVE)
		return JW_OK;
	jw_buf_clear(&l->bytes);
	if (jw_zip_unpack(l->zip, entry, &w->limits, w->inflater, &l->bytes, e) != JW_OK)
		return weave_err_inside(l->prefix, e);
	const char *path = jw_arena_fmt(&l->arena, "%s%.*s", l->prefix, (int)entry->name.n,
					(const char *)entry->name.p);
	if (!path)
		return jw_nomem(e);
	if (kind == WEAVE_KIND_ARCHIVE)
		return walk_inner(w, jw_buf_span(&l->bytes), path, l->depth, &l->arena, e);
	return w->each(w->ctx, jw_span_str(path), jw_buf_span(&l->bytes), e);
}

static enum jw_status walk_zip(const struct walk *w, struct jw_span bytes, const char *prefix,
			       unsigned depth, struct jw_err *e)
{
	struct jw_arena index = { 0 };
	struct jw_zip zip = { 0 };
	struct walk_level l = { .zip = &zip, .prefix = prefix, .depth = depth };
	enum jw_status status = jw_zip_open(bytes, &index, &zip, e);

	for (size_t i = 0; status == JW_OK && i < zip.count; i++) {
		jw_arena_reset(&l.arena);
		status = walk_entry(w, &l, i, e);
	}
	jw_buf_free(&l.bytes);
	jw_arena_free(&l.arena);
	jw_arena_free(&index);
	return status;
}

static enum jw_status walk_bytes(const struct walk *w, struct jw_span bytes, const char *path,
				 struct jw_err *e)
{
	const char *name = strrchr(path, '/');
	enum jw_status status;

	if (cfr_is_class(bytes)) {
		status = w->each(w->ctx, jw_span_str(name ? name + 1 : path), bytes, e);
	} else {
		status = w->no_limits ? JW_OK : weave_check_work(bytes, &w->nested, e);
		if (status == JW_OK)
			status = walk_zip(w, bytes, "", 0, e);
	}
	return weave_is_about_input(status) ? jw_err_where(e, "%s", path) : status;
}

static enum jw_status walk_file(const struct walk *w, const char *path, struct jw_err *e)
{
	struct jw_file file;
	enum jw_status status;

	JW_TRY(jw_file_open(path, 0, &file, e));
	status = walk_bytes(w, file.bytes, path, e);
	jw_file_close(&file);
	return status;
}

static enum jw_status walk_tree_file(const struct walk *w, const char *root,
				     const struct weave_tree_file *f, struct jw_arena *arena,
				     struct jw_err *e)
{
	enum weave_kind kind = weave_kind(jw_span_str(f->path));
	struct jw_file file;
	enum jw_status status = JW_OK;

	if (f->type != WEAVE_TREE_FILE ||
	    (kind != WEAVE_KIND_CLASS && kind != WEAVE_KIND_MODULE && kind != WEAVE_KIND_ARCHIVE))
		return JW_OK;
	const char *path = jw_arena_fmt(arena, "%s/%s", root, f->path);
	if (!path)
		return jw_nomem(e);
	JW_TRY(jw_file_open(path, 0, &file, e));
	if (kind == WEAVE_KIND_ARCHIVE)
		status = walk_inner(w, file.bytes, f->path, 0, arena, e);
	else
		status = w->each(w->ctx, jw_span_str(f->path), file.bytes, e);
	jw_file_close(&file);
	return weave_is_about_input(status) ? jw_err_where(e, "%s", root) : status;
}

static enum jw_status walk_folder(const struct walk *w, const char *path, struct jw_err *e)
{
	struct jw_arena list = { 0 }, arena = { 0 };
	struct weave_tree tree = { 0 };
	enum jw_status status = weave_tree_list(path, &list, &tree, e);

	if (status == JW_OK && !w->no_limits)
		status = weave_check_tree_work(path, &tree, &w->nested, e);
	for (size_t i = 0; status == JW_OK && i < tree.count; i++) {
		jw_arena_reset(&arena);
		status = walk_tree_file(w, path, &tree.files[i], &arena, e);
	}
	jw_arena_free(&arena);
	jw_arena_free(&list);
	return status;
}

/* BYTES: those of PATH, when they are at hand. */
static enum jw_status walk_path(struct walk *w, const char *path, const struct jw_span *bytes,
				const char *nested, bool no_limits, struct jw_err *e)
{
	struct jw_arena arena = { 0 };
	enum jw_status status = weave_nested_set(&w->nested, nested, &arena, e);

	w->no_limits = no_limits;
	if (!no_limits)
		w->limits = jw_zip_default_limits;
	w->inflater = jw_inflater_new();
	if (status == JW_OK && !w->inflater)
		status = jw_nomem(e);
	if (status == JW_OK)
		status = bytes                   ? walk_bytes(w, *bytes, path, e)
			 : weave_is_folder(path) ? walk_folder(w, path, e)
						 : walk_file(w, path, e);
	jw_inflater_free(w->inflater);
	jw_arena_free(&arena);
	return status;
}

/* ---- the public calls ---- */

enum jw_status weave_each_class(const char *path, bool no_limits, each_class *each, void *ctx,
				struct jw_err *e)
{
	struct walk w = { .each = each, .ctx = ctx };

	return walk_path(&w, path, NULL, NULL, no_limits, e);
}

enum jw_status weave_each_class_in(struct jw_span bytes, const char *name, bool no_limits,
				   each_class *each, void *ctx, struct jw_err *e)
{
	struct walk w = { .each = each, .ctx = ctx };

	return walk_path(&w, name, &bytes, NULL, no_limits, e);
}

struct scan {
	const struct weave_scan_job *job;
	struct weave_types *types;
	struct jw_arena arena;
};

static enum jw_status scan_class(void *ctx, struct jw_span entry, struct jw_span bytes,
				 struct jw_err *e)
{
	struct scan *s = ctx;
	const struct weave_class_job job = { .rules = s->job->rules,
					     .entry = entry,
					     .types = s->types,
					     .each_call = s->job->each_call };

	jw_arena_reset(&s->arena);
	return weave_scan_class(&job, bytes, &s->arena, s->job->each, s->job->ctx, e);
}

static enum jw_status scan_all(struct scan *s, const struct jw_span *bytes, struct jw_err *e)
{
	const struct weave_scan_job *job = s->job;
	const struct weave_types_job types = { .in = job->in,
					       .bytes = bytes ? *bytes : (struct jw_span){ 0 },
					       .class_path = job->class_path,
					       .no_limits = job->no_limits };
	struct walk w = { .each = scan_class, .ctx = s };

	if (rules_needs_supertypes(job->rules))
		JW_TRY(weave_types_open(&types, &s->types, e));
	JW_TRY(walk_path(&w, job->in, bytes, job->nested, job->no_limits, e));
	if (s->types && job->note)
		return weave_types_notes(s->types, job->note, job->note_ctx, e);
	return JW_OK;
}

enum jw_status weave_scan(const struct weave_scan_job *job, struct jw_err *e)
{
	struct scan s = { .job = job };
	struct jw_file file;
	enum jw_status status;

	if (weave_is_folder(job->in)) {
		status = scan_all(&s, NULL, e);
	} else { /* read once: it may be standard input */
		JW_TRY(jw_file_open(job->in, 0, &file, e));
		status = scan_all(&s, &file.bytes, e);
		jw_file_close(&file);
	}
	weave_types_close(s.types);
	jw_arena_free(&s.arena);
	return status;
}

static enum jw_status keep(struct jw_span bytes, struct jw_arena *arena, struct jw_span *out,
			   struct jw_err *e)
{
	const char *copy = jw_arena_str(arena, bytes);

	if (!copy)
		return jw_nomem(e);
	*out = jw_span(copy, bytes.n);
	return JW_OK;
}

static enum jw_status info_of_zip(struct jw_span bytes, struct jw_arena *arena,
				  struct jw_span *json, struct jw_err *e)
{
	const struct jw_zip_limits limits = { .max_size = 1 << 20, .fixed = true };
	struct jw_arena index = { 0 };
	struct jw_buf text = { 0 };
	struct jw_zip zip;
	enum jw_status status = jw_zip_open(bytes, &index, &zip, e);
	const struct jw_zip_entry *mark = NULL;

	if (status == JW_OK)
		mark = jw_zip_find(&zip, JW_SPAN_LIT(WEAVE_MARK));
	if (mark) {
		struct jw_inflater *inflater = jw_inflater_new();

		status = inflater ? jw_zip_unpack(&zip, mark, &limits, inflater, &text, e)
				  : jw_nomem(e);
		jw_inflater_free(inflater);
		if (status == JW_OK)
			status = keep(jw_buf_span(&text), arena, json, e);
	}
	jw_buf_free(&text);
	jw_arena_free(&index);
	return status;
}

enum jw_status weave_info(const char *path, struct jw_arena *arena, struct jw_span *json,
			  struct jw_err *e)
{
	struct jw_file file;
	enum jw_status status;

	*json = (struct jw_span){ 0 };
	if (weave_is_folder(path)) {
		const char *mark = jw_arena_fmt(arena, "%s/%s", path, WEAVE_MARK);

		if (!mark)
			return jw_nomem(e);
		if (!weave_is_there(mark))
			return JW_OK;
		JW_TRY(jw_file_open(mark, 1 << 20, &file, e));
		status = keep(file.bytes, arena, json, e);
		jw_file_close(&file);
		return status;
	}
	JW_TRY(jw_file_open(path, 0, &file, e));
	status = info_of_zip(file.bytes, arena, json, e);
	jw_file_close(&file);
	if (status == JW_INPUT)
		return jw_err_where(e, "%s", path);
	return status;
}
