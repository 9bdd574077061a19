/*
 * tree.h: folders of files: list one, make one.
 */
#ifndef JW_WEAVER_TREE_H
#define JW_WEAVER_TREE_H

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/status.h"

enum weave_tree_type { WEAVE_TREE_FILE, WEAVE_TREE_FOLDER, WEAVE_TREE_LINK, WEAVE_TREE_OTHER };

struct weave_tree_file {
	const char *path; /* below the root */
	enum weave_tree_type type;
	bool link; /* a FILE that is a link to it: weave_tree_list_inputs() */
	mode_t mode;
	uid_t owner;
	struct timespec time; /* of the last change */
	uint64_t size;
};

struct weave_tree {
	const struct weave_tree_file *files; /* by name, each folder before what is in it */
	size_t count;
};

/* Is PATH a folder, or a link to one; is it anything at all? Never "-", which is a stream. */
bool weave_is_folder(const char *path);
bool weave_is_there(const char *path);

/* Everything below ROOT, in ARENA. Links are named, not followed. */
enum jw_status JW_MUST_USE weave_tree_list(const char *root, struct jw_arena *arena,
					   struct weave_tree *out, struct jw_err *e);

/* The same for what is woven or asked about, and may be in parts elsewhere: links to readable files
 * outside of ROOT, or by their whole path, count as these files (type, mode, time, size) if their
 * names are of classes, archives, or what jars say about themselves. Never so links to folders. */
enum jw_status JW_MUST_USE weave_tree_list_inputs(const char *root, struct jw_arena *arena,
						  struct weave_tree *out, struct jw_err *e);

/* Is the real path PATH the real path ROOT, or below it? */
bool weave_tree_is_below(const char *path, const char *root);

/* Makes the folders that FILE below ROOT needs. */
enum jw_status JW_MUST_USE weave_tree_make_parents(const char *root, const char *file,
						   struct jw_err *e);

#endif
