/*
 * run_classes.h: a folder of classes on a path, woven into the cache.
 */
#ifndef JW_CLI_RUN_CLASSES_H
#define JW_CLI_RUN_CLASSES_H

#include "cli/run.h"

/* Weaves the classes in the folder PATH into the cache; *OUT: a folder with its classes alone, NULL when the rules touch none. */
enum jw_status JW_MUST_USE run_weave_folder(struct run *run, const char *path, const char **out,
					    struct jw_err *e);
/* Is the folder PATH woven already? Then it stays as it is: a program hands on its class path, which has such copies. */
bool run_is_woven(struct run *run, const char *path);
/* Gives TAKE the path, in the folder PATH, of each class file there. */
typedef enum jw_status run_take_class(void *ctx, const char *file, struct jw_err *e);
enum jw_status JW_MUST_USE run_folder_classes(struct run *run, const char *path,
					      run_take_class *each, void *ctx, struct jw_err *e);
/* *HASH goes on with the class files of the folder PATH. */
enum jw_status JW_MUST_USE run_hash_classes(struct run *run, const char *path, uint64_t *hash,
					    struct jw_err *e);

/* What run_hash_rules() has found goes on with the types in PARTS (NULL ends), for rules that ask for supertypes. */
enum jw_status JW_MUST_USE run_hash_types(struct run *run, const char *const *parts,
					  struct jw_err *e);

/* The program has ended: which classes were written in such folders meanwhile (run_written.h)? */
void run_look_at_folders(struct run *run);

#endif
