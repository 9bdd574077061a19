/*
 * roots.h: where in a folder, or in an archive that is no program itself, the class path begins.
 */
#ifndef JW_WEAVER_ROOTS_H
#define JW_WEAVER_ROOTS_H

#include <stdbool.h>

#include "base/zip.h"
#include "weaver/input/tree.h"

/* More class directories than that do not get a runtime each. */
#define WEAVE_ROOTS_MAX 100

struct weave_roots {
	const char *const *paths; /* in the whole, "" for itself; by name, each once */
	size_t count;
};

/* The class directories below FOLDER, whose files are TREE: each relative to which a class file's path is
 * the name of its class (JVMS 4.2.1), perhaps after META-INF/versions/N. One class file of each
 * folder is asked, the first that can be read. In ARENA. What cannot be read is no class; only memory
 * can fail. */
enum jw_status JW_MUST_USE weave_roots_find(const char *folder, const struct weave_tree *tree,
					    struct jw_arena *arena, struct weave_roots *out,
					    struct jw_err *e);

/* The same of ZIP: up to the first class that shows the archive itself to be one ("" is in ROOTS
 * then, and others may not be). Entries larger than LIMITS are not asked. */
enum jw_status JW_MUST_USE weave_roots_of_zip(const struct jw_zip *zip,
					      const struct jw_zip_limits *limits,
					      struct jw_arena *arena, struct weave_roots *out,
					      struct jw_err *e);

/* Is PATH one of ROOTS? */
bool weave_roots_hold(const struct weave_roots *roots, struct jw_span path);

/* Is TREE laid out as one archive unpacked, whose parts know each other: a jar with its manifest, a
 * web application, Spring Boot's, an ear? Or as what Quarkus builds, which is no archive anywhere? */
bool weave_tree_is_archive(const struct weave_tree *tree);

#endif
