/*
 * run_written.h: classes that a program writes to a folder of its class path, and loads: a copy in front of the folder has
 * them as they were when the run began. Which they are is known when it has ended: the next run leaves them out of the copy,
 * once, and again as long as they are written:
 *
 *     CACHE/.written-FOLDER     their paths in the folder, one a line; FOLDER: 16 hex digits, of its path
 */
#ifndef JW_CLI_RUN_WRITTEN_H
#define JW_CLI_RUN_WRITTEN_H

#include "cli/run.h"

/* Reads which classes of the folder PATH are left out of its copy. From now on what is written there is new. JW_NOMEM. */
enum jw_status JW_MUST_USE run_written_open(struct run *run, const char *path, struct jw_err *e);
/* Is FILE, in the folder PATH, one of them? */
bool run_written_is(const struct run *run, const char *path, const char *file);
/* The woven classes of PATH are in COPY, and its own come after them. */
void run_written_copy(struct run *run, const char *path, const char *copy);
/* The program has ended. Of each folder, from RUN->folders on (NULL: no other): its path, or NULL where nothing of it has to be
 * known; to be called with each class file that is there; then says what the program may have missed, and keeps it for
 * the next run. */
struct run_folder *run_written_next(struct run_folder *folder);
const char *run_written_path(const struct run_folder *folder);
enum jw_status JW_MUST_USE run_written_see(void *folder, const char *file, struct jw_err *e);
void run_written_end(struct run *run, const struct run_folder *folder);
/* Forgets what was kept of all folders. */
void run_written_forget_all(const struct cli_cache *cache);

#endif
