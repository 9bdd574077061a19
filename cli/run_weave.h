/*
 * run_weave.h: one entry of a class path, woven into the cache.
 */
#ifndef JW_CLI_RUN_WEAVE_H
#define JW_CLI_RUN_WEAVE_H

#include "cli/run.h"

/* Of the rules, the options and this program. */
enum jw_status JW_MUST_USE run_hash_rules(struct run *run, struct jw_err *e);

/* Weaves the jar PATH (or, with WHOLE, the exploded module) into the cache; *OUT: the copy, or NULL
 * when the rules touch nothing in it. What cannot be woven stays as it is, and is warned of. */
enum jw_status JW_MUST_USE run_weave_jar(struct run *run, const char *path, const char **out,
					 struct jw_err *e);
/* Makes the content of a folder of the cache: TEMP/NAME from PATH, or nothing. */
typedef enum jw_status run_make(struct run *run, const char *path, const char *temp,
				const char *name, struct jw_err *e);
/* *HASH goes on with all that MAKE reads of PATH. */
typedef enum jw_status run_hash(struct run *run, const char *path, uint64_t *hash,
				struct jw_err *e);
/* What MAKE makes of PATH, found in the cache by HASH, or made now; *OUT: NAME in the folder, or NULL. What is wrong with
 * PATH alone is warned of; what HASH returns, of the first look, is returned. What is written to meanwhile is looked at
 * anew. */
enum jw_status JW_MUST_USE run_find_or_make(struct run *run, const char *path, const char *name,
					    run_hash *hash, run_make *make, const char **out,
					    struct jw_err *e);
/* Is an error of STATUS about the entry alone? Then the program runs with the entry as it is. */
bool run_is_about_entry(enum jw_status status);
/* Weaves IN, called SHOWN, to OUT, which is not there when *WOVE is false. */
enum jw_status JW_MUST_USE run_weave_to(struct run *run, const char *in, const char *shown,
					const char *out, bool *wove, struct jw_err *e);
/* Copies the file FROM to FOLDER/FILE, with the folders that lead there. */
enum jw_status JW_MUST_USE run_copy_into(struct run *run, const char *from, const char *folder,
					 const char *file, struct jw_err *e);
/* *HASH goes on with TEXT; with the bytes of the file PATH. */
void run_hash_text(const char *text, uint64_t *hash);
enum jw_status JW_MUST_USE run_hash_file(const char *path, uint64_t *hash, struct jw_err *e);

/* Removes what has long not been used, by the limit of the cache. */
void run_trim_cache(struct run *run);
/* WHY says that nothing could be written: what to do, if that is since there is no room. */
void run_tell_room(struct jw_err *why);

/* Opens the cache, and says once where it is not where the user has it. */
enum jw_status JW_MUST_USE run_open_cache(struct run *run, struct jw_err *e);

/* JAR (woven or not) with CLASS_PATH in its manifest, in the cache. */
enum jw_status JW_MUST_USE run_move_jar(struct run *run, const char *jar, const char *class_path,
					const char **out, struct jw_err *e);

/* Says in one line what is woven; FIRST: also if an earlier run did it. */
void run_tell_woven(struct run *run, bool first);

#endif
