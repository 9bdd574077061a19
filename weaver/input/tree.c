#include "weaver/input/tree.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "weaver/input/kind.h"

#include "base/banned.h"

enum { DEPTH_MAX = 200 };

bool weave_is_folder(const char *path)
{
	struct stat st;

	return strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool weave_is_there(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

/* ---- listing ---- */

struct listing {
	struct jw_arena *arena;
	const char *root;
	struct jw_buf files; /* struct weave_tree_file each */
};

static enum weave_tree_type type_of(mode_t mode)
{
	if (S_ISREG(mode))
		return WEAVE_TREE_FILE;
	if (S_ISDIR(mode))
		return WEAVE_TREE_FOLDER;
	return S_ISLNK(mode) ? WEAVE_TREE_LINK : WEAVE_TREE_OTHER;
}

static enum jw_status list_folder(struct listing *l, const char *folder, int depth,
				  struct jw_err *e);

/* NAME in FOLDER ("" for the root) */
static enum jw_status list_one(struct listing *l, const char *folder, const char *name, int depth,
			       struct jw_err *e)
{
	const char *path = jw_arena_fmt(l->arena, "%s%s%s", folder, *folder ? "/" : "", name);
	const char *full = path ? jw_arena_fmt(l->arena, "%s/%s", l->root, path) : NULL;
	struct stat st;

	if (!full)
		return jw_nomem(e);
	if (lstat(full, &st) != 0)
		return jw_fail_errno(e, errno, "%s: cannot inspect", full);
	struct weave_tree_file file = {
		.path = path,
		.type = type_of(st.st_mode),
		.mode = st.st_mode & 07777,
		.owner = st.st_uid,
		.time = st.st_mtim,
		.size = (uint64_t)st.st_size,
	};
	jw_put_bytes(&l->files, jw_span(&file, sizeof(file)));
	if (file.type == WEAVE_TREE_FOLDER)
		return list_folder(l, path, depth + 1, e);
	return JW_OK;
}

static enum jw_status list_folder(struct listing *l, const char *folder, int depth,
				  struct jw_err *e)
{
	const char *full = *folder ? jw_arena_fmt(l->arena, "%s/%s", l->root, folder) : l->root;
	enum jw_status status = JW_OK;
	struct dirent *entry;

	if (!full)
		return jw_nomem(e);
	if (depth > DEPTH_MAX)
		return jw_fail(e, JW_LIMIT, "%s: too deep (limit is %d folders)", full, DEPTH_MAX);
	DIR *dir = opendir(full);
	if (!dir)
		return jw_fail_errno(e, errno, "%s: cannot read the folder", full);
	while (status == JW_OK && (entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			status = list_one(l, folder, entry->d_name, depth, e);
	closedir(dir);
	return status;
}

static int by_path(const void *a, const void *b)
{
	const struct weave_tree_file *x = a, *y = b;

	return strcmp(x->path, y->path);
}

bool weave_tree_is_below(const char *path, const char *root)
{
	size_t n = strlen(root);

	return strncmp(path, root, n) == 0 &&
	       (path[n] == 0 || path[n] == '/' || (n == 1 && *root == '/'));
}

enum jw_status weave_tree_list(const char *root, struct jw_arena *arena, struct weave_tree *out,
			       struct jw_err *e)
{
	struct listing l = { .arena = arena, .root = root };
	enum jw_status status = list_folder(&l, "", 0, e);

	if (status == JW_OK)
		status = jw_buf_finish(&l.files, "list of files", e);
	size_t count = l.files.n / sizeof(struct weave_tree_file);
	struct weave_tree_file *files = NULL;
	if (status == JW_OK) {
		files = JW_NEW_ARRAY(arena, struct weave_tree_file, count + 1);
		status = files ? JW_OK : jw_nomem(e);
	}
	if (status == JW_OK && count) {
		memcpy(files, l.files.p, l.files.n);
		qsort(files, count, sizeof(*files), by_path);
	}
	jw_buf_free(&l.files);
	if (status == JW_OK)
		*out = (struct weave_tree){ files, count };
	return status;
}

/* Of a link at FULL: what it leads to is no part of the real path ROOT, or its name is not. */
static bool leads_away(const char *full, const char *root)
{
	char to[PATH_MAX];

	if (readlink(full, to, sizeof(to)) > 0 && *to == '/')
		return true;
	return realpath(full, to) && !weave_tree_is_below(to, root);
}

/* FILE, a link below ROOT (really REAL), as what it leads to, if that is to be read. */
static enum jw_status follow(const char *root, const char *real, struct weave_tree_file *file,
			     struct jw_arena *arena, struct jw_err *e)
{
	const char *full = jw_arena_fmt(arena, "%s/%s", root, file->path);
	struct stat st;

	if (!full)
		return jw_nomem(e);
	if (weave_kind(jw_span_str(file->path)) == WEAVE_KIND_OTHER || stat(full, &st) != 0 ||
	    !S_ISREG(st.st_mode) || access(full, R_OK) != 0 || !leads_away(full, real))
		return JW_OK;
	file->type = WEAVE_TREE_FILE;
	file->link = true;
	file->mode = st.st_mode & 07777;
	file->owner = st.st_uid;
	file->time = st.st_mtim;
	file->size = (uint64_t)st.st_size;
	return JW_OK;
}

enum jw_status weave_tree_list_inputs(const char *root, struct jw_arena *arena,
				      struct weave_tree *out, struct jw_err *e)
{
	char real[PATH_MAX];
	struct weave_tree_file *files;

	JW_TRY(weave_tree_list(root, arena, out, e));
	if (!realpath(root, real))
		return jw_fail_errno(e, errno, "%s: cannot inspect", root);
	files = (struct weave_tree_file *)out->files;
	for (size_t i = 0; i < out->count; i++)
		if (files[i].type == WEAVE_TREE_LINK)
			JW_TRY(follow(root, real, &files[i], arena, e));
	return JW_OK;
}

/* ---- making ---- */

enum jw_status weave_tree_make_parents(const char *root, const char *file, struct jw_err *e)
{
	struct jw_buf path = { 0 };
	enum jw_status status = JW_OK;

	for (const char *slash = strchr(file, '/'); slash && status == JW_OK;
	     slash = strchr(slash + 1, '/')) {
		jw_buf_clear(&path);
		jw_put_fmt(&path, "%s/%.*s", root, (int)(slash - file), file);
		jw_put_u1(&path, 0);
		status = jw_buf_finish(&path, "path", e);
		if (status == JW_OK && mkdir((const char *)path.p, 0777) != 0 && errno != EEXIST)
			status = jw_fail_errno(e, errno, "%s: cannot make the folder", path.p);
	}
	jw_buf_free(&path);
	return status;
}
