/*
 * run_patch.h: what --patch-module puts into modules: the classes of tests, as a rule.
 */
#ifndef JW_CLI_RUN_PATCH_H
#define JW_CLI_RUN_PATCH_H

#include "cli/run.h"

/* Appends to PLACES the folders and jars that options --patch-module of the command, or of variables, name; but for those
 * that are put into modules of the JDK. */
enum jw_status JW_MUST_USE run_patch_places(const struct run *run, struct cli_words *places,
					    struct jw_err *e);

/* Weaves these, and puts the copies into the words of RUN->java. *MODULES: the modules that now have woven
 * classes, each after a comma; "": none. What cannot be traced there is noted. */
enum jw_status JW_MUST_USE run_patch(struct run *run, const char **modules, struct jw_err *e);

#endif
