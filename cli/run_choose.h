/*
 * run_choose.h: the default rules: what is the application.
 */
#ifndef JW_CLI_RUN_CHOOSE_H
#define JW_CLI_RUN_CHOOSE_H

#include "cli/run.h"

/* Writes rules for what is the application's of all that the command has on its paths, into TEXT;
 * JW_INPUT: there is nothing. */
enum jw_status JW_MUST_USE run_choose(struct run *run, struct jw_buf *text, struct jw_err *e);
/* Has it looked through an archive that is called as PATH is? */
bool run_looked_at(struct run *run, const char *path);
/* Do the default rules of RUN choose from packages that the archive PATH has, too? Not of other rules. */
bool run_would_choose(struct run *run, const char *path);
/* May the rules of RUN, of any kind, choose from packages that the archive PATH has? */
bool run_may_choose(struct run *run, const char *path);
/* Puts the packages that are not traced, most classes first, such as log last, into OUT: "org.a (12 classes), ...".
 * *PATTERN: a match line that chooses the first of them, owned by RUN; NULL: there is none. */
enum jw_status JW_MUST_USE run_put_left(struct run *run, struct jw_buf *out, const char **pattern,
					struct jw_err *e);

#endif
