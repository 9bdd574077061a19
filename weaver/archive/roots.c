#include "weaver/archive/roots.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cfr/class.h"
#include "weaver/archive/woven_mark.h"

#include "base/banned.h"

#define VERSIONS "META-INF/versions/"

struct roots_search {
	struct jw_arena *arena;
	struct jw_arena scratch; /* of one class */
	struct jw_buf found;     /* const char * each */
	struct jw_span answered; /* the folder whose class directory is known */
};

static struct jw_span folder_of(struct jw_span path)
{
	while (path.n && path.p[path.n - 1] != '/')
		path.n--;
	return path;
}

/* ROOT without the META-INF/versions/N/ at its end. */
static struct jw_span without_version(struct jw_span root)
{
	struct jw_span above = root;

	if (above.n)
		above.n--;
	above = folder_of(above);
	if (!jw_span_ends(above, JW_SPAN_LIT(VERSIONS)))
		return root;
	above.n -= sizeof(VERSIONS) - 1;
	return above.n == 0 || above.p[above.n - 1] == '/' ? above : root;
}

/* Is PATH, which ends in a slash or is empty, inside the archive or folder: no "..", nothing empty?
 * What we add must stay inside, whatever names an archive has. */
static bool is_plain(struct jw_span path)
{
	for (size_t at = 0, end; at < path.n; at = end + 1) {
		for (end = at; path.p[end] != '/'; end++)
			if (path.p[end] == '\\')
				return false;
		struct jw_span name = jw_span_sub(path, at, end - at);

		if (!name.n || jw_span_eq_str(name, ".") || jw_span_eq_str(name, ".."))
			return false;
	}
	return true;
}

/* The root of the class NAME in the file PATH, a slash at its end or nothing; false: there is none.
 */
static bool root_of(struct jw_span path, struct jw_span name, struct jw_span *root)
{
	path.n -= sizeof(".class") - 1;
	if (!jw_span_ends(path, name))
		return false;
	path.n -= name.n;
	if (path.n && path.p[path.n - 1] != '/')
		return false;
	*root = without_version(path);
	return is_plain(*root);
}

static enum jw_status keep(struct roots_search *f, struct jw_span root, struct jw_err *e)
{
	const char *path = jw_arena_str(f->arena, jw_span(root.p, root.n ? root.n - 1 : 0));

	if (!path)
		return jw_nomem(e);
	jw_put_bytes(&f->found, jw_span(&path, sizeof(path)));
	return jw_buf_finish(&f->found, "class directories", e);
}

static bool is_wanted(const struct roots_search *f, struct jw_span path)
{
	return jw_span_ends(path, JW_SPAN_LIT(".class")) &&
	       !(f->answered.p && jw_span_eq(f->answered, folder_of(path)));
}

/* Takes the root of the class file PATH, which holds BYTES. */
static enum jw_status ask(struct roots_search *f, struct jw_span path, struct jw_span bytes,
			  struct jw_err *e)
{
	struct jw_err ignored = { 0 };
	struct cfr_class cls;
	struct jw_span root;

	if (cfr_class_peek(bytes, &f->scratch, &cls, &ignored) != JW_OK)
		return JW_OK;
	f->answered = folder_of(path);
	return root_of(path, cls.name, &root) ? keep(f, root, e) : JW_OK;
}

static enum jw_status ask_file(struct roots_search *f, const char *folder, struct jw_span path,
			       struct jw_err *e)
{
	struct jw_err ignored = { 0 };
	struct jw_file file;

	jw_arena_reset(&f->scratch);
	const char *full =
		jw_arena_fmt(&f->scratch, "%s/%.*s", folder, (int)path.n, (const char *)path.p);
	if (!full)
		return jw_nomem(e);
	if (jw_file_open(full, 0, &file, &ignored) != JW_OK)
		return JW_OK;
	enum jw_status status = ask(f, path, file.bytes, e);
	jw_file_close(&file);
	return status;
}

static int by_name(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

/* What was found, by name, each once. */
static enum jw_status sort_out(struct roots_search *f, struct weave_roots *out, struct jw_err *e)
{
	size_t count = f->found.n / sizeof(const char *), kept = 0;
	const char **paths = JW_NEW_ARRAY(f->arena, const char *, count + 1);

	if (!paths)
		return jw_nomem(e);
	if (count) {
		memcpy(paths, f->found.p, f->found.n);
		qsort(paths, count, sizeof(*paths), by_name);
	}
	for (size_t i = 0; i < count; i++)
		if (kept == 0 || strcmp(paths[kept - 1], paths[i]) != 0)
			paths[kept++] = paths[i];
	*out = (struct weave_roots){ paths, kept };
	return JW_OK;
}

static enum jw_status finish(struct roots_search *f, enum jw_status status, struct weave_roots *out,
			     struct jw_err *e)
{
	if (status == JW_OK)
		status = sort_out(f, out, e);
	jw_buf_free(&f->found);
	jw_arena_free(&f->scratch);
	return status;
}

enum jw_status weave_roots_find(const char *folder, const struct weave_tree *tree,
				struct jw_arena *arena, struct weave_roots *out, struct jw_err *e)
{
	struct roots_search f = { .arena = arena };
	enum jw_status status = JW_OK;

	for (size_t i = 0; i < tree->count && status == JW_OK; i++) {
		struct jw_span path = jw_span_str(tree->files[i].path);

		if (tree->files[i].type == WEAVE_TREE_FILE && is_wanted(&f, path))
			status = ask_file(&f, folder, path, e);
	}
	return finish(&f, status, out, e);
}

static bool found_itself(const struct roots_search *f)
{
	const char *const *paths = (const void *)f->found.p;
	size_t count = f->found.n / sizeof(*paths);

	return count && !*paths[count - 1];
}

enum jw_status weave_roots_of_zip(const struct jw_zip *zip, const struct jw_zip_limits *limits,
				  struct jw_arena *arena, struct weave_roots *out, struct jw_err *e)
{
	struct roots_search f = { .arena = arena };
	struct jw_inflater *inflater = jw_inflater_new();
	enum jw_status status = inflater ? JW_OK : jw_nomem(e);
	struct jw_err ignored = { 0 };
	struct jw_buf bytes = { 0 };

	for (size_t i = 0; i < zip->count && status == JW_OK && !found_itself(&f); i++) {
		const struct jw_zip_entry *entry = &zip->entries[i];

		jw_arena_reset(&f.scratch);
		jw_buf_clear(&bytes);
		if (is_wanted(&f, entry->name) &&
		    jw_zip_unpack(zip, entry, limits, inflater, &bytes, &ignored) == JW_OK)
			status = ask(&f, entry->name, jw_buf_span(&bytes), e);
	}
	jw_buf_free(&bytes);
	jw_inflater_free(inflater);
	return finish(&f, status, out, e);
}

static int path_to_name(const void *key, const void *member)
{
	const struct jw_span *path = key;
	const char *const *name = member;

	return jw_span_cmp(*path, jw_span_str(*name));
}

bool weave_roots_hold(const struct weave_roots *roots, struct jw_span path)
{
	return roots->count && bsearch(&path, roots->paths, roots->count, sizeof(*roots->paths),
				       path_to_name) != NULL;
}

bool weave_tree_is_archive(const struct weave_tree *tree)
{
	static const char *const marks[] = { "META-INF/MANIFEST.MF", "META-INF/application.xml",
					     "WEB-INF", "BOOT-INF", WEAVE_QUARKUS_INDEX };

	for (size_t i = 0; i < tree->count; i++)
		for (size_t k = 0; k < sizeof(marks) / sizeof(*marks); k++)
			if (strcmp(tree->files[i].path, marks[k]) == 0)
				return true;
	return false;
}
