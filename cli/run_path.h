/*
 * run_path.h: class paths, manifests and module paths.
 */
#ifndef JW_CLI_RUN_PATH_H
#define JW_CLI_RUN_PATH_H

#include "cli/run.h"

/* TEXT, a class path, with its wildcards opened: *PARTS ends with NULL. */
enum jw_status JW_MUST_USE run_split(struct run *run, const char *text, const char ***parts,
				     struct jw_err *e);
/* The class path TEXT with woven entries; NULL when it stays as it is. */
enum jw_status JW_MUST_USE run_class_path(struct run *run, const char *text, const char **out,
					  struct jw_err *e);
enum jw_status JW_MUST_USE run_module_path(struct run *run, const char *text, const char **out,
					   struct jw_err *e);
/* The file that WORD of the Class-Path of a jar in FOLDER names; NULL: it is no file's URL. */
const char *run_file_of(struct jw_arena *arena, const char *folder, const char *word);
/* The jar PATH, woven, and what its manifest names; *OUT is NULL when its place on the path stays as it is. */
enum jw_status JW_MUST_USE run_jar(struct run *run, const char *path, const char **out,
				   struct jw_err *e);
/* Does java start JAR, that of the command? A warning says why not. */
bool run_jar_starts(struct run *run, const char *jar);
/* Is PATH a folder that holds a module? Its jars and exploded modules, NULL at the end. */
bool run_is_module(const char *path);
enum jw_status JW_MUST_USE run_modules(struct run *run, const char *path, const char ***out,
				       struct jw_err *e);

/* TEXT as one word of a command of the shell; "" without memory. */
const char *run_quoted(struct jw_arena *arena, const char *text);

#endif
