#include "weaver/input/each_class.h"

#include <string.h>

#include "base/file.h"
#include "base/zip.h"
#include "cfr/class.h"
#include "weaver/input/kind.h"
#include "weaver/input/nested.h"
#include "weaver/input/tree.h"
#include "weaver/input/work_limit.h"

#include "base/banned.h"

struct class_walk {
	weave_take_class *take;
	void *ctx;
	struct jw_zip_limits limits;
	struct jw_inflater *inflater;
	struct weave_nested nested;
	bool no_limits;
};

/* One archive on the way. */
struct archive_at {
	const struct jw_zip *zip;
	const char *prefix;
	unsigned depth;
	struct jw_arena arena; /* reset for each entry */
	struct jw_buf bytes;
};

static enum jw_status walk_zip(const struct class_walk *w, struct jw_span bytes, const char *prefix,
			       unsigned depth, struct jw_err *e);

/* An archive inside: what is none is passed over, as weaving does. */
static enum jw_status walk_inner(const struct class_walk *w, struct jw_span bytes, const char *path,
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

static enum jw_status walk_entry(const struct class_walk *w, struct archive_at *l, size_t index,
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
	return w->take(w->ctx, jw_span_str(path), jw_buf_span(&l->bytes), e);
}

static enum jw_status walk_zip(const struct class_walk *w, struct jw_span bytes, const char *prefix,
			       unsigned depth, struct jw_err *e)
{
	struct jw_arena index = { 0 };
	struct jw_zip zip = { 0 };
	struct archive_at l = { .zip = &zip, .prefix = prefix, .depth = depth };
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

static enum jw_status walk_bytes(const struct class_walk *w, struct jw_span bytes, const char *path,
				 struct jw_err *e)
{
	const char *name = strrchr(path, '/');
	enum jw_status status;

	if (cfr_is_class(bytes)) {
		status = w->take(w->ctx, jw_span_str(name ? name + 1 : path), bytes, e);
	} else {
		status = w->no_limits ? JW_OK : weave_check_work(bytes, &w->nested, e);
		if (status == JW_OK)
			status = walk_zip(w, bytes, "", 0, e);
	}
	return weave_is_about_input(status) ? jw_err_where(e, "%s", path) : status;
}

static enum jw_status walk_file(const struct class_walk *w, const char *path, struct jw_err *e)
{
	struct jw_file file;
	enum jw_status status;

	JW_TRY(jw_file_open(path, 0, &file, e));
	status = walk_bytes(w, file.bytes, path, e);
	jw_file_close(&file);
	return status;
}

static enum jw_status walk_tree_file(const struct class_walk *w, const char *root,
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
		status = w->take(w->ctx, jw_span_str(f->path), file.bytes, e);
	jw_file_close(&file);
	return weave_is_about_input(status) ? jw_err_where(e, "%s", root) : status;
}

static enum jw_status walk_folder(const struct class_walk *w, const char *path, struct jw_err *e)
{
	struct jw_arena list = { 0 }, arena = { 0 };
	struct weave_tree tree = { 0 };
	enum jw_status status = weave_tree_list_inputs(path, &list, &tree, e);

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

static enum jw_status walk_input(const struct class_walk *w, const struct weave_input *in,
				 struct jw_err *e)
{
	if (in->bytes)
		return walk_bytes(w, *in->bytes, in->path, e);
	return weave_is_folder(in->path) ? walk_folder(w, in->path, e) : walk_file(w, in->path, e);
}

enum jw_status weave_each_class_of(const struct weave_input *in, weave_take_class *take, void *ctx,
				   struct jw_err *e)
{
	struct class_walk w = { .take = take, .ctx = ctx, .no_limits = in->no_limits };
	struct jw_arena arena = { 0 };
	enum jw_status status = weave_nested_set(&w.nested, in->nested, &arena, e);

	if (!in->no_limits)
		w.limits = jw_zip_default_limits;
	w.inflater = jw_inflater_new();
	if (status == JW_OK && !w.inflater)
		status = jw_nomem(e);
	if (status == JW_OK)
		status = walk_input(&w, in, e);
	jw_inflater_free(w.inflater);
	jw_arena_free(&arena);
	return status;
}

enum jw_status weave_each_class(const char *path, bool no_limits, weave_take_class *take, void *ctx,
				struct jw_err *e)
{
	const struct weave_input in = { .path = path, .no_limits = no_limits };

	return weave_each_class_of(&in, take, ctx, e);
}
