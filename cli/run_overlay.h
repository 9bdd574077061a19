/*
 * run_overlay.h: woven copies that a java opens in the place of their originals, which stay on its paths
 * (base/overlay.h, runtime-jni/overlay).
 */
#ifndef JW_CLI_RUN_OVERLAY_H
#define JW_CLI_RUN_OVERLAY_H

#include <sys/stat.h>

#include "cli/run.h"

/* From now on copies are added, unless this command's java cannot be shown any; then *WHY says why, in
 * words that follow "since". */
enum jw_status JW_MUST_USE run_overlay_open(struct run *run, const char **why, struct jw_err *e);

/* COPY, in the cache, is opened where the file PATH is, as long as that is what it WAS (NULL: what it is now). */
enum jw_status JW_MUST_USE run_overlay_add(struct run *run, const char *path,
					   const struct stat *was, const char *copy,
					   struct jw_err *e);

/* Is there a copy at all? */
bool run_overlay_any(const struct run *run);

/* The copy of PATH; NULL: it has none. */
const char *run_overlay_copy(const struct run *run, const char *path);

/* Sets what the java finds them by in our environment, which is going to be its. */
enum jw_status JW_MUST_USE run_overlay_set(struct run *run, struct jw_err *e);

/* Has the library loaded by which a java becomes a script, which JW_LAUNCH_VARIABLE is to name: a file with TEXT, in
 * the cache, since what the command starts may begin after we have ended. JW_INPUT: it cannot be loaded, in words that
 * follow "since", too. */
enum jw_status JW_MUST_USE run_overlay_launch(struct run *run, struct jw_span text,
					      const char **script, struct jw_err *e);

#endif
