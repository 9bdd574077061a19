#include "weaver/archive/made_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "weaver/archive/woven_mark.h"

#include "base/banned.h"

/* ---- writing ---- */

static void put_line(struct jw_buf *text, const char *path)
{
	for (; *path; path++) {
		if (*path == '\n' || *path == '\\')
			jw_put_u1(text, '\\');
		jw_put_u1(text, *path == '\n' ? 'n' : (uint8_t)*path);
	}
}

enum jw_status weave_made_list(const char *folder, struct jw_arena *arena, struct jw_span *text,
			       struct jw_err *e)
{
	struct weave_tree tree;
	struct jw_buf lines = { 0 };

	JW_TRY(weave_tree_list(folder, arena, &tree, e));
	for (size_t i = 0; i < tree.count; i++) {
		if (tree.files[i].type == WEAVE_TREE_FOLDER)
			continue;
		put_line(&lines, tree.files[i].path);
		jw_put_u1(&lines, '\n');
	}
	enum jw_status status = jw_buf_finish(&lines, "list of files", e);
	const char *copy = status == JW_OK ? jw_arena_str(arena, jw_buf_span(&lines)) : NULL;
	*text = jw_span(copy, copy ? lines.n : 0);
	jw_buf_free(&lines);
	if (status == JW_OK && !copy)
		return jw_nomem(e);
	return status;
}

/* ---- reading ---- */

/* Lines of a list, sorted; they borrow it. */
struct lines {
	struct jw_span *at;
	size_t n;
};

static int by_bytes(const void *a, const void *b)
{
	const struct jw_span *x = a, *y = b;

	return jw_span_cmp(*x, *y);
}

static enum jw_status split(struct jw_span text, struct jw_arena *arena, struct lines *out,
			    struct jw_err *e)
{
	size_t count = 1, begin = 0;

	for (size_t i = 0; i < text.n; i++)
		count += text.p[i] == '\n';
	*out = (struct lines){ JW_NEW_ARRAY(arena, struct jw_span, count), 0 };
	if (!out->at)
		return jw_nomem(e);
	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] != '\n')
			continue;
		out->at[out->n++] = jw_span_sub(text, begin, i - begin);
		begin = i + 1;
	}
	qsort(out->at, out->n, sizeof(*out->at), by_bytes);
	return JW_OK;
}

static int by_path(const void *a, const void *b)
{
	const struct weave_tree_file *x = a, *y = b;

	return strcmp(x->path, y->path);
}

static bool is_in_tree(const struct weave_tree *tree, const struct weave_tree_file *file)
{
	const struct weave_tree_file *found =
		tree->count ? bsearch(file, tree->files, tree->count, sizeof(*file), by_path)
			    : NULL;

	return found && found->type != WEAVE_TREE_FOLDER;
}

/* The first of TREE that no weaving has made; NULL: there is none. */
static enum jw_status first_foreign(const struct weave_tree *tree, const struct weave_tree *in,
				    const struct lines *made, const char **foreign,
				    struct jw_err *e)
{
	struct jw_buf line = { 0 };
	enum jw_status status = JW_OK;

	*foreign = NULL;
	for (size_t i = 0; i < tree->count && status == JW_OK && !*foreign; i++) {
		const struct weave_tree_file *file = &tree->files[i];

		if (file->type == WEAVE_TREE_FOLDER || weave_is_added(jw_span_str(file->path)) ||
		    is_in_tree(in, file))
			continue;
		jw_buf_clear(&line);
		put_line(&line, file->path);
		status = jw_buf_finish(&line, "path", e);
		struct jw_span key = jw_buf_span(&line);
		if (status == JW_OK &&
		    !(made->n && bsearch(&key, made->at, made->n, sizeof(key), by_bytes)))
			*foreign = file->path;
	}
	jw_buf_free(&line);
	return status;
}

static enum jw_status check_woven(const char *out, const struct weave_tree *tree,
				  const struct weave_tree *in, struct jw_arena *arena,
				  struct jw_err *e)
{
	const char *path = jw_arena_fmt(arena, "%s/%s", out, WEAVE_MADE_LIST), *foreign = NULL;
	struct lines made = { 0 };
	struct jw_file list = { 0 };

	if (!path)
		return jw_nomem(e);
	if (weave_is_there(path))
		JW_TRY(jw_file_open(path, 0, &list, e));
	enum jw_status status = split(list.bytes, arena, &made, e);
	if (status == JW_OK)
		status = first_foreign(tree, in, &made, &foreign, e);
	jw_file_close(&list);
	JW_TRY(status);
	if (!foreign)
		return JW_OK;
	return jw_fail(e, JW_INPUT,
		       "%s: holds '%s', which jweave did not make (take it away, or choose another "
		       "place)",
		       out, foreign);
}

enum jw_status weave_made_check(const char *out, const struct weave_tree *in, struct jw_err *e)
{
	struct jw_arena arena = { 0 };
	struct weave_tree tree = { 0 };
	bool ours = false;
	enum jw_status status = weave_tree_list(out, &arena, &tree, e);

	for (size_t i = 0; status == JW_OK && i < tree.count; i++)
		ours = ours || strcmp(tree.files[i].path, WEAVE_MARK) == 0;
	if (ours)
		status = check_woven(out, &tree, in, &arena, e);
	else if (status == JW_OK && tree.count)
		status = jw_fail(e, JW_INPUT,
				 "%s: holds files that jweave did not make (remove it, or choose "
				 "another place)",
				 out);
	jw_arena_free(&arena);
	return status;
}
