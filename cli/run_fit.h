/*
 * run_fit.h: a rewritten command that the kernel takes.
 *
 * A word may have 128 KiB, and all words with the environment a share of the stack (execve(2)). Argument files of the
 * command may have had more, and copies have longer paths than originals. So what is too long goes through an argument
 * file of the run's own:
 *
 *     PLACE/arguments        all words after the launcher, the program's, too, each in quotes on a line of its own
 *
 * JDK 9 and later read one.
 */
#ifndef JW_CLI_RUN_FIT_H
#define JW_CLI_RUN_FIT_H

#include "cli/run.h"

/* *WORDS, by cli_java_rewrite(), where the kernel takes them, else with an argument file; NULL: that cannot be, and
 * *WHY is why. */
enum jw_status JW_MUST_USE run_fit(struct run *run, const char ***words, const char **why,
				   struct jw_err *e);

#endif
