/*
 * run_web.h: a web application that is unpacked, or a folder of classes: its files are opened one by one.
 */
#ifndef JW_CLI_RUN_WEB_H
#define JW_CLI_RUN_WEB_H

#include "cli/run.h"

/* Is the folder PATH a web application? */
bool run_is_web(const char *path);

/* Gives TAKE the path, in the web application or folder of classes PATH, of each of its class files and jars. */
typedef enum jw_status run_take_file(void *ctx, const char *file, struct jw_err *e);
enum jw_status JW_MUST_USE run_web_files(struct run *run, const char *path, run_take_file *take,
					 void *ctx, struct jw_err *e);

/* Weaves PATH into the cache, and shows what is woven in its place (run_overlay.h); *RUNTIME: a folder for the boot
 * class path, since the class loader of the application would not find there what is not there; NULL: nothing is
 * woven. */
enum jw_status JW_MUST_USE run_weave_web(struct run *run, const char *path, const char **runtime,
					 struct jw_err *e);

#endif
