#include "weaver/archive/folder_links.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "weaver/input/kind.h"

#include "base/banned.h"

enum { LOOKS = 2000 }; /* names that are looked at below one link */

/* Where PATH leads, if that is outside of the folder IN; false: inside, nowhere, or it is not known. */
static bool is_outside(const char *in, const char *path, char to[PATH_MAX])
{
	char root[PATH_MAX];

	return realpath(path, to) && realpath(in, root) && !weave_tree_is_below(to, root);
}

static bool same(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static enum jw_status make(const char *target, const char *to, struct jw_err *e)
{
	return symlink(target, to) == 0 ? JW_OK
					: jw_fail_errno(e, errno, "%s: cannot make the link", to);
}

enum jw_status weave_copy_link(const char *in, const char *from, const char *to, struct jw_err *e)
{
	char target[PATH_MAX], real[PATH_MAX];
	ssize_t n = readlink(from, target, sizeof(target) - 1);

	if (n < 0)
		return jw_fail_errno(e, errno, "%s: cannot read the link", from);
	target[n] = 0;
	JW_TRY(make(target, to, e));
	if (*target == '/' || !is_outside(in, from, real) || same(from, to))
		return JW_OK;
	/* out of the folder, by a way that begins in it: from its new place that leads elsewhere */
	if (unlink(to) != 0)
		return jw_fail_errno(e, errno, "%s: cannot replace it", to);
	return make(real, to, e);
}

/* Does FOLDER hold class files, or archives, as far as *LOOKS are enough to see? */
static bool holds_classes(const char *folder, struct jw_arena *arena, int *looks)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	bool found = false;

	while (dir && !found && *looks > 0 && (entry = readdir(dir))) {
		enum weave_kind kind = weave_kind(jw_span_str(entry->d_name));
		struct stat st;

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		--*looks;
		found = kind == WEAVE_KIND_CLASS || kind == WEAVE_KIND_ARCHIVE;
		const char *path = jw_arena_fmt(arena, "%s/%s", folder, entry->d_name);
		if (!found && path && lstat(path, &st) == 0 && S_ISDIR(st.st_mode))
			found = holds_classes(path, arena, looks);
	}
	if (dir)
		closedir(dir);
	return found;
}

enum jw_status weave_note_links(const char *in, const struct weave_tree *tree,
				struct weave_tally *tally, struct jw_err *e)
{
	struct jw_arena arena = { 0 };
	enum jw_status status = JW_OK;

	for (size_t i = 0; i < tree->count && status == JW_OK; i++) {
		const struct weave_tree_file *file = &tree->files[i];
		char to[PATH_MAX];
		int looks = LOOKS;

		if (file->type != WEAVE_TREE_LINK)
			continue;
		jw_arena_reset(&arena);
		const char *path = jw_arena_fmt(&arena, "%s/%s", in, file->path);
		if (!path)
			status = jw_nomem(e);
		else if (weave_is_folder(path) && is_outside(in, path, to) &&
			 holds_classes(to, &arena, &looks))
			status = weave_tally_note(tally, e,
						  "%s/%s is a link to a folder ('%s'): the classes "
						  "there are not woven",
						  in, file->path, to);
	}
	jw_arena_free(&arena);
	return status;
}
